import Glibc

/// A file being written beside the one that it will replace.
struct TemporaryFile {
  /// The name in the folder: `.slip-`, 16 hexadecimal digits, `.tmp`. Walks skip it as hidden.
  let name: [UInt8]
  let folder: Descriptor
  /// The open file.
  let file: Descriptor
  /// The status after the last write, before it had its final name.
  let status: FileStatus

  /// Removes the name, whatever it leads to by now.
  func remove() { Self.remove(name, in: folder) }

  static func remove(_ name: [UInt8], in folder: Descriptor) {
    guard let path = try? terminated(name, "remove") else { return }
    unlinkat(folder.number, path, 0)
  }

  static let prefix = Array(".slip-".utf8)
  static let suffix = Array(".tmp".utf8)

  /// Whether a name is one of those made here.
  static func isTemporary(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    name.starts(with: prefix) && name.suffix(suffix.count).elementsEqual(suffix)
  }

  /// A name that is in use with negligible probability.
  static func randomName() -> [UInt8] {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return prefix + Array(repeating: UInt8(ascii: "0"), count: 16 - digits.utf8.count) + digits.utf8 + suffix
  }

  /// Writes the bytes to a new file.
  ///
  /// - Parameter existing: The file whose mode, and owner and group where permitted, it takes; nil:
  /// what `permissions` say.
  /// - Parameter makesExecutable: Whether the file, unlike the existing one, is executable; nil: as that is.
  /// - Parameter path: What is to be written, for errors: the temporary name says nothing to anybody.
  /// - Parameter syncing: Whether the bytes are on the disk when this returns.
  static func make(
    _ bytes: [UInt8], like existing: FileStatus?, permissions: FilePermissions = .plain,
    makesExecutable: Bool? = nil, in folder: Descriptor, for path: [UInt8], syncing: Bool
  ) throws(SystemError) -> TemporaryFile {
    do throws(SystemError) {
      return try make(bytes, like: existing, permissions, makesExecutable, in: folder, syncing: syncing)
    } catch {
      throw SystemError(operation: "write", path: path, code: error.code)
    }
  }

  private static func make(
    _ bytes: [UInt8], like existing: FileStatus?, _ permissions: FilePermissions, _ makesExecutable: Bool?,
    in folder: Descriptor, syncing: Bool
  ) throws(SystemError) -> TemporaryFile {
    let name = randomName()
    let mode: mode_t =
      switch permissions {
      case .plain where existing == nil: 0o666
      case .executable where existing == nil: 0o777
      default: 0o600
      }
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
    let file = try Descriptor.open(name, flags, mode: mode, in: folder.number)
    do throws(SystemError) {
      try file.writeAll(bytes, name)
      if let existing {
        try keepRights(of: existing, makesExecutable, file, name)
      } else if case .exact(let bits) = permissions, fchmod(file.number, mode_t(bits)) != 0 {
        throw SystemError("set mode", name)
      }
      if syncing { try file.sync(name) }
      return TemporaryFile(name: name, folder: folder, file: file, status: try file.status(name))
    } catch {
      remove(name, in: folder)
      throw error
    }
  }

  /// Gives the file the owner, group and mode of another.
  ///
  /// Where the group can't be kept, the group gets no more than everybody has: it is another group.
  private static func keepRights(
    of existing: FileStatus, _ makesExecutable: Bool?, _ file: Descriptor, _ name: [UInt8]
  ) throws(SystemError) {
    let own = try file.status(name)
    var mode = existing.mode & 0o7777
    if let makesExecutable { mode = FilePermissions.mode(mode, isExecutable: makesExecutable) }
    if own.owner != existing.owner || own.group != existing.group,
      fchown(file.number, existing.owner, existing.group) != 0,
      own.group != existing.group, fchown(file.number, own.owner, existing.group) != 0
    {
      mode = (mode & 0o707) | ((mode & 0o007) << 3)
    }
    guard fchmod(file.number, mode_t(mode)) == 0 else { throw SystemError("set mode", name) }
  }
}

extension TemporaryFile {
  /// The status of the file under its final name; as it was before the rename where somebody has touched it
  /// since.
  func finalStatus(as finalName: [UInt8]) -> FileStatus {
    Self.finalStatus(written: status, finalName, in: folder)
  }

  static func finalStatus(written: FileStatus, _ name: [UInt8], in folder: Descriptor) -> FileStatus {
    guard let now = try? FileStatus.of(name, in: folder.number) else { return written }
    return now.hasSameContents(as: written) ? now : written
  }
}
