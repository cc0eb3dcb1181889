import Glibc

extension Descriptor {
  /// A file without a name that holds bytes, its position at the start.
  ///
  /// It is in memory, or in the folder of temporary files where the system has no such files. Wraps memfd_create(2).
  static func anonymousFile(holding bytes: [UInt8]) throws(SystemError) -> Descriptor {
    let memory = try inMemory()
    let file = if let memory { memory } else { try inTemporaryFolder() }
    try file.writeAll(bytes, [])
    guard lseek(file.number, 0, SEEK_SET) == 0 else { throw SystemError("rewind", []) }
    return file
  }

  private static func inMemory() throws(SystemError) -> Descriptor? {
    guard let number = LinuxCalls.makeMemoryFile?("slip", 1) else { return nil }  // MFD_CLOEXEC
    if number < 0, errno == ENOSYS || errno == EPERM { return nil }
    guard number >= 0 else { throw SystemError("make a file in memory", []) }
    return Descriptor(owning: number)
  }

  private static func inTemporaryFolder() throws(SystemError) -> Descriptor {
    let folder = environment("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    var name = Array("\(folder)/slip-XXXXXX".utf8CString)
    let number = mkstemp(&name)
    guard number >= 0 else { throw SystemError("make a file", Array(folder.utf8)) }
    unlink(name)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    return Descriptor(owning: number)
  }
}
