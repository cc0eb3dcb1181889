import func Glibc.memcmp

extension String {
  /// Says whether two strings have the same UTF-8 bytes, where `==` compares canonical equivalents.
  @inline(__always)
  package func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && hasSameBytes(ofSameCount: other)
  }

  private func hasSameBytes(ofSameCount other: String) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { own in
      other.utf8.withContiguousStorageIfAvailable { others in
        guard let own = own.baseAddress, let start = others.baseAddress else { return true }
        return memcmp(own, start, others.count) == 0
      }
    }
    return isSame.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
  }

  /// Whether a byte below a blank is there, such as a tab or the end of a line.
  var hasControls: Bool {
    utf8.withContiguousStorageIfAvailable { bytes in
      var lowest = UInt8.max
      for byte in bytes { lowest = min(lowest, byte) }
      return lowest < 0x20
    } ?? utf8.contains { $0 < 0x20 }
  }

  /// Whether there are no bytes above 127.
  var isASCII: Bool {
    utf8.withContiguousStorageIfAvailable { bytes in
      var all: UInt8 = 0
      for byte in bytes { all |= byte }
      return all < 0x80
    } ?? utf8.allSatisfy { $0 < 0x80 }
  }
}
