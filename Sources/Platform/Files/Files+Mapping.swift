package import Bytes
import Glibc

extension Files {
  /// Maps a regular file, or reads it where it can't be mapped; its bytes stay when it is replaced or removed.
  ///
  /// A file that is shortened in place would end the process: only files that are replaced by a rename may be mapped.
  /// Wraps mmap(2).
  /// - Parameter isReadWhole: whether all pages are needed, so that they are fetched at once.
  /// - Returns: the bytes, none of an empty file, and the status; nil where there is no regular file.
  package static func map(
    _ path: [UInt8], isReadWhole: Bool = false
  ) throws(SystemError) -> (bytes: ByteRegion, status: FileStatus)? {
    guard let (file, status) = try Files.openRegular(path) else { return nil }
    guard let size = Int(exactly: status.size), size > 0 else {
      return (ByteRegion(copying: []), status)
    }
    let flags = MAP_PRIVATE | (isReadWhole ? Int32(MAP_POPULATE) : 0)
    guard let start = mmap(nil, size, PROT_READ, flags, file.number, 0), start != MAP_FAILED else {
      return (ByteRegion(copying: try file.readAll(path, limit: nil).bytes), status)
    }
    let memory = UnsafeRawBufferPointer(start: start, count: size)
    let region = ByteRegion(
      owning: memory,
      release: { munmap(UnsafeMutableRawPointer(mutating: $0.baseAddress), $0.count) },
      // Nobody writes to a mapping, so that its pages can always be fetched again; where that is refused, they stay.
      unload: { _ = madvise(UnsafeMutableRawPointer(mutating: $0.baseAddress), $0.count, MADV_DONTNEED) })
    return (region, status)
  }

  /// Reads a regular file that another program may rewrite in place.
  ///
  /// Wraps pread(2).
  /// - Returns: the bytes, the status, and whether the file stayed the same while it was read; nil if there is no regular
  ///   file.
  package static func copy(
    _ path: [UInt8]
  ) throws(SystemError) -> (bytes: ByteRegion, status: FileStatus, isSteady: Bool)? {
    guard let (file, status) = try Files.openRegular(path) else { return nil }
    guard let size = Int(exactly: status.size), size < Descriptor.readLimit else {
      throw SystemError(operation: "read", path: path, code: EFBIG)
    }
    // With one byte more than the size, the end of the file shows in the same pass.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size + 1, alignment: 16)
    var count = 0
    while count < memory.count {
      let got = retrying {
        pread(file.number, memory.baseAddress.map { $0 + count }, memory.count - count, off_t(count))
      }
      guard got >= 0 else {
        let failure = SystemError("read", path)
        memory.deallocate()
        throw failure
      }
      if got == 0 { break }
      count += got
    }
    let region = ByteRegion(owning: UnsafeRawBufferPointer(rebasing: memory[..<count])) { $0.deallocate() }
    let after = try file.status(path)
    let isSteady =
      count == size && after.size == status.size && after.modified == status.modified
      && after.changed == status.changed
    return (region, status, isSteady)
  }
}
