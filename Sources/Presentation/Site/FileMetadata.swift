/// Pictures and films without the data about the camera, the place, the author and the program.
///
/// The pixels keep their bytes: nothing is decoded or compressed. The orientation stays, because browsers turn the picture
/// by it.
enum FileMetadata {
  /// The bytes of a picture (JPEG, PNG, WebP, GIF, AVIF, SVG) or a film (MP4) without its metadata; other bytes as they are.
  ///
  /// - Complexity: O(n).
  static func removed(from bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return jpeg(bytes) }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return png(bytes) }
    if bytes.count >= 12, bytes.starts(with: "RIFF".utf8), bytes[8..<12].elementsEqual("WEBP".utf8) {
      return webp(bytes)
    }
    if bytes.starts(with: "GIF8".utf8) { return GIFMetadata.removed(from: bytes) }
    if bytes.count >= 12, bytes[4..<8].elementsEqual("ftyp".utf8) {
      return BoxedMetadata.removed(from: bytes)
    }
    return SVGMetadata.removed(from: bytes) ?? bytes
  }

  // MARK: JPEG

  /// Source: ITU-T T.81, annex B; EXIF 2.32, 4.5.4.
  ///
  /// Of the segments for applications JFIF, colour profiles and Adobe's transform stay. Bytes behind the end of the
  /// picture, which hold further pictures with metadata of their own, go.
  private static func jpeg(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0xFF, 0xD8]
    result.reserveCapacity(bytes.count)
    var (position, hasOrientation) = (2, false)
    while let start = bytes[position...].firstIndex(of: 0xFF) {
      let mark = bytes[start...].firstIndex { $0 != 0xFF } ?? bytes.count
      guard mark < bytes.count else { break }
      let marker = bytes[mark]
      if marker == 0xD9 { return result + [0xFF, 0xD9] }
      if marker == 0x00 || marker == 0x01 || (0xD0...0xD8).contains(marker) {
        position = mark + 1
        continue
      }
      guard mark + 2 < bytes.count else { break }
      let end = mark + 1 + Int(bytes[mark + 1]) << 8 + Int(bytes[mark + 2])
      guard end >= mark + 3, end <= bytes.count else { break }
      let content = bytes[(mark + 3)..<end]
      if keepsSegment(marker, content) {
        result += [0xFF] + bytes[mark..<end]
      } else if marker == 0xE1, !hasOrientation, content.starts(with: exifName) {
        let orientation = orientation(in: content.dropFirst(exifName.count))
        hasOrientation = orientation != nil
        if let orientation {
          let exif = exifName + exif(orientation)
          result += [0xFF, 0xE1, UInt8((exif.count + 2) >> 8), UInt8((exif.count + 2) & 0xFF)] + exif
        }
      }
      position = end
      if marker == 0xDA {
        let scanEnd = endOfScan(from: end, in: bytes)
        result += bytes[end..<scanEnd]
        position = scanEnd
      }
    }
    return result
  }

  private static let exifName = Array("Exif\0\0".utf8)

  private static func keepsSegment(_ marker: UInt8, _ content: ArraySlice<UInt8>) -> Bool {
    switch marker {
    case 0xE0: content.starts(with: "JFIF\0".utf8)
    case 0xE2: content.starts(with: "ICC_PROFILE\0".utf8)
    case 0xEE: content.starts(with: "Adobe".utf8)
    case 0xE1, 0xE3...0xEF, 0xFE: false
    default: true
    }
  }

  /// The offset of the marker behind the compressed data of a scan.
  private static func endOfScan(from start: Int, in bytes: [UInt8]) -> Int {
    var position = start
    while let found = bytes[position...].firstIndex(of: 0xFF) {
      guard found + 1 < bytes.count else { return bytes.count }
      let next = bytes[found + 1]
      if next != 0x00, next != 0xFF, !(0xD0...0xD7).contains(next) { return found }
      position = found + (next == 0xFF ? 1 : 2)
    }
    return bytes.count
  }

  // MARK: PNG

  private static let pngChunks: Set<String> = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI",
    "bKGD",
    "hIST", "pHYs", "acTL", "fcTL", "fdAT",
  ]

  /// Source: PNG, third edition, 5.3 and 11.3. Texts, EXIF but the orientation, and the time of the last change go, and
  /// unknown chunks.
  private static func png(_ bytes: [UInt8]) -> [UInt8] {
    var result = Array(bytes.prefix(8))
    result.reserveCapacity(bytes.count)
    var position = 8
    while position + 12 <= bytes.count {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = position + 12 + length
      guard end <= bytes.count else { break }
      let name = String(decoding: bytes[(position + 4)..<(position + 8)], as: UTF8.self)
      if pngChunks.contains(name) { result += bytes[position..<end] }
      if name == "eXIf", let orientation = orientation(in: bytes[(position + 8)..<(end - 4)]) {
        let chunk = Array(name.utf8) + exif(orientation)
        result += bigEndian(UInt32(chunk.count - 4)) + chunk + bigEndian(checksum(chunk))
      }
      if name == "IEND" { break }
      position = end
    }
    return result
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  /// Source: PNG, third edition, annex D.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = ~UInt32(0)
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 {
        let isOdd = sum & 1 == 1
        sum >>= 1
        if isOdd { sum ^= 0xEDB8_8320 }
      }
    }
    return ~sum
  }

  // MARK: WebP

  private static let webpChunks: Set<String> = ["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]

  /// Source: WebP container specification. EXIF, XMP and unknown chunks go.
  private static func webp(_ bytes: [UInt8]) -> [UInt8] {
    var result = Array(bytes.prefix(12))
    result.reserveCapacity(bytes.count)
    var position = 12
    var exifChunk: [UInt8] = []
    var extended: Int?
    while position + 8 <= bytes.count {
      let length = bytes[(position + 4)..<(position + 8)].reversed().reduce(0) { $0 << 8 | Int($1) }
      let end = position + 8 + length
      guard end <= bytes.count else { break }
      let name = String(decoding: bytes[position..<position + 4], as: UTF8.self)
      if name == "VP8X", length > 0 { extended = result.count + 8 }
      if webpChunks.contains(name) {
        result += bytes[position..<end]
        if length % 2 == 1 { result.append(0) }
      } else if name == "EXIF" {
        var content = bytes[(position + 8)..<end]
        if content.starts(with: exifName) { content = content.dropFirst(exifName.count) }
        if let orientation = orientation(in: content) {
          let exif = exif(orientation)
          exifChunk = Array("EXIF".utf8) + [UInt8(exif.count), 0, 0, 0] + exif
        }
      }
      position = end + length % 2
    }
    result += exifChunk
    if let extended { result[extended] = result[extended] & ~0x0C | (exifChunk.isEmpty ? 0 : 0x08) }
    for (place, shift) in zip(4..<8, [0, 8, 16, 24]) {
      result[place] = UInt8((result.count - 8) >> shift & 0xFF)
    }
    return result
  }

  // MARK: Orientation

  /// The orientation in a block of TIFF; nil if it is the usual one or missing.
  ///
  /// Source: TIFF 6.0, section 2.
  private static func orientation(in block: ArraySlice<UInt8>) -> UInt8? {
    let bytes = Array(block.prefix(1 << 16))
    let isLittle = bytes.starts(with: "II".utf8)
    guard isLittle || bytes.starts(with: "MM".utf8) else { return nil }
    func number(_ offset: Int, _ count: Int) -> Int? {
      guard offset >= 0, offset + count <= bytes.count else { return nil }
      let part = bytes[offset..<offset + count]
      return isLittle ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
    }
    guard let table = number(4, 4), let count = number(table, 2) else { return nil }
    for entry in 0..<count where number(table + 2 + 12 * entry, 2) == 0x0112 {
      guard let value = number(table + 10 + 12 * entry, 2), (2...8).contains(value) else { return nil }
      return UInt8(value)
    }
    return nil
  }

  /// A block of TIFF with the orientation alone.
  private static func exif(_ orientation: UInt8) -> [UInt8] {
    Array("MM".utf8) + [
      0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0,
    ]
  }
}
