import Bytes
import CUTF8Proc

/// One character as a reader sees it: how many bytes it takes, and how many cells of a terminal.
///
/// Source: UAX 29 through utf8proc; UAX 11 and UTS 51 for the width.
package struct GraphemeCluster: Equatable, Sendable {
  /// The number of bytes, at least 1.
  package let length: Int
  /// The number of terminal cells; 0 for a control character or a lone mark.
  package let cells: Int

  /// Reads the cluster that begins at `offset`, which must be inside `bytes`.
  ///
  /// Invalid UTF-8 counts as the replacement character.
  /// - Complexity: O(n) in the length of the cluster.
  @inline(__always)
  package init(in bytes: Span<UInt8>, at offset: Int) {
    let byte = bytes[offset]
    if byte < 0x80 && (offset + 1 == bytes.count || bytes[offset + 1] < 0x80) {
      length = 1
      cells = byte >= 0x20 && byte != 0x7F ? 1 : 0
    } else {
      self = GraphemeCluster(scalarsOf: bytes, at: offset)
    }
  }

  private init(scalarsOf bytes: Span<UInt8>, at offset: Int) {
    let first = DecodedScalar(in: bytes, at: offset)
    var previous = Int32(bitPattern: first.value)
    var width = ClusterWidth(first: previous)
    var state: Int32 = 0
    var end = offset + first.length
    while end < bytes.count {
      let next = DecodedScalar(in: bytes, at: end)
      let value = Int32(bitPattern: next.value)
      guard !utf8proc_grapheme_break_stateful(previous, value, &state) else { break }
      width.add(value)
      previous = value
      end += next.length
    }
    length = end - offset
    cells = width.cells
  }
}

/// Adds up the width of a cluster.
private struct ClusterWidth {
  private let firstKind: UInt32
  private var sum: Int
  private var hasEmojiForm = false

  init(first value: Int32) {
    let property = utf8proc_get_property(value).pointee
    firstKind = property.boundclass
    sum = Int(property.charwidth)
  }

  mutating func add(_ value: Int32) {
    let property = utf8proc_get_property(value).pointee
    switch (firstKind, property.boundclass) {
    case (UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR.rawValue, UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR.rawValue):
      hasEmojiForm = true
    case (_, UTF8PROC_BOUNDCLASS_V.rawValue), (_, UTF8PROC_BOUNDCLASS_T.rawValue):
      break
    case (UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC.rawValue, _):
      // A joiner's partner and a skin tone take the place of the picture.
      if property.charwidth > 1 || value == 0xFE0F { hasEmojiForm = true }
    default:
      if value == 0xFE0F { hasEmojiForm = true }
      sum += Int(property.charwidth)
    }
  }

  var cells: Int { hasEmojiForm ? 2 : sum }
}
