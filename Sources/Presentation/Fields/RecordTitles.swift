import NoteIndex
import Notes
import Platform
import SlipboxCore
import Synchronization
import Text

/// The titles of referenced records, and the number of records that refer to each record.
struct RecordTitles: Sendable {
  /// The titles of records by their names.
  private let titles: [Name: String]
  /// The names of records by their folded titles, which adopted notes refer by; nil if several have one.
  private let titled: [Name: Name?]
  private var referrers: [Referrers: (all: Int, active: Int)] = [:]
  private let schema: Schema

  /// A record by its kind and its key there, or by its kind and its folded title.
  private struct Name: Hashable {
    let kind: String
    let text: String
  }

  /// The records of a kind that refer to a record.
  private struct Referrers: Hashable {
    let kind: String
    let target: Name
  }

  /// - Parameter active: decides which records are active; if it is nil, none counts as active.
  /// - Complexity: O(n).
  init(_ entries: Entries, _ schema: Schema, active: ActiveTest? = nil) {
    let references = schema.kinds.map { kind in (kind, kind.fields.filter { $0.type == .reference }) }
      .filter { !$0.1.isEmpty }
    let targets = Set(references.flatMap { $0.1.compactMap(\.target) })
    var titles: [Name: String] = [:]
    var titled: [Name: Name?] = [:]
    // A kind that is defined by a query may be that of any note.
    let areNamed = targets.allSatisfy { schema.kind(named: $0)?.match == nil }
    let words = FrontMatterFilter(targets + references.flatMap { $0.1.map(\.name) })
    let stretches = stride(from: 0, to: entries.count, by: 512).map { $0..<min($0 + 512, entries.count) }
    let candidates = concurrentMap(stretches) { stretch in
      stretch.filter { !areNamed || entries.mayHold(words, at: $0) }.map { entries[$0] }
    }.joined()
    for entry in candidates where targets.contains(entry.kind) {
      let name = Name(kind: entry.kind, text: schema.recordKey(of: entry))
      titles[name] = entry.note.title
      let folded = Name(kind: entry.kind, text: Folding.fold(entry.note.title))
      titled[folded] = titled[folded] == nil ? .some(name) : .some(nil)
    }
    self.titles = titles
    self.titled = titled
    self.schema = schema
    for entry in candidates {
      for (kind, fields) in references where kind.name == entry.kind {
        // A record that names another twice is one record.
        let named = Set(fields.flatMap { field in names(in: field, of: entry) })
        if named.isEmpty { continue }
        let isActive = active?.isActive(entry) ?? false
        for name in named {
          referrers[Referrers(kind: kind.name, target: name), default: (0, 0)].all += 1
          if isActive { referrers[Referrers(kind: kind.name, target: name), default: (0, 0)].active += 1 }
        }
      }
    }
  }

  private func names(in field: Field, of entry: Entry) -> [Name] {
    guard let kind = field.target, let values = entry.note.frontMatter[field.name]?.strings else { return [] }
    return values.compactMap { name(of: Field.bareReference($0), kind) }
  }

  /// The record that a reference means: by its key, else by its title if only one has it.
  private func name(of reference: String, _ kind: String) -> Name? {
    let name = Name(kind: kind, text: reference)
    return titles[name] != nil ? name : titled[Name(kind: kind, text: Folding.fold(reference))] ?? nil
  }

  /// The title of the record of a kind that a reference names.
  @Sendable func title(_ kind: String, _ reference: String) -> String? {
    name(of: reference, kind).flatMap { titles[$0] }
  }

  /// The numbers that the row of an entry's kind shows: how many records of other kinds refer to it.
  func counts(for entry: Entry) -> [(kind: String, count: Int)] {
    (schema.kind(named: entry.kind)?.row ?? []).compactMap { column in
      guard case .count(let kind) = column.content else { return nil }
      return (kind, count(of: kind, referringTo: entry))
    }
  }

  /// The number of records of a kind that refer to an entry.
  func count(of kind: String, referringTo entry: Entry) -> Int { numbers(of: kind, referringTo: entry).all }

  /// How many records of a kind refer to an entry, and how many of these are active.
  func numbers(of kind: String, referringTo entry: Entry) -> (all: Int, active: Int) {
    let target = Name(kind: entry.kind, text: schema.recordKey(of: entry))
    return referrers[Referrers(kind: kind, target: target)] ?? (0, 0)
  }
}

/// The numbers of records that refer to others; counted for the first record whose kind shows them.
final class ReferrerCounts: Sendable {
  private let entries: Entries
  private let schema: Schema
  private let counting: Set<String>
  private let titles = Mutex<RecordTitles?>(nil)

  init(_ entries: Entries, _ schema: Schema) {
    self.entries = entries
    self.schema = schema
    counting = Set(schema.kinds.filter { $0.row.contains(where: \.isCount) }.map(\.name))
  }

  /// The kinds that a record's row counts, each with the number of records of it that refer to this one.
  func counts(for entry: Entry) -> [(kind: String, count: Int)] {
    guard counting.contains(entry.kind) else { return [] }
    let known = titles.withLock { titles in
      let known = titles ?? RecordTitles(entries, schema)
      titles = known
      return known
    }
    return known.counts(for: entry)
  }
}

extension RowColumn {
  /// Whether the column shows a number of records.
  var isCount: Bool {
    if case .count = content { true } else { false }
  }
}
