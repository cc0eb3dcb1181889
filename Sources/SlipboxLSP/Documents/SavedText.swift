import Platform

/// Which text an editor has after a save, where it says another than is known.
enum SavedText {
  /// More bytes than this are no note that is read to decide it.
  private static let most = 64 << 20

  /// Whether the text that came with a save is the editor's.
  ///
  /// The file that was just written tells. There are clients whose text of a save is not what they wrote, such as ALE's with a
  /// backslash and an n for each line end.
  static func isOfEditor(_ text: String, _ document: OpenDocument) -> Bool {
    guard let path = document.path, let file = try? Files.read(path, limit: most) else { return true }
    return haveSameLines(file, Array(text.utf8))
  }

  /// Whether two texts differ in nothing but what editors keep from their users: kinds of line ends, the last one, a mark of
  /// the encoding.
  private static func haveSameLines(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    lines(left).elementsEqual(lines(right))
  }

  private static func lines(_ text: [UInt8]) -> [UInt8] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var lines: [UInt8] = []
    lines.reserveCapacity(text.count)
    for byte in text.dropFirst(text.starts(with: mark) ? mark.count : 0) {
      if byte == 0x0A, lines.last == 0x0D { lines.removeLast() }
      lines.append(byte)
    }
    if lines.last == 0x0A { lines.removeLast() }
    return lines
  }
}
