package import Notes

/// The change of a note: it moves, gets another title or other headings, or is merged into another note.
package struct NoteSuccessor: Sendable {
  /// The note before.
  package let old: Entry
  /// The note that replaces it; nil if no note does.
  package let new: Entry?
  /// The path of the note that links to it lead to.
  package let path: [UInt8]
  /// Whether links by its title get the new title even if the old title still leads to the note.
  package let rewritesTitle: Bool
  /// The places of its headings after the change; nil if all headings keep their places.
  package let headings: HeadingsMove?

  /// - Parameter path: nil for the path of `new`, else of `old`.
  package init(
    _ old: Entry, becomes new: Entry?, path: [UInt8]? = nil, rewritesTitle: Bool = false,
    headings: HeadingsMove? = nil
  ) {
    self.old = old
    self.new = new
    self.path = path ?? (new ?? old).note.path
    self.rewritesTitle = rewritesTitle
    self.headings = headings
  }
}

/// The places of the headings and blocks of a note after a change.
package struct HeadingsMove: Sendable {
  /// A block in the note that contains it after the change, and its name there, without `^`.
  package struct Block: Sendable {
    package let path: [UInt8]
    package let name: String

    package init(path: [UInt8], name: String) { (self.path, self.name) = (path, name) }
  }

  /// Some of the headings in the note that contains them after the change.
  package struct Part: Sendable {
    /// Their numbers before the change.
    package let numbers: Range<Int>
    /// The path of the note that contains them after the change.
    package let path: [UInt8]
    /// The headings of that note.
    package let anchors: HeadingAnchors
    /// The new number of the first heading; one less if the first heading has become the note itself.
    package let start: Int

    package init(_ numbers: Range<Int>, path: [UInt8], anchors: HeadingAnchors, start: Int) {
      self.numbers = numbers
      self.path = path
      self.anchors = anchors
      self.start = start
    }
  }

  package let before: HeadingAnchors
  package let parts: [Part]
  /// The blocks that go to another note or get another name, by their names before, without `^`.
  package let blocks: [String: Block]

  package init(_ before: HeadingAnchors, _ parts: [Part], blocks: [String: Block] = [:]) {
    self.before = before
    self.parts = parts
    self.blocks = blocks
  }

  /// The blocks in a part of a note that goes to another one.
  ///
  /// - Parameter names: the names that change, without `^`.
  package static func blocks(
    in text: NoteText, _ part: Range<Int>, to path: [UInt8], names: [String: String] = [:]
  ) -> [String: Block] {
    let found = BlockNames.all(in: text).filter { part.contains($0.range.lowerBound) }.map { block in
      let name = String(block.name.dropFirst())
      return (name, Block(path: path, name: names[name] ?? name))
    }
    return Dictionary(found) { first, _ in first }
  }

  /// Returns the note that contains a heading or a block after the change, and its name in a link that led to it.
  func destination(
    of suffix: [UInt8], _ spelling: LinkSpelling
  ) -> (path: [UInt8]?, outcome: HeadingAnchors.Outcome) {
    if let name = BlockNames.name(inLink: suffix), let block = blocks[name] {
      guard block.name != name else { return (block.path, .same) }
      return (block.path, .changed(suffix.dropLast(name.utf8.count) + Array(block.name.utf8)))
    }
    guard let number = before.number(of: suffix, spelling), let part = part(of: number) else {
      return (nil, .same)
    }
    let place = part.start + number - part.numbers.lowerBound
    if place < 0 { return (part.path, suffix.isEmpty ? .same : .changed([])) }
    let outcome = before.outcome(of: suffix, spelling, among: part.anchors) { other in
      guard part.numbers.contains(other) else { return nil }
      let place = part.start + other - part.numbers.lowerBound
      return place < 0 ? nil : place
    }
    guard outcome == .lost else { return (part.path, outcome) }
    return (part.path, part.anchors.outcome(naming: place, like: spelling))
  }

  private func part(of number: Int) -> Part? { parts.first { $0.numbers.contains(number) } }
}
