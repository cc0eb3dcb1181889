import NoteIndex
import Notes
import SlipboxCore

/// What rows show of other records: the titles that references stand for, and how many records refer to one.
struct RecordTitles: Sendable {
  private let titles: [String: String]
  private let referrers: [String: Int]
  private let schema: Schema

  init(_ entries: Entries, _ schema: Schema) {
    var titles: [String: String] = [:]
    var referrers: [String: Int] = [:]
    let references = schema.kinds.map { kind in (kind, kind.fields.filter { $0.type == .reference }) }
      .filter { !$0.1.isEmpty }
    let targets = Set(references.flatMap { $0.1.compactMap(\.target) })
    for entry in entries {
      if targets.contains(entry.kind) {
        let key = Self.name(schema.recordKey(of: entry), entry.kind)
        titles[key] = entry.note.title
      }
      for (kind, fields) in references where kind.name == entry.kind {
        // A record that names another twice is one record.
        var named: Set<String> = []
        for field in fields {
          for value in entry.note.frontMatter[field.name]?.strings ?? [] {
            named.insert("\(kind.name)\n" + Self.name(Field.bareReference(value), field.target ?? ""))
          }
        }
        for name in named { referrers[name, default: 0] += 1 }
      }
    }
    self.titles = titles
    self.referrers = referrers
    self.schema = schema
  }

  /// The title of the record of a kind that a reference names.
  @Sendable func title(_ kind: String, _ reference: String) -> String? { titles[Self.name(reference, kind)] }

  /// The numbers that the row of an entry's kind shows: how many records of other kinds refer to it.
  func counts(for entry: Entry) -> [(kind: String, count: Int)] {
    (schema.kind(named: entry.kind)?.row ?? []).compactMap { column in
      guard case .count(let kind) = column.content else { return nil }
      return (kind, count(of: kind, referringTo: entry))
    }
  }

  /// How many records of a kind refer to an entry.
  func count(of kind: String, referringTo entry: Entry) -> Int {
    referrers["\(kind)\n" + Self.name(schema.recordKey(of: entry), entry.kind)] ?? 0
  }

  private static func name(_ key: String, _ kind: String) -> String { "\(kind)\n\(key)" }
}
