/// The merge of two blocks of front-matter, on the text of ours.
struct HeaderMerge {
  /// Our text with what was taken from theirs; its body is still ours.
  private(set) var text: NoteText
  private(set) var conflicts: [String] = []
  /// The lines to keep of the other version, each whole.
  private(set) var comments: [[UInt8]] = []

  private let base: NoteText
  private let ours: NoteText
  private let theirs: NoteText

  init(base: NoteText, ours: NoteText, theirs: NoteText) {
    text = ours
    self.base = base
    self.ours = ours
    self.theirs = theirs
  }

  /// Merges the blocks: whole where one side left its own alone, else by fields.
  mutating func run() {
    let blocks = [base, ours, theirs].map { $0.blockWithLineFeeds }
    if blocks[0] == blocks[2] || blocks[1] == blocks[2] { return }
    if blocks[0] == blocks[1] { return takeBlock() }
    let sides = (base: FrontMatter(base), ours: FrontMatter(ours), theirs: FrontMatter(theirs))
    guard sides.base.isWritable, sides.ours.isWritable, sides.theirs.isWritable else { return keepBlock() }
    for field in sides.theirs.fields {
      mergeField(
        field.name, base: sides.base.field(field.name), ours: sides.ours.field(field.name), theirs: field)
    }
    for field in sides.base.fields where sides.theirs.field(field.name) == nil {
      mergeField(field.name, base: field, ours: sides.ours.field(field.name), theirs: nil)
    }
  }

  /// Puts their whole block in the place of ours.
  private mutating func takeBlock() {
    let start = ours.block?.lowerBound ?? ours.body.lowerBound
    let block = theirs.block.map { theirs.bytes[$0].withLineEnds(ours.lineEnd) } ?? []
    let end = block.isEmpty || block.last == 0x0A ? [] : ours.lineEnd
    text = NoteText(ours.bytes[..<start] + block + end + ours.bytes[ours.body])
  }

  private mutating func keepBlock() {
    conflicts.append(NoteMerge.frontMatter)
    let lines = theirs.frontMatter.map { theirs.bytes[$0] } ?? []
    comments.append(MergeComment.text("the front-matter was also set to", lines))
  }

  private mutating func mergeField(
    _ name: String, base: FrontMatterField?, ours: FrontMatterField?, theirs: FrontMatterField?
  ) {
    if theirs?.value == base?.value || theirs?.value == ours?.value { return }
    if ours?.value == base?.value, let taken = text.takingField(name, theirs, of: self.theirs) {
      text = taken
    } else if let merged = mergedList(name, base?.value, ours?.value, theirs?.value) {
      text = merged
    } else {
      conflicts.append(name)
      comments.append(MergeComment.field(name, theirs?.value))
    }
  }

  /// Our list without the elements that they removed and with those that they added; nil where a side is no list.
  private func mergedList(
    _ name: String, _ base: FieldValue?, _ ours: FieldValue?, _ theirs: FieldValue?
  ) -> NoteText? {
    guard let own = Self.elements(ours), let other = Self.elements(theirs) else { return nil }
    let old = Set((base?.strings ?? []).map { Array($0.utf8) })
    let (ownSet, otherSet) = (Set(own.map { Array($0.utf8) }), Set(other.map { Array($0.utf8) }))
    var merged = text
    do {
      for element in other where !old.contains(Array(element.utf8)) && !ownSet.contains(Array(element.utf8)) {
        merged = try merged.adding(element, to: name, order: orderOfTheirs)
      }
      for element in own where old.contains(Array(element.utf8)) && !otherSet.contains(Array(element.utf8)) {
        merged = try merged.removing(element, from: name)
      }
    } catch {
      return nil
    }
    return merged
  }

  private var orderOfTheirs: [String] { FrontMatter(theirs).fields.map(\.name) }

  /// The scalars of a list of nothing else; no value at all is an empty list.
  private static func elements(_ value: FieldValue?) -> [String]? {
    switch value {
    case nil, .empty: []
    case .list(let elements): elements.allSatisfy { $0.text != nil } ? elements.compactMap(\.text) : nil
    case .text, .map: nil
    }
  }
}

extension NoteText {
  /// The block of front-matter with line feeds for line ends.
  fileprivate var blockWithLineFeeds: [UInt8] { block.map { bytes[$0].withLineEnds([0x0A]) } ?? [] }

  /// Returns the text with a field as another text has it, lines and all, or without it.
  ///
  /// - Returns: nil where the lines would mean something else here, or change another field.
  fileprivate func takingField(_ name: String, _ field: FrontMatterField?, of other: NoteText) -> NoteText? {
    let before = FrontMatter(self)
    if let field, !field.isEditable, field.value.hasAlias { return nil }
    let lines = field.map { other.bytes[$0.span].withLineEnds(lineEnd) } ?? []
    let taken: NoteText
    if let own = before.field(name) {
      taken = NoteText(bytes[..<own.span.lowerBound] + lines + bytes[own.span.upperBound...])
    } else if let frontMatter {
      let place =
        place(for: name, in: before, order: FrontMatter(other).fields.map(\.name)) ?? frontMatter.lowerBound
      taken = NoteText(bytes[..<place] + lines + bytes[place...])
    } else {
      let fence = Array("---".utf8) + lineEnd
      taken = NoteText(bytes[..<body.lowerBound] + fence + lines + fence + bytes[body])
    }
    return taken.hasField(name, field?.value, andOthersOf: before) ? taken : nil
  }

  /// Where the field that goes before a new one ends.
  private func place(for name: String, in fields: FrontMatter, order: [String]) -> Int? {
    let earlier = order.prefix { !$0.hasSameBytes(as: name) }
    for neighbour in earlier.reversed() {
      if let field = fields.field(neighbour) { return field.span.upperBound }
    }
    return nil
  }

  private func hasField(_ name: String, _ value: FieldValue?, andOthersOf before: FrontMatter) -> Bool {
    let after = FrontMatter(self)
    guard after.isWritable, after[name] == value else { return false }
    let rest = [before, after].map { $0.fields.filter { !$0.name.hasSameBytes(as: name) } }
    return rest[0].count == rest[1].count
      && zip(rest[0], rest[1]).allSatisfy { $0.name.hasSameBytes(as: $1.name) && $0.value == $1.value }
  }
}

extension FieldValue {
  /// Whether a scalar may be an alias, which means nothing without its anchor in another field.
  fileprivate var hasAlias: Bool {
    switch self {
    case .text(let text): text.utf8.first == UInt8(ascii: "*")
    case .list(let elements): elements.contains { $0.hasAlias }
    case .map(let entries): entries.contains { $0.value.hasAlias }
    case .empty: false
    }
  }
}

extension ArraySlice<UInt8> {
  /// The bytes with every line end written in one way.
  fileprivate func withLineEnds(_ lineEnd: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    for byte in self {
      if byte != 0x0A {
        result.append(byte)
        continue
      }
      if result.last == 0x0D { result.removeLast() }
      result.append(contentsOf: lineEnd)
    }
    return result
  }
}
