/// The metadata of SVG pictures: comments, instructions, the element `metadata`, and what drawing programs note for themselves,
/// such as the path of the file.
///
/// Source: SVG 2, section 5.10; Extensible Markup Language 1.0, section 2.
enum SVGMetadata {
  private static let programs = ["sodipodi:", "inkscape:", "rdf:", "cc:", "dc:"]

  /// A picture without its metadata; nil if the bytes are none.
  static func removed(from bytes: [UInt8]) -> [UInt8]? {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard bytes[start...].first(where: { $0 > 0x20 }) == UInt8(ascii: "<"), !bytes.contains(0),
      offset(of: "<svg", from: start, in: bytes).map({ $0 < start + 4_096 }) ?? false
    else { return nil }
    var result = Array(bytes[..<start])
    result.reserveCapacity(bytes.count)
    var position = start
    while let open = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      result += bytes[position..<open]
      position = copyMarkup(from: open, in: bytes, to: &result)
    }
    result += bytes[position...]
    // Removal must not join parts to something that runs.
    return SiteFiles.isHarmlessSVG(bytes) && !SiteFiles.isHarmlessSVG(result) ? bytes : result
  }

  /// Copies the markup at an offset unless it is metadata; returns its end.
  private static func copyMarkup(from open: Int, in bytes: [UInt8], to result: inout [UInt8]) -> Int {
    let rest = bytes[open...]
    if rest.starts(with: "<!--".utf8) {
      return offset(of: "-->", from: open + 4, in: bytes).map { $0 + 3 } ?? bytes.count
    }
    if rest.starts(with: "<![CDATA[".utf8) {
      let end = offset(of: "]]>", from: open, in: bytes).map { $0 + 3 } ?? bytes.count
      result += bytes[open..<end]
      return end
    }
    if rest.starts(with: "<?".utf8) {
      let end = offset(of: "?>", from: open, in: bytes).map { $0 + 2 } ?? bytes.count
      if rest.starts(with: "<?xml ".utf8) { result += bytes[open..<end] }
      return end
    }
    let end = endOfTag(from: open, in: bytes)
    if isNamed("metadata", bytes[open..<end]) {
      guard bytes[open..<end].suffix(2).first != UInt8(ascii: "/") else { return end }
      return offset(of: "</metadata", from: end, in: bytes).map { endOfTag(from: $0, in: bytes) }
        ?? bytes.count
    }
    result += withoutAttributes(bytes[open..<end])
    return end
  }

  private static func isNamed(_ name: String, _ tag: ArraySlice<UInt8>) -> Bool {
    let rest = tag.dropFirst()
    return rest.starts(with: name.utf8)
      && rest.dropFirst(name.utf8.count).first.map { $0 <= 0x20 || "/>".utf8.contains($0) } ?? false
  }

  /// The end of a tag; signs in the values of attributes do not end it.
  private static func endOfTag(from open: Int, in bytes: [UInt8]) -> Int {
    var quote: UInt8?
    for place in open..<bytes.count {
      let byte = bytes[place]
      if let sign = quote {
        if byte == sign { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return place + 1
      }
    }
    return bytes.count
  }

  /// A tag without the attributes of drawing programs.
  private static func withoutAttributes(_ tag: ArraySlice<UInt8>) -> [UInt8] {
    let quotes = [UInt8(ascii: "\""), UInt8(ascii: "'")]
    guard tag.contains(UInt8(ascii: ":")), tag.dropFirst().first != UInt8(ascii: "!") else {
      return Array(tag)
    }
    var result: [UInt8] = []
    var position = tag.startIndex
    while position < tag.endIndex {
      let blanks = tag[position...].prefix { $0 <= 0x20 }
      let name = tag[blanks.endIndex...].prefix {
        $0 > 0x20 && $0 != UInt8(ascii: "=") && !quotes.contains($0)
      }
      var end = name.endIndex
      let sign = tag[end...].drop { $0 <= 0x20 }
      if sign.first == UInt8(ascii: "=") {
        let value = sign.dropFirst().drop { $0 <= 0x20 }
        if let quote = value.first, quotes.contains(quote) {
          end = value.dropFirst().firstIndex(of: quote).map { $0 + 1 } ?? tag.endIndex
        } else {
          end = value.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") }.endIndex
        }
      }
      if end == position { end += 1 }
      let text = String(decoding: name, as: UTF8.self)
      // A blank stays, so that what is around an attribute does not become one word.
      result += programs.contains(where: { text.hasPrefix($0) }) ? [0x20] : Array(tag[position..<end])
      position = end
    }
    return result
  }

  private static func offset(of mark: StaticString, from start: Int, in bytes: [UInt8]) -> Int? {
    mark.withUTF8Buffer { mark in
      var position = start
      while position < bytes.count, let found = bytes[position...].firstIndex(of: mark[0]) {
        if bytes[found...].starts(with: mark) { return found }
        position = found + 1
      }
      return nil
    }
  }
}
