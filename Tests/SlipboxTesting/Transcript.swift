import Foundation

/// A recorded session in a shell: commands and what they print, as a test and as documentation.
///
/// `$ ` begins a command, run by `sh`; under it stand its lines on standard output, those on standard error after
/// `! `, and `? N` where it exits other than 0. Lines that begin with `#` are comments. The folder's own path is
/// written as `{{here}}`.
///
/// The ids of a command depend on its text and on how often the text was there before. Each command runs one minute after
/// the one before it, and after the comment `# clock +5m` five minutes. A new command between others therefore changes no
/// id, and with `# clock +0m` no time either.
package struct Transcript {
  /// A command with what it printed.
  package struct Step: Equatable {
    package let comments: [String]
    package let command: String
    package var output: [String]

    /// The minutes between the command before and this one.
    var minutes: Int {
      let words = comments.last { $0.hasPrefix("# clock +") }?.dropFirst(9)
      return words.flatMap { $0.hasSuffix("m") ? Int($0.dropLast()) : nil } ?? 1
    }
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

  /// The number that the ids of a command follow from: FNV-1a of its text, after the number of equal commands before it.
  package static func seed(of command: String, after count: Int) -> UInt64 {
    "\(count) \(command)".utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Runs the commands in a folder and returns what they print now.
  /// - Parameter environment: beside it each command gets `FIXED_IDS` and `FIXED_MINUTES`.
  package func run(
    in folder: TemporaryFolder, environment: [String: String], after: (Step) throws -> Void = { _ in }
  ) throws -> Transcript {
    var result = self
    var (counts, minutes): ([String: Int], Int) = ([:], 0)
    for index in steps.indices {
      let command = steps[index].command
      var environment = environment
      environment["FIXED_IDS"] = String(Self.seed(of: command, after: counts[command, default: 0]))
      counts[command, default: 0] += 1
      minutes += steps[index].minutes
      environment["FIXED_MINUTES"] = String(minutes)
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
