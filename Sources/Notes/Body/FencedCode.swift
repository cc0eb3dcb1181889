/// A block of code between fences, with its first line and, where there is one, its closing fence.
package enum FencedCode {
  /// The bytes of the blocks of a note, in their order, without the line end behind each.
  ///
  /// - Complexity: that of a scan of the body.
  package static func all(in text: NoteText) -> [Range<Int>] {
    let body = text.body
    return text.bytes.withUnsafeBufferPointer { bytes in
      var scanner = BodyBlocks(bytes, end: body.upperBound)
      scanner.fences = []
      scanner.scan(from: body.lowerBound)
      return scanner.fences ?? []
    }
  }
}
