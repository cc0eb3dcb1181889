import Bytes
import NoteIndex
import Notes
package import SlipboxCore
import Text

/// The titles, aliases, file names and ids of the notes of a box, searched by typed text.
///
/// Immutable. After a change only the names of changed notes are rebuilt.
package struct NoteNameIndex: Sendable {
  /// The notes of a snapshot, in runs of bytes that several threads have made.
  private let stocks: [NameStock]
  /// The paths in the stocks whose notes are others now.
  private let gone: Set<[UInt8]>
  /// The notes that came since, in a stock of their own.
  private let fresh: NameStock

  /// So many notes are in a stock: few stocks are searched sooner, several are made side by side.
  private static let notesOfStock = 8_192
  /// More notes than this beside the stocks are made one with them.
  private static let mostFresh = 512

  /// - Complexity: O(n) in the names of all notes, on several threads.
  package init(of snapshot: BoxSnapshot) throws(SlipboxError) {
    let entries = try snapshot.catalogue().entries
    let facts = EntryFacts(entries)
    stocks = entries.flatMapChunks(of: Self.notesOfStock, executor: Processors.all) { places in
      let notes = places.map { place in
        NamedNote(
          entries.names(at: place), kind: facts.kind(at: place) ?? entries[place].kind,
          created: entries.key(at: place).created)
      }
      return [NameStock(notes)]
    }
    gone = []
    fresh = NameStock([])
  }

  private init(_ stocks: [NameStock], gone: Set<[UInt8]>, fresh: NameStock) {
    self.stocks = stocks
    self.gone = gone
    self.fresh = fresh
  }

  /// The index after some files have changed.
  package func updated(by changes: WatchedChanges, in snapshot: BoxSnapshot) throws(SlipboxError)
    -> NoteNameIndex
  {
    guard !changes.paths.isEmpty || !changes.goneFolders.isEmpty else { return self }
    guard changes.goneFolders.isEmpty, fresh.count + changes.paths.count <= Self.mostFresh else {
      return try NoteNameIndex(of: snapshot)
    }
    var notes = fresh.notes.filter { !changes.paths.contains($0.path) }
    for path in changes.paths {
      if let note = try snapshot.note(at: path) {
        notes.append(NamedNote(NamesOfNote(note), kind: note.kind, created: note.created))
      }
    }
    return NoteNameIndex(stocks, gone: gone.union(changes.paths), fresh: NameStock(notes))
  }

  /// The notes whose names match the typed text, the best first.
  ///
  /// - Parameters:
  ///   - kind: the kind of the notes; nil for any.
  ///   - folder: the folder of the notes.
  ///   - isScattered: as for `NameStock.matches`.
  ///   - hidden: paths of notes that have other names in the editor.
  package func matches(
    _ typed: String, ofKind kind: String? = nil, in folder: NameFolder = .any, most: Int,
    isScattered: Bool = true, hiding hidden: Set<[UInt8]> = []
  ) -> [NameMatch] {
    let pattern = NamePattern(typed)
    let kept = NameStock.matches(pattern, in: stocks, ofKind: kind, most: most, isScattered: isScattered) {
      !gone.contains($0) && !hidden.contains($0) && folder.holds($0)
    }
    let found =
      kept
      + NameStock.matches(pattern, in: [fresh], ofKind: kind, most: most, isScattered: isScattered) {
        !hidden.contains($0) && folder.holds($0)
      }
    return Array(found.sorted { $0.precedes($1) }.prefix(most))
  }

  /// The number of notes with a name as their title or alias, without regard to case and accents.
  package func count(named name: String) -> Int {
    let folded = Folding.fold(Array(name.utf8)[...])
    let kept = stocks.reduce(0) { sum, stock in sum + stock.count(named: folded) { !gone.contains($0) } }
    return kept + fresh.count(named: folded) { _ in true }
  }
}

/// A folder as it is typed before the name of a note: the end of one, whatever its case and accents.
package struct NameFolder {
  private let folded: [UInt8]

  package static let any = NameFolder("")

  /// - Parameter typed: the text before the last slash.
  package init(_ typed: String) { folded = Folding.fold(Array(typed.utf8)[...]) }

  /// Whether the folder of a path, or one above it, ends so.
  package func holds(_ path: [UInt8]) -> Bool {
    if folded.isEmpty { return true }
    let wanted = folded + [UInt8(ascii: "/")]
    let name = Folding.fold(path[...])
    var place = 0
    while place + wanted.count <= name.count {
      if place == 0 || name[place - 1] == UInt8(ascii: "/"), name[place...].starts(with: wanted) {
        return true
      }
      place += 1
    }
    return false
  }
}

/// The names of some notes as columns, each in one run of bytes.
struct NameColumns: Sendable {
  /// The texts of one column, one behind the other.
  struct Column: Sendable {
    var bytes: [UInt8] = []
    var ends: [UInt32] = []

    mutating func add(_ text: some Collection<UInt8>) {
      bytes += text
      ends.append(UInt32(bytes.count))
    }

    /// Makes room for as many texts with so many bytes together.
    mutating func reserve(_ count: Int, bytes room: Int) {
      bytes.reserveCapacity(room)
      ends.reserveCapacity(count)
    }

    func range(_ number: Int) -> Range<Int> {
      (number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number])
    }

    func text(_ number: Int) -> String { String(decoding: bytes[range(number)], as: UTF8.self) }
  }

  // A row a note.
  private(set) var paths = Column()
  private(set) var ids = Column()
  private(set) var kinds: [String] = []
  private(set) var kindNumbers: [UInt16] = []
  private(set) var firstNames: [UInt32] = []
  private(set) var created: [Int64] = []
  // A row a name; the first one of a note is its title.
  private(set) var folded = Column()
  private(set) var shown = Column()
  private(set) var notesOfNames: [UInt32] = []
  private(set) var uses: [UInt8] = []
  private(set) var letters: [UInt64] = []
  private(set) var hashes: [UInt32] = []
  /// The hashes of titles and aliases.
  private(set) var titleHashes: Set<UInt32> = []

  /// How many notes there are.
  var count: Int { kindNumbers.count }

  /// - Complexity: O(n log n).
  init(_ notes: [NamedNote]) {
    var numbers: [String: UInt16] = [:]
    reserve(for: notes)
    for (number, note) in notes.sorted(by: Self.isNewer).enumerated() {
      paths.add(note.path)
      ids.add((note.id ?? "").utf8)
      let kind = numbers[note.kind] ?? UInt16(truncatingIfNeeded: kinds.count)
      if numbers[note.kind] == nil {
        numbers[note.kind] = kind
        kinds.append(note.kind)
      }
      kindNumbers.append(kind)
      created.append(note.created)
      firstNames.append(UInt32(uses.count))
      add(note.title, .title, number)
      for alias in note.aliases { add(alias, .alias, number) }
      if let file = note.fileName { add(file, .file, number) }
      if let id = note.id { add(id, .id, number) }
    }
  }

  /// Title, file name and id.
  private static let namesBesideAliases = 3

  /// Makes room for the names of notes, or a little more: growing step by step would copy each of them about twice.
  private mutating func reserve(for notes: [NamedNote]) {
    let names = notes.reduce(0) { $0 + Self.namesBesideAliases + $1.aliases.count }
    let pathBytes = notes.reduce(0) { $0 + $1.path.count }
    let bytes = notes.reduce(pathBytes) { sum, note in
      note.aliases.reduce(sum + note.title.utf8.count + (note.id ?? "").utf8.count) { $0 + $1.utf8.count }
    }
    paths.reserve(notes.count, bytes: pathBytes)
    shown.reserve(names, bytes: bytes)
    folded.reserve(names, bytes: bytes + names)
    notesOfNames.reserveCapacity(names)
    uses.reserveCapacity(names)
    letters.reserveCapacity(names)
    hashes.reserveCapacity(names)
    titleHashes.reserveCapacity(notes.count)
  }

  private static func isNewer(_ left: NamedNote, _ right: NamedNote) -> Bool {
    left.created == right.created
      ? left.path.lexicographicallyPrecedes(right.path) : left.created > right.created
  }

  private mutating func add(_ name: String, _ use: NameMatch.Use, _ note: Int) {
    let start = folded.bytes.count
    Folding.append(name.utf8.span, to: &folded.bytes)
    letters.append(NamePattern.letters(of: folded.bytes[start...]))
    let hash = Self.hash(folded.bytes[start...])
    // A mark between names, which no search goes beyond.
    folded.add([0])
    shown.add(name.utf8)
    notesOfNames.append(UInt32(note))
    uses.append(UInt8(use.rawValue))
    hashes.append(hash)
    if use.rawValue <= NameMatch.Use.alias.rawValue { titleHashes.insert(hash) }
  }

  /// Source: FNV-1a.
  static func hash(_ name: ArraySlice<UInt8>) -> UInt32 {
    name.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }

  func note(_ number: Int) -> NamedNote {
    let end = number + 1 < firstNames.count ? Int(firstNames[number + 1]) : uses.count
    let names = Int(firstNames[number])..<end
    let id = ids.text(number)
    return NamedNote(
      path: Array(paths.bytes[paths.range(number)]), id: id.isEmpty ? nil : id,
      title: shown.text(names.lowerBound),
      aliases: names.filter { uses[$0] == NameMatch.Use.alias.rawValue }.map(shown.text),
      kind: kinds[Int(kindNumbers[number])], created: created[number])
  }
}

/// The typed part of a name, without regard to case and accents.
package struct NamePattern {
  package let folded: [UInt8]
  /// A bit for each letter that it has.
  package let letters: UInt64

  package init(_ typed: String) {
    folded = Folding.fold(Array(typed.utf8)[...])
    letters = Self.letters(of: folded[...])
  }

  /// A bit for each letter of a folded text: one that lacks a bit of another's does not hold its letters.
  package static func letters(of text: ArraySlice<UInt8>) -> UInt64 {
    var bits: UInt64 = 0
    for byte in text { bits |= 1 << UInt64(byte & 63) }
    return bits
  }

  /// Whether a folded name fits in one way.
  package func fits(_ name: UnsafeBufferPointer<UInt8>, _ fit: NameMatch.Fit) -> Bool {
    folded.withUnsafeBufferPointer { wanted in
      switch fit {
      case .whole: name.count == wanted.count && Self.begins(name, at: 0, with: wanted)
      case .beginning: Self.begins(name, at: 0, with: wanted)
      case .word: Self.beginsWord(in: name, wanted)
      case .part: Self.isPart(wanted, of: name)
      case .letters: Self.isSubsequence(wanted, of: name)
      }
    }
  }

  private static func begins(
    _ name: UnsafeBufferPointer<UInt8>, at place: Int, with wanted: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard name.count - place >= wanted.count else { return false }
    for index in 0..<wanted.count where name[place + index] != wanted[index] { return false }
    return true
  }

  /// Whether a word of a name behind the first one begins with a text.
  private static func beginsWord(
    in name: UnsafeBufferPointer<UInt8>, _ wanted: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let first = wanted.first, name.count > wanted.count, isLetter(first) else { return false }
    for place in 1...(name.count - wanted.count)
    where name[place] == first && !isLetter(name[place - 1]) && begins(name, at: place, with: wanted) {
      return true
    }
    return false
  }

  /// Whether a name holds a text.
  private static func isPart(
    _ wanted: UnsafeBufferPointer<UInt8>, of name: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard name.count >= wanted.count else { return false }
    return (0...(name.count - wanted.count)).contains { begins(name, at: $0, with: wanted) }
  }

  /// Whether a name contains letters in their order.
  private static func isSubsequence(
    _ wanted: UnsafeBufferPointer<UInt8>, of name: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var next = 0
    for byte in name where next < wanted.count && byte == wanted[next] { next += 1 }
    return next == wanted.count
  }

  private static func isLetter(_ byte: UInt8) -> Bool { byte >= 0x80 || ASCII.isWord(byte) }
}
