import Glibc

/// A file, open for reading, that no other program has open for writing.
///
/// While the value lives, a program that opens the file for writing waits in open(2), on file systems with leases. A
/// second value of the same file can't be had from then on, which tells of such a program.
struct QuietFile {
  /// The open file; it guards the file as long as it is open.
  let file: Descriptor
  /// Whether the system knows who has the file open; where not, `ProcessTable` may know.
  let isCertain: Bool

  /// Opens a regular file; nil where another program has it open for writing, or waits to open it so.
  ///
  /// Wraps `F_SETLEASE` of fcntl(2): a read lease is granted only for a file that nobody has open for writing. Files
  /// of other users have no leases, and network file systems have none.
  init?(_ name: [UInt8], in folder: Descriptor, takingLease: Bool) throws(SystemError) {
    let file = try Descriptor.reading(name, in: folder.number)
    guard takingLease else {
      self.file = file
      isCertain = false
      return
    }
    // Word of a program that wants to write comes as a signal; this one does nothing by itself.
    _ = fcntl(file.number, LinuxCalls.setSignal, SIGURG)
    let isLeased = fcntl(file.number, LinuxCalls.setLease, Int32(F_RDLCK)) == 0
    if !isLeased, errno == EAGAIN { return nil }
    self.file = file
    isCertain = isLeased
  }

  /// The bytes of the file.
  func read(_ path: [UInt8]) throws(SystemError) -> [UInt8] { try file.readAll(path, limit: nil).bytes }
}

extension BoxFolder {
  /// Opens a file that no other program has open for writing; nil where one has.
  func quietFile(_ name: [UInt8], in folder: Descriptor) throws(SystemError) -> QuietFile? {
    try QuietFile(name, in: folder, takingLease: takesLeases)
  }

  /// Waits until no other program has a file open for writing.
  /// - Returns: False where one still has when the time is over.
  package func waitUntilClosed(_ relative: [UInt8], milliseconds: Int) -> Bool {
    let deadline = Waiting.now() + Int64(milliseconds)
    var pause: UInt32 = 500
    while true {
      guard let place = try? place(of: relative, for: .reading), (try? place.status()) != nil else {
        return true
      }
      do throws(SystemError) {
        let found = try quietFile(place.name, in: place.folder)
        if let found, found.isCertain || !ProcessTable.hasWriter(of: found.file) { return true }
      } catch {
        // A file that can't be opened is not waited for: the next step tells why.
        return true
      }
      guard Waiting.now() < deadline else { return false }
      usleep(pause)
      pause = min(5_000, pause * 2)
    }
  }
}
