import func Glibc.memchr

/// The lines that git leaves around what it could not merge.
package enum MergeMarkers {
  private static let markers = [Array("<<<<<<<".utf8), Array(">>>>>>>".utf8)]
  private static let fences = [Array("```".utf8), Array("~~~".utf8)]

  /// The first such line, from 1; those in fenced code, where a note may speak of them, don't count.
  ///
  /// - Complexity: O(n).
  package static func firstLine(in bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { buffer in
      // Hardly any note has one anywhere, which is quickly seen.
      guard markers.contains(where: { stands($0, in: buffer) }) else { return nil }
      return firstLine(in: buffer)
    }
  }

  private static func stands(_ marker: [UInt8], in buffer: UnsafeRawBufferPointer) -> Bool {
    var start = 0
    while let base = buffer.baseAddress, start + marker.count <= buffer.count,
      let found = memchr(base + start, Int32(marker[0]), buffer.count - start)
    {
      start = base.distance(to: UnsafeRawPointer(found))
      if buffer[start...].starts(with: marker) { return true }
      start += 1
    }
    return false
  }

  /// Whether the signs of a marker, of which a merge of renamed files writes more than seven, stand before a blank. A line of
  /// eight `>` or more is a quotation of that depth.
  private static func isBeforeName(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard let end = line.firstIndex(where: { $0 != line.first }), line[end] == UInt8(ascii: " ") else {
      return false
    }
    return line.first == UInt8(ascii: "<") || end - line.startIndex == markers[1].count
  }

  private static func firstLine(in buffer: UnsafeRawBufferPointer) -> Int? {
    var line = 1
    var start = 0
    var isCode = false
    while start < buffer.count {
      let rest = buffer[start...]
      if fences.contains(where: { rest.starts(with: $0) }) {
        isCode.toggle()
      } else if !isCode, rest[start] == markers[0][0] || rest[start] == markers[1][0],
        markers.contains(where: { rest.starts(with: $0) }), isBeforeName(rest)
      {
        return line
      }
      guard let base = buffer.baseAddress, let found = memchr(base + start, 0x0A, buffer.count - start)
      else {
        return nil
      }
      start = base.distance(to: UnsafeRawPointer(found)) + 1
      line += 1
    }
    return nil
  }
}
