import NoteIndex
import Notes
import SlipboxCore

/// What rows show of other records: the titles that references stand for, and how many records refer to one.
struct RecordTitles: Sendable {
  private let titles: [String: String]
  private let referrers: [String: Int]
  private let schema: Schema

  init(_ entries: [Entry], _ schema: Schema) {
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
        for field in fields {
          for value in entry.note.frontMatter[field.name]?.strings ?? [] {
            referrers["\(kind.name)\n" + Self.name(value, field.target ?? ""), default: 0] += 1
          }
        }
      }
    }
    self.titles = titles
    self.referrers = referrers
    self.schema = schema
  }

  /// The title of the record of a kind that a reference names.
  @Sendable func title(_ kind: String, _ reference: String) -> String? { titles[Self.name(reference, kind)] }

  /// How many records of a kind refer to an entry.
  func count(of kind: String, referringTo entry: Entry) -> Int {
    referrers["\(kind)\n" + Self.name(schema.recordKey(of: entry), entry.kind)] ?? 0
  }

  private static func name(_ key: String, _ kind: String) -> String { "\(kind)\n\(key)" }
}
