#if canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#elseif canImport(Darwin)
  public import Darwin
#endif

/// The calls of the C library that inner loops need: bytes compared and found, memory that grows, and the logarithm.
///
/// Modules without access to the system use these in place of the C library. They are public because the compiler inlines
/// functions of package access into other modules only in a build with testing enabled.
public enum CLibrary {
  /// Compares as many bytes at two places. Wraps memcmp(3).
  ///
  /// - Returns: a negative number, 0 or a positive number, if the first bytes come before the others, are equal to them,
  ///   or come after them.
  @inlinable @inline(__always)
  public static func compare(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int
  ) -> Int {
    Int(memcmp(left, right, count))
  }

  /// Compares the bytes that two buffers share at their beginning.
  ///
  /// - Returns: as `compare(_:_:count:)`; 0 if one of them is empty.
  @inlinable @inline(__always)
  public static func compareShared(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    guard let one = left.baseAddress, let other = right.baseAddress else { return 0 }
    return compare(one, other, count: min(left.count, right.count))
  }

  /// Returns the offset of the first such byte, from the start of the buffer; nil if the range does not contain it. Wraps
  /// memchr(3).
  ///
  /// - Parameters:
  ///   - start: the offset at which the search begins, at most `end`.
  ///   - end: the offset at which it ends, at most the length of the buffer.
  @inlinable @inline(__always)
  public static func offset(
    of byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int, to end: Int
  ) -> Int? {
    guard let base = bytes.baseAddress, let found = memchr(base + start, Int32(byte), end - start) else {
      return nil
    }
    return UnsafeRawPointer(found) - base
  }

  /// The natural logarithm. Wraps log(3).
  @inlinable @inline(__always)
  public static func logarithm(_ number: Double) -> Double { log(number) }
}

extension CLibrary {
  /// Gives memory another size. Its bytes stay, and long ones are moved without a copy. Wraps realloc(3).
  ///
  /// The process ends if no memory is left.
  ///
  /// - Parameters:
  ///   - memory: memory of `resize` or `allocateZeros`, or nil for new memory.
  ///   - count: the number of bytes, at least 1.
  @inlinable @inline(__always)
  public static func resize(_ memory: inout UnsafeMutablePointer<UInt8>?, to count: Int) {
    guard let moved = realloc(memory, count) else { preconditionFailure("no memory is left") }
    memory = moved.assumingMemoryBound(to: UInt8.self)
  }

  /// Allocates numbers that are all 0. The system clears each page when it is first touched. Wraps calloc(3).
  ///
  /// The process ends if no memory is left.
  @inlinable @inline(__always)
  public static func allocateZeros<Number: FixedWidthInteger & BitwiseCopyable>(
    _ memory: inout UnsafeMutablePointer<Number>?, count: Int
  ) {
    guard let zeros = calloc(count, MemoryLayout<Number>.stride) else {
      preconditionFailure("no memory is left")
    }
    memory = zeros.bindMemory(to: Number.self, capacity: count)
  }

  /// Gives memory of `resize` or `allocateZeros` back. Wraps free(3).
  @inlinable @inline(__always)
  public static func release(_ memory: UnsafeMutableRawPointer?) { free(memory) }
}
