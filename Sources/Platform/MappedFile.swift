import Glibc

/// The bytes of a file, mapped into memory as they were when it was opened; they stay when the file is replaced or removed.
///
/// Whoever writes such a file replaces it by another one: a file that is shortened in place would end the process.
package final class MappedFile: @unchecked Sendable {
  package let bytes: UnsafeRawBufferPointer

  /// Maps a file; nil where there is none, where it is empty, or where it can't be mapped.
  ///
  /// Wraps mmap(2).
  package init?(_ path: [UInt8]) {
    guard let file = try? Descriptor.open(path, O_RDONLY), let status = try? file.status(path),
      status.kind == .file, status.size > 0, let size = Int(exactly: status.size),
      let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, file.number, 0), start != MAP_FAILED
    else { return nil }
    bytes = UnsafeRawBufferPointer(start: start, count: size)
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }
}

/// Bytes in memory that stay at one place.
package final class FixedBytes: @unchecked Sendable {
  package let bytes: UnsafeRawBufferPointer

  package init(_ content: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(content.count, 1), alignment: 16)
    copy.copyBytes(from: content)
    bytes = UnsafeRawBufferPointer(rebasing: copy[..<content.count])
  }

  deinit { bytes.deallocate() }
}
