import Platform

/// The language server, as an editor meets it.
extension Bench {
  /// How many letters or keys are typed in a row.
  private static let keys = 200
  /// How long the server is left alone after its first answer, in microseconds: it begins to watch the folders then.
  private static let settling = 1_000

  /// From the start of the server to its first list of links.
  func editorStart(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    return Row(
      slip: Contender(name: "slip") { [slip] _, _ in
        let start = Clock.now()
        let editor = try Self.editor(slip, box.path)
        let answer = try Self.complete(editor, box.path, letters: 2)
        let seconds = Clock.now() - start
        guard answer.contains("\"label\"") else { throw BenchError("wrong answer: no links are offered") }
        return Contender.Cost(seconds: seconds, peakBytes: try editor.end())
      },
      others: [walk(box, atLeast: count)],
      goals: Goal.goals(count, [Report.walk: 2], megabytes: 200),
      remark: "slip lsp from its start to the first links that it offers")
  }

  /// A letter typed, and the list of links after it: the slowest of a hundred.
  func editorKeys(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    return Row(
      slip: Contender(name: "slip") { [slip] _, _ in
        let editor = try Self.editor(slip, box.path)
        _ = try Self.complete(editor, box.path, letters: 1)
        var times: [Double] = []
        for key in 0..<Self.keys {
          let start = Clock.now()
          try Self.type(editor, box.path, key)
          _ = try Self.complete(editor, box.path, letters: 1 + key % 8)
          times.append(Clock.now() - start)
        }
        let slowest = times.sorted()[Self.keys * 99 / 100]
        return Contender.Cost(seconds: slowest, peakBytes: try editor.end())
      },
      others: [walk(box, atLeast: count)],
      goals: Goal.goals(count, [Report.walk: 0.15], megabytes: 200),
      remark: "the slowest of a hundred letters typed, each with the links that fit it")
  }

  /// From a note that another program writes until it is offered.
  func editorChange(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    let file = "\(box.path)/zzq-outside.md"
    return Row(
      slip: Contender(name: "slip") { [slip] round, _ in
        defer { TextFile.remove(file) }
        let editor = try Self.editor(slip, box.path)
        _ = try Self.complete(editor, box.path, letters: 1)
        Waiting.pause(milliseconds: Self.settling)
        let start = Clock.now()
        try TextFile.write("# Zzqoutside \(round)\n", to: file)
        while !(try Self.complete(editor, box.path, typed: "zzqouts")).contains("Zzqoutside") {
          guard Clock.now() - start < 10 else { throw BenchError("the new note is not offered") }
          Waiting.pause(milliseconds: 1)
        }
        return Contender.Cost(seconds: Clock.now() - start, peakBytes: try editor.end())
      },
      others: [walk(box, atLeast: count)],
      goals: Goal.goals(count, [Report.walk: 1], megabytes: 200),
      remark: "a note that another program writes a second after the start, until it is offered")
  }

  private static let words = "the quarterly report"

  private static func editor(_ slip: String, _ box: String) throws -> EditorClient {
    let editor = try EditorClient([slip, "lsp"], in: box)
    try editor.tell(
      "textDocument/didOpen",
      """
      {"textDocument":{"uri":"\(document(box))","languageId":"markdown","version":1,"text":"# Draft\\n\\n"}}
      """)
    return editor
  }

  private static func document(_ box: String) -> String { "file://\(box)/draft-in-the-editor.md" }

  private static func complete(_ editor: EditorClient, _ box: String, letters: Int) throws -> String {
    try complete(editor, box, typed: String(words.prefix(letters)))
  }

  /// Types the beginning of a link in the last line, and requests completions.
  private static func complete(_ editor: EditorClient, _ box: String, typed: String) throws -> String {
    try editor.tell("textDocument/didChange", change(box, "# Draft\\n\\n[[\(typed)"))
    return try editor.ask(
      "textDocument/completion",
      """
      {"textDocument":{"uri":"\(document(box))"},"position":{"line":2,"character":\(2 + typed.utf8.count)}}
      """)
  }

  private static func type(_ editor: EditorClient, _ box: String, _ key: Int) throws {
    try editor.tell("textDocument/didChange", change(box, "# Draft \(key)\\n\\n"))
  }

  private static func change(_ box: String, _ text: String) -> String {
    """
    {"textDocument":{"uri":"\(document(box))","version":2},"contentChanges":[{"text":"\(text)"}]}
    """
  }
}

/// The full screen, as a terminal meets it.
extension Bench {
  /// From the start to the first frame: the frame around the list, which comes before any note is read.
  func screenFrame(_ count: Int) throws -> Row {
    try screenStart(count, showing: "", "its first frame", mostWalks: 0.6)
  }

  /// From the start to the first list.
  func screenStart(_ count: Int) throws -> Row {
    try screenStart(count, showing: "1/\(count)", "its first rows", mostWalks: 2)
  }

  private func screenStart(_ count: Int, showing text: String, _ what: String, mostWalks: Double) throws
    -> Row
  {
    let box = try box(.notes(count))
    return Row(
      slip: Contender(name: "slip") { [slip] _, _ in
        let start = Clock.now()
        let screen = try ScreenClient(slip, in: box.path)
        try screen.frame(showing: text)
        return Contender.Cost(seconds: Clock.now() - start, peakBytes: screen.peakBytes())
      },
      others: [walk(box, atLeast: count)],
      goals: Goal.goals(count, [Report.walk: mostWalks], megabytes: 200),
      remark: "slip browse from its start to \(what)")
  }

  /// A key that moves the cursor, and the frame after it: the slowest of a hundred.
  func screenKeys(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    return Row(
      slip: Contender(name: "slip") { [slip] _, _ in
        let screen = try ScreenClient(slip, in: box.path)
        try screen.frame(showing: "1/\(count)")
        screen.settle()
        var times: [Double] = []
        for key in 0..<Self.keys {
          let start = Clock.now()
          try screen.press(key % 20 == 19 ? "\u{6}" : "j")
          try screen.frame()
          times.append(Clock.now() - start)
          // The note beside the list comes in a frame of its own.
          screen.settle()
        }
        return Contender.Cost(seconds: times.sorted()[Self.keys * 99 / 100], peakBytes: screen.peakBytes())
      },
      others: [walk(box, atLeast: count)],
      goals: Goal.goals(count, [Report.walk: 0.05], megabytes: 250),
      remark: "the slowest of a hundred keys on slip browse, each to its frame")
  }
}

/// The page in the browser, as a browser meets it.
extension Bench {
  /// The number of rows that the page requests at a time.
  private static let window = 50
  private static let requests = 1_000

  /// From the start of the server to its first list.
  func pageStart(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    return Row(
      slip: Contender(name: "slip") { [slip] _, _ in
        let start = Clock.now()
        let page = try PageClient(slip, in: box.path)
        let answer = try page.get("/api/list?limit=\(Self.window)")
        let seconds = Clock.now() - start
        guard answer.contains("\"total\":") else { throw BenchError("wrong answer: no list") }
        return Contender.Cost(seconds: seconds, peakBytes: page.peakBytes())
      },
      others: [walk(box, atLeast: count)],
      goals: Goal.goals(count, [Report.walk: 2], megabytes: 200),
      remark: "slip page from its start to its first list")
  }

  /// A page some time after its first list: it has built its caches in the background.
  private func settledPage(in box: BenchBox) throws -> PageClient {
    let page = try PageClient(slip, in: box.path)
    _ = try page.get("/api/list?limit=\(Self.window)")
    Waiting.pause(milliseconds: 1_000)
    return page
  }

  /// A letter typed into the filter, and the list after it: the slowest of a hundred.
  func pageKeys(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    let words = "the quarterly report"
    return Row(
      slip: Contender(name: "slip") { [self] _, _ in
        let page = try settledPage(in: box)
        var times: [Double] = []
        for key in 0..<Self.keys {
          let typed = words.prefix(3 + key % 17).split(separator: " ").joined(separator: "+")
          let start = Clock.now()
          // Each query is a new one: the server caches the last lists.
          let answer = try page.get("/api/list?limit=\(Self.window)&q=\(typed)*+-\(key)")
          times.append(Clock.now() - start)
          guard answer.contains("\"total\":") else { throw BenchError("wrong answer: no list") }
        }
        return Contender.Cost(seconds: times.sorted()[Self.keys * 99 / 100], peakBytes: page.peakBytes())
      },
      others: [walk(box, atLeast: count)],
      goals: Goal.goals(count, [Report.walk: 0.5], megabytes: 250),
      remark: "the slowest of a hundred letters typed into the filter, each with the first 50 notes")
  }

  /// The requests of a page while a user looks around, in turn: windows anywhere in a list, notes, completions and titles.
  /// The result is the slowest of a hundred.
  func pageRequests(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    let paths = Array(box.facts.paths.prefix(Self.requests))
    guard !paths.isEmpty else { throw BenchError("\(box.path).facts names no notes") }
    return Row(
      slip: Contender(name: "slip") { [self] _, _ in
        let page = try settledPage(in: box)
        var times: [Double] = []
        for turn in 0..<Self.requests {
          let target =
            switch turn % 4 {
            case 0: "/api/list?limit=\(Self.window)&from=\(turn * 7_919 % count / Self.window * Self.window)"
            case 1: "/api/note?ref=\(paths[turn % paths.count])"
            case 2: "/api/complete?q=kind:b&cursor=6"
            default: "/api/titles?q=\(["the", "a", "qu", "rep"][turn / 4 % 4])"
            }
          let start = Clock.now()
          let answer = try page.get(target)
          times.append(Clock.now() - start)
          guard answer.hasPrefix("HTTP/1.1 200") else { throw BenchError("wrong answer to \(target)") }
        }
        return Contender.Cost(seconds: times.sorted()[Self.requests * 99 / 100], peakBytes: page.peakBytes())
      },
      others: [walk(box, atLeast: count)],
      goals: Goal.goals(count, [Report.walk: 0.25], megabytes: 250),
      remark: "the slowest of a hundred requests: windows of the list, notes, completions and titles")
  }
}
