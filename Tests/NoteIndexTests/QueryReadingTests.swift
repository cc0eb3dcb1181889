import NoteIndex
import Testing

/// How queries are read, and that what is shown reads the same again.
@Suite struct QueryReadingTests {
  @Test(arguments: [
    ("login", "\"login\""),
    ("two words", "\"two\" AND \"words\""),
    ("two AND words", "\"two\" AND \"words\""),
    ("wor*", "wor*"),
    ("kind:issue +ios -old", "kind:issue AND +ios AND NOT +old"),
    ("a (b OR c)", "\"a\" AND (\"b\" OR \"c\")"),
    ("(a b) OR c", "(\"a\" AND \"b\") OR \"c\""),
    ("NOT (a b)", "NOT (\"a\" AND \"b\")"),
    ("NOT NOT a", "\"a\""),
    ("((a))", "\"a\""),
    ("a (b c)", "\"a\" AND \"b\" AND \"c\""),
    ("say \"\\\"hi\\\" \\\\o/\"", "\"say\" AND \"\\\"hi\\\" \\\\o/\""),
    ("12:30", "\"12:30\""),
    ("std::y", "\"std::y\""),
    ("https://x.y/z?a=b", "\"https://x.y/z?a=b\""),
    ("f(x) 5\" don't", "\"f(x)\" AND \"5\\\"\" AND \"don't\""),
    ("a - b", "\"a\" AND \"-\" AND \"b\""),
    ("title:\"a b\",c", "title:\"a b\",c"),
    ("rating:4..", "rating:4.."),
    ("rating:\"a b\"..", "rating:\"a b\".."),
    ("created:>=2026-01", "created:>=2026-01"),
    ("created:=2026-01", "created:2026-01"),
    ("due:<today", "due:<today"),
    ("tags:x tag:-y,z", "tag:x AND NOT tag:y,z"),
    ("\"creation date\":2020", "\"creation date\":2020"),
    ("has:title,due", "has:title,due"),
    ("title:wait...", "title:wait..."),
    ("sort:-modified,title limit:20", "sort:-modified,title limit:20"),
    ("a limit:5 b sort:x", "\"a\" AND \"b\" sort:x limit:5"),
    ("a OR b limit:5", "\"a\" OR \"b\" limit:5"),
    ("x:y:z", "x:y:z"),
    ("and or not", "\"and\" AND \"or\" AND \"not\""),
    ("ANDROID", "\"ANDROID\""),
    ("NOT(a)", "NOT \"a\""),
    ("NOT -t", "+t"),
    ("\"a b\"*", "\"a b\"*"), ("\"a b\"c", "\"a b\" AND \"c\""), ("\"a\"\"b\"", "\"a\" AND \"b\""),
    ("x:\"a (b\"*c,d", "x:\"a (b\"*c,d"),
    ("path:\"a b\"?/*", "path:\"a b\"?/*"),
    ("sort:-\"a b\",c", "sort:-\"a b\",c"),
    ("created:\"2026-11-21 10:00\"..", "created:\"2026-11-21 10:00\".."),
    ("+##x", "+x"),
    ("status:=open*", "status:=\"open*\""),
    ("rating >= 4", "rating:>=4"),
    ("rating>=4 due < today", "rating:>=4 AND due:<today"),
    ("(priority > low OR created>2026-05)", "priority:>low OR created:>2026-05"),
    ("status == open", "status:=open"),
    ("title = \"The Dispossessed\"", "title:=\"The Dispossessed\""),
    ("author = Ursula K. Le Guin", "author:=\"Ursula K. Le Guin\""),
    ("rating = 4 fermented rating > 2", "rating:=4 AND \"fermented\" AND rating:>2"),
    ("kind = book +x", "kind:=book AND +x"),
    ("created = 2026-11", "created:2026-11"),
    ("x = 1", "\"x\" AND \"=\" AND \"1\""),
    ("x>=1 a->b", "\"x>=1\" AND \"a->b\""),
    ("due => now", "\"due\" AND \"=>\" AND \"now\""),
    ("rating >=", "\"rating\" AND \">=\""),
    ("\"rating >= 4\"", "\"rating >= 4\""),
    ("kind < book", "\"kind\" AND \"<\" AND \"book\""),
  ])
  func described(_ text: String, _ expected: String) throws {
    let query = try Query.parse([text], clock: clock)
    #expect(query.described() == expected)
    #expect(try Query.parse([query.described()], clock: clock).described() == expected)
  }

  @Test func `an argument's blanks are shown in quotes`() throws {
    let query = try Query.parse(["+Tag 1", "type:standards track", "author:Le Guin, Ursula"], clock: clock)
    #expect(
      query.described()
        == "+\"Tag 1\" AND type:standards AND type:track AND author:Le AND author:\"Guin,\" AND author:Ursula"
    )
  }

  @Test func `any text is read or refused, in linear time`() {
    var random = SplitMix64(seed: 7)
    let pieces = [
      "a", "ż", "日", "\"", "(", ")", ":", "+", "-", "*", "..", ",", "<", ">", "=", "@", " ", "OR", "AND",
      "NOT", "title:",
      "created:", "2026", "tag:", "sort:", "limit:", "\\", "\n", "\u{0}", "'", ".", "#", "/", "\u{301}", "😀",
      "!=",
    ]
    for _ in 0..<2_500 {
      let text = (0..<Int.random(in: 0...14, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }
      checkReading([text.joined()])
      checkReading(text)
    }
    for _ in 0..<1_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      checkReading([String(decoding: bytes, as: UTF8.self)])
    }
  }

  /// Reads a query, and checks its range or that its description can be read.
  private func checkReading(_ arguments: [String]) {
    do {
      let query = try Query.parse(arguments, clock: clock)
      _ = box.matches(query) { $0.created }
      #expect(!query.described().isEmpty)
    } catch {
      let bytes = Array(error.query.utf8)
      #expect(error.range.upperBound <= bytes.count && error.range.lowerBound >= 0)
      #expect(error.message.utf8.count < 300)
      let part = bytes[error.range]
      #expect(String(decoding: part, as: UTF8.self).utf8.elementsEqual(part))
    }
  }

  @Test(arguments: [
    "a ", "(a) ", "NOT ", "x:y ", "-t ", "\"a\" ", "a OR ", "a,", "(", "\"", "x:a,", "has:a,", "a..", "*",
    "+a b ",
  ])
  func `parsing is linear`(_ piece: String) {
    func time(_ count: Int) -> Int {
      let text = String(repeating: piece, count: count / piece.utf8.count)
      return processorTime { _ = try? Query.parse([text], clock: clock).described() }
    }
    _ = time(2_500)
    let (short, long) = (time(2_500), time(20_000))
    #expect(long < short * 20 + 20_000_000, "\(piece): \(short), \(long)")
  }
}
