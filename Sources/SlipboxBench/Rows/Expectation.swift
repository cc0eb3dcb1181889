/// The expected output of a command: a fast answer that is wrong must not count.
struct Expectation {
  private var lines: Int?
  private(set) var pattern: String?
  private var occurrences = 0
  private var beginning: String?
  private var wantsID = false

  /// Any answer of a command that succeeds.
  static let success = Expectation()

  /// A number of lines.
  static func lines(_ count: Int) -> Expectation {
    var expectation = Expectation()
    expectation.lines = count
    return expectation
  }

  /// A text that occurs so often in the output.
  static func occurrences(of text: String, _ count: Int) -> Expectation {
    var expectation = Expectation()
    expectation.pattern = text
    expectation.occurrences = count
    return expectation
  }

  /// The same, and a text that the output begins with.
  func beginning(with text: String) -> Expectation {
    var expectation = self
    expectation.beginning = text
    return expectation
  }

  /// The id of a new note in a line of its own.
  static var newID: Expectation {
    var expectation = Expectation.lines(1)
    expectation.wantsID = true
    return expectation
  }

  /// Why the result is none, or nil where it is as it should be.
  func refusal(of result: Command.Result) -> String? {
    guard result.exitCode == 0 else {
      return "exit \(result.exitCode)" + (result.complaint.isEmpty ? "" : ": \(result.complaint)")
    }
    let output = result.output
    if let lines, output.lineCount != lines { return "wrong answer: \(output.lineCount) lines, not \(lines)" }
    if let pattern, output.occurrences != occurrences {
      return "wrong answer: \(pattern) \(output.occurrences) times, not \(occurrences)"
    }
    if let beginning, !output.text.hasPrefix(beginning) {
      return "wrong answer: it begins with \(output.text.prefix(20)), not \(beginning)"
    }
    if wantsID {
      let id = output.text.dropLast()
      let isID = id.count == 8 && id.allSatisfy { "bcdfghjklmnpqrstvwxz".contains($0) }
      if !isID { return "wrong answer: \(output.text.prefix(40)) is no id" }
    }
    return nil
  }
}
