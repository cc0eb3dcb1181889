import Bytes
import NoteIndex
package import Notes
import Text

/// Names of notes, with the keys that searches use.
package final class NameStock: Sendable {
  /// A class, so that a search over many stocks does not copy them.
  private let columns: NameColumns

  /// - Complexity: O(n log n).
  package init(_ notes: [NamedNote]) { columns = NameColumns(notes) }

  /// How many notes there are.
  package var count: Int { columns.count }

  /// The notes, the newest first.
  package var notes: [NamedNote] { (0..<count).map(columns.note) }
}

extension NameStock {
  /// The notes of some stocks whose names fit a pattern, the best first, each once.
  ///
  /// The beginning of an id ranks behind the words of titles: few people type ids.
  /// - Parameter isScattered: whether names fit that have the letters of the pattern in its order with others between.
  /// - Complexity: O(n) in the number of names, and in the bytes of those that have all letters of the pattern.
  package static func matches(
    _ pattern: NamePattern, in stocks: [NameStock], ofKind kind: String? = nil, most: Int,
    isScattered: Bool = true, isWanted: (_ path: [UInt8]) -> Bool
  ) -> [NameMatch] {
    var found = FoundNames(most: most)
    for fit in [NameMatch.Fit.beginning, .word, .part] + (isScattered ? [.letters] : []) {
      for (number, stock) in stocks.enumerated() {
        stock.find(pattern, fit, number, ofKind: kind, &found, isWanted)
      }
      // Two letters in their order are in every other name.
      let isTelling = fit == .word ? pattern.folded.count > 2 : !pattern.folded.isEmpty
      if !isTelling || found.count >= most { break }
    }
    return found.best.map { row in
      let stock = stocks[row.stock]
      return NameMatch(
        note: stock.columns.note(row.note), name: stock.columns.shown.text(row.name), fit: row.fit,
        use: NameMatch.Use(rawValue: Int(row.use)) ?? .title)
    }
  }

  /// How many notes have a folded name as their title or alias.
  package func count(named name: [UInt8], isWanted: (_ path: [UInt8]) -> Bool) -> Int {
    let hash = NameColumns.hash(name[...])
    guard columns.titleHashes.contains(hash) else { return 0 }
    var notes: Set<UInt32> = []
    for row in columns.hashes.indices
    where columns.hashes[row] == hash && columns.uses[row] <= UInt8(NameMatch.Use.alias.rawValue) {
      let note = columns.notesOfNames[row]
      guard columns.folded.bytes[columns.folded.range(row)].dropLast() == name[...],
        isWanted(path(ofNote: Int(note)))
      else {
        continue
      }
      notes.insert(note)
    }
    return notes.count
  }

  private func path(ofNote note: Int) -> [UInt8] { Array(columns.paths.bytes[columns.paths.range(note)]) }

  /// Finds the names that fit in one way.
  private func find(
    _ pattern: NamePattern, _ fit: NameMatch.Fit, _ stock: Int, ofKind kind: String?,
    _ found: inout FoundNames,
    _ isWanted: ([UInt8]) -> Bool
  ) {
    let number = kind.map { kind in columns.kinds.firstIndex { $0.isSameName(as: kind) } ?? -1 }
    let mask = pattern.letters
    columns.folded.bytes.withUnsafeBufferPointer { bytes in
      columns.folded.ends.withUnsafeBufferPointer { ends in
        columns.letters.withUnsafeBufferPointer { letters in
          var start = 0
          for name in letters.indices {
            // Without the mark behind the name.
            let range = start..<Int(ends[name]) - 1
            start = range.upperBound + 1
            let isID = columns.uses[name] == UInt8(NameMatch.Use.id.rawValue)
            let isWhole = fit == .beginning && range.count == pattern.folded.count
            guard letters[name] & mask == mask, !isID || isWhole || fit == .part,
              pattern.fits(UnsafeBufferPointer(rebasing: bytes[range]), isID ? .beginning : fit)
            else { continue }
            let note = Int(columns.notesOfNames[name])
            let row = FoundNames.Row(
              stock: stock, name: name, fit: isWhole ? .whole : fit, use: columns.uses[name], note: note,
              created: columns.created[note])
            guard found.mayTake(row), number == nil || Int(columns.kindNumbers[note]) == number,
              isWanted(path(ofNote: note))
            else { continue }
            found.take(row)
          }
        }
      }
    }
  }
}

/// The names of a note, with the facts that a list of notes shows.
package struct NamedNote: Sendable {
  package let path: [UInt8]
  package let id: String?
  package let title: String
  package let aliases: [String]
  package let kind: String
  /// When it was made, in milliseconds since 1970; a note that does not say counts as the newest.
  package let created: Int64

  package init(_ names: NamesOfNote, kind: String, created: Timestamp?) {
    path = names.path
    id = names.id?.description ?? names.foreignID
    title = names.title
    aliases = names.aliases
    self.kind = kind
    self.created = created?.millisecondsSince1970 ?? .max
  }

  package init(path: [UInt8], id: String?, title: String, aliases: [String], kind: String, created: Int64) {
    self.path = path
    self.id = id
    self.title = title
    self.aliases = aliases
    self.kind = kind
    self.created = created
  }

  /// The name of the file without its ending; nil if it says nothing beside the title and the id.
  package var fileName: String? {
    let stem = String(decoding: FileName.stem(of: path), as: UTF8.self)
    if let id, stem.hasSuffix(id) { return nil }
    return stem.isSameName(as: title) ? nil : stem
  }
}

/// A note that matches the typed text, with the matching name.
package struct NameMatch: Sendable {
  /// How the name fits, the best first.
  package enum Fit: Int, Sendable {
    case whole, beginning
    /// A later word begins with the typed text.
    case word
    /// The name has the typed text anywhere, or an id begins with it.
    case part
    /// The name has the letters in their order, with others between them.
    case letters
  }

  /// The role of the name for the note, the best first.
  package enum Use: Int, Sendable {
    case title, alias, file, id
  }

  package let note: NamedNote
  package let name: String
  package let fit: Fit
  package let use: Use

  /// Whether it precedes another in a list: newer notes first, then by path.
  package func precedes(_ other: NameMatch) -> Bool {
    let (own, others) = ((fit.rawValue, use.rawValue), (other.fit.rawValue, other.use.rawValue))
    if own != others { return own < others }
    if note.created != other.note.created { return note.created > other.note.created }
    return note.path.lexicographicallyPrecedes(other.note.path)
  }
}

/// The best names that a search has found so far, of each note one.
struct FoundNames {
  /// A name of a stock.
  struct Row {
    let stock: Int
    let name: Int
    let fit: NameMatch.Fit
    let use: UInt8
    let note: Int
    let created: Int64

    /// Whether it precedes another: newer notes first.
    func precedes(_ other: Row) -> Bool {
      if (fit.rawValue, use) != (other.fit.rawValue, other.use) {
        return (fit.rawValue, use) < (other.fit.rawValue, other.use)
      }
      if created != other.created { return created > other.created }
      return (stock, note) < (other.stock, other.note)
    }
  }

  private struct Note: Hashable {
    let stock: Int
    let number: Int
  }

  private let most: Int
  private var rows: [Note: Row] = [:]
  /// The worst that still is among the best, once there are enough.
  private var bound: Row?

  init(most: Int) { self.most = most }

  var count: Int { rows.count }
  var best: [Row] { Array(rows.values.sorted { $0.precedes($1) }.prefix(most)) }

  /// Whether a name would be among the best.
  func mayTake(_ row: Row) -> Bool {
    if let bound, !row.precedes(bound) { return false }
    return rows[Note(stock: row.stock, number: row.note)].map { row.precedes($0) } ?? true
  }

  /// Takes a name; the worst are dropped from time to time.
  mutating func take(_ row: Row) {
    rows[Note(stock: row.stock, number: row.note)] = row
    guard rows.count >= 4 * most else { return }
    let kept = best
    rows = Dictionary(
      kept.map { (Note(stock: $0.stock, number: $0.note), $0) }, uniquingKeysWith: { first, _ in first })
    bound = kept.last
  }
}
