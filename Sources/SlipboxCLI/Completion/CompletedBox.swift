import NoteIndex
import Notes
import SlipboxCore
import Text

/// What a box has to offer to completion; empty where there is none, or where anything in it can't be read.
final class CompletedBox {
  /// How many notes are looked through for names and values, and how many are offered.
  private static let mostRead = 20_000
  private static let mostOffered = 200

  private let open: () throws -> Slipbox
  private lazy var slipbox: Slipbox? = try? open()
  private lazy var entries: Entries? = try? slipbox?.catalogue().entries

  /// The notes that are looked through for names and records.
  private var newest: [Entry] { entries.map { Array($0.prefix(Self.mostRead)) } ?? [] }

  init(_ open: @escaping () throws -> Slipbox) { self.open = open }

  /// Whether a text begins with what was typed, whatever the case and the accents of either.
  static func begins(_ text: String, with typed: some StringProtocol) -> Bool {
    typed.isEmpty || Folding.fold(text).utf8.starts(with: Folding.fold(String(typed)).utf8)
  }

  lazy var kinds: [Kind] = slipbox?.schema().kinds ?? Schema.builtIn.kinds
  var filters: [(name: String, query: String)] { slipbox?.allFilters ?? SmartFilters.builtIn }
  var ownFilters: [(name: String, query: String)] {
    (slipbox?.filters ?? [:]).sorted { $0.key < $1.key }.map { ($0, $1) }
  }
  lazy var tags: [TagCount] = (try? slipbox?.tags()) ?? []

  func kind(_ name: String) -> Kind? { kinds.first { $0.name.lowercased() == name.lowercased() } }

  /// The names of the fields that kinds declare and notes have.
  lazy var fieldNames: [String] = {
    let derived: Set<String> = ["aliases", "created", "id", "kind", "tags", "title"]
    var names = kinds.flatMap { $0.fields.map(\.name) }
    names += newest.flatMap { $0.note.frontMatter.fields.map(\.name) }
    var seen = derived
    // Names with blanks would have to stand in quotes of their own.
    return names.filter { !$0.contains(" ") && seen.insert($0).inserted }.sorted()
  }()

  /// The values that notes have in a field, the most frequent ones.
  func values(of name: String) -> [String] {
    guard let entries else { return [] }
    let words = HeadWords([name])
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
  func records(of kind: String?, byTitle: Bool) -> [(text: String, note: String)] {
    let found = newest.filter { kind == nil || $0.kind == kind }
    let ids = found.compactMap { entry in entry.note.id.map { ($0.description, entry.note.title) } }
    return ids + (byTitle ? found.map { ($0.note.title, $0.note.id?.description ?? "") } : [])
  }

  /// Ids that begin with a word, newest first.
  ///
  /// - Parameter kinds: the kinds that come into question; nil for all.
  func ids(from word: String, of kinds: [String]? = nil) -> [Candidate] {
    guard let entries else { return [] }
    let typed = Array(word.utf8)
    var found: [Candidate] = []
    for place in entries.indices where found.count < Self.mostOffered {
      guard let id = entries.key(at: place).id, id.bytes.starts(with: typed) else { continue }
      let entry = entries[place]
      guard kinds?.contains(entry.kind) ?? true else { continue }
      if let candidate = Candidate(id.description, entry.note.title) { found.append(candidate) }
    }
    return found
  }

  /// Notes by their ids, and where letters are typed by the slugs in the names of their files and by their paths.
  func references(from word: String, of kinds: [String]? = nil) -> [Candidate] {
    var found = ids(from: word, of: kinds)
    guard !word.isEmpty, let entries else { return found }
    var slugs: [String: (note: Entry, count: Int)] = [:]
    for place in entries.indices {
      let path = entries.path(at: place)
      let stem = FileName.stem(of: path)
      let id = entries.key(at: place).id
      if let id, stem.count > id.bytes.count, stem.suffix(id.bytes.count).elementsEqual(id.bytes) {
        let slug = String(decoding: stem.dropLast(id.bytes.count + 1), as: UTF8.self)
        guard slug.utf8.starts(with: word.utf8) else { continue }
        slugs[slug, default: (entries[place], 0)].count += 1
      } else if path.starts(with: word.utf8), found.count < Self.mostOffered {
        let entry = entries[place]
        guard kinds?.contains(entry.kind) ?? true else { continue }
        if let named = Candidate(String(decoding: path, as: UTF8.self), entry.note.title) {
          found.append(named)
        }
      }
    }
    // A slug of several notes names none of them.
    let unique = slugs.filter { $0.value.count == 1 && kinds?.contains($0.value.note.kind) ?? true }
    found += unique.sorted { $0.key < $1.key }.prefix(Self.mostOffered)
      .compactMap { Candidate($0.key, $0.value.note.note.title) }
    return found
  }

  /// The folders that begin with a word, one level below the last slash.
  func folders(from word: String) -> [String] {
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
