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
