import Bytes
import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// Completes the text at the cursor.
struct Completion {
  /// So many items are sent; more typed letters find others.
  static let most = 50

  let request: Request
  let place: DocumentPlace
  /// The offset of the cursor, in bytes.
  let cursor: Int
  let bytes: [UInt8]

  init(_ request: Request, _ params: PlaceParams) throws {
    self.request = request
    place = try request.place(params.textDocument.uri)
    cursor = place.document.lines.offset(of: params.position)
    bytes = place.document.bytes
  }

  func list() throws -> CompletionList {
    guard let typed = CompletionPlace(at: cursor, in: place.document.text),
      typed.isRead(in: place.document.text, at: cursor)
    else {
      return CompletionList(isIncomplete: false, items: [])
    }
    var items: [CompletionItem]
    switch typed {
    case .wikiName(let range): items = try wikiNames(range)
    case .wikiHeading(let name, let range): items = try headings(ofNote: text(name), range, isWiki: true)
    case .wikiBlock(let name, let range): items = try blocks(ofNote: text(name), range)
    case .path(let range): items = paths(range)
    case .label(let range): items = markdownLinks(range)
    case .pathHeading(let path, let range): items = try headings(ofNote: text(path), range, isWiki: false)
    case .tag(let range): items = try tags(range, besides: [])
    case .field(let range): items = try fields(range)
    case .value(let field, let range): items = try values(of: field, range)
    }
    let isCut = items.count > Self.most
    items = Array(items.prefix(Self.most))
    for number in items.indices {
      items[number].sortText = Self.sortText(number)
      if let kind = items[number].kind, !request.client.capabilities.completionKinds.contains(kind.rawValue) {
        items[number].kind = nil
      }
    }
    // The list of names depends on the typed text; other lists are complete.
    let isOfNames =
      switch typed {
      case .wikiName, .path, .label: true
      case .value: items.contains { $0.data != nil }
      default: false
      }
    return CompletionList(isIncomplete: isCut || isOfNames, items: items)
  }

  /// A text that puts items into their order.
  private static func sortText(_ number: Int) -> String {
    String(String(1_000 + number).dropFirst())
  }

  /// The typed part of a word, and the rest of the word after the cursor: both are replaced.
  func word(_ range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    while end < bytes.count, bytes[end] >= 0x80 || ASCII.isWord(bytes[end]) || "-/".utf8.contains(bytes[end])
    {
      end += 1
    }
    return range.lowerBound..<end
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// An item that replaces the typed text.
  ///
  /// - Parameter name: the text that clients compare with the typed one.
  func item(
    _ label: String, _ kind: CompletionItem.Kind, _ range: Range<Int>, _ newText: String, name: String? = nil,
    typed: String? = nil, detail: String? = nil
  ) -> CompletionItem {
    var item = CompletionItem(label: label, kind: kind, detail: detail)
    item.filterText = Self.filterText(
      name ?? label, typed: typed ?? text(range.lowerBound..<min(range.upperBound, cursor)))
    item.textEdit = TextEdit(range: place.document.lines.range(of: range), newText: newText)
    return item
  }

  /// The name by which a client finds an item: the item's own, unless the letters that were typed are not in it as they
  /// are, as with accents.
  private static func filterText(_ name: String, typed: String) -> String {
    var rest = typed.lowercased().unicodeScalars[...]
    for scalar in name.lowercased().unicodeScalars where scalar == rest.first { rest = rest.dropFirst() }
    return rest.isEmpty ? name : typed
  }

  /// Whether a text begins with the typed one, without regard to case and accents.
  static func begins(_ text: String, _ typed: String) -> Bool {
    NamePattern(text).folded.starts(with: NamePattern(typed).folded)
  }
}

/// Front-matter and tags.
extension Completion {
  private var schema: Schema { place.box?.snapshot.schema() ?? .builtIn }

  /// The kind of the note, by its declaration if it has one.
  private var kind: Kind {
    schema.kindOrPlain(named: place.box?.snapshot.kind(of: place.note) ?? place.note.kind)
  }

  /// The fields that are not there yet: those of the kind in their order, those of every note, and others of the box.
  func fields(_ range: Range<Int>) throws -> [CompletionItem] {
    let typed = text(range)
    let line = place.document.lines.line(at: range.lowerBound) + 1
    let present = place.note.frontMatter.fields.filter { $0.line != line }.map(\.name)
    let declared = kind.fields.map(\.name) + ["title", "aliases", "kind", "tags", "created"]
    var seen = present
    var items: [CompletionItem] = []
    for name in try declared + (place.box?.facts.fieldNames() ?? []) {
      guard !name.contains(" "), Self.begins(name, typed), !seen.contains(where: { $0.isSameName(as: name) })
      else { continue }
      seen.append(name)
      let rest = word(range).upperBound
      let hasColon = rest < bytes.count && bytes[rest] == UInt8(ascii: ":")
      items.append(
        item(
          name, .field, word(range), name + (hasColon ? "" : ": "),
          detail: kind.field(name).map(Self.described))
      )
    }
    return items
  }

  /// The type of a field's values in a few words.
  static func described(_ field: Field) -> String {
    let type =
      switch field.type {
      case .choice: field.values.joined(separator: ", ")
      case .reference: field.target ?? "note"
      default: field.type.rawValue
      }
    return [type, field.comment ?? ""].filter { !$0.isEmpty }.joined(separator: " · ")
  }

  func values(of name: String, _ range: Range<Int>) throws -> [CompletionItem] {
    let typed = text(range)
    if name.isSameName(as: "kind") {
      return schema.kinds.filter { Self.begins($0.name, typed) }.map { kind in
        item(kind.name, .enumMember, word(range), kind.name, detail: kind.comment)
      }
    }
    guard let field = kind.field(name) else { return [] }
    switch field.type {
    case .choice: return words(field.values, range)
    case .boolean: return words(["true", "false"], range)
    case .recurrence: return words(Recurrence.words, range)
    case .tags: return try tags(range, besides: place.note.frontMatterTags)
    case .date, .moment: return dates(field, range)
    case .reference: return try references(field, range)
    case .text, .integer: return []
    }
  }

  private func words(_ words: [String], _ range: Range<Int>) -> [CompletionItem] {
    let typed = text(range)
    return words.filter { Self.begins($0, typed) }.map { item($0, .enumMember, word(range), $0) }
  }

  private static let daysBack = ["today", "yesterday", "monday", "7d", "2w", "sow", "som", "soy"]
  private static let daysAhead = [
    "today", "tomorrow", "monday", "friday", "next week", "3d", "1w", "2w", "eow", "eom", "eoy",
  ]

  /// Names of days, each with its date; the typed text may be a date of its own.
  private func dates(_ field: Field, _ range: Range<Int>) -> [CompletionItem] {
    guard let clock = place.box?.snapshot.clock else { return [] }
    let typed = text(range)
    let names = (field.looksBack ? Self.daysBack : Self.daysAhead).filter { Self.begins($0, typed) }
    var seen: Set<String> = []
    return (names + (typed.isEmpty ? [] : [typed])).compactMap { name in
      guard seen.insert(name).inserted, let day = Self.day(name, field, clock), day.description != name else {
        return nil
      }
      return item(
        name, .value, range, day.description,
        detail: "\(day.description), \(DateInterval.weekdays[day.weekday - 1])")
    }
  }

  private static func day(_ name: String, _ field: Field, _ clock: ClockReading) -> CivilDate? {
    if let point = DateInterval.point(name, clock: clock, looking: field.direction) { return point.day }
    return DateInterval.parse(name, clock: clock, looking: field.direction)?.day
      ?? DateInterval.start(ofNext: name, clock: clock)
  }

  /// Records by their titles; the name by which references call them is written.
  private func references(_ field: Field, _ range: Range<Int>) throws -> [CompletionItem] {
    guard let box = place.box, let target = field.target else { return [] }
    let key = schema.kind(named: target)?.key
    return try matches(text(range), box, ofKind: target).compactMap { match in
      var name = match.note.id ?? String(decoding: match.note.path, as: UTF8.self)
      if let key, key != "id" {
        let note = try box.snapshot.note(at: match.note.path)
        name = note?.frontMatter[key]?.text ?? name
      }
      return noteItem(match, word(range), quoted(name, range), box, typed: text(range))
    }
  }

  /// A value as front-matter has it: quoted if it would be read as something else, unless a quote was typed.
  private func quoted(_ value: String, _ range: Range<Int>) -> String {
    let hasQuote = range.lowerBound > 0 && "\"'".utf8.contains(bytes[range.lowerBound - 1])
    if hasQuote { return value }
    let isPlain = value.utf8.allSatisfy { $0 >= 0x80 || ASCII.isWord($0) || " -./".utf8.contains($0) }
    let isWord = value.unicodeScalars.first.map { $0.properties.isAlphabetic } ?? false
    let isReserved = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"].contains(
      value.lowercased())
    if isPlain, isWord, !isReserved { return value }
    return "\"" + value.flatMap { "\"\\".contains($0) ? ["\\", $0] : [$0] } + "\""
  }

  /// Tags, those of most notes first.
  func tags(_ range: Range<Int>, besides present: [String]) throws -> [CompletionItem] {
    guard let box = place.box else { return [] }
    let typed = text(range)
    let tags = try box.facts.tags().filter { tag in
      Self.begins(tag.name, typed) && !present.contains { $0.isSameName(as: tag.name) && $0 != typed }
    }
    return tags.sorted { ($1.all, $0.name) < ($0.all, $1.name) }.map { tag in
      item(tag.name, .keyword, word(range), tag.name, detail: tag.all == 1 ? "1 note" : "\(tag.all) notes")
    }
  }
}

/// A possible replacement of the typed text.
struct CompletionItem: Codable, Sendable {
  /// The kind of an item; the numbers of the protocol.
  enum Kind: Int, Codable, Sendable {
    case text = 1
    case field = 5
    case value = 12
    case keyword = 14
    case file = 17
    case reference = 18
    case folder = 19
    case enumMember = 20
  }

  /// The note of an item, for details that are resolved later.
  struct Subject: Codable, Sendable {
    let uri: String
  }

  var label: String
  var kind: Kind?
  var detail: String?
  var documentation: Markup?
  var sortText: String?
  var filterText: String?
  var textEdit: TextEdit?
  var data: Subject?
}

/// The answer to `textDocument/completion`.
struct CompletionList: Encodable, Sendable {
  /// Whether other items may fit once more is typed.
  let isIncomplete: Bool
  let items: [CompletionItem]
}
