/// The metadata of AVIF and HEIF pictures and of MP4 films.
///
/// Source: ISO/IEC 14496-12, sections 4, 8.10 and 8.11; ISO/IEC 23008-12, annex A. The places in such a file refer to each
/// other by offsets, so the metadata is overwritten and nothing is moved. The orientation is not part of it. Bytes behind the
/// last box go.
enum BoxedMetadata {
  /// A box: its type, and the bytes of its content.
  private struct Box {
    let type: String
    /// The offset of the type.
    let name: Int
    let content: Range<Int>
  }

  static func removed(from bytes: [UInt8]) -> [UInt8] {
    let outer = boxes(in: 0..<bytes.count, bytes)
    let end = outer.last?.content.upperBound ?? 0
    // Film data that are cut off are no box.
    let isCut = end + 8 <= bytes.count && bytes[end + 4..<end + 8].elementsEqual("mdat".utf8)
    var result = isCut || outer.isEmpty ? bytes : Array(bytes[..<end])
    for box in outer {
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
    for (id, name) in metadataItems(info, bytes) {
      let ranges = extents(of: [id], places, data, bytes)
      for range in ranges { clear(range, &result) }
      // Decoders refuse an invalid item of EXIF.
      var rest = name == "Exif" && ranges.reduce(0) { $0 + $1.count } >= emptyExif.count ? emptyExif[...] : []
      for offset in ranges.joined() where offset < result.count {
        guard let byte = rest.popFirst() else { break }
        result[offset] = byte
      }
    }
  }

  /// A block of EXIF without entries, after the offset of its header.
  ///
  /// Source: ISO/IEC 23008-12, annex A.2.1; TIFF 6.0, section 2.
  private static let emptyExif: [UInt8] = [0, 0, 0, 0, 0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]

  /// The ids of the items that are no pictures, with their types.
  private static func metadataItems(_ info: Box, _ bytes: [UInt8]) -> [Int: String] {
    let isLong = number(info.content.lowerBound, 1, bytes) > 0
    let start = min(info.content.lowerBound + (isLong ? 8 : 6), info.content.upperBound)
    var items: [Int: String] = [:]
    for entry in boxes(in: start..<info.content.upperBound, bytes) where entry.type == "infe" {
      let version = number(entry.content.lowerBound, 1, bytes)
      guard version >= 2 else { continue }
      let length = version == 2 ? 2 : 4
      let id = number(entry.content.lowerBound + 4, length, bytes)
      let type = entry.content.lowerBound + 4 + length + 2
      guard type + 4 <= entry.content.upperBound else { continue }
      let name = String(decoding: bytes[type..<type + 4], as: UTF8.self)
      if ["Exif", "mime", "uri "].contains(name) { items[id] = name }
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

  /// A picture without its metadata; all bytes after an unreadable block are removed too.
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
