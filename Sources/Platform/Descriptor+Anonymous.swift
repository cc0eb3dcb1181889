import Glibc

extension Descriptor {
  /// A file without a name that holds bytes, its position at the start.
  static func anonymousFile(holding bytes: [UInt8]) throws(SystemError) -> Descriptor {
    let folder = environment("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    var name = Array("\(folder)/slip-XXXXXX".utf8CString)
    let number = mkstemp(&name)
    guard number >= 0 else { throw SystemError("make a file", Array(folder.utf8)) }
    unlink(name)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    let file = Descriptor(owning: number)
    try file.writeAll(bytes, Array(folder.utf8))
    guard lseek(number, 0, SEEK_SET) == 0 else { throw SystemError("rewind", Array(folder.utf8)) }
    return file
  }
}
