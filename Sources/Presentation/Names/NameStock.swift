import Bytes
import Notes
import Text

/// Names of notes in one run of bytes, in the order of the alphabet and in that of the notes.
package struct NameStock: Sendable {
  /// The texts of one column, one behind the other.
  private struct Column: Sendable {
    var bytes: [UInt8] = []
    var ends: [UInt32] = []

    mutating func add(_ text: some Collection<UInt8>) {
      bytes += text
      ends.append(UInt32(bytes.count))
    }

    func range(_ number: Int) -> Range<Int> {
      (number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number])
    }

    func text(_ number: Int) -> String { String(decoding: bytes[range(number)], as: UTF8.self) }
  }

  // A row a note.
  private var paths = Column()
  private var ids = Column()
  private var kinds: [String] = []
  private var kindNumbers: [UInt16] = []
  private var firstNames: [UInt32] = []
  private var created: [Int64] = []
  // A row a name; the first one of a note is its title.
  private var folded = Column()
  private var shown = Column()
  private var notesOfNames: [UInt32] = []
  private var uses: [UInt8] = []
  private var letters: [UInt64] = []
  private var hashes: [UInt32] = []
  /// How many titles and aliases have a hash.
  private var titleCounts: [UInt32: UInt32] = [:]

  /// How many notes there are.
  package var count: Int { kindNumbers.count }

  /// - Complexity: O(n log n).
  package init(_ notes: [NamedNote]) {
    var numbers: [String: UInt16] = [:]
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

  private static func isNewer(_ left: NamedNote, _ right: NamedNote) -> Bool {
    left.created == right.created
      ? left.path.lexicographicallyPrecedes(right.path) : left.created > right.created
  }

  private mutating func add(_ name: String, _ use: NameMatch.Use, _ note: Int) {
    let key = Folding.fold(Array(name.utf8)[...])
    // A mark between names, which no search goes beyond.
    folded.add(key + [0])
    shown.add(name.utf8)
    notesOfNames.append(UInt32(note))
    uses.append(UInt8(use.rawValue))
    letters.append(NamePattern.letters(of: key[...]))
    let hash = Self.hash(key)
    hashes.append(hash)
    if use.rawValue <= NameMatch.Use.alias.rawValue { titleCounts[hash, default: 0] += 1 }
  }

  /// Source: FNV-1a.
  private static func hash(_ name: [UInt8]) -> UInt32 {
    name.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }

  /// The notes, the newest first.
  package var notes: [NamedNote] { (0..<count).map(note) }

  private func note(_ number: Int) -> NamedNote {
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

extension NameStock {
  /// The notes of some stocks whose names fit a pattern, the best first, each once.
  ///
  /// - Complexity: O(n) in the number of names, and in the bytes of those that have all letters of the pattern.
  package static func matches(
    _ pattern: NamePattern, in stocks: [NameStock], ofKind kind: String? = nil, most: Int,
    isWanted: (_ path: [UInt8]) -> Bool
  ) -> [NameMatch] {
    var found = FoundNames(most: most)
    for fit in [NameMatch.Fit.beginning, .word, .letters] {
      for (number, stock) in stocks.enumerated() {
        stock.find(pattern, fit, number, ofKind: kind, &found, isWanted)
      }
      // Two letters in their order are in every other name.
      let isTelling = fit == .beginning ? !pattern.folded.isEmpty : pattern.folded.count > 2
      if !isTelling || found.count >= most { break }
    }
    return found.best.map { row in
      let stock = stocks[row.stock]
      return NameMatch(
        note: stock.note(row.note), name: stock.shown.text(row.name), fit: row.fit,
        use: NameMatch.Use(rawValue: Int(row.use)) ?? .title)
    }
  }

  /// How many notes have a folded name as their title or alias.
  package func count(named name: [UInt8], isWanted: (_ path: [UInt8]) -> Bool) -> Int {
    let hash = Self.hash(name)
    guard titleCounts[hash] != nil else { return 0 }
    var notes: Set<UInt32> = []
    for row in hashes.indices where hashes[row] == hash && uses[row] <= UInt8(NameMatch.Use.alias.rawValue) {
      let note = notesOfNames[row]
      guard folded.bytes[folded.range(row)].dropLast() == name[...], isWanted(path(ofNote: Int(note))) else {
        continue
      }
      notes.insert(note)
    }
    return notes.count
  }

  private func path(ofNote note: Int) -> [UInt8] { Array(paths.bytes[paths.range(note)]) }

  /// Finds the names that fit in one way.
  private func find(
    _ pattern: NamePattern, _ fit: NameMatch.Fit, _ stock: Int, ofKind kind: String?,
    _ found: inout FoundNames,
    _ isWanted: ([UInt8]) -> Bool
  ) {
    let number = kind.map { kind in kinds.firstIndex { $0.isSameName(as: kind) } ?? -1 }
    let mask = pattern.letters
    folded.bytes.withUnsafeBufferPointer { bytes in
      folded.ends.withUnsafeBufferPointer { ends in
        letters.withUnsafeBufferPointer { letters in
          var start = 0
          for name in letters.indices {
            // Without the mark behind the name.
            let range = start..<Int(ends[name]) - 1
            start = range.upperBound + 1
            guard letters[name] & mask == mask,
              pattern.fits(UnsafeBufferPointer(rebasing: bytes[range]), fit)
            else { continue }
            let isWhole = fit == .beginning && range.count == pattern.folded.count
            let note = Int(notesOfNames[name])
            let row = FoundNames.Row(
              stock: stock, name: name, fit: isWhole ? .whole : fit, use: uses[name], note: note,
              created: created[note])
            guard found.mayTake(row), number == nil || Int(kindNumbers[note]) == number,
              isWanted(path(ofNote: note))
            else { continue }
            found.take(row)
          }
        }
      }
    }
  }
}
