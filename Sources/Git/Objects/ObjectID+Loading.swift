import Bytes

extension ObjectID {
  /// Reads the 20 bytes at an offset.
  init(loading buffer: UnsafeRawBufferPointer, at offset: Int) {
    self = buffer[rebased: offset..<(offset + 20)].baseAddress.map { ObjectID(loading: $0) } ?? .zero
  }
}
