package import Git
package import NoteIndex
package import Notes
package import SlipboxCore
import Text

/// The names and values in a box that completion offers; empty where there is no box or it can't be read.
package final class CompletedBox {
  /// The number of notes that are searched for names and values, and the number that are offered.
  private static let mostRead = 20_000
  package static let mostOffered = 200

  private let open: () throws -> BoxSnapshot
  // A failure means no candidates: completion is silent.
  package private(set) lazy var snapshot: BoxSnapshot? = try? open()
  package private(set) lazy var catalogue: Catalogue? = try? snapshot?.catalogue()
  package var entries: Entries? { catalogue?.entries }
  private lazy var facts: EntryFacts? = entries.map { EntryFacts($0) }

  package init(_ open: @escaping () throws -> BoxSnapshot) { self.open = open }

  /// Whether a text begins with what was typed, whatever the case and the accents of either.
  package static func begins(_ text: String, with typed: some StringProtocol) -> Bool {
    typed.isEmpty || Folding.fold(text).utf8.starts(with: Folding.fold(String(typed)).utf8)
  }

  package lazy var kinds: [Kind] = snapshot?.schema().kinds ?? Schema.builtIn.kinds
  package var filters: [(name: String, query: String)] { snapshot?.allFilters ?? SmartFilters.builtIn }
  package var ownFilters: [(name: String, query: String)] {
    (snapshot?.filters ?? [:]).sorted { $0.key < $1.key }.map { ($0, $1) }
  }
  package lazy var tags: [TagCount] = (try? snapshot?.tags()) ?? []

  /// The places that the box is synced with.
  package var remotes: [Repository.Remote] { (try? snapshot?.box.remotes()) ?? [] }

  /// The texts that are kept beside the box.
  package var drafts: [KeptText] { snapshot?.box.keptTexts() ?? [] }

  /// The names of the templates of new notes.
  package var templates: [String] { snapshot?.templateNames() ?? [] }

  package func kind(_ name: String) -> Kind? { kinds.first { $0.name.lowercased() == name.lowercased() } }

  /// The kind of the note that a REF names; nil where it names none.
  package func kind(ofNote reference: String) -> Kind? {
    let entry = snapshot.flatMap { try? $0.entry(reference, fuzzy: true) }
    return entry.flatMap { kind($0.kind) }
  }

  /// The names of the fields of a kind and of those that every note has.
  package func fieldNames(of kind: Kind) -> [String] {
    let hidden = NoteColumn.fields.map(\.rawValue) + ["aliases"]
    return kind.fieldOrder.filter { !hidden.contains($0) && !$0.contains(" ") }
  }

  /// The names of the fields that kinds declare and notes have.
  package lazy var fieldNames: [String] = {
    var names = kinds.flatMap { $0.fields.map(\.name) }
    names += catalogue?.fieldNames ?? []
    var seen = Set(NoteColumn.fields.map(\.rawValue) + ["aliases"])
    // Names with blanks would have to stand in quotes of their own.
    return names.filter { !$0.contains(" ") && seen.insert($0).inserted }.sorted()
  }()

  /// The values that notes have in a field, the most frequent ones.
  package func values(of name: String) -> [String] {
    guard let entries else { return [] }
    let words = FrontMatterFilter([name])
    var counts: [String: Int] = [:]
    for place in entries.indices.prefix(Self.mostRead) where entries.mayHold(words, at: place) {
      for value in Set(entries[place].note.value(of: name) ?? []) where value.utf8.count < 100 {
        counts[value, default: 0] += 1
      }
    }
    let frequent = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.mostOffered)
    return frequent.map(\.key).sorted()
  }

  /// The records that a field may refer to, by id, or by title where that is asked for too.
  package func records(of kind: String?, byTitle: Bool) -> [(text: String, note: String)] {
    guard let entries else { return [] }
    let found = entries.indices.prefix(Self.mostRead).compactMap { place -> Entry? in
      guard isOf(kind.map { [$0] }, at: place) else { return nil }
      return entries[place]
    }
    let ids = found.compactMap { entry in entry.note.id.map { ($0.description, entry.note.title) } }
    return ids + (byTitle ? found.map { ($0.note.title, $0.note.id?.description ?? "") } : [])
  }

  /// Whether the note at a place is of one of some kinds; nil stands for all kinds.
  package func isOf(_ kinds: [String]?, at place: Int) -> Bool {
    guard let kinds, let entries else { return true }
    return kinds.contains(facts?.kind(at: place) ?? entries[place].kind)
  }

  /// The folders that begin with a word, one level below the last slash.
  package func folders(from word: String) -> [String] {
    let typed = Array(word.utf8)
    var found: Set<String> = []
    for place in entries?.indices ?? 0..<0 {
      guard let path = entries?.path(at: place), path.starts(with: typed),
        let slash = path[typed.count...].firstIndex(of: UInt8(ascii: "/"))
      else { continue }
      found.insert(String(decoding: path[...slash], as: UTF8.self))
    }
    return found.sorted()
  }
}
