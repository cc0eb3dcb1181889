/// The metadata of AVIF and HEIF pictures and of MP4 films.
///
/// Source: ISO/IEC 14496-12, sections 4, 8.10 and 8.11; ISO/IEC 23008-12, annex A. The places in such a file refer to each
/// other by offsets, so the metadata is overwritten with zeros and nothing is moved. The orientation is not part of it.
enum BoxedMetadata {
  /// A box: its type, and the bytes of its content.
  private struct Box {
    let type: String
    /// The offset of the type.
    let name: Int
    let content: Range<Int>
  }

  static func removed(from bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    for box in boxes(in: 0..<bytes.count, bytes) {
      switch box.type {
      case "uuid", "free", "skip": clear(box.content, &result)
      case "meta": clearItems(of: box, bytes, &result)
      case "moov":
        let parts = boxes(in: box.content, bytes)
        let tracks = parts.filter { $0.type == "trak" }.flatMap { boxes(in: $0.content, bytes) }
        for part in parts + tracks where ["udta", "meta", "uuid"].contains(part.type) { free(part, &result) }
      default: break
      }
    }
    return result
  }

  private static func boxes(in range: Range<Int>, _ bytes: [UInt8]) -> [Box] {
    var boxes: [Box] = []
    var position = range.lowerBound
    while position + 8 <= range.upperBound, boxes.count < 10_000 {
      var (length, head) = (number(position, 4, bytes), 8)
      if length == 1, position + 16 <= range.upperBound {
        (length, head) = (number(position + 8, 8, bytes), 16)
      }
      if length == 0 { length = range.upperBound - position }
      guard length >= head, length <= range.upperBound - position else { break }
      boxes.append(
        Box(
          type: String(decoding: bytes[position + 4..<position + 8], as: UTF8.self), name: position + 4,
          content: position + head..<position + length))
      position += length
    }
    return boxes
  }

  /// A whole number of some bytes; 0 if it is too large or beyond the end.
  private static func number(_ offset: Int, _ count: Int, _ bytes: [UInt8]) -> Int {
    guard offset >= 0, count <= 8, offset + count <= bytes.count else { return 0 }
    let value = bytes[offset..<offset + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return value > UInt64(Int32.max) * 1_024 ? 0 : Int(value)
  }

  private static func clear(_ range: Range<Int>, _ bytes: inout [UInt8]) {
    for offset in range.clamped(to: 0..<bytes.count) { bytes[offset] = 0 }
  }

  private static func free(_ box: Box, _ bytes: inout [UInt8]) {
    bytes.replaceSubrange(box.name..<box.name + 4, with: "free".utf8)
    clear(box.content, &bytes)
  }

  // MARK: Items

  /// Overwrites the items of a picture that hold EXIF and XMP.
  private static func clearItems(of meta: Box, _ bytes: [UInt8], _ result: inout [UInt8]) {
    let parts = boxes(
      in: min(meta.content.lowerBound + 4, meta.content.upperBound)..<meta.content.upperBound, bytes)
    guard let info = parts.first(where: { $0.type == "iinf" }),
      let places = parts.first(where: { $0.type == "iloc" })
    else { return }
    let data = parts.first { $0.type == "idat" }?.content
    let items = metadataItems(info, bytes)
    for range in extents(of: items, places, data, bytes) { clear(range, &result) }
  }

  /// The ids of the items that are no pictures.
  private static func metadataItems(_ info: Box, _ bytes: [UInt8]) -> Set<Int> {
    let isLong = number(info.content.lowerBound, 1, bytes) > 0
    let start = min(info.content.lowerBound + (isLong ? 8 : 6), info.content.upperBound)
    var items: Set<Int> = []
    for entry in boxes(in: start..<info.content.upperBound, bytes) where entry.type == "infe" {
      let version = number(entry.content.lowerBound, 1, bytes)
      guard version >= 2 else { continue }
      let length = version == 2 ? 2 : 4
      let id = number(entry.content.lowerBound + 4, length, bytes)
      let type = entry.content.lowerBound + 4 + length + 2
      guard type + 4 <= entry.content.upperBound else { continue }
      let name = String(decoding: bytes[type..<type + 4], as: UTF8.self)
      if ["Exif", "mime", "uri "].contains(name) { items.insert(id) }
    }
    return items
  }

  /// The bytes of some items.
  private static func extents(of items: Set<Int>, _ places: Box, _ data: Range<Int>?, _ bytes: [UInt8])
    -> [Range<Int>]
  {
    var position = places.content.lowerBound
    func take(_ count: Int) -> Int {
      defer { position += count }
      return number(position, count, bytes)
    }
    let version = take(1)
    _ = take(3)
    let sizes = take(2)
    let (offsetSize, lengthSize, baseSize) = (sizes >> 12 & 15, sizes >> 8 & 15, sizes >> 4 & 15)
    let indexSize = version > 0 ? sizes & 15 : 0
    var ranges: [Range<Int>] = []
    for _ in 0..<take(version < 2 ? 2 : 4) where position < places.content.upperBound {
      let id = take(version < 2 ? 2 : 4)
      let isInData = version > 0 && take(2) & 15 == 1
      _ = take(2)
      let base = take(baseSize)
      for _ in 0..<take(2) where position < places.content.upperBound {
        _ = take(indexSize)
        let offset = base + take(offsetSize)
        let length = take(lengthSize)
        guard items.contains(id) else { continue }
        let start = isInData ? (data?.lowerBound ?? bytes.count) + offset : offset
        ranges.append(start..<start + (length == 0 ? max(0, bytes.count - start) : length))
      }
    }
    return ranges
  }
}

/// The metadata of GIF pictures: comments, and the data of programs.
///
/// Source: GIF89a, sections 23 to 26. The number of repetitions and the colour profile stay.
enum GIFMetadata {
  private static let programs: Set<String> = ["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]

  /// A picture without its metadata; what follows a block that can't be read goes too.
  static func removed(from bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 13 else { return bytes }
    var position = 13 + colors(bytes[10])
    guard position <= bytes.count else { return bytes }
    var result = Array(bytes[..<position])
    result.reserveCapacity(bytes.count)
    while position < bytes.count {
      let start = position
      switch bytes[position] {
      case 0x2C:
        guard position + 10 <= bytes.count else { return result }
        position += 10 + colors(bytes[position + 9]) + 1
      case 0x21: position += 2
      default: return result + [0x3B]
      }
      guard let end = endOfBlocks(position, bytes) else { return result + [0x3B] }
      if keeps(bytes[start..<end]) { result += bytes[start..<end] }
      position = end
    }
    return result
  }

  /// The bytes of a table of colours.
  private static func colors(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

  private static func endOfBlocks(_ start: Int, _ bytes: [UInt8]) -> Int? {
    var position = start
    while position < bytes.count {
      let length = Int(bytes[position])
      position += 1 + length
      if length == 0 { return position }
    }
    return nil
  }

  private static func keeps(_ block: ArraySlice<UInt8>) -> Bool {
    guard block.first == 0x21 else { return true }
    let label = block.dropFirst().first
    guard label == 0xFF else { return label != 0xFE }
    return programs.contains(String(decoding: block.dropFirst(3).prefix(11), as: UTF8.self))
  }
}

/// The metadata of SVG pictures: comments, instructions, elements that describe the picture, and what drawing programs note for
/// themselves, such as the path of the file.
///
/// Source: SVG 2, section 5.10; Extensible Markup Language 1.0, section 2; Namespaces in XML 1.0, section 3.
enum SVGMetadata {
  private static let programs = ["sodipodi:", "inkscape:", "rdf:", "cc:", "dc:"]
  /// Elements that are removed with all that is in them, whatever their prefix.
  private static let elements: Set<String> = ["metadata", "RDF", "xmpmeta", "namedview"]
  /// Attributes that hold the path of a file, whatever their prefix.
  private static let paths: Set<String> = ["export-filename", "docname", "absref"]

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
    if let end = endOfDeclaration(from: open, in: bytes) {
      let rest = bytes[open..<end]
      if rest.starts(with: "<![CDATA[".utf8) || rest.starts(with: "<?xml ".utf8) { result += rest }
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
      // A blank stays, so that what is around an attribute does not become one word.
      result += tellsOfFiles(name, content) ? [0x20] : Array(tag[position..<end])
      position = end
    }
    return result
  }

  /// Whether an attribute is one of a drawing program or leads to a file of the machine.
  private static func tellsOfFiles(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Bool {
    let local = localName(name)
    if paths.contains(local) || programs.contains(where: { name.starts(with: $0.utf8) }) { return true }
    guard local == "href" else { return false }
    let start = value.drop { $0 <= 0x20 }.prefix(5)
    return String(decoding: start, as: UTF8.self).lowercased() == "file:"
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
