import Foundation

/// A recorded session in a shell: commands and what they print, as a test and as documentation.
///
/// `$ ` begins a command, run by `sh`; under it stand its lines on standard output, those on standard error after
/// `! `, and `? N` where it exits other than 0. Lines that begin with `#` are comments. The folder's own path is
/// written as `{{here}}`.
package struct Transcript {
  /// A command with what it printed.
  package struct Step: Equatable {
    package let comments: [String]
    package let command: String
    package var output: [String]
  }

  package let name: String
  package var steps: [Step]

  /// Reads a transcript.
  package init(name: String, text: String) {
    self.name = name
    steps = []
    var comments: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("$ ") {
        steps.append(Step(comments: comments, command: String(line.dropFirst(2)), output: []))
        comments = []
      } else if line.hasPrefix("#") || (line.isEmpty && steps.last.map { _ in true } ?? true) {
        comments.append(line)
      } else if !steps.isEmpty {
        if !comments.isEmpty {
          steps[steps.count - 1].output += comments
          comments = []
        }
        steps[steps.count - 1].output.append(line)
      }
    }
  }

  /// The transcript as text.
  package var text: String {
    steps.map { step in
      (step.comments + ["$ " + step.command] + step.output).joined(separator: "\n")
    }.joined(separator: "\n") + "\n"
  }

  /// Runs the commands in a folder and returns what they print now.
  /// - Parameter environment: beside it each command gets a `FIXED_SEED` of its own.
  package func run(
    in folder: TemporaryFolder, environment: [String: String], after: (Step) throws -> Void = { _ in }
  ) throws -> Transcript {
    var result = self
    for index in steps.indices {
      var environment = environment
      environment["FIXED_SEED"] = String(index + 1)
      let ran = try SlipboxTesting.run(
        "sh", ["-c", steps[index].command], in: folder.path, environment: environment)
      var lines = Self.lines(ran.output, folder) + Self.lines(ran.errors, folder).map { "! " + $0 }
      if ran.status != 0 { lines.append("? \(ran.status)") }
      result.steps[index].output = lines
      try after(steps[index])
    }
    return result
  }

  private static func lines(_ text: String, _ folder: TemporaryFolder) -> [String] {
    guard !text.isEmpty else { return [] }
    let shown = text.replacingOccurrences(of: folder.path, with: "{{here}}")
    var lines = shown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() } else { lines[lines.count - 1] += "\\" }
    // A blank line before the next command could not be told from one that sets it apart.
    while lines.last == "" { lines.removeLast() }
    return lines
  }
}
