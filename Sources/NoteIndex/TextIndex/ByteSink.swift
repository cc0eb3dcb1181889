import Bytes

/// Bytes that grow at the end, without the checks that an array makes at each of them.
final class ByteSink {
  private(set) var bytes: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 4096) {
    self.capacity = max(capacity, 64)
    bytes = Self.resized(nil, to: self.capacity)
  }

  deinit { CLibrary.release(bytes) }

  /// Memory of another size for the same bytes: long ones are moved without a copy.
  private static func resized(
    _ bytes: UnsafeMutablePointer<UInt8>?, to capacity: Int
  ) -> UnsafeMutablePointer<UInt8> {
    var memory = bytes
    CLibrary.resize(&memory, to: capacity)
    guard let memory else { preconditionFailure("resized memory exists") }
    return memory
  }

  var contents: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: count) }

  /// Reserves space for a number of further bytes.
  @inline(__always)
  func reserve(_ more: Int) {
    if count &+ more > capacity { grow(more) }
  }

  @inline(never)
  private func grow(_ more: Int) {
    capacity = max(capacity * 2, count + more)
    bytes = Self.resized(bytes, to: capacity)
  }

  @inline(__always)
  func append(_ byte: UInt8) {
    reserve(1)
    bytes[count] = byte
    count &+= 1
  }

  /// Counts bytes that the caller has written into the reserved space after the last byte.
  @inline(__always)
  func extend(by more: Int) { count &+= more }

  /// Appends a number in the form that `NumberCode` gives it.
  @inline(__always)
  func append(code value: UInt32) {
    reserve(NumberCode.longest)
    count &+= NumberCode.write(value, to: bytes + count)
  }

  func append(_ other: UnsafeRawBufferPointer) {
    guard let start = other.baseAddress, !other.isEmpty else { return }
    reserve(other.count)
    UnsafeMutableRawPointer(bytes + count).copyMemory(from: start, byteCount: other.count)
    count += other.count
  }

  /// Appends an integer in little-endian order.
  func append<Number: FixedWidthInteger>(fixed value: Number) {
    withUnsafeBytes(of: value.littleEndian) { append($0) }
  }

  /// Appends zeros.
  func append(zeros number: Int) {
    reserve(number)
    (bytes + count).update(repeating: 0, count: number)
    count += number
  }

  /// Writes an integer in little-endian order over bytes that are there already.
  func set<Number: FixedWidthInteger>(_ value: Number, at offset: Int) {
    precondition(offset >= 0 && offset + MemoryLayout<Number>.size <= count, "inside what was appended")
    UnsafeMutableRawPointer(bytes).storeBytes(of: value.littleEndian, toByteOffset: offset, as: Number.self)
  }

  func removeAll() { count = 0 }

  /// Forgets all bytes and gives their memory back.
  func release() {
    (count, capacity) = (0, 64)
    bytes = Self.resized(bytes, to: capacity)
  }
}
