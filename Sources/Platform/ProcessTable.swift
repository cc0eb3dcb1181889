import Glibc

/// What can be seen of other processes.
package enum ProcessTable {
  /// Whether a process that may be looked at has the file open; files of other users' processes stay unseen.
  ///
  /// - Complexity: linear in the open files of all processes.
  package static func isOpen(_ path: [UInt8]) -> Bool {
    guard let status = try? Files.status(path), let processes = try? Files.list(Array("/proc".utf8)) else {
      return false
    }
    for process in processes
    where process.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      let folder = Array("/proc/".utf8) + process + Array("/fd".utf8)
      for descriptor in (try? Files.list(folder)) ?? [] {
        let open = try? Files.status(folder + [UInt8(ascii: "/")] + descriptor, followLinks: true)
        if let open, open.inode == status.inode, open.device == status.device { return true }
      }
    }
    return false
  }
}
