import Presentation
import Text
import Testing

@Suite struct TableTests {
  @Test func alignsColumnsByCells() {
    var table = Table(columns: [.init(), .init(alignment: .trailing), .init()], style: .plain, width: nil)
    table.add(["ab", "1", "x"])
    table.add(["日本", "100", "long text"])
    table.add(["z", "", ""])
    table.add(["q"])
    table.add(["", "7", "y", "surplus"])
    #expect(table.lines() == ["ab      1  x", "日本  100  long text", "z", "q", "        7  y"])
  }

  @Test func cutsFlexibleColumnsToTheWidth() {
    let columns: [Table.Column] = [
      .init(), .init(isFlexible: true, minimumWidth: 4), .init(isFlexible: true),
    ]
    var table = Table(columns: columns, style: .plain, width: 20)
    table.add(["id", "a rather long title", "tags and more"])
    #expect(table.lines() == ["id  a rath…  tags a…"])
    var wide = Table(columns: columns, style: .plain, width: nil)
    wide.add(["id", "a rather long title", "tags and more"])
    #expect(wide.lines() == ["id  a rather long title  tags and more"])
    var narrow = Table(columns: columns, style: .plain, width: 11)
    narrow.add(["id", "a rather long title", "tags"])
    #expect(narrow.lines() == ["id  a r…  …"])
  }

  @Test(arguments: [(3, "id"), (5, "id  …"), (7, "id  a …"), (10, "id  a r…"), (1, "…")])
  func neverGoesBeyondTheWidth(_ width: Int, _ line: String) {
    let columns: [Table.Column] = [.init(), .init(isFlexible: true, minimumWidth: 4), .init()]
    var table = Table(columns: columns, style: .plain, width: width)
    table.add(["id", "a rather long title", "tags"])
    #expect(table.lines() == [line])
  }

  @Test func paintsAfterCutting() {
    let style = Style(colour: true, unicode: false, hyperlinks: false)
    var table = Table(columns: [.init(isFlexible: true, paint: style.red), .init()], style: style, width: 9)
    table.add(["abcdefgh", "xy"])
    table.add(["", "z"])
    #expect(table.lines() == ["\u{1B}[31mab...\u{1B}[39m  xy", "       z"])
  }

  @Test func showsNoControlCharacters() {
    var table = Table(columns: [.init(), .init()], style: .plain, width: 80)
    table.add(["a\u{1B}[2Jb", "c\td\ne"])
    #expect(table.lines() == [#"a\x1b[2Jb  c d\x0ae"#])
  }

  @Test func rowsFitWhereTheyCan() {
    var samples = Samples(seed: 21)
    for _ in 0..<300 {
      let columns = (0..<4).map { _ in Table.Column(isFlexible: true) }
      let width = Int.random(in: 12...60, using: &samples)
      var table = Table(columns: columns, style: .plain, width: width)
      for _ in 0..<4 {
        table.add(
          (0..<4).map { _ in String(repeating: "ab 日", count: Int.random(in: 0...6, using: &samples)) })
      }
      for line in table.lines() { #expect(CellWidth.of(line) <= width) }
    }
  }
}

@Suite struct StyleTests {
  @Test func writesNothingWhereNothingIsShown() {
    #expect(
      Style.plain.bold("a") + Style.plain.red("b") + Style.plain.link("c", to: "https://x.org") == "abc")
  }

  @Test func writesSequences() {
    let style = Style(colour: true, unicode: true, hyperlinks: true)
    #expect(style.bold("a") == "\u{1B}[1ma\u{1B}[22m")
    #expect(style.red("") == "")
    #expect(style.link("a", to: "https://x.org") == "\u{1B}]8;;https://x.org\u{1B}\\a\u{1B}]8;;\u{1B}\\")
    #expect(
      style.link("a", to: "https://x.org/\u{1B}\\ ż")
        == "\u{1B}]8;;https://x.org/%1B\\%20%C5%BC\u{1B}\\a\u{1B}]8;;\u{1B}\\")
    #expect(style.link("a", to: "javascript:alert(1)") == "a")
  }

  @Test(arguments: [
    (66, "a  2026-01-02  made 2025-01-02  A title of thirty-two letters here"),
    (63, "a  2026-01-02  A title of thirty-two letters here"),
  ])
  func letsAColumnLeaveBeforeATitleIsCut(_ width: Int, _ line: String) {
    var created = Table.Column()
    created.leaves = 2
    created.leavesEarly = true
    var title = Table.Column(isFlexible: true, minimumWidth: 16)
    title.comfortableWidth = 32
    var table = Table(columns: [.init(), .init(), created, title], style: .plain, width: width)
    table.add(["a", "2026-01-02", "made 2025-01-02", "A title of thirty-two letters here"])
    #expect(table.lines() == [line])
  }
}
