import Glibc

extension Files {
  /// Opens a regular file for reading, never waiting for a FIFO; nil where there is none.
  static func openRegular(_ path: [UInt8]) throws(SystemError) -> (file: Descriptor, status: FileStatus)? {
    do throws(SystemError) {
      let file = try Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
      let status = try file.status(path)
      return status.kind == .file ? (file, status) : nil
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }

  /// The bytes and the status of a regular file; nil where there is none. Symbolic links are followed.
  package static func readIfPresent(
    _ path: [UInt8]
  ) throws(SystemError) -> (bytes: [UInt8], status: FileStatus)? {
    guard let (file, _) = try openRegular(path) else { return nil }
    return try file.readAll(path, limit: nil)
  }

  /// Whether a folder is at the path, following links.
  package static func isFolder(_ path: [UInt8]) -> Bool {
    (try? status(path, followLinks: true))?.kind == .directory
  }

  /// Whether this process may use a file. Wraps access(2).
  package static func isAccessible(_ path: [UInt8], for use: Access) -> Bool {
    guard let name = try? terminated(path, "look at") else { return false }
    return access(name, use.rawValue) == 0
  }

  /// Uses of a file or folder, together where they are combined.
  package struct Access: OptionSet, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// Reading a file, or listing a folder.
    package static let reading = Access(rawValue: R_OK)
    /// Writing a file, or making names in a folder.
    package static let writing = Access(rawValue: W_OK)
    /// Running a file, or passing through a folder.
    package static let running = Access(rawValue: X_OK)
  }

  /// The text of a symbolic link; nil where there is none. Wraps readlink(2).
  package static func linkTarget(_ path: [UInt8]) -> [UInt8]? {
    guard let name = try? terminated(path, "read") else { return nil }
    let target = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
      let length = buffer.withMemoryRebound(to: CChar.self) { memory in
        memory.baseAddress.map { readlink(name, $0, memory.count) } ?? -1
      }
      count = max(0, length)
    }
    return target.isEmpty ? nil : target
  }

  /// The path of the program of this process; nil where the system does not tell.
  package static var ownProgram: [UInt8]? { linkTarget(Array("/proc/self/exe".utf8)) }
}
