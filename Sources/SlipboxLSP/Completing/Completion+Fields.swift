import Bytes
import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// Front-matter and tags.
extension Completion {
  private var schema: Schema { place.box?.snapshot.schema() ?? .builtIn }

  /// The kind of the note, by its declaration where it has one.
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

  /// What a field holds, in a few words.
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

  /// Days by their names, each with the day that it means; what was typed counts too.
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

  /// A value as front-matter has it: in quotes where it would be read as something else, unless a quote was typed.
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
