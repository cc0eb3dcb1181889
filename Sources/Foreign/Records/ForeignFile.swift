/// What a file of another program holds: its records, and the lines that can't be read.
package struct ForeignFile: Sendable {
  package var records: [ForeignRecord] = []
  package var problems: [ForeignProblem] = []
  /// What was left out on purpose, a sentence each.
  package var remarks: [String] = []
  /// The last part of the file's path.
  package internal(set) var name = ""

  package init() {}
}

/// Why something in a file could not be read.
package struct ForeignProblem: Error, Sendable, Equatable {
  /// The line, from 1.
  package let line: Int
  /// What is wrong, on one line; may hold words of the file.
  package let message: String
  /// Whether the record of the line comes without what can't be read.
  package let isPartial: Bool

  package init(line: Int, _ message: String, isPartial: Bool = false) {
    self.line = line
    self.message = message
    self.isPartial = isPartial
  }
}
