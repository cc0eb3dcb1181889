/// What of a link stands behind the cursor in its line.
struct LinkRest {
  /// Where the name ends that a completed one takes the place of.
  let end: Int
  /// Whether the link is closed there.
  let isClosed: Bool
  /// Whether a label or a heading follows the name.
  let isMarked: Bool

  /// - Parameters:
  ///   - closing: what closes the link.
  ///   - marks: the marks that end the name before that.
  init(of bytes: [UInt8], at cursor: Int, closing: String, marks: String) {
    var place = cursor
    var mark: Int?
    while place < bytes.count, bytes[place] != 0x0A, bytes[place] != 0x0D {
      if bytes[place...].starts(with: closing.utf8) {
        end = mark ?? place
        isClosed = true
        isMarked = mark != nil
        return
      }
      // Another link begins: this one was never closed.
      if bytes[place] == UInt8(ascii: "[") { break }
      if mark == nil, marks.utf8.contains(bytes[place]) {
        // In a table a backslash precedes the bar.
        mark = place > cursor && bytes[place - 1] == UInt8(ascii: "\\") ? place - 1 : place
      }
      place += 1
    }
    end = cursor
    isClosed = false
    isMarked = false
  }
}
