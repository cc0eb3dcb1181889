import Bytes
import Notes
import Text

/// Names of notes, and what is searched in them.
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
            guard letters[name] & mask == mask,
              pattern.fits(UnsafeBufferPointer(rebasing: bytes[range]), fit)
            else { continue }
            let isWhole = fit == .beginning && range.count == pattern.folded.count
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
