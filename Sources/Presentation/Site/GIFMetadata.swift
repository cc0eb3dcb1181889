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
