import Glibc

/// The bytes of a file as it was when it was opened, mapped rather than read.
///
/// Only files that are replaced by a rename, never written in place, may be mapped: what is cut off is gone from the
/// memory too.
final class FileBytes: @unchecked Sendable {
  // Nobody writes to the memory while this value lives.
  let buffer: UnsafeRawBufferPointer
  private let isMapped: Bool

  /// Maps a regular file, or reads it where that is not possible; nil where there is none.
  /// - Parameter isWhole: whether all of it will be looked at.
  static func of(
    _ path: [UInt8], isWhole: Bool = true
  ) throws(GitError) -> (bytes: FileBytes, status: stat)? {
    let descriptor = path.withCPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .system("read", path)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system("read", path) }
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    let count = Int(status.st_size)
    guard count > 0 else { return (FileBytes([]), status) }
    let flags = MAP_PRIVATE | (isWhole ? Int32(MAP_POPULATE) : 0)
    if let start = mmap(nil, count, PROT_READ, flags, descriptor, 0), start != MAP_FAILED {
      return (FileBytes(UnsafeRawBufferPointer(start: start, count: count), isMapped: true), status)
    }
    guard let bytes = RawFile.readAll(descriptor, expecting: count) else { throw .system("read", path) }
    return (FileBytes(bytes), status)
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
