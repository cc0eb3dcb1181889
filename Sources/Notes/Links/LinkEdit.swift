/// Another target for one link of a note.
package struct LinkEdit: Sendable {
  /// The number of the link among those of the note, front-matter first.
  package let number: Int
  package let spelling: LinkSpelling
  /// The new name as it is meant.
  package let name: [UInt8]
  /// The new heading with its mark, as it is written; nil for that of the link.
  package let suffix: [UInt8]?
  /// What a wiki link shows where it had no label and its new target does not say it; nil for the target.
  package let label: String?
  /// Whether the link would break without the edit.
  package let isNeeded: Bool

  package init(
    number: Int, spelling: LinkSpelling, name: [UInt8], suffix: [UInt8]? = nil, label: String? = nil,
    isNeeded: Bool = true
  ) {
    self.number = number
    self.spelling = spelling
    self.name = name
    self.suffix = suffix
    self.label = label
    self.isNeeded = isNeeded
  }

  /// The new target as it is written.
  func target(isBracketed: Bool) -> [UInt8] {
    spelling.target(name, suffix: suffix, isBracketed: isBracketed)
  }

  /// The bytes in the place of the target, and the target alone.
  ///
  /// - Parameter isInTable: whether a bar would end a cell.
  func written(at place: LinkPlace, isInTable: Bool) -> (bytes: [UInt8], target: [UInt8]) {
    let target = target(isBracketed: place.isBracketed)
    guard let label, !place.hasLabel else { return (target, target) }
    return (target + Array((isInTable ? "\\|" : "|").utf8) + label.utf8, target)
  }
}

/// A link whose target can't be written so that it is read as it is meant.
package struct LinkEditError: Error, Sendable {
  /// The number of the link among those of the note; nil for what is no link.
  package let number: Int?
  /// The line of the file, from 1.
  package let line: Int
  package let target: String
  package let reason: String

  package init(number: Int? = nil, line: Int, target: String, reason: String) {
    self.number = number
    self.line = line
    self.target = target
    self.reason = reason
  }

  init(_ number: Int, _ link: BodyScan.Link, reason: String) {
    self.init(number: number, line: link.line, target: link.target, reason: reason)
  }
}
