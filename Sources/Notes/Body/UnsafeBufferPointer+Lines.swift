import func Glibc.memchr

extension UnsafeBufferPointer<UInt8> {
  /// The offset of the first such byte in a range.
  func offset(of byte: UInt8, from start: Int, to end: Int) -> Int? {
    guard start < end, let base = baseAddress, let found = memchr(base + start, Int32(byte), end - start)
    else {
      return nil
    }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }
}
