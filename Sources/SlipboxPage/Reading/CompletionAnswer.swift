import Presentation

/// What the query of the filter bar may go on with at the cursor.
enum CompletionAnswer {
  private static let most = 50

  static func answer(_ call: PageCall) throws -> PageResponse {
    let text = Array((try call.argument("q") ?? "").utf16)
    let cursor = try call.number("cursor", else: text.count, most: text.count)
    let typed = String(decoding: text[..<cursor], as: UTF16.self)
    let (start, others) = lastTerm(of: typed)
    let word = String(typed[start...])
    let moment = try call.moment()
    let candidates = TermCompletion(CompletedBox { moment.snapshot }).query(word, others)
    return .json(
      JSONDocument.object { writer in
        writer.member("start", typed[..<start].utf16.count)
        writer.member("items", of: candidates.prefix(most)) { item, writer in
          writer.object {
            $0.member("text", item.text)
            $0.member("detail", item.note)
          }
        }
      })
  }

  /// Where the term begins that is being typed, and the terms before it. Blanks between quotes part nothing.
  private static func lastTerm(of text: String) -> (start: String.Index, others: [String]) {
    var start = text.startIndex
    var others: [String] = []
    var isQuoted = false
    for place in text.indices {
      if text[place] == "\"" { isQuoted.toggle() }
      guard !isQuoted, text[place] == " " || text[place] == "(" else { continue }
      others.append(String(text[start..<place]))
      start = text.index(after: place)
    }
    return (start, others)
  }
}
