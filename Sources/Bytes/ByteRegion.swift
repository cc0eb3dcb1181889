/// Bytes at a fixed address in memory that do not change during the lifetime of this object: a mapped file, or a copy.
///
/// The region lends its bytes to closures, and returns slices, which retain it.
package final class ByteRegion: @unchecked Sendable {
  // Nobody writes to the memory while this object lives, so that all threads may read it.
  private let memory: UnsafeRawBufferPointer
  private let release: @Sendable (UnsafeRawBufferPointer) -> Void
  private let unload: (@Sendable (UnsafeRawBufferPointer) -> Void)?

  /// Takes ownership of memory.
  ///
  /// - Parameters:
  ///   - release: frees the memory; called once, at the end of this object.
  ///   - unload: unloads the pages that the system can load again.
  package init(
    owning memory: UnsafeRawBufferPointer, release: @escaping @Sendable (UnsafeRawBufferPointer) -> Void,
    unload: (@Sendable (UnsafeRawBufferPointer) -> Void)? = nil
  ) {
    self.memory = memory
    self.release = release
    self.unload = unload
  }

  /// Holds a copy of bytes.
  package convenience init(copying bytes: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
    copy.copyBytes(from: bytes)
    self.init(owning: UnsafeRawBufferPointer(rebasing: copy[..<bytes.count])) { $0.deallocate() }
  }

  deinit { release(memory) }

  /// Unloads the pages of the file from memory; later accesses load them again, and the bytes do not change.
  package func unloadPages() { unload?(memory) }

  /// The number of bytes.
  package var count: Int { memory.count }

  /// Lends all bytes to a closure, which must not keep the pointer.
  package func withBytes<Result, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(memory)
  }

  /// All bytes as a slice.
  package var slice: ByteSlice { ByteSlice(self, memory) }
}

/// Bytes of a region, which the slice retains: a value that may be copied and stored.
public struct ByteSlice: Sendable {
  private let region: ByteRegion?
  // Valid during the lifetime of this value or another slice of its region.
  @usableFromInline nonisolated(unsafe) let memory: UnsafeRawBufferPointer

  fileprivate init(_ region: ByteRegion, _ memory: UnsafeRawBufferPointer) {
    self.region = region
    self.memory = memory
  }

  /// No bytes.
  package init() {
    region = nil
    memory = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// A copy of bytes.
  package init(copying bytes: [UInt8]) { self = ByteRegion(copying: bytes).slice }

  /// As of the whole region.
  package func unloadPages() { region?.unloadPages() }

  /// The number of bytes.
  package var count: Int { memory.count }

  /// The bytes in place.
  @inlinable
  public var bytes: RawSpan {
    @_lifetime(borrow self)
    get { _overrideLifetime(RawSpan(_unsafeBytes: memory), borrowing: self) }
  }

  /// Lends the bytes to a closure, which must not keep the pointer.
  @inlinable
  public func withBytes<Result, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(memory)
  }

  /// A part of the bytes, its own offsets beginning at zero. A range outside of the bytes ends the process.
  package subscript(range: Range<Int>) -> ByteSlice {
    precondition(range.lowerBound >= 0 && range.upperBound <= memory.count, "inside the slice")
    guard let region else { return self }
    return ByteSlice(region, UnsafeRawBufferPointer(rebasing: memory[range]))
  }
}
