import Bytes

/// The folded forms of common scalars beyond ASCII: Latin, Greek, Cyrillic, Armenian and punctuation.
///
/// None of the forms composes with what follows it, so they can be written at once.
struct FoldingTable {
  static let shared = FoldingTable()

  private static let ranges: [Range<UInt32>] = [0x80..<0x590, 0x1E00..<0x20D0]

  private let bytes: [UInt8]
  /// Where each form begins in `bytes`, and where the last one ends.
  private let starts: [UInt16]

  private init() {
    var bytes: [UInt8] = []
    var starts: [UInt16] = [0]
    for value in FoldingTable.ranges.joined() {
      for folded in FoldedScalar.fold(value) { bytes.append(scalar: UInt32(bitPattern: folded)) }
      starts.append(UInt16(bytes.count))
    }
    self.bytes = bytes
    self.starts = starts
  }

  /// The folded form of a scalar in UTF-8, empty for one that goes; nil for one that is not in the table.
  @inline(__always)
  subscript(value: UInt32) -> ArraySlice<UInt8>? {
    let index: Int
    if value < 0x590 {
      index = Int(value) - 0x80
    } else if value >= 0x1E00 && value < 0x20D0 {
      index = Int(value) - 0x1E00 + (0x590 - 0x80)
    } else {
      return nil
    }
    return bytes[Int(starts[index])..<Int(starts[index + 1])]
  }
}
