import Notes
import SlipboxCore
import Testing

/// Columns of tables.
@Suite struct TableTests {
  @Test(arguments: [
    ("a,b", ["a", "b"]), (" title , count", ["title", "count"]),
    ("pages / days(started, completed),my-day", ["pages / days(started, completed)", "my-day"]),
    ("percent(status:done),sum(a * (b + 1))", ["percent(status:done)", "sum(a * (b + 1))"]),
    ("a - b", ["a - b"]), ("my-day-2", ["my-day-2"]), ("1.5 * x_y", ["1.5 * x_y"]),
  ])
  func `columns are read, with their text as headings`(text: String, headings: [String]) throws {
    #expect(try TableColumn.read(text).map(\.text) == headings)
    #expect(TableSort.read(text).map(\.heading) == headings)
  }

  @Test func `operators bind as in arithmetic`() throws {
    let column = try TableColumn.read("a + b * c - d")[0].expression
    let product = TableExpression.arithmetic(.times, .field("b"), .field("c"))
    #expect(
      column == .arithmetic(.minus, .arithmetic(.plus, .field("a"), product), .field("d")))
    #expect(!column.isAggregate)
    #expect(try TableColumn.read("sum(a) / count")[0].expression.isAggregate)
  }

  @Test(arguments: [
    ("a,", 2), ("sum(", 4), ("sum()", 0), ("foo(a)", 0), ("a b", 2), ("(a", 2), ("count(a)", 0),
    ("sum(avg(a))", 0), ("days(a)", 0), ("a)", 1),
  ])
  func `a mistake is named with its place`(text: String, place: Int) {
    let error = #expect(throws: SlipboxError.self) { try TableColumn.read(text) }
    #expect(error?.kind == .usage)
    #expect(error?.hints.last == String(repeating: " ", count: place) + "^")
  }

  @Test(arguments: [
    (3.0, "3"), (2.5, "2.5"), (2.25, "2.25"), (2.256, "2.26"), (-0.5, "-0.5"), (0.07, "0.07"),
    (1e20, "1e+20"),
    (-3, "-3"),
  ])
  func `numbers have two decimals at most`(number: Double, text: String) {
    #expect(TableValue.number(number).text == text)
  }
}
