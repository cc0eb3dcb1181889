import Bytes
import Platform

/// The bytes of a file as it was when it was opened, mapped rather than read.
typealias FileBytes = ByteRegion

extension ByteRegion {
  /// Maps a regular file, or reads it where that is not possible; nil where there is none.
  /// - Parameter isWhole: whether all of it will be looked at.
  static func of(
    _ path: [UInt8], isWhole: Bool = true
  ) throws(GitError) -> (bytes: ByteRegion, status: FileStatus)? {
    try RawFile.map(path, isWhole: isWhole)
  }

  /// Holds a copy of bytes.
  convenience init(_ bytes: [UInt8]) { self.init(copying: bytes) }

  /// The bytes; whoever keeps them keeps the region too.
  var buffer: UnsafeRawBufferPointer { withBytes { $0 } }
}
