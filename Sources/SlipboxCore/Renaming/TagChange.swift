import NoteIndex
package import Notes
import Text

/// A change of tags: some are renamed, with the tags below them, or removed.
package struct TagChange {
  enum Result: Equatable {
    case kept
    case renamed(String)
    case dropped
  }

  private struct Source {
    let key: String
    /// The number of slashes in the name.
    let depth: Int
  }

  /// The sources, deepest first: a rule for `work/clients` takes precedence over one for `work`.
  private let sources: [Source]
  private let target: String?

  /// - Parameter target: the new name; nil if the tags are removed.
  init(_ names: [String], to target: String?) {
    sources = names.map { Source(key: TagName.key($0), depth: Self.slashes(in: $0).count) }
      .sorted { $0.depth > $1.depth }
    self.target = target
  }

  /// Returns the result for one tag.
  func result(_ name: String) -> Result {
    let slashes = Self.slashes(in: name)
    for source in sources where source.depth <= slashes.count {
      let end = source.depth < slashes.count ? slashes[source.depth] : name.utf8.endIndex
      guard TagName.key(String(name[..<end])) == source.key else { continue }
      guard let target else { return .dropped }
      let new = target + name[end...]
      return new.utf8.elementsEqual(name.utf8) ? .kept : .renamed(new)
    }
    return .kept
  }

  /// Returns whether the change applies to a tag, even if its name stays the same.
  func covers(_ name: String) -> Bool {
    let slashes = Self.slashes(in: name)
    return sources.contains { source in
      guard source.depth <= slashes.count else { return false }
      let end = source.depth < slashes.count ? slashes[source.depth] : name.utf8.endIndex
      return TagName.key(String(name[..<end])) == source.key
    }
  }

  /// Returns whether a note has a tag that changes.
  func changes(_ note: Note) -> Bool {
    changesField(of: note) || note.inlineTags.contains { result($0.name) != .kept }
  }

  func changesField(of note: Note) -> Bool { note.frontMatterTags.contains { result($0) != .kept } }

  private static func slashes(in name: String) -> [String.Index] {
    name.utf8.indices.filter { name.utf8[$0] == UInt8(ascii: "/") }
  }
}

extension TagChange {
  /// Returns a note's text with its tags changed, in the front matter and in the text, and nothing else.
  ///
  /// - Throws: `.badData` if the front matter can't be rewritten, or a tag in the text can't have the new name.
  func applied(to note: Note) throws(SlipboxError) -> NoteText {
    var note = note
    if let text = try changingBody(of: note) { note = Note(path: note.path, text: text) }
    // If a field is left without tags, another field may become the note's field of tags.
    for _ in Note.tagsFields where changesField(of: note) {
      let text = try note.text
      do throws(EditError) {
        note = Note(path: note.path, text: try changingField(of: note, text))
      } catch {
        throw SlipboxError(error, note: note.mention, typed: .note(note))
      }
    }
    guard !changes(note) else {
      throw SlipboxError(
        .badData, "\(note.mention): slip can't change its tags", hints: Self.unchanged)
    }
    return try note.text
  }

  static let unchanged: [Phrase] = ["nothing was changed; edit that note by hand first"]

  /// Returns the text with its inline tags changed; nil if none is.
  private func changingBody(of note: Note) throws(SlipboxError) -> NoteText? {
    let bytes = try note.text.bytes
    let tags = note.inlineTags.sorted { $0.offset < $1.offset }
    var written: [UInt8] = []
    var position = 0
    var names: [String] = []
    var first: BodyScan.InlineTag?
    for tag in tags {
      let result = result(tag.name)
      if result == .kept {
        names.append(tag.name)
        continue
      }
      first = first ?? tag
      written += bytes[position..<tag.offset]
      position = tag.range.upperBound
      switch result {
      case .renamed(let name):
        written += [bytes[tag.offset]] + name.utf8
        names.append(name)
      case .dropped, .kept: written += bytes[tag.range].dropFirst()
      }
    }
    guard let first else { return nil }
    let text = NoteText(written + bytes[position...])
    let read = BodyScan(text).tags.sorted { $0.offset < $1.offset }.map(\.name)
    guard read.elementsEqual(names, by: { $0.hasSameBytes(as: $1) }) else {
      throw try refusal(first, of: note)
    }
    return text
  }

  private func refusal(_ tag: BodyScan.InlineTag, of note: Note) throws(SlipboxError) -> SlipboxError {
    let place: Phrase =
      "\(note.mention): line \(try note.text.position(of: tag.offset).line): #\(tag.name)"
    guard case .renamed(let name) = result(tag.name) else {
      return SlipboxError(.badData, "\(place): its # can't be removed", hints: Self.unchanged)
    }
    return SlipboxError(
      .badData,
      "\(place) can't become #\(name): a tag in the text has letters, digits, _, - and /",
      hints: Self.unchanged)
  }
}

/// The change of tags in the field of the front matter that contains them; all other bytes stay.
extension TagChange {
  /// The number of elements above which they are changed together, not one by one.
  private static let stepLimit = 8

  /// Returns the note's text with the tags of its field changed, without duplicates.
  func changingField(of note: Note, _ text: NoteText) throws(EditError) -> NoteText {
    guard let name = note.tagsField, let value = note.frontMatter[name] else { return text }
    switch value {
    case .list(let elements): return try changing(elements, of: name, in: text)
    case .text(let value): return try changing(value, of: name, in: text, at: note.path)
    case .map, .empty: return text
    }
  }

  /// Returns the replacement of each tag; nil for a removed one.
  private func changed(_ tags: [TagElement?]) -> [TagElement?] {
    var present: Set<String> = []
    for tag in tags {
      if let tag, result(tag.name) == .kept { present.insert(TagName.key(tag.name)) }
    }
    return tags.map { tag in
      guard let tag else { return nil }
      switch result(tag.name) {
      case .kept: return tag
      case .dropped: return nil
      case .renamed(let name):
        return present.insert(TagName.key(name)).inserted ? tag.renamed(name) : nil
      }
    }
  }

  private func changing(_ elements: [FieldValue], of name: String, in text: NoteText) throws(EditError)
    -> NoteText
  {
    let tags = elements.map { $0.text.flatMap { TagElement($0) } }
    let changed = changed(tags)
    var kept: [FieldValue] = []
    var replaced: [(index: Int, value: FieldValue)] = []
    var removed: [String] = []
    for (index, element) in elements.enumerated() {
      guard let old = tags[index], result(old.name) != .kept else {
        kept.append(element)
        continue
      }
      if let new = changed[index] {
        kept.append(.text(new.written))
        replaced.append((index, .text(new.written)))
      } else {
        removed.append(old.written)
      }
    }
    guard !kept.isEmpty else { return try text.clearing(name) }
    guard replaced.count + removed.count <= Self.stepLimit else {
      return try text.setting(name, to: .list(kept))
    }
    // One by one, so that the bytes between them stay.
    var (text, elements) = (text, elements)
    for (index, value) in replaced {
      elements[index] = value
      text = try text.setting(name, to: .list(elements))
    }
    for element in removed { text = try text.removing(element, from: name, kind: .texts) }
    return text
  }

  private func changing(
    _ value: String, of name: String, in old: NoteText, at path: [UInt8]
  ) throws(EditError) -> NoteText {
    let scalar = TagScalar(value, field: name)
    let tags = changed(scalar.elements)
    guard let written = scalar.written(tags) else { return try old.clearing(name) }
    let names = tags.compactMap { $0?.name }
    let text = try old.setting(name, to: .text(written))
    let read = Note(path: path, text: text).frontMatterTags
    if read.elementsEqual(distinct(names), by: { $0.hasSameBytes(as: $1) }) { return text }
    // A space in a name would split it in two.
    return try old.setting(name, to: .list(names.map(FieldValue.text)))
  }

  private func distinct(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert(TagName.key($0)).inserted }
  }
}

/// A tag as it is written in a field: the name, and the characters that may surround it: spaces, `#`, `[[ ]]`.
struct TagElement {
  let name: String
  /// The characters before the name.
  let before: String
  private let after: String

  var written: String { before + name + after }

  /// Finds the name; nil if there is none.
  init?(_ written: String) {
    var name = Substring(written).utf8
    while let first = name.first, TagName.isBlank(first) { name.removeFirst() }
    while let last = name.last, TagName.isBlank(last) { name.removeLast() }
    if name.starts(with: "[[".utf8), name.suffix(2).elementsEqual("]]".utf8), name.count > 4 {
      name = name.dropFirst(2).dropLast(2)
      name = name.prefix { $0 != UInt8(ascii: "|") }
    }
    if name.first == UInt8(ascii: "#") { name.removeFirst() }
    guard !name.isEmpty else { return nil }
    self.init(
      name: String(decoding: name, as: UTF8.self),
      before: String(decoding: written.utf8[..<name.startIndex], as: UTF8.self),
      after: String(decoding: written.utf8[name.endIndex...], as: UTF8.self))
  }

  private init(name: String, before: String, after: String) {
    self.name = name
    self.before = before
    self.after = after
  }

  func renamed(_ name: String) -> TagElement { TagElement(name: name, before: before, after: after) }
}

/// Tags in one scalar, separated by commas, otherwise by spaces; keywords without commas are one phrase.
struct TagScalar {
  private let bytes: [UInt8]
  /// The range of each element in the scalar, in bytes.
  let ranges: [Range<Int>]
  let elements: [TagElement?]

  init(_ text: String, field: String) {
    let bytes = Array(text.utf8)
    let isPhrase =
      field.utf8.first.map { $0 | 0x20 } == UInt8(ascii: "k") || text.utf8.starts(with: "[[".utf8)
    var found: [Range<Int>] = []
    if bytes.contains(UInt8(ascii: ",")) {
      found = Self.parts(of: bytes) { $0 == UInt8(ascii: ",") }
    } else {
      found = isPhrase ? [bytes.indices] : Self.parts(of: bytes, TagName.isBlank)
    }
    self.bytes = bytes
    ranges = found
    elements = found.map { TagElement(String(decoding: bytes[$0], as: UTF8.self)) }
  }

  /// Returns the scalar with other tags in place of its own, nil for removed ones; returns nil if none is left.
  func written(_ tags: [TagElement?]) -> String? {
    guard let first = ranges.first, let last = ranges.last else { return nil }
    var written = Array(bytes[..<first.lowerBound])
    var isEmpty = true
    for (index, tag) in tags.enumerated() {
      // Text that is not a tag, such as a lone #, stays in place.
      guard tag != nil || elements[index] == nil else { continue }
      if !isEmpty { written += bytes[ranges[index - 1].upperBound..<ranges[index].lowerBound] }
      written += tag.map { Array($0.written.utf8) } ?? Array(bytes[ranges[index]])
      isEmpty = false
    }
    return isEmpty ? nil : String(decoding: written + bytes[last.upperBound...], as: UTF8.self)
  }

  /// Returns the parts between separators, without surrounding spaces; empty ones are left out.
  private static func parts(of bytes: [UInt8], _ isSeparator: (UInt8) -> Bool) -> [Range<Int>] {
    bytes.indices.split { isSeparator(bytes[$0]) }.compactMap { part in
      var (lower, upper) = (part.startIndex, part.endIndex)
      while lower < upper, TagName.isBlank(bytes[lower]) { lower += 1 }
      while upper > lower, TagName.isBlank(bytes[upper - 1]) { upper -= 1 }
      return lower < upper ? lower..<upper : nil
    }
  }
}

/// A tag with its place in a note.
package struct TagPlace: Sendable {
  package let name: String
  /// The bytes of the tag: in the text with its `#`, in front-matter the name alone.
  package let range: Range<Int>
  /// Whether it is in the text.
  package let isInline: Bool

  /// The bytes of the name.
  package var nameRange: Range<Int> { isInline ? range.lowerBound + 1..<range.upperBound : range }

  /// Returns whether it is a tag, or one below it.
  package func isWithin(_ tag: String) -> Bool {
    TagName.lineage(of: name).contains { $0.isSameName(as: tag) }
  }
}

extension Note {
  /// The tags of the front matter and of the text with their places, in the order of the text.
  ///
  /// A tag whose bytes are not its name, such as one with escapes, has the range of its whole scalar.
  /// - Complexity: that of parsing the front matter.
  package var tagPlaces: [TagPlace] {
    tagPlacesInField
      + inlineTags.map { TagPlace(name: $0.name, range: $0.range, isInline: true) }.sorted {
        $0.range.lowerBound < $1.range.lowerBound
      }
  }

  private var tagPlacesInField: [TagPlace] {
    guard let name = tagsField,
      let place = FieldPlace.all(in: head).first(where: { $0.field.name.hasSameBytes(as: name) })
    else { return [] }
    let isList = place.field.value.text == nil
    return place.values.flatMap { scalar in
      let parts =
        isList
        ? TagElement(scalar.text).map { [($0, 0)] } ?? [] : Self.parts(of: scalar, field: name)
      return parts.map { element, start in
        let first = scalar.range.lowerBound + start + element.before.utf8.count
        let range = first..<first + element.name.utf8.count
        let isThere =
          range.upperBound <= head.bytes.count && scalar.isVerbatim(in: head.bytes)
        return TagPlace(name: element.name, range: isThere ? range : scalar.range, isInline: false)
      }
    }
  }

  private static func parts(of scalar: FieldPlace.Scalar, field: String) -> [(TagElement, Int)] {
    let parts = TagScalar(scalar.text, field: field)
    return zip(parts.elements, parts.ranges).compactMap { element, range in
      element.map { ($0, range.lowerBound) }
    }
  }
}

extension BoxTags {
  /// Returns the places of the notes that have a tag or one below it, ascending.
  ///
  /// - Complexity: O(n) in all notes, without creating the stored ones.
  package func places(with tag: String) throws(SlipboxError) -> [Int] {
    let column = TagColumn(try snapshot.catalogue().entries)
    let areWanted = column.names.map { name in
      TagName.lineage(of: name).contains { $0.isSameName(as: tag) }
    }
    guard areWanted.contains(true) else { return [] }
    return column.sum([Int](), executor: Processors.all) { found, place in
      var bears = false
      column.forEachTag(at: place) { bears = bears || areWanted[$0] }
      if bears { found.append(place) }
    } _: { found, part in
      found += part
    }
  }
}
