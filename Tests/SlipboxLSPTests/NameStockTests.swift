import Presentation
import SlipboxTesting
import Testing

@testable import SlipboxLSP

struct NameStockTests {
  private static func note(_ title: String, aliases: [String] = [], id: String? = nil, kind: String = "note")
    -> NamedNote
  {
    NamedNote(
      path: Array("\(title).md".utf8), id: id, title: title, aliases: aliases, kind: kind,
      created: -Int64(title.utf8.first ?? 0))
  }

  private static let stock = NameStock([
    note("Ada Lovelace", aliases: ["The Countess"]), note("Über Ada"), note("Bread and salt", id: "kqzmvtrp"),
    note("A day at sea"), note("ada", kind: "task"),
  ])

  @Test(arguments: [
    ("ada", ["ada", "Ada Lovelace", "Über Ada", "A day at sea", "Bread and salt"]), ("uber", ["Über Ada"]),
    ("count", ["The Countess"]),
    ("salt", ["Bread and salt"]), ("brslt", ["Bread and salt"]), ("kqz", ["kqzmvtrp"]), ("xyz", []),
    ("love", ["Ada Lovelace"]), ("read", ["Bread and salt"]),
  ])
  func theBestNamesComeFirst(typed: String, names: [String]) {
    let found = NameStock.matches(NamePattern(typed), in: [Self.stock], most: 10) { _ in true }
    #expect(found.map(\.name) == names)
  }

  @Test func `a word precedes a part of a word, and the beginning of an id`() {
    let stock = NameStock([
      Self.note("Trash bins"), Self.note("A sad hat"), Self.note("Some ash"), Self.note("Ash"),
      Self.note("Zoo", id: "ashkqzmv"),
    ])
    let names = { (isScattered: Bool) in
      NameStock.matches(NamePattern("ash"), in: [stock], most: 10, isScattered: isScattered) { _ in true }
        .map(\.note.title)
    }
    #expect(names(false) == ["Ash", "Some ash", "Trash bins", "Zoo"])
    #expect(names(true) == ["Ash", "Some ash", "Trash bins", "Zoo", "A sad hat"])
  }

  @Test func nothingTypedIsEveryNoteNewestFirst() {
    let found = NameStock.matches(NamePattern(""), in: [Self.stock], most: 3) { _ in true }
    #expect(found.map(\.note.title) == ["A day at sea", "Ada Lovelace", "Bread and salt"])
  }

  @Test func onlyNotesOfAKindAreFound() {
    #expect(
      NameStock.matches(NamePattern("a"), in: [Self.stock], ofKind: "TASK", most: 9) { _ in true }.map(\.name)
        == ["ada"])
    #expect(
      NameStock.matches(NamePattern("a"), in: [Self.stock], ofKind: "book", most: 9) { _ in true }.isEmpty)
  }

  @Test func namesAreCountedWhateverTheirCase() {
    #expect(Self.stock.count(named: Array("ada".utf8)) { _ in true } == 1)
    #expect(Self.stock.count(named: Array("the countess".utf8)) { _ in true } == 1)
    #expect(Self.stock.count(named: Array("the".utf8)) { _ in true } == 0)
  }

  /// Held against a look at each name.
  @Test(arguments: 0..<100) func theSameNotesAreFoundAsByALookAtEach(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let words = ["ada", "Öl", "bread", "x", "sea-salt", "a b", "1984"]
    func word() -> String { words[Int.random(in: words.indices, using: &random)] }
    let notes = (0..<60).map { number in
      NamedNote(
        path: Array("\(number).md".utf8), id: nil, title: "\(word()) \(word())", aliases: [word()],
        kind: "note", created: 0)
    }
    let stocks = [NameStock(Array(notes[..<25])), NameStock(Array(notes[25...]))]
    for _ in 0..<20 {
      let pattern = NamePattern(String(word().prefix(Int.random(in: 1...3, using: &random))))
      let found = Set(NameStock.matches(pattern, in: stocks, most: 1_000) { _ in true }.map(\.note.path))
      let wanted = notes.filter { note in
        ([note.title] + note.aliases + [note.fileName].compactMap { $0 }).contains { name in
          // Of one letter or two words have to begin with them.
          let folded = NamePattern(name).folded
          return folded.withUnsafeBufferPointer { name in
            pattern.fits(name, .beginning) || pattern.fits(name, .word)
              || pattern.folded.count > 2 && pattern.fits(name, .part)
              || pattern.folded.count > 2 && pattern.fits(name, .letters)
          }
        }
      }
      #expect(found == Set(wanted.map(\.path)))
    }
  }
}
