/// Looks into raw HTML as far as a terminal needs it.
enum HTMLText {
  private static let opening = Array("<!--".utf8)
  private static let closing = Array("-->".utf8)

  /// Returns the HTML without its comments; one that is not closed reaches to the end.
  ///
  /// - Complexity: O(n).
  static func withoutComments(_ html: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var offset = 0
    while offset < html.count {
      guard html[offset...].starts(with: opening) else {
        result.append(html[offset])
        offset += 1
        continue
      }
      offset += opening.count
      while offset < html.count && !html[offset...].starts(with: closing) { offset += 1 }
      offset += closing.count
    }
    return result
  }

  /// Whether a tag breaks the line: `<br>`, `<br/>` or `<br />`.
  static func isLineBreak(_ tag: [UInt8]) -> Bool {
    let name = tag.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }.filter { $0 != 0x20 && $0 != 0x2F }
    return name.elementsEqual("<br>".utf8)
  }
}
