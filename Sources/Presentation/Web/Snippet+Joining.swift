import NoteIndex

extension Snippet {
  /// Snippets in which one sentence stands once, with all that is marked in it.
  static func joined(_ snippets: [Snippet]) -> [Snippet] {
    var joined: [Snippet] = []
    for snippet in snippets {
      guard let last = joined.last, last.line == snippet.line, last.text.utf8.elementsEqual(snippet.text.utf8)
      else {
        joined.append(snippet)
        continue
      }
      let marks = (last.highlights + snippet.highlights).sorted { $0.lowerBound < $1.lowerBound }
      joined[joined.count - 1] = Snippet(line: last.line, text: last.text, highlights: marks)
    }
    return joined
  }
}
