import NoteIndex
import Testing

/// What is refused, with the place of the caret.
@Suite struct QueryErrorTests {
  /// The part of the query that the caret is under, and the message; nil where the query is accepted.
  private func fault(_ arguments: [String]) -> (part: String, message: String, hint: String?)? {
    do {
      _ = try Query.parse(arguments, clock: clock)
      return nil
    } catch {
      let bytes = Array(error.query.utf8)
      return (String(decoding: bytes[error.range], as: UTF8.self), error.message, error.hint)
    }
  }

  @Test(arguments: [
    ("\"login", "\"login", "unmatched quote"),
    ("title:\"a b", "\"a b", "unmatched quote"),
    ("\"\"", "\"\"", "empty quotes"),
    ("a (b", "(", "unmatched opening parenthesis"),
    ("a b)", ")", "unmatched closing parenthesis"),
    ("a ()", "()", "empty parentheses"),
    ("OR a", "OR", "OR needs a term before it"),
    ("AND", "AND", "AND needs a term before it"),
    ("a OR", "OR", "OR needs a term after it"),
    ("(a AND) b", "AND", "AND needs a term after it"),
    ("a AND OR b", "OR", "there is no term between AND and OR"),
    ("-@overdue", "-@overdue", "- is for tags, not for filters"),
    ("a +@Overdue", "+@Overdue", "+ is for tags, not for filters"),
    ("NOT", "NOT", "NOT needs a term after it"),
    ("a NOT", "NOT", "NOT needs a term after it"),
    ("(NOT)", "NOT", "NOT needs a term after it"),
    ("NOT OR a", "NOT", "NOT needs a term after it"),
    ("a b OR c", "OR", "OR next to other terms is ambiguous"),
    ("a AND b OR c", "OR", "OR next to other terms is ambiguous"),
    ("x (a OR b c)", "OR", "OR next to other terms is ambiguous"),
    ("-kind:book", "-kind:book", "- is for tags, not for fields"),
    ("+kind:book", "+kind:book", "+ is for tags, not for fields"),
    ("-(a OR b)", "-(a", "- takes one tag, no parentheses"),
    ("title:(a", "title:(a", "a field can't have parentheses"),
    ("created:soonish", "soonish", "soonish is not a date"),
    ("created:2026-13", "2026-13", "2026-13 is not a date"),
    ("created:2026..soonish", "soonish", "soonish is not a date"),
    ("created:>", "created:>", "a date must follow >"),
    ("modified:", "modified:", "a date must follow modified:"),
    ("rating:..", "rating:..", "a range needs an end: 4.. or ..9 or 4..9"),
    ("rating:1..2..3", "..", "a range has at most two ends"),
    ("rating:<", "rating:<", "a value must follow <"),
    ("rating:!=4", "rating:!=4", "!= is not known"),
    ("rating != 4", "rating != 4", "!= is not known"),
    ("status:a,,b", "status:a,,b", "a value is missing beside the comma"),
    ("status:a,", "status:a,", "a value is missing beside the comma"),
    ("has:", "has:", "a value must follow the colon"),
    ("path:", "path:", "a folder or a file must follow path:"),
    ("tag:a,-b", "-b", "a dash is not allowed here"),
    ("tag:--b", "-b", "a dash is not allowed here"),
    ("*", "*", "* needs letters next to it"),
    ("a **", "**", "* needs letters next to it"),
    ("limit:x", "x", "limit: needs a whole number"),
    ("limit:-1", "-1", "limit: needs a whole number"),
    ("limit:", "limit:", "limit: needs a whole number"),
    ("limit:99999999999999999999", "99999999999999999999", "limit: needs a whole number"),
    ("limit:1 limit:2", "limit:2", "limit: occurs twice in this query"),
    ("(limit:1)", "limit:1", "limit: applies to the whole query"),
    ("NOT sort:title", "sort:title", "sort: applies to the whole query"),
    ("sort:a,,b", "sort:a,,b", "the name of a field to sort by is missing"),
    ("sort:-", "-", "the name of a field to sort by is missing"),
    ("sort:", "sort:", "the name of a field to sort by is missing"),
    ("@mine", "@mine", "@mine is not a filter"),
    ("is:overdue", "overdue", "is:overdue is not known"),
    ("body:=x", "body:=x", "body: takes words and phrases"),
    ("\"\":x", "\"\":x", "a field's name is missing before the colon"),
  ])
  func refused(_ query: String, _ part: String, _ message: String) {
    let fault = fault([query])
    #expect(fault?.part == part)
    #expect(fault?.message == message)
  }

  @Test func `carets count the arguments before`() {
    let error = #expect(throws: QueryError.self) {
      try Query.parse(["kind:book", "created:żółw"], clock: clock)
    }
    #expect(error?.query == "kind:book created:żółw")
    #expect(error?.range == 18..<25)
  }

  @Test(arguments: [
    ("a b OR c", "write (a b) OR c  or  a (b OR c)"),
    ("a OR b AND NOT c", "write a OR (b NOT c)  or  (a OR b) NOT c"),
    ("a OR b c OR d", "write a OR (b c) OR d  or  (a OR b) (c OR d)"),
    ("kind:book (x y) OR -t", "write (kind:book (x y)) OR -t  or  kind:book ((x y) OR -t)"),
  ])
  func readings(_ query: String, _ hint: String) {
    #expect(fault([query])?.hint == hint)
  }

  @Test func `readings of at most 200 bytes are shown`() {
    let word = String(repeating: "x", count: 198)
    #expect(fault(["\(word) b OR c"])?.hint == "write (\(word) b) OR c  or  \(word) (b OR c)")
    #expect(fault(["\(word)x b OR c"])?.hint == "write group the terms with parentheses")
  }

  @Test func `readings quote an argument with blanks`() {
    #expect(fault(["+Tag 1", "a", "OR", "b"])?.hint == "write (+\"Tag 1\" a) OR b  or  +\"Tag 1\" (a OR b)")
  }

  @Test func `nesting and length have bounds`() {
    let deep = String(repeating: "(", count: 64) + "a" + String(repeating: ")", count: 64)
    #expect(fault([deep]) == nil)
    #expect(fault(["(" + deep + ")"])?.message == "parentheses are nested too deeply")
    #expect(fault([String(repeating: "(", count: 60_000)])?.message == "parentheses are nested too deeply")
    #expect(fault([String(repeating: "NOT ", count: 16_000) + "a"]) == nil)
    #expect(fault([String(repeating: "x", count: 5_000)])?.message == "this term is too long")
    let long = fault([String(repeating: "żółw ", count: 10_000)])
    #expect(long?.message == "the query has 80000 bytes, at most 65536 are read")
  }

  @Test func `sort keys of an option are refused alike`() throws {
    #expect(
      try SortKey.parse("-modified,title")
        == [SortKey(field: "modified", descending: true), SortKey(field: "title", descending: false)])
    let error = #expect(throws: QueryError.self) { try SortKey.parse("title,-,x") }
    #expect(error?.range == 6..<7)
    #expect(throws: QueryError.self) { try SortKey.parse("") }
  }
}
