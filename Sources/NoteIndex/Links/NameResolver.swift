import Bytes
import Notes
import Synchronization
import Text

/// Finds the notes of a catalogue that names mean.
///
/// Computes nothing before the first name is looked up. The first few look-ups scan the stored keys of all names and
/// decode only the notes that may have the name. Later look-ups use a cached table of all names. For a kind with few
/// records the table is built at once. Thread-safe.
final class NameResolver: Sendable {
  /// The look-ups without a table: the table costs as much as some dozens of them.
  private static let scansBeforeTable = 8
  /// A note costs about as much in a table as this many in a scan.
  private static let scannedForTabled = 16

  let entries: Entries
  private let executor: ParallelExecutor?
  private let facts: EntryFacts
  private let scans = Atomic<Int>(0)
  private let tables = Mutex<[Table: NameTable]>([:])
  private let idTable = Computed<IDTable, Never>()

  /// Which names a table has: of the records of a kind, or of all notes.
  private struct Table: Hashable {
    let kind: String?
    let keys: RecordKeys
  }

  /// - Parameter executor: does the work on several threads; nil does it on the calling one.
  init(_ entries: Entries, executor: ParallelExecutor? = nil) {
    self.entries = entries
    self.executor = executor
    facts = EntryFacts(entries)
  }

  /// The ids of all notes.
  var ids: IDTable { idTable.value { IDTable(entries) } }

  /// Returns the places of the notes that a name matches, ascending: several if the name is ambiguous.
  ///
  /// - Parameter keys: the fields whose values are names of records.
  /// - Complexity: O(n) for the first few names, O(log n) for later names that match.
  func places(named name: [UInt8], _ rule: NameRule, _ keys: RecordKeys) -> [Int] {
    guard !name.isEmpty else { return [] }
    let matches = NameMatches(name, in: names(for: name, rule, keys))
    return rule.decide { way in
      // A whole path, as rows print it, is not the name of a file in another folder.
      if way == .fileName,
        matches.places(.path, isStepwise: false).contains(where: { entries.path(at: $0) == name })
      {
        return []
      }
      let places =
        way.use == nil ? scanned(way, name, rule) : matches.places(way, isStepwise: rule.isStepwise)
      return places.filter { isWanted($0, rule) }
    }
  }

  private func isWanted(_ place: Int, _ rule: NameRule) -> Bool {
    guard let kind = rule.kind else { return true }
    return (facts.kind(at: place) ?? entries[place].kind).isSameName(as: kind)
  }

  /// The places of the notes of the kind that a rule wants.
  func places(of rule: NameRule) -> [Int] { entries.indices.filter { isWanted($0, rule) } }

  /// A table with all notes that may have a name and are of the kind that a rule wants.
  private func names(for name: [UInt8], _ rule: NameRule, _ keys: RecordKeys) -> NameTable {
    let key = Table(kind: rule.kind?.lowercased(), keys: keys)
    let isFirst = scans.add(1, ordering: .relaxed).oldValue < Self.scansBeforeTable
    let known = tables.withLock { tables -> NameTable? in
      if let known = tables[key] { return known }
      let places = rule.kind == nil ? nil : places(of: rule)
      if isFirst, (places?.count ?? entries.count) > entries.count / Self.scannedForTabled { return nil }
      let made = table(among: places, keys)
      tables[key] = made
      return made
    }
    return known ?? table(among: candidates(for: name, keys), keys)
  }

  private func table(among places: [Int]?, _ keys: RecordKeys) -> NameTable {
    NameTable(entries, among: places, uses: Set(NameUse.allCases), keys: keys, executor: executor)
  }

  /// Returns the places of the notes that may have a name, by the keys of their names; decodes no note.
  func candidates(for name: [UInt8], _ keys: RecordKeys) -> [Int] {
    let wanted = LinkKeySet([LinkKey(name)].compactMap { $0 })
    if keys.isEmpty, let known = entries.knownPlaces(.names, haveKeyIn: wanted, executor) { return known }
    let words = keys.isEmpty ? nil : FrontMatterFilter([String(decoding: name, as: UTF8.self)])
    return entries.places(executor) { [entries] place in
      entries.names(at: place, haveKeyIn: wanted)
        || LinkKey.slugKeys(ofPath: entries.path(at: place)).contains(where: wanted.contains)
        || words.map { entries.mayHold($0, at: place) } ?? false
    }
  }
}

/// The ways that read all ids or all titles.
extension NameResolver {
  func scanned(_ way: NameWay, _ name: [UInt8], _ rule: NameRule) -> [Int] {
    switch way {
    case .idPrefix: places(idBeginning: name)
    case .fuzzyTitle: places(titledLike: FuzzyTitle(String(decoding: name, as: UTF8.self)))
    default: []
    }
  }

  private func places(idBeginning name: [UInt8]) -> [Int] {
    let prefix = name.map(ASCII.lowerCased)
    guard (2...NoteID.length).contains(prefix.count), prefix.allSatisfy(NoteID.isLetter) else { return [] }
    return ids.places(beginning: prefix)
  }

  /// The notes whose title or an alias has all words, in their order if any has them so.
  private func places(titledLike words: FuzzyTitle) -> [Int] {
    var (ordered, unordered): ([Int], [Int]) = ([], [])
    for place in entries.indices {
      let names = entries.names(at: place)
      let fits = ([names.title] + names.aliases).map { words.fit($0) }
      if fits.contains(.inOrder) {
        ordered.append(place)
      } else if fits.contains(.anyOrder) {
        unordered.append(place)
      }
    }
    return ordered.isEmpty ? unordered : ordered
  }
}

extension NameResolver {
  /// The most notes that are suggested for a name that matches none.
  private static let mostCandidates = 5
  /// The most notes that are suggested for the words of a title.
  private static let mostTitled = 10

  /// Returns the notes most similar to a name that matches none: those that fuzzy matching of titles would find, else the
  /// most similar first.
  ///
  /// - Complexity: O(n) in the names of all notes.
  /// - Returns: the first of them, and the number of the others.
  func near(_ name: String, _ rule: NameRule) -> (places: [Int], more: Int) {
    let words = FuzzyTitle(name)
    if rule.kind == nil {
      let titled = places(titledLike: words)
      if !titled.isEmpty {
        return (Array(titled.prefix(Self.mostTitled)), max(0, titled.count - Self.mostTitled))
      }
    }
    let id = NoteID(name)
    let folded = Folding.fold(name)
    var near: [(place: Int, nearness: Int, prefix: Int)] = []
    for place in places(of: rule) {
      let names = entries.names(at: place)
      var nearness = ([names.title] + names.aliases).reduce(0) { max($0, words.nearness($1)) }
      if let id, let other = names.id, Self.differences(id, other) <= 2 { nearness += 8 }
      guard nearness > 0 else { continue }
      let prefix = zip(Folding.fold(names.title).utf8, folded.utf8).prefix { $0 == $1 }.count
      near.append((place, nearness, prefix))
    }
    let best = near.sorted { (-$0.nearness, -$0.prefix, $0.place) < (-$1.nearness, -$1.prefix, $1.place) }
    return (best.prefix(Self.mostCandidates).map(\.place), max(0, best.count - Self.mostCandidates))
  }

  /// The number of letters in which two ids differ; letters that changed places count once each.
  private static func differences(_ left: NoteID, _ right: NoteID) -> Int {
    zip(left.bytes, right.bytes).count { $0 != $1 }
  }
}

/// Words that a user remembers of a title.
struct FuzzyTitle {
  private let words: [[UInt8]]

  init(_ reference: String) { words = Self.words(of: reference) }

  /// The degree to which words match a title.
  enum Fit: Int { case none, anyOrder, inOrder }

  /// Returns whether each word is a prefix of a word of the title, in order or in any order.
  func fit(_ title: String) -> Fit {
    let titleWords = Self.words(of: title)
    guard !words.isEmpty, words.allSatisfy({ word in titleWords.contains { $0.starts(with: word) } }) else {
      return .none
    }
    var rest = titleWords[...]
    for word in words {
      guard let place = rest.firstIndex(where: { $0.starts(with: word) }) else { return .anyOrder }
      rest = rest[(place + 1)...]
    }
    return .inOrder
  }

  /// Returns the similarity of a title: two for each word that is a prefix of one of its words, one for a misspelt word.
  func nearness(_ title: String) -> Int {
    let titleWords = Self.words(of: title)
    guard !titleWords.isEmpty else { return 0 }
    var nearness = 0
    for word in words.prefix(16) {
      if titleWords.contains(where: { $0.starts(with: word) }) {
        nearness += 2
      } else if word.count > 2, Self.isNear(word, titleWords) {
        nearness += 1
      }
    }
    return nearness
  }

  private static func isNear(_ word: [UInt8], _ titleWords: [[UInt8]]) -> Bool {
    let near = titleWords.filter { abs($0.count - word.count) <= 2 && $0.count <= 64 }
    guard word.count <= 64, !near.isEmpty else { return false }
    return Spelling.nearest(
      to: String(decoding: word, as: UTF8.self), among: near.map { String(decoding: $0, as: UTF8.self) })
      != nil
  }

  private static func words(of text: String) -> [[UInt8]] {
    let folded = Folding.fold(Array(text.utf8)[...])
    return Words.ranges(in: folded[...]).map { Array(folded[$0]) }
  }
}

/// The ids of a catalogue in alphabetical order.
struct IDTable: Sendable {
  /// The ids, each with the place of its entry; of equal ones, the newest entry first.
  private let ids: [(id: NoteID, place: Int)]

  init(_ entries: Entries) {
    var ids: [(id: NoteID, place: Int)] = []
    ids.reserveCapacity(entries.count)
    for place in entries.indices {
      if let id = entries.key(at: place).id { ids.append((id, place)) }
    }
    self.ids = ids.sorted { ($0.id, $0.place) < ($1.id, $1.place) }
  }

  /// Returns the place of the newest entry with an id.
  func place(of id: NoteID) -> Int? {
    let index = firstIndex { $0 < id }
    return index < ids.count && ids[index].id == id ? ids[index].place : nil
  }

  /// Returns the places of all entries whose ids begin so, in the order of the ids.
  func places(beginning prefix: [UInt8]) -> [Int] {
    let start = firstIndex { $0.bytes.lexicographicallyPrecedes(prefix) }
    return ids[start...].prefix { $0.id.bytes.starts(with: prefix) }.map(\.place)
  }

  /// Returns the length in letters of the shortest unique prefix of an id, two at least.
  func shortestPrefix(of id: NoteID) -> Int {
    let start = firstIndex { $0 < id }
    let end = firstIndex { $0 <= id }
    var shared = 1
    if start > 0 { shared = max(shared, Self.sharedLetters(id, ids[start - 1].id)) }
    if end < ids.count { shared = max(shared, Self.sharedLetters(id, ids[end].id)) }
    return min(shared + 1, NoteID.length)
  }

  /// All ids that differ, for suggestions.
  var all: [NoteID] { ids.map(\.id) }

  private static func sharedLetters(_ left: NoteID, _ right: NoteID) -> Int {
    zip(left.bytes, right.bytes).prefix { $0 == $1 }.count
  }

  /// The first index whose id does not fulfil a condition that only the smaller ones fulfil.
  private func firstIndex(after isBefore: (NoteID) -> Bool) -> Int {
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(ids[middle].id) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The result of resolving a reference to a note.
package enum Resolution: Sendable {
  /// It names one note.
  case found(Entry)
  /// The name matches several notes, newest first.
  case ambiguous([Entry])
  /// The name matches no note. The candidates are similar, most similar first; `more` is the number of further ones.
  case none(candidates: [Entry], more: Int)
}
