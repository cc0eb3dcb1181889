import Glibc

/// Files that hold a secret of the user's.
extension Files {
  /// Replaces or makes a file that only this user may read; the folders above it are made so too.
  package static func writePrivate(_ bytes: [UInt8], to path: [UInt8]) throws(SystemError) {
    let (folder, name) = split(path)
    let parent = split(folder).folder
    try makeDirectory(parent)
    guard mkdir(try terminated(folder, "make folder"), 0o700) == 0 || errno == EEXIST else {
      throw SystemError("make folder", folder)
    }
    let temporary = folder + [UInt8(ascii: "/"), UInt8(ascii: ".")] + name + Array(".\(getpid())".utf8)
    let file = try Descriptor.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    try file.writeAll(bytes, temporary)
    try rename(temporary, to: path)
  }

  /// Reads a file that `writePrivate` made; nil where there is none, or where others than this user could have read or
  /// written it.
  package static func readPrivate(_ path: [UInt8]) -> [UInt8]? {
    guard let file = try? Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY),
      let status = try? file.status(path), status.kind == .file, status.owner == geteuid(),
      status.mode & 0o077 == 0
    else { return nil }
    return (try? file.readAll(path, limit: 1 << 16))?.bytes
  }
}
