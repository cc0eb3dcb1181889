import Glibc

/// A folder that is opened once, with access to the files below it that no symbolic link leads out of it.
///
/// Paths are relative to it, in bytes. Each folder on the way is opened from the one above without following
/// links; a link among them is refused. A file that is itself a link is resolved by hand, and refused where
/// it leaves the box or leads into a hidden or closed folder of it.
package struct BoxFolder: Sendable {
  /// The path as it was given, without trailing slashes.
  package let path: [UInt8]
  let anchor: Descriptor
  /// The replaced files that another program may still be writing to.
  package let kept = KeptFiles()
  /// The folders that were made for files.
  let made = MadeFolders()
  /// The parts of folders that no link may lead into, whatever they are called.
  let closed: [[[UInt8]]]
  /// Whether files are exchanged with renameat2(2) where the file system can; only tests turn it off.
  var exchangesNames = true
  /// Whether files are guarded by leases where the file system has them; only tests turn it off.
  var takesLeases = true

  /// Opens the folder.
  /// - Parameter closed: paths of folders in it that no link may lead into, beside the hidden ones.
  package init(_ path: [UInt8], closed: [[UInt8]] = []) throws(SystemError) {
    var path = path
    while path.count > 1, path.last == UInt8(ascii: "/") { path.removeLast() }
    self.path = path
    self.closed = closed.map { Self.split($0) }
    anchor = try Descriptor.open(path, LinuxCalls.pathOnly | O_DIRECTORY)
  }

  /// Reads a regular file.
  /// - Throws: `ENOENT`; `EFBIG` over `limit` bytes (2 GiB without one); `SystemError.notRegular`;
  /// `SystemError.leavesBox`.
  package func read(
    _ relative: [UInt8], limit: Int? = nil
  ) throws(SystemError) -> (bytes: [UInt8], status: FileStatus) {
    if isPlain(relative), let terminatedPath = try? terminated(relative, "open") {
      // The usual case in one call; whatever else it is shows below.
      let number = retrying { LinuxCalls.openBeneath(anchor.number, terminatedPath) }
      if number >= 0 { return try Descriptor(owning: number).readAll(relative, limit: limit) }
    }
    return try place(of: relative, for: .reading).read(limit: limit)
  }

  /// The status of a file, that of its target where it is a link inside the box; nil where it does not exist.
  /// - Throws: `SystemError.leavesBox`, and what else forbids a look.
  package func status(_ relative: [UInt8]) throws(SystemError) -> FileStatus? {
    do throws(SystemError) {
      return try place(of: relative, for: .reading).status()
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }
}

extension BoxFolder {
  /// The content of a path of the box.
  package enum Item: Sendable {
    case file([UInt8], FileStatus)
    /// A symbolic link, with its target as it is written.
    case link([UInt8], FileStatus)
    /// A folder, or a FIFO, socket or device.
    case other(FileStatus)
  }

  /// Reads a path without following symbolic links.
  /// - Returns: nil if there is nothing, also if a file is where a folder of the path would be.
  /// - Throws: `EFBIG`; `SystemError.leavesBox` if a symbolic link is among the folders of the path.
  package func item(_ relative: [UInt8]) throws(SystemError) -> Item? {
    do throws(SystemError) {
      if isPlain(relative), let terminatedPath = try? terminated(relative, "open") {
        // The usual case takes one call.
        let number = retrying { LinuxCalls.openBeneath(anchor.number, terminatedPath) }
        if number >= 0 {
          let file = Descriptor(owning: number)
          let status = try file.status(relative)
          guard status.kind == .file else { return .other(status) }
          let found = try file.readAll(relative, limit: nil)
          return .file(found.bytes, found.status)
        }
      }
      let place = try place(of: relative, for: .reading, followingLast: false)
      guard let status = try place.status() else { return nil }
      switch status.kind {
      case .file:
        let found = try place.read()
        return .file(found.bytes, found.status)
      case .symbolicLink: return .link(try linkText(of: place), status)
      case .directory, .other: return .other(status)
      }
    } catch {
      if error.isMissing || error.code == ENOTDIR { return nil }
      throw error
    }
  }

  /// The path of the file that a symbolic link of the box leads to, through all links; the path itself if it is none.
  /// - Throws: `SystemError.leavesBox`; `ELOOP`; `ENOENT` if a folder of the target is missing.
  package func target(of relative: [UInt8]) throws(SystemError) -> [UInt8] {
    try place(of: relative, for: .reading).path
  }
}

/// What keeps a file of the box from being replaced or removed.
package enum ReplaceError: Error, Sendable, Equatable {
  /// The file does not hold the expected bytes; `found` is what it holds, nil where it does not exist.
  case changed(found: [UInt8]?)
  /// The path, or the link that it is, leads out of the box, or passes through a link to a folder.
  case leavesBox(path: [UInt8])
  /// Another program has the file open for writing: what it writes could miss the new file.
  case held(path: [UInt8])
  case failed(SystemError)

  init(_ error: SystemError) {
    self = error.code == SystemError.leavesBox ? .leavesBox(path: error.path) : .failed(error)
  }
}

/// Runs the body with its failure as a `ReplaceError`.
func asReplaceError<Result>(_ body: () throws(SystemError) -> Result) throws(ReplaceError) -> Result {
  do throws(SystemError) { return try body() } catch { throw ReplaceError(error) }
}
