import Glibc

/// The bytes of a file as it was when it was opened, mapped rather than read where that is possible.
///
/// Only files that are replaced by a rename, never written in place, may be mapped.
final class FileBytes: @unchecked Sendable {
  // Nobody writes to the memory while this value lives.
  let buffer: UnsafeRawBufferPointer
  private let isMapped: Bool

  /// Maps a regular file.
  /// - Parameters:
  ///   - status: receives the state of the very file that was mapped.
  ///   - isRead: whether all of it will be read.
  /// - Returns: nil where there is none, or it cannot be mapped.
  convenience init?(mapping path: [UInt8], status: inout stat, isRead: Bool = true) {
    let descriptor = path.withCPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
      return nil
    }
    let count = Int(status.st_size)
    let flags = MAP_PRIVATE | (isRead ? Int32(MAP_POPULATE) : 0)
    guard let start = mmap(nil, count, PROT_READ, flags, descriptor, 0), start != MAP_FAILED else {
      return nil
    }
    self.init(UnsafeRawBufferPointer(start: start, count: count), isMapped: true)
  }

  /// Maps a regular file.
  convenience init?(mapping path: [UInt8], isRead: Bool = true) {
    var status = stat()
    self.init(mapping: path, status: &status, isRead: isRead)
  }

  /// Holds a copy of bytes.
  convenience init(_ bytes: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 8)
    copy.copyBytes(from: bytes)
    self.init(UnsafeRawBufferPointer(rebasing: copy[..<bytes.count]), isMapped: false)
  }

  private init(_ buffer: UnsafeRawBufferPointer, isMapped: Bool) {
    self.buffer = buffer
    self.isMapped = isMapped
  }

  deinit {
    if isMapped {
      munmap(UnsafeMutableRawPointer(mutating: buffer.baseAddress), buffer.count)
    } else {
      buffer.deallocate()
    }
  }
}
