import Bytes

/// A value that a merge did not take, as an element of the field `conflicts`.
///
/// `status: open 2026-11-20T10:00:00+01:00 phone Ada Lovelace`: the field, the value (a word, or JSON), and, if
/// known, the time, device and author of the value. Entries with the same text are one.
package struct ConflictEntry: Sendable, Equatable {
  /// The field of notes that holds the entries.
  package static let fieldName = "conflicts"
  /// The name in place of a field if the note itself is in conflict, and the value if a side deleted it.
  package static let note = "note"
  package static let deleted = "deleted"
  /// The name in place of a field if a side moved the note elsewhere.
  package static let path = "path"

  /// The field that has another value.
  package let field: String
  /// The value that was not taken; nil for none at all.
  package let value: FieldValue?
  /// RFC 3339; empty if it is not known.
  package let when: String
  /// The device's name, or that of a side of a merge by git; empty if it is not known.
  package let device: String
  /// The author's name; empty if it is not known.
  package let who: String

  package init(field: String, value: FieldValue?, _ stamp: MergeStamp?) {
    self.field = field
    self.value = value
    when = stamp?.when ?? ""
    device = Self.word(stamp?.device ?? "")
    who = Self.line(stamp?.who ?? "")
  }

  /// The text of the entry in a note.
  package var text: String {
    let name = Self.isPlain(field) ? field : JSONString.quoted(field)
    let parts = [when, device, who].map { $0.isEmpty ? "-" : $0 }
    let isKnown = parts.contains { $0 != "-" }
    let author = isKnown ? " \(parts.joined(separator: " "))" : ""
    let word = value?.text.flatMap { ConflictEntryReader.isWord($0) ? $0 : nil }
    return "\(name): \(word ?? value?.json ?? "null")\(author)"
  }

  /// Whether a name can be separated from the text that follows it.
  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: ":")
      }
  }

  /// The text without blanks and control characters.
  private static func word(_ text: String) -> String {
    String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0.value <= 0x20 || $0.value == 0x7F ? "_" : $0 }))
  }

  private static func line(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
  }
}

extension ConflictEntry {
  /// Reads an entry; nil for a text of another form.
  package init?(_ text: String) {
    var reader = ConflictEntryReader(text)
    guard let field = reader.name(), reader.skip(": "), let value = reader.wordOrValue() else { return nil }
    self.field = field
    self.value = value == .empty ? nil : value
    guard reader.skip(" ") else {
      guard reader.isAtEnd else { return nil }
      (when, device, who) = ("", "", "")
      return
    }
    let parts = reader.rest.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    when = parts[0] == "-" ? "" : String(parts[0])
    device = parts[1] == "-" ? "" : String(parts[1])
    who = parts[2] == "-" ? "" : String(parts[2])
  }
}

/// Reads the parts of an entry: a name, a word or a value as `FieldValue.json` writes it, and the rest.
private struct ConflictEntryReader {
  private var json: JSONReader

  init(_ text: String) { json = JSONReader(Array(text.utf8), .replacing, deepest: 64) }

  var isAtEnd: Bool { json.isAtEnd }

  /// The rest of the text, which is not read yet.
  var rest: String { String(decoding: json.bytes[json.offset...], as: UTF8.self) }

  /// Reads a text if it comes next.
  mutating func skip(_ text: StaticString) -> Bool { json.skip(text) }

  /// Reads a name: a string of JSON, or the bytes before a colon.
  mutating func name() -> String? {
    if json.nextByte == UInt8(ascii: "\"") { return try? json.string() }
    let name = json.bytes[json.offset...].prefix { $0 != UInt8(ascii: ":") }
    guard !name.isEmpty, name.endIndex < json.bytes.count else { return nil }
    json.offset = name.endIndex
    return String(decoding: name, as: UTF8.self)
  }

  /// Whether a text can be written without quotes: letters, digits, `-`, `_`, `.` and characters beyond ASCII.
  static func isWord(_ text: String) -> Bool {
    !text.isEmpty && text != "null"
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80..., UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: "."):
          true
        default: false
        }
      }
  }

  /// Reads a word, or a value; nil if neither is well formed.
  mutating func wordOrValue() -> FieldValue? {
    let word = String(decoding: json.bytes[json.offset...].prefix { $0 != 0x20 }, as: UTF8.self)
    guard !Self.isWord(word) else {
      json.offset += word.utf8.count
      return .text(word)
    }
    guard json.nextByte != 0x20 else { return nil }
    return (try? json.value()).flatMap(Self.value)
  }

  /// The value of a node; nil for numbers and booleans, which are written as strings.
  private static func value(_ node: JSONNode) -> FieldValue? {
    switch node.value {
    case .null: return .empty
    case .boolean, .number: return nil
    case .string(let text): return .text(text)
    case .array(let nodes):
      let elements = nodes.compactMap(value)
      return elements.count == nodes.count ? .list(elements) : nil
    case .object(let members):
      let entries = members.compactMap { member in
        value(member.node).map { MapEntry(key: member.key, value: $0) }
      }
      return entries.count == members.count ? .map(entries) : nil
    }
  }
}

extension NoteText {
  /// Returns the note with entries added to those that it has; nil if its front-matter can't hold them.
  package func addingConflicts(_ entries: [ConflictEntry]) -> NoteText? {
    let known = FrontMatter(self)[ConflictEntry.fieldName]?.strings ?? []
    let new = Set(entries.map(\.text)).subtracting(known).sorted(by: FieldsMerge.precedes)
    guard !new.isEmpty else { return self }
    do throws(EditError) {
      return try setting(
        ConflictEntry.fieldName, to: .list((known + new).map { .text($0) }), lists: .block)
    } catch {
      return nil
    }
  }
}

extension NoteText {
  /// The note with its conflict entries as the last field, in byte order; as it is if it can't be changed.
  ///
  /// Devices add entries at different times and beside different fields. In one order they are the same bytes.
  var sortingConflicts: NoteText {
    let fields = FrontMatter(self)
    guard let entries = fields[ConflictEntry.fieldName]?.strings, !entries.isEmpty else { return self }
    let sorted = entries.sorted(by: FieldsMerge.precedes)
    if sorted == entries, fields.fields.last?.name == ConflictEntry.fieldName { return self }
    // A block that can't be changed keeps its order.
    return
      (try? clearing(ConflictEntry.fieldName)
      .setting(ConflictEntry.fieldName, to: .list(sorted.map { .text($0) }), lists: .block)) ?? self
  }
}
