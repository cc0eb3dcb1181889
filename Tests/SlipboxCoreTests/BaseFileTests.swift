import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// `.base` files of Obsidian.
struct BaseFileTests {
  private static let notes = [
    "Books/dune.md":
      "---\nid: bbbbbbbc\ntitle: Dune\ncreated: 2026-01-02T10:00:00Z\ntags: [book, book/scifi]\nprice: 9.5\nage: 4\nstatus: done\ndue: 2026-11-20\nauthors: [Herbert, \"[[Emma]]\"]\nauthor: \"[[Textbook]]\"\n---\n[[Textbook]]\n",
    "Books/emma.md":
      "---\nid: bbbbbbbd\ntitle: Emma\ntags: [book]\nprice: 2\nage: 1\nstatus: open\ndue: 2026-12-01\n---\n",
    "Textbook.md": "---\nid: bbbbbbbf\ntitle: Textbook\nstatus: open\n---\n",
  ]

  private let box: WritingBox

  init() throws { box = try WritingBox(Self.notes) }

  private func table(_ text: String, view: String? = nil) throws -> NoteTable {
    let snapshot = try box.snapshot()
    return try NoteTable(BaseFile(Array(text.utf8)), view: view, file: "x.base", in: snapshot)
  }

  private func rows(_ table: NoteTable) -> [[String]] {
    table.rows.map { row in row.cells.map { $0.map(\.text).joined(separator: ", ") } }
  }

  /// The titles of the notes that a filter takes.
  private func taken(_ filter: String) throws -> [String] {
    let quoted = filter.replacing("'", with: "''")
    return rows(try table("filters: '\(quoted)'\nviews:\n  - type: table\n    name: all\n")).map { $0[0] }
  }

  @Test func `filters, order, groups, summaries and formulas of a view`() throws {
    let text = """
      filters:
        and:
          - file.hasTag("book")
          - not:
              - file.inFolder("Other")
      formulas:
        ppu: "(price / age).toFixed(2)"
        cost: 'if(price > 5, formula.ppu + " dollars", "cheap")'
      properties:
        formula.ppu:
          displayName: Price per year
      summaries:
        middle: 'values.mean().round(1)'
      views:
        - type: table
          name: Mine
          filters: 'price > 1'
          order: [file.name, price, formula.ppu, formula.cost]
          sort:
            - property: price
              direction: ASC
          summaries:
            price: middle
        - type: table
          name: Grouped
          limit: 1
          groupBy:
            property: note.status
            direction: DESC
          order: [file.name]
      """
    let mine = try table(text)
    #expect(mine.headings == ["file.name", "price", "Price per year", "formula.cost"])
    #expect(rows(mine) == [["Emma", "2", "2.00", "cheap"], ["Dune", "9.5", "2.38", "2.38 dollars"]])
    #expect(mine.total?.cells.map { $0.map(\.text) } == [[], ["5.8"], [], []])
    #expect(rows(try table(text, view: "Grouped")) == [["open", "Emma"]])
    #expect(BaseFile(Array(text.utf8)).problems(of: nil).isEmpty)
    #expect(throws: SlipboxError.self) { try self.table(text, view: "Nobody") }
  }

  @Test(arguments: [
    (#"file.hasTag("book")"#, ["Dune", "Emma"]), (#"file.hasTag("book/scifi")"#, ["Dune"]),
    (##"!file.hasTag("#book")"##, ["Textbook"]), (#"file.hasLink("Textbook")"#, ["Dune"]),
    (#"file.inFolder("Books")"#, ["Dune", "Emma"]), (#"file.hasProperty("price")"#, ["Dune", "Emma"]),
    (#"price >= 2 && price < 9"#, ["Emma"]), (#"price == 2 || status == "done""#, ["Dune", "Emma"]),
    (#"status != "open""#, ["Dune"]), (#"note["status"] == "done""#, ["Dune"]),
    (#"due < today()"#, ["Dune"]), (#"due > today() + "1 week""#, ["Emma"]),
    (#"due.month == 12"#, ["Emma"]), (#"due < "2026-11-30""#, ["Dune"]),
    (#"file.ctime < date("2026-02-01")"#, ["Dune"]), (#"authors.contains("Herbert")"#, ["Dune"]),
    (#"status.contains("pe")"#, ["Emma", "Textbook"]), (#"price.isEmpty()"#, ["Textbook"]),
    (#"file.name == "dune.md""#, ["Dune"]), (#"file.basename.startsWith("e")"#, ["Emma"]),
    (#"file.ext == "md" && file.folder == """#, ["Textbook"]), (#"price - age > 1"#, ["Dune"]),
    (#"file.tags.length == 2"#, ["Dune"]), (#"[1, 2, 3].filter(value > 2).contains(price + 1)"#, ["Emma"]),
    (#"list(authors).map(value.lower()).join("") == "herbert[[emma]]""#, ["Dune"]),
    (#"author == link("Textbook")"#, ["Dune"]), (#"author == link("textbook.md", "x")"#, ["Dune"]),
    (#"author != link("Emma") && price"#, ["Dune", "Emma"]), (#"author == "[[Textbook]]""#, ["Dune"]),
    (#"authors.contains(link("Books/emma"))"#, ["Dune"]), (#"file == link("Emma")"#, ["Emma"]),
    (#"author.linksTo(link("Textbook"))"#, ["Dune"]), (#"author.contains("book")"#, ["Dune"]),
    (#"file.hasLink(link("Textbook"))"#, ["Dune"]), (#"file.hasLink("nobody")"#, []),
    (#"(date(due) - date("2026-11-20")).days >= 11"#, ["Emma"]),
    (#"[1, 2, 3].reduce(acc + value, 0) == 6"#, ["Dune", "Emma", "Textbook"]),
    (#"missing"#, []), (#"due.format("DD.MM.YYYY") == "20.11.2026""#, ["Dune"]),
  ])
  func `filters are those of Bases`(filter: String, titles: [String]) throws {
    #expect(try taken(filter) == titles)
  }

  @Test(arguments: [
    ("/a/.matches(status)", "regular expressions aren't supported"),
    ("this.file.name == 1", "this is known only in an embedded base"),
    ("file.links.contains(1)", "file.links isn't supported"),
    ("random()", "the function random() isn't supported"),
    ("status.shout()", "the function shout() isn't supported"),
    ("status ==", "the expression ends too early"),
    ("due.format(\"Qo\")", "the format Qo isn't supported"), ("(1", "the expression ends too early"),
    ("1 2", "unexpected 2"), ("today(1)", "today() has 1 arguments"), ("\"a", "a quote is not closed"),
  ])
  func `a filter that is unknown is named, and no rows are guessed`(filter: String, message: String) {
    let error = #expect(throws: SlipboxError.self) { try self.taken(filter) }
    #expect(error?.kind == .badData)
    #expect(error?.hints.first?.description.hasSuffix(": \(message)") == true)
  }

  @Test func `other parts that are unknown are named by line and left out`() throws {
    let text = """
      formulas:
        bad: shout(1)
        a: formula.b
        b: formula.a
        c: formula.none
      plugins: 1
      views:
        - type: cards
          name: Mine
          order: [file.name, formula.bad, formula.x, file.links]
          summaries: {price: Magic}
          zoom: 3
        - name: Other
          zoom: 4
      """
    let base = BaseFile(Array(text.utf8))
    #expect(
      base.problems(of: nil).map { "\($0.line): \($0.message)" } == [
        "2: formula bad: the function shout() isn't supported", "3: formula a depends on itself",
        "4: formula b: formula.a can't be read", "5: formula c: there is no formula.none",
        "6: plugins isn't supported", "8: view Mine: type cards is shown as a table",
        "10: view Mine: column formula.bad: the formula can't be read",
        "10: view Mine: column formula.x: there is no such formula",
        "10: view Mine: column file.links isn't supported", "11: view Mine: the summary Magic is unknown",
        "12: view Mine: zoom isn't supported",
      ])
    #expect(try table(text).headings == ["file.name"])
    #expect(base.problems(of: "Other").last?.message == "view Other: zoom isn't supported")
    #expect(!base.problems(of: "Other").contains { $0.message.description.hasPrefix("view Mine") })
  }

  @Test func `a summary is that of a property, with note. or without`() throws {
    for (order, summary) in [("price", "note.price"), ("note.price", "price"), ("price", "price")] {
      let text = "views: [{name: a, order: [\(order)], summaries: {\(summary): Sum}}]\n"
      #expect(try table(text).total?.cells.map { $0.map(\.text) } == [["11.5"]])
    }
  }

  @Test(arguments: [
    ("duration('1d')", "1 day"), ("duration('90m')", "1 hour, 30 minutes"),
    ("duration('14M')", "1 year, 2 months"),
    ("duration('1w').days", "7"), ("(date(due) - date('2026-11-18')).days", "2"),
    ("(date(due) - date('2026-11-18')) / 86400000", "2"), ("duration('0s')", "0 days"),
    ("link('Textbook')", "Textbook"), ("link('Textbook', 'the book')", "the book"),
    ("author", "[[Textbook]]"),
  ])
  func `a formula has the text`(formula: String, text: String) throws {
    let base =
      "formulas: {a: \"\(formula)\"}\nviews: [{name: a, filters: price == 9.5, order: [formula.a]}]\n"
    #expect(rows(try table(base)) == [[text]])
  }

  @Test(arguments: ["[[Textbook]]", "[[Books/textbook.md]]", "[a](textbook.md)", "[a](Books/textbook.md)"])
  func `links are found in notes without an id`(link: String) throws {
    let box = try WritingBox([
      "Books/textbook.md": "# Textbook\n", "Books/other.md": "---\nfrom: \"[[textbook]]\"\n---\n\(link)\n",
    ])
    let snapshot = try box.snapshot()
    for name in ["Textbook", "textbook", "Books/textbook", "Books/textbook.md", "[[Textbook|T]]"] {
      let base = "filters: file.hasLink(\"\(name)\") && from == link('\(name)')\nviews: [{name: a}]"
      let table = try NoteTable(BaseFile(Array(base.utf8)), view: nil, file: "x.base", in: snapshot)
      #expect(table.rows.map(\.match?.entry.note.path) == [Array("Books/other.md".utf8)])
    }
  }

  @Test(arguments: [
    "", "- a", "views: 1", "views: [1, {}]", "filters: {and: 1, or: 2}", "a: &x [*x]", "\u{0}",
    "views:\n  - name: [",
    "filters: {xor: []}", "formulas: [1]",
    "views:\n  - order: {a: 1}\n    limit: -1\n    sort: 1\n    groupBy: {x: 1}",
    "filters: " + String(repeating: "{and: [", count: 20) + "1" + String(repeating: "]}", count: 20),
    "filters: '" + String(repeating: "(", count: 3_000) + "'",
    "filters: '" + String(repeating: "!", count: 3_000) + "1'",
    "formulas: {a: \"" + String(repeating: "1+", count: 1_900)
      + "1\"}\nviews: [{name: a, order: [formula.a]}]",
    "views: [{name: a, filters: '[1,2,3,4,5,6,7,8,9].map([1,2,3,4,5,6,7,8,9].map([1,2,3,4,5,6,7,8,9].map([1,2,3,4,5,6,7,8,9].map([1,2,3,4,5,6,7,8,9].map([1,2,3,4,5,6,7,8,9].map([1,2,3,4,5,6,7,8,9].map(value)))))))'}]",
    "views: [{name: a, filters: '\"ab\".repeat(30000).replace(\"a\", \"ab\".repeat(30000))'}]",
    "views: [{name: a, filters: '1e400 > now() + \"99999999y\"'}]",
  ])
  func `hostile files end with an answer or an error`(text: String) throws {
    do {
      _ = try table(text)
    } catch is SlipboxError {
      return
    }
  }
}
