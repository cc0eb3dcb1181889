/// The merge of the front-matter of two versions of a note.
struct HeaderMerge {
  /// The merged block with both fences, and nothing else.
  private(set) var block: NoteText
  /// The fields that both sides changed to different values; `front-matter` for blocks that can't be merged.
  private(set) var contested: [MergePart] = []
  /// Comments that could not be kept in the block, for the body.
  private(set) var comments: [[UInt8]] = []

  private let base: NoteText
  private let one: NoteText
  private let other: NoteText
  private let rules: MergeRules
  private let times: MergeTimes

  /// Merges blocks, given without the bytes before and after them.
  init(
    base: NoteText, one: NoteText, other: NoteText, rules: MergeRules, times: MergeTimes
  ) {
    (self.base, self.one, self.other) = (base, one, other)
    (self.rules, self.times) = (rules, times)
    block = one
    if one.bytes == other.bytes || other.bytes == base.bytes { return }
    if one.bytes == base.bytes {
      block = other
      return
    }
    merge()
  }

  private mutating func merge() {
    let readings = [base, one, other].map { FrontMatter($0) }
    // A block that is not made of YAML fields is merged by lines.
    guard readings.allSatisfy(\.isWritable) else { return mergeLines(readings) }
    let primary: MergeSide = one.bytes.lexicographicallyPrecedes(other.bytes) ? .other : .one
    let fields = FieldsMerge(
      base: readings[0], one: readings[1], other: readings[2], primary: primary, rules: rules,
      times: times)
    contested = fields.contested.map { .field($0) }
    let joined = mergedLines().flatMap { $0.hasExactly(fields.decisions) ? $0 : nil }
    let written = joined.map { ($0, []) } ?? write(fields.decisions, on: primary)
    block = written.0
    keepComments(primary)
    keep(fields.entries + written.1)
  }

  private func side(_ side: MergeSide) -> NoteText { side == .one ? one : other }

  /// The blocks merged line by line; nil if both sides changed the same lines.
  private func mergedLines() -> NoteText? {
    let lines = LineMerge.merge(base: base.bytes, one: one.bytes, other: other.bytes)
    return lines.conflicts == 0 ? NoteText(lines.bytes) : nil
  }
}

extension HeaderMerge {
  /// Writes the fields that the primary side lacks onto its block.
  ///
  /// - Returns: the block, and the values that could not be written.
  private func write(
    _ decisions: [FieldsMerge.Decision], on primary: MergeSide
  ) -> (NoteText, [ConflictEntry]) {
    var text = side(primary)
    var lost: [ConflictEntry] = []
    for decision in decisions {
      let source: NoteText
      switch decision.source {
      case .both:
        // A new spelling of the same value is a change too.
        let isOld = text.bytes(of: decision.name) == base.bytes(of: decision.name)
        source = isOld ? side(primary.opposite) : side(primary)
      case .side(let side): source = self.side(side)
      case .joined(let side, _, _): source = self.side(side)
      }
      let value = FrontMatter(source)[decision.name]
      guard var taken = text.taking(decision.name, of: source, value) else {
        lost.append(ConflictEntry(field: decision.name, value: value, nil))
        continue
      }
      if case .joined(_, let removing, let adding) = decision.source {
        guard let changed = taken.changing(decision.name, removing: removing, adding: adding) else {
          lost.append(ConflictEntry(field: decision.name, value: decision.value, nil))
          continue
        }
        taken = changed
      }
      text = taken
    }
    return (text, lost)
  }

  /// Keeps values that were not taken under `conflicts`, or in the body if the block can't hold them.
  private mutating func keep(_ entries: [ConflictEntry]) {
    guard !entries.isEmpty else { return }
    if let marked = block.addingConflicts(entries) {
      block = marked
    } else {
      comments += Set(entries.map(\.text)).sorted(by: FieldsMerge.precedes).map { MergeComment.line($0) }
    }
  }

  /// Keeps the comments that a side added and that went with a value which was not taken.
  private mutating func keepComments(_ primary: MergeSide) {
    var known = Set(base.comments + block.comments)
    let lost = (side(primary).comments + side(primary.opposite).comments).filter { known.insert($0).inserted }
    guard !lost.isEmpty else { return }
    if let commented = block.adding(comments: lost) {
      block = commented
    } else {
      comments += lost.map { MergeComment.line(String(decoding: $0, as: UTF8.self)) }
    }
  }

  /// Merges blocks that are not fields: by lines, else one of them stays and the other goes into a comment.
  private mutating func mergeLines(_ readings: [FrontMatter]) {
    let formats = Set([one, other].map(\.format))
    if formats == [.toml], let lines = mergedLines() {
      block = lines
      return
    }
    let part = MergePart.frontMatter
    contested = [part]
    let sound = [readings[1].isWritable && one.block != nil, readings[2].isWritable && other.block != nil]
    let winner: MergeSide
    if sound[0] != sound[1] {
      winner = sound[0] ? .one : .other
    } else {
      winner =
        times[part]?.later ?? (one.bytes.lexicographicallyPrecedes(other.bytes) ? .other : .one)
    }
    block = side(winner)
    let lost = side(winner.opposite)
    let lines = lost.frontMatter.map { lost.bytes[$0] } ?? []
    comments.append(MergeComment.text(MergeComment.headerSentence, lines))
  }
}

extension NoteText {
  /// The bytes of a field's lines; empty if the field is missing.
  fileprivate func bytes(of name: String) -> ArraySlice<UInt8> {
    FrontMatter(self).field(name).map { bytes[$0.span] } ?? []
  }

  /// Whether the block can be read and has these fields with these values and no others.
  fileprivate func hasExactly(_ decisions: [FieldsMerge.Decision]) -> Bool {
    let reading = FrontMatter(self)
    let wanted = decisions.filter { $0.value != nil }
    guard reading.isWritable, reading.fields.count == wanted.count else { return false }
    let values = FieldValues(reading)
    return wanted.allSatisfy { values[$0.name] == $0.value }
  }

  /// Returns the text with a field as another text has it, lines and all, or without it.
  ///
  /// - Returns: nil if the lines would mean something else here, or change another field.
  fileprivate func taking(_ name: String, of other: NoteText, _ value: FieldValue?) -> NoteText? {
    let (before, source) = (FrontMatter(self), FrontMatter(other))
    let field = source.field(name)
    let own = before.field(name)
    if field.map({ other.bytes[$0.span] }) == own.map({ bytes[$0.span] }) { return self }
    if let field, !field.isEditable, field.value.hasAlias { return nil }
    let lines = field.map { Array(other.bytes[$0.span]) } ?? []
    let taken: NoteText
    if let own {
      taken = NoteText(bytes[..<own.span.lowerBound] + lines + bytes[own.span.upperBound...])
    } else if let frontMatter {
      let place = place(for: name, in: before, order: source.fields.map(\.name)) ?? frontMatter.lowerBound
      taken = NoteText(bytes[..<place] + lines + bytes[place...])
    } else {
      let fence = Array("---".utf8) + other.lineEnd
      taken = NoteText(fence + lines + fence)
    }
    return taken.hasField(name, field?.value, andOthersOf: before) ? taken : nil
  }

  /// The end of the field that precedes a new one.
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

  /// Returns the text with elements taken out of a list and put into it; nil if they can't be.
  fileprivate func changing(_ name: String, removing: [String], adding: [String]) -> NoteText? {
    do throws(EditError) {
      return try changing(name, adding: adding, removing: removing)
    } catch {
      return nil
    }
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

/// The comments of HTML in which a merge keeps what front-matter can't hold.
enum MergeComment {
  /// Stands above front matter that could not be merged field by field.
  static let headerSentence = "the front matter was also"

  /// Keeps lines of text below a sentence.
  static func text(_ sentence: String, _ lines: ArraySlice<UInt8>) -> [UInt8] {
    var comment = Array("<!-- slip: \(sentence)\n".utf8) + safe(Array(lines))
    if comment.last != 0x0A { comment.append(0x0A) }
    return comment + Array("-->\n".utf8)
  }

  /// Keeps one line.
  static func line(_ text: String) -> [UInt8] {
    Array("<!-- slip: ".utf8) + safe(Array(text.utf8)) + Array(" -->\n".utf8)
  }

  /// The bytes with every second of two hyphens written as an escape, so that they can't end the comment.
  private static func safe(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for byte in bytes {
      if byte == UInt8(ascii: "-"), result.last == byte {
        result.append(contentsOf: "\\u002d".utf8)
      } else {
        result.append(byte)
      }
    }
    return result
  }
}

extension NoteText {
  /// The comments in the front-matter, each from its `#` to the end of its line, without blanks at the end.
  ///
  /// - Complexity: that of reading the front-matter.
  var comments: [ArraySlice<UInt8>] {
    guard let frontMatter, format == .yaml, bytes[frontMatter].contains(UInt8(ascii: "#")) else { return [] }
    let texts = FieldPlace.all(in: self).flatMap { [$0.name] + $0.values.map(\.range) }
      .sorted { $0.lowerBound < $1.lowerBound }
    var (comments, place): ([ArraySlice<UInt8>], Int) = ([], 0)
    for line in bytes[frontMatter].split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      // Whether a quote is open that belongs to a value of no known range.
      var (isSingle, isDouble) = (false, false)
      for index in line.indices {
        while place < texts.count, texts[place].upperBound <= index { place += 1 }
        if place < texts.count, texts[place].contains(index) { continue }
        switch line[index] {
        case UInt8(ascii: "'") where !isDouble: isSingle.toggle()
        case UInt8(ascii: "\"") where !isSingle: isDouble.toggle()
        case UInt8(ascii: "#") where !isSingle && !isDouble && Self.isApart(index, in: line):
          let end = line.lastIndex { $0 != 0x20 && $0 != 0x09 } ?? index
          comments.append(line[index...end])
        default: continue
        }
        if comments.last?.startIndex == index { break }
      }
    }
    return comments
  }

  /// Whether a byte is the first of its line or follows a blank.
  private static func isApart(_ index: Int, in line: ArraySlice<UInt8>) -> Bool {
    index == line.startIndex || line[index - 1] == 0x20 || line[index - 1] == 0x09
  }

  /// Returns the block with lines of comments before its closing fence; nil if a field would change by that.
  func adding(comments: [ArraySlice<UInt8>]) -> NoteText? {
    guard let frontMatter else { return nil }
    let added = comments.flatMap { $0 + lineEnd }
    let fields = FrontMatter(self).fields.map { ($0.name, $0.value) }
    for place in [frontMatter.upperBound, frontMatter.lowerBound] {
      let text = NoteText(bytes[..<place] + added + bytes[place...])
      let reading = FrontMatter(text)
      guard reading.isWritable, reading.fields.count == fields.count else { continue }
      let isSame = zip(reading.fields, fields).allSatisfy {
        $0.name.hasSameBytes(as: $1.0) && $0.value == $1.1
      }
      if isSame { return text }
    }
    return nil
  }
}

extension NoteText {
  /// The front matter that a merge kept in comments of the body, because it could not be merged field by field.
  ///
  /// - Complexity: O(n).
  package var frontMatterInComments: [ArraySlice<UInt8>] {
    let start = Array("<!-- slip: \(MergeComment.headerSentence)\n".utf8)
    var found: [ArraySlice<UInt8>] = []
    var place = body.lowerBound
    while let mark = bytes.withUnsafeBufferPointer({
      $0.offset(of: UInt8(ascii: "<"), from: place, to: body.upperBound)
    }) {
      place = mark + 1
      guard bytes[mark..<body.upperBound].starts(with: start) else { continue }
      let lines = bytes[(mark + start.count)..<body.upperBound]
      let end = lines.indices.first { lines[$0...].starts(with: "-->".utf8) } ?? lines.endIndex
      found.append(lines[..<end])
      place = end
    }
    return found
  }
}
