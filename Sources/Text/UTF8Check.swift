import Bytes

/// Says whether bytes are valid UTF-8.
package enum UTF8Check {
  /// Returns the index, in the slice's own indices, of the first byte that is not part of valid UTF-8.
  ///
  /// - Complexity: O(n).
  package static func firstInvalidOffset(in bytes: ArraySlice<UInt8>) -> Int? {
    let span = bytes.span
    var offset = 0
    while offset < span.count {
      if span[offset] < 0x80 {
        offset += 1
        continue
      }
      let scalar = DecodedScalar(in: span, at: offset)
      guard scalar.isValid else { return bytes.startIndex + offset }
      offset += scalar.length
    }
    return nil
  }
}
