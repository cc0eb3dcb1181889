package import Notes

/// A record of another program's file, in the terms of a box.
package struct ForeignRecord: Sendable {
  /// The names by which a record refers to others of its file.
  package struct Links: Sendable, Equatable {
    package let field: String
    /// The names in the source, as `sourceName` has them.
    package let names: [String]
  }

  /// The line of the file on which it begins, from 1.
  package let line: Int
  /// Its name in its source, from which its id is computed. The same record of a later export has the same name.
  package var sourceName: String
  /// The id in the source, if it is one of slip's.
  package var id: NoteID?
  /// Whether a record without an id gets none: its path identifies it.
  package var goesByPath = false
  /// Whether slip wrote it: in a table, lists of fields that no kind declares are in brackets.
  package var isOfSlip = false
  /// The path in a box, if the source gives one.
  package var path: [UInt8]?
  package var title: String?
  /// The kind; nil for a plain note.
  package var kind: String?
  /// The time of creation; nil if the source does not contain it.
  package var created: Timestamp?
  package var tags: [String] = []
  /// The other fields in their order, without references to records of the file.
  package var fields: [(name: String, value: FieldValue)] = []
  /// For fields by name, whether each scalar of the value is a number or boolean in the source, not a text.
  package var plainScalars: [String: [Bool]] = [:]
  /// Values that their fields take if the kind has them: states of the user's own.
  package var states: [(name: String, value: String)] = []
  /// The title of the group that it belongs to.
  package var group: String?
  package var links: [Links] = []
  /// The text; nil if the source has no text for any record.
  package var body: [UInt8]?
  /// The lines that make up the text, if the source has such lines; the text in the box may contain others.
  package var annotations: [DatedLine] = []
  /// Whether the source gives the date of creation itself, without a substitute.
  package var hasOwnDate = true
  /// The field that distinguishes this record from another one of the same id.
  package var proof: String?

  package init(line: Int, sourceName: String) {
    self.line = line
    self.sourceName = sourceName
  }

  /// The text of a field.
  package func text(of field: String) -> String? {
    fields.first { $0.name == field }?.value.text
  }

  /// Adds a field with one text or a list of several; none adds nothing.
  mutating func addAll(_ name: String, _ texts: [String]) {
    if texts.count > 1 {
      fields.append((name, .list(texts.map { .text($0) })))
    } else {
      add(name, texts.first)
    }
  }

  /// Adds a field from a format whose values have no types: a text that looks like a number or boolean is one, as in slip
  /// new.
  mutating func addTyped(_ name: String, _ text: String) {
    add(name, text)
    if ScalarType(text, isPlain: true) != .text { plainScalars[name] = [true] }
  }

  /// Adds a field; omits a blank text.
  mutating func add(_ name: String, _ text: String?) {
    guard let text, text.utf8.contains(where: { $0 > 0x20 }) else { return }
    fields.append((name, .text(text)))
  }
}

extension ForeignRecord {
  /// Whether another record has the same content, regardless of the order of its parts.
  ///
  /// - Parameter names: the records of its file; references to others are not compared.
  package func saysTheSame(as other: ForeignRecord, among names: Set<String>) -> Bool {
    title == other.title && kind == other.kind && created?.seconds == other.created?.seconds
      && Set(tags) == Set(other.tags) && group == other.group && body == other.body
      && hasFields(of: other) && references(among: names) == other.references(among: names)
  }

  private func hasFields(of other: ForeignRecord) -> Bool {
    fields.count == other.fields.count
      && fields.allSatisfy { field in
        other.fields.contains { $0.name == field.name && $0.value == field.value }
      }
  }

  private func references(among names: Set<String>) -> [String: Set<String>] {
    let found = links.map { ($0.field, Set($0.names).intersection(names)) }.filter { !$0.1.isEmpty }
    return Dictionary(found, uniquingKeysWith: { $0.union($1) })
  }
}

/// The content of another program's file: its records, and the lines that can't be read.
package struct ForeignFile: Sendable {
  package var records: [ForeignRecord] = []
  package var problems: [ForeignProblem] = []
  /// The data left out on purpose, a sentence each.
  package var remarks: [String] = []
  /// The last part of the file's path.
  package internal(set) var name = ""

  package init() {}
}

/// The reason why a part of a file could not be read.
package struct ForeignProblem: Error, Sendable, Equatable {
  /// The line, from 1.
  package let line: Int
  /// The problem, on one line; may contain words of the file.
  package let message: String
  /// Whether the record of the line is imported without the unreadable part.
  package let isPartial: Bool

  package init(line: Int, _ message: String, isPartial: Bool = false) {
    self.line = line
    self.message = message
    self.isPartial = isPartial
  }
}

/// Names of records in their source, each returned once: a number distinguishes the second record of the same name.
struct SourceNames {
  private var counts: [String: Int] = [:]

  /// Returns the name, with a number if it was returned before.
  mutating func next(_ name: String) -> String {
    let count = counts[name, default: 0] + 1
    counts[name] = count
    return count == 1 ? name : "\(name) \(count)"
  }
}

/// The fields for the columns of a table, or for the members of objects.
///
/// `id`, `title`, `kind`, `created`, `tags` and `body` have the same meaning as in a note, in any case.
package struct ColumnNames: Sendable {
  private let fields: [(column: String, field: String)]
  static let own = ["id", "title", "kind", "created", "tags", "body"]

  /// - Parameter fields: the fields of columns whose names differ.
  package init(_ fields: [(column: String, field: String)] = []) { self.fields = fields }

  /// The field that a column is.
  func field(_ column: String) -> String {
    let name = fields.first { $0.column.isSameName(as: column) }?.field ?? column
    return Self.own.first { $0.isSameName(as: name) } ?? name
  }

  /// The columns that are given a field and are not among some names.
  func missing(among columns: [String]) -> [String] {
    fields.map(\.column).filter { name in !columns.contains { $0.isSameName(as: name) } }
  }
}

/// Names of fields with a built-in meaning in a note.
enum ReservedNames {
  private static let all: Set<String> = [
    "id", "identifier", "title", "aliases", "alias", "kind", "created", "date", "modified", "tags", "tag",
    "keywords", "categories", "path", "body", "conflicts",
  ]

  /// Returns the name for a field of another program: its own, or with the program's name before it if it is reserved.
  static func free(_ name: String, _ program: String) -> String {
    all.contains(name.lowercased()) ? "\(program)-\(name)" : name
  }

  static func contains(_ name: String) -> Bool { all.contains(name.lowercased()) }
}

/// The tags of one text.
enum TagList {
  /// The tags between commas or semicolons; without these, the words where each begins with `#`, else one tag.
  static func tags(in text: String) -> [String] {
    let parts = text.split { $0 == "," || $0 == ";" }.map { trimmed($0) }
    if parts.count == 1, parts[0].hasPrefix("#") {
      return parts[0].split(separator: " ").map(trimmed).map(bare).filter { !$0.isEmpty }
    }
    return parts.map(bare).filter { !$0.isEmpty }
  }

  private static func bare(_ tag: String) -> String { tag.hasPrefix("#") ? String(tag.dropFirst()) : tag }

  private static func trimmed(_ text: some StringProtocol) -> String {
    Note.titleOnOneLine(String(text))
  }
}

/// Dates of other programs in the user's own zone.
struct LocalDates {
  let clock: ClockReading

  /// The instant at an offset of the user's.
  func local(_ seconds: Int64) -> Timestamp {
    Timestamp(seconds: seconds, offsetSeconds: clock.offset(seconds))
  }

  /// The beginning of a day.
  func start(of day: CivilDate) -> Timestamp { local(clock.start(of: day)) }

  /// Reads `20260105T093000Z`, as taskwarrior writes every date.
  func taskwarrior(_ text: String) -> Timestamp? {
    guard text.utf8.count == 16, text.utf8.last == UInt8(ascii: "Z"), let stamp = Timestamp.adopted(text)
    else {
      return nil
    }
    return local(stamp.seconds)
  }

  /// Returns the day alone if the time is its first second, else the day with the time.
  func short(_ stamp: Timestamp) -> String {
    stamp.secondOfDay == 0 ? stamp.civilDate.description : stamp.rfc3339
  }
}
