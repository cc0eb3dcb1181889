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

  package init(
    number: Int, spelling: LinkSpelling, name: [UInt8], suffix: [UInt8]? = nil, label: String? = nil
  ) {
    self.number = number
    self.spelling = spelling
    self.name = name
    self.suffix = suffix
    self.label = label
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
  /// The line of the file, from 1.
  package let line: Int
  package let target: String
  package let reason: String

  package init(line: Int, target: String, reason: String) {
    self.line = line
    self.target = target
    self.reason = reason
  }

  init(link: BodyScan.Link, reason: String) {
    self.init(line: link.line, target: link.target, reason: reason)
  }
}
