import Bytes

/// The metadata of SVG pictures: comments, instructions, elements that describe the picture, and what drawing programs note for
/// themselves, such as the path of the file or the source of the drawing. Pictures inside of it lose theirs too.
///
/// Source: SVG 2, section 5.10; Extensible Markup Language 1.0, section 2; Namespaces in XML 1.0, section 3.
enum SVGMetadata {
  private static let programs = ["sodipodi:", "inkscape:", "rdf:", "cc:", "dc:"]
  /// Elements that are removed with all that is in them, whatever their prefix.
  private static let elements: Set<String> = ["metadata", "RDF", "xmpmeta", "namedview", "title", "desc"]
  /// Attributes that hold the path of a file, whatever their prefix.
  private static let paths: Set<String> = ["export-filename", "docname", "absref"]

  /// A picture without its metadata; nil if the bytes are not a picture.
  static func removed(from bytes: [UInt8]) -> [UInt8]? {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard bytes[start...].first(where: { $0 > 0x20 }) == UInt8(ascii: "<"), !bytes.contains(0),
      offset(of: "<svg", from: start, in: bytes).map({ $0 < start + 4_096 }) ?? false
    else { return nil }
    var result = Array(bytes[..<start])
    result.reserveCapacity(bytes.count)
    var position = start
    var isStyle = false
    while let open = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      result += isStyle ? withoutStyleComments(bytes[position..<open]) : Array(bytes[position..<open])
      position = copyMarkup(from: open, in: bytes, isStyle: isStyle, to: &result)
      let tag = bytes[open..<position]
      if tag.dropFirst().first != UInt8(ascii: "!") {
        isStyle = localName(name(of: tag)) == "style" && tag.suffix(2).first != UInt8(ascii: "/")
      }
    }
    result += bytes[position...]
    result = withoutMetadataOfPictures(result)
    // Removal must not join parts to something that runs.
    return SiteFiles.isHarmlessSVG(bytes) && !SiteFiles.isHarmlessSVG(result) ? bytes : result
  }

  /// Copies the markup at an offset unless it is metadata; returns its end.
  private static func copyMarkup(
    from open: Int, in bytes: [UInt8], isStyle: Bool, to result: inout [UInt8]
  ) -> Int {
    if let end = endOfDeclaration(from: open, in: bytes) {
      let rest = bytes[open..<end]
      if rest.starts(with: "<![CDATA[".utf8) {
        result += isStyle ? withoutStyleComments(rest) : Array(rest)
      } else if rest.starts(with: "<?xml ".utf8) {
        result += rest
      }
      return end
    }
    let end = endOfTag(from: open, in: bytes)
    let tag = bytes[open..<end]
    let name = name(of: tag)
    guard elements.contains(localName(name)) else {
      result += withoutAttributes(tag)
      return end
    }
    return endOfElement(name, from: open, in: bytes)
  }

  /// The end of a comment, an instruction or a section of characters; nil for other markup.
  private static func endOfDeclaration(from open: Int, in bytes: [UInt8]) -> Int? {
    let rest = bytes[open...]
    if rest.starts(with: "<!--".utf8) {
      return offset(of: "-->", from: open + 4, in: bytes).map { $0 + 3 } ?? bytes.count
    }
    if rest.starts(with: "<![CDATA[".utf8) {
      return offset(of: "]]>", from: open, in: bytes).map { $0 + 3 } ?? bytes.count
    }
    guard rest.starts(with: "<?".utf8) else { return nil }
    return offset(of: "?>", from: open, in: bytes).map { $0 + 2 } ?? bytes.count
  }

  /// The end of the element whose tag is at an offset. Elements within it may have its name.
  private static func endOfElement(_ wanted: ArraySlice<UInt8>, from open: Int, in bytes: [UInt8]) -> Int {
    var depth = 0
    var position = open
    while let open = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      if let end = endOfDeclaration(from: open, in: bytes) {
        position = end
        continue
      }
      position = endOfTag(from: open, in: bytes)
      let tag = bytes[open..<position]
      if name(of: tag) == wanted {
        if tag.suffix(2).first != UInt8(ascii: "/") { depth += 1 }
      } else if tag.dropFirst().first == UInt8(ascii: "/"), name(of: tag.dropFirst()) == wanted {
        depth -= 1
      }
      if depth <= 0 { return position }
    }
    return bytes.count
  }

  /// The name of a tag, with its prefix; empty for the end of an element.
  private static func name(of tag: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    tag.dropFirst().prefix { $0 > 0x20 && !"/>".utf8.contains($0) }
  }

  private static func localName(_ name: ArraySlice<UInt8>) -> String {
    let start = name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? name.startIndex
    return String(decoding: name[start...], as: UTF8.self)
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

  /// A tag without the attributes of drawing programs, and those that name files of the machine.
  private static func withoutAttributes(_ tag: ArraySlice<UInt8>) -> [UInt8] {
    let isRoot = localName(Self.name(of: tag)) == "svg"
    let quotes = [UInt8(ascii: "\""), UInt8(ascii: "'")]
    guard tag.contains(UInt8(ascii: "=")), tag.dropFirst().first != UInt8(ascii: "!") else {
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
      var content = tag[end..<end]
      let sign = tag[end...].drop { $0 <= 0x20 }
      if sign.first == UInt8(ascii: "=") {
        let value = sign.dropFirst().drop { $0 <= 0x20 }
        if let quote = value.first, quotes.contains(quote) {
          content = value.dropFirst().prefix { $0 != quote }
          end = min(content.endIndex + 1, tag.endIndex)
        } else {
          content = value.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") }
          end = content.endIndex
        }
      }
      if end == position { end += 1 }
      // A blank stays, so that the words around an attribute stay apart.
      // draw.io keeps the source of the drawing, with its comments and hidden layers, in `content`.
      let isSource = isRoot && localName(name) == "content"
      result += isSource || tellsOfFiles(name, content) ? [0x20] : Array(tag[position..<end])
      position = end
    }
    return result
  }

  /// Whether an attribute is one of a drawing program or leads to a file of the machine.
  private static func tellsOfFiles(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Bool {
    let local = localName(name)
    if paths.contains(local) || programs.contains(where: { name.starts(with: $0.utf8) }) { return true }
    if name.starts(with: "data-".utf8) || name.starts(with: "aria-".utf8) { return true }
    guard local == "href" || local == "base" else { return false }
    let start = value.drop { $0 <= 0x20 }.prefix(5)
    return String(decoding: start, as: UTF8.self).lowercased() == "file:"
  }

  // MARK: Styles and pictures

  /// A style sheet without its comments; `/*` in a string or an address begins none.
  private static func withoutStyleComments(_ css: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var position = css.startIndex
    var quote: UInt8?
    while position < css.endIndex {
      let byte = css[position]
      if quote == nil, css[position...].starts(with: "/*".utf8) {
        var end = position + 2
        while end < css.endIndex, !css[end...].starts(with: "*/".utf8) { end += 1 }
        position = min(end + 2, css.endIndex)
        result.append(0x20)
        continue
      }
      if quote == byte { quote = nil } else if quote == nil, "\"'".utf8.contains(byte) { quote = byte }
      result.append(byte)
      position += 1
    }
    return result
  }

  /// The text with the pictures that its addresses (`data:image/...`) hold, without their metadata.
  private static func withoutMetadataOfPictures(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    while let start = offset(of: "data:", from: position, in: bytes) {
      let head = bytes[start...].prefix(200).prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") }
      result += bytes[position..<start]
      position = start
      guard head.endIndex < bytes.count, bytes[head.endIndex] == UInt8(ascii: ",") else {
        result += bytes[start..<start + 5]
        position = start + 5
        continue
      }
      let body = bytes[(head.endIndex + 1)...].prefix { !"\"'<>)".utf8.contains($0) }
      result += head + [UInt8(ascii: ",")] + cleaned(body, type: head)
      position = body.endIndex
    }
    return result + bytes[position...]
  }

  /// The data of an address without metadata; they stay as they are if they can't be read or have none.
  private static func cleaned(_ body: ArraySlice<UInt8>, type: ArraySlice<UInt8>) -> [UInt8] {
    let isBase64 = String(decoding: type, as: UTF8.self).lowercased().hasSuffix(";base64")
    let plain = PercentEncoding.decoded(body)
    guard let data = isBase64 ? base64(plain) : plain else { return Array(body) }
    let clean = FileMetadata.removed(from: data)
    if clean == data { return Array(body) }
    return isBase64 ? Array(Base64.encoded(clean).utf8) : PercentEncoding.encoded(clean)
  }

  /// The bytes of base64 with line ends, also if these are written as references; nil for other text.
  private static func base64(_ text: [UInt8]) -> [UInt8]? {
    var (result, group, count) = ([UInt8](), UInt32(0), 0)
    result.reserveCapacity(text.count * 3 / 4)
    var position = 0
    while position < text.count {
      let byte = text[position]
      if byte == UInt8(ascii: "&"), let end = text[position...].prefix(8).firstIndex(of: UInt8(ascii: ";")) {
        position = end + 1
        continue
      }
      position += 1
      if byte <= 0x20 { continue }
      if byte == UInt8(ascii: "=") { break }
      guard let value = value(ofLetter: byte) else { return nil }
      group = group << 6 | UInt32(value)
      count += 1
      guard count % 4 == 0 else { continue }
      result += [UInt8(group >> 16 & 0xFF), UInt8(group >> 8 & 0xFF), UInt8(group & 0xFF)]
      group = 0
    }
    switch count % 4 {
    case 0: return result
    case 2: return result + [UInt8(group >> 4 & 0xFF)]
    case 3: return result + [UInt8(group >> 10 & 0xFF), UInt8(group >> 2 & 0xFF)]
    default: return nil
    }
  }

  /// Source: RFC 4648, sections 4 and 5.
  private static func value(ofLetter letter: UInt8) -> UInt8? {
    switch letter {
    case 0x41...0x5A: letter - 0x41
    case 0x61...0x7A: letter - 0x61 + 26
    case 0x30...0x39: letter - 0x30 + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
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
