import Platform

/// The language server, as an editor meets it.
extension Bench {
  /// How many letters are typed in a row.
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
