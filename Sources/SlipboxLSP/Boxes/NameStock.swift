import Bytes
import Notes
import Text

/// Names of notes in one run of bytes, in the order of the alphabet and in that of the notes.
struct NameStock: Sendable {
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
  /// The names in the order of their folded bytes.
  private var sorted: [UInt32] = []

  /// How many notes there are.
  var count: Int { kindNumbers.count }

  /// - Complexity: O(n log n).
  init(_ notes: [NamedNote]) {
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
    sorted = folded.bytes.withUnsafeBufferPointer { bytes in
      (0..<UInt32(uses.count)).sorted { Self.precedes(bytes, folded.range(Int($0)), folded.range(Int($1))) }
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
  }

  private static func precedes(
    _ bytes: UnsafeBufferPointer<UInt8>, _ left: Range<Int>, _ right: Range<Int>
  ) -> Bool {
    bytes[left].lexicographicallyPrecedes(bytes[right])
  }

  /// The notes, the newest first.
  var notes: [NamedNote] { (0..<count).map(note) }

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
  /// The notes whose names fit a pattern, the best first, each once.
  ///
  /// - Complexity: O(log n) and the names that begin so; O(n) in the bytes of all names where these are too few.
  func matches(
    _ pattern: NamePattern, ofKind kind: String?, most: Int, isWanted: ([UInt8]) -> Bool
  ) -> [NameMatch] {
    var found = Found(most: most)
    let number = kind.map { kind in kinds.firstIndex { $0.isSameName(as: kind) } }
    if case .some(.none) = number { return [] }
    let isKept = { (name: Int) in
      let note = Int(notesOfNames[name])
      if case .some(.some(let number)) = number, Int(kindNumbers[note]) != number { return false }
      return isWanted(Array(paths.bytes[paths.range(note)]))
    }
    for place in range(beginningWith: pattern.folded) {
      let name = Int(sorted[place])
      let isWhole = folded.range(name).count == pattern.folded.count + 1
      found.add(name, isWhole ? .whole : .beginning, use: uses[name], note: notesOfNames[name], isKept)
    }
    if !pattern.folded.isEmpty, found.count < most { findWords(pattern, &found, isKept) }
    if !pattern.folded.isEmpty, found.count < most { findLetters(pattern, &found, isKept) }
    return found.best.map { row in
      NameMatch(
        note: note(Int(row.note)), name: shown.text(row.name), fit: row.fit,
        use: NameMatch.Use(rawValue: Int(row.use)) ?? .title)
    }
  }

  /// How many notes have a folded name as their title or alias.
  func count(named name: [UInt8], isWanted: ([UInt8]) -> Bool) -> Int {
    var notes: Set<UInt32> = []
    for place in range(beginningWith: name + [0]) {
      let row = Int(sorted[place])
      guard uses[row] <= UInt8(NameMatch.Use.alias.rawValue) else { continue }
      let path = Array(paths.bytes[paths.range(Int(notesOfNames[row]))])
      if isWanted(path) { notes.insert(notesOfNames[row]) }
    }
    return notes.count
  }

  /// The places in the order of the alphabet of the names that begin with a text.
  private func range(beginningWith text: [UInt8]) -> Range<Int> {
    folded.bytes.withUnsafeBufferPointer { bytes in
      let first = partition { bytes[folded.range($0)].lexicographicallyPrecedes(text) }
      let rest = partition { name in
        let own = bytes[folded.range(name)]
        return own.starts(with: text) || own.lexicographicallyPrecedes(text)
      }
      return first..<max(first, rest)
    }
  }

  /// The first place whose name is not before what is looked for.
  private func partition(_ isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(Int(sorted[middle])) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func findWords(_ pattern: NamePattern, _ found: inout Found, _ isKept: (Int) -> Bool) {
    folded.bytes.withUnsafeBufferPointer { bytes in
      for name in uses.indices where letters[name] & pattern.letters == pattern.letters {
        let range = folded.range(name)
        var place = range.lowerBound + 1
        let last = range.upperBound - 1 - pattern.folded.count
        while place <= last {
          let isWordStart = !Self.isLetter(bytes[place - 1]) && Self.isLetter(bytes[place])
          if isWordStart, bytes[place..<place + pattern.folded.count].elementsEqual(pattern.folded) {
            found.add(name, .word, use: uses[name], note: notesOfNames[name], isKept)
            break
          }
          place += 1
        }
      }
    }
  }

  private func findLetters(_ pattern: NamePattern, _ found: inout Found, _ isKept: (Int) -> Bool) {
    folded.bytes.withUnsafeBufferPointer { bytes in
      for name in uses.indices where letters[name] & pattern.letters == pattern.letters {
        guard pattern.isSubsequence(of: UnsafeBufferPointer(rebasing: bytes[folded.range(name)])) else {
          continue
        }
        found.add(name, .letters, use: uses[name], note: notesOfNames[name], isKept)
      }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { byte >= 0x80 || ASCII.isWord(byte) }

  /// The best names that were found, of each note one.
  private struct Found {
    struct Row {
      let name: Int
      let fit: NameMatch.Fit
      let use: UInt8
      let note: UInt32

      func precedes(_ other: Row) -> Bool {
        (fit.rawValue, Int(use), Int(note)) < (other.fit.rawValue, Int(other.use), Int(other.note))
      }
    }

    private let most: Int
    private var rows: [UInt32: Row] = [:]
    /// The worst that still is among the best, once there are enough.
    private var bound: Row?

    init(most: Int) { self.most = most }

    var count: Int { rows.count }
    var best: [Row] { Array(rows.values.sorted { $0.precedes($1) }.prefix(most)) }

    mutating func add(_ name: Int, _ fit: NameMatch.Fit, use: UInt8, note: UInt32, _ isKept: (Int) -> Bool) {
      let row = Row(name: name, fit: fit, use: use, note: note)
      if let bound, !row.precedes(bound) { return }
      if let known = rows[note], !row.precedes(known) { return }
      guard isKept(name) else { return }
      rows[note] = row
      guard rows.count >= 4 * most else { return }
      let kept = best
      rows = Dictionary(kept.map { ($0.note, $0) }, uniquingKeysWith: { first, _ in first })
      bound = kept.last
    }
  }
}
