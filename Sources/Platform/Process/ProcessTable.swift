import Bytes

/// The identity of a file: unique among all files as long as it is open.
package struct FileIdentity: Hashable, Sendable {
  let inode: UInt64
  let device: UInt64

  init(_ status: FileStatus) {
    inode = status.inode
    device = status.device
  }
}

/// Other processes, as the file system `/proc` shows them. A system without it shows none.
///
/// The open files of other users' processes stay unseen, and so do those of other machines.
package enum ProcessTable {
  /// Whether a process that may be looked at has the file open.
  ///
  /// - Complexity: linear in the open files of all processes.
  package static func isOpen(_ path: [UInt8]) -> Bool {
    guard let status = try? Files.status(path) else { return false }
    var found = false
    forEachOpenFile { _, _, open in
      found = open.inode == status.inode && open.device == status.device
      return !found
    }
    return found
  }

  /// The files among some that a process other than this one has open for writing.
  ///
  /// - Complexity: linear in the open files of all processes.
  static func heldForWriting(_ files: Set<FileIdentity>) -> Set<FileIdentity> {
    var found: Set<FileIdentity> = []
    forEachOpenFile { process, descriptor, open in
      let file = FileIdentity(open)
      if files.contains(file), allowsWriting(process, descriptor) { found.insert(file) }
      return true
    }
    return found
  }

  /// Whether another process has an open file open for writing too.
  static func hasWriter(of file: Descriptor) -> Bool {
    guard let status = try? file.status([]) else { return false }
    return !heldForWriting([FileIdentity(status)]).isEmpty
  }

  /// The name of a program that has the file open for writing, as the system knows it; nil if none can be seen.
  package static func writer(of path: [UInt8]) -> [UInt8]? {
    guard let status = try? Files.status(path, followLinks: true) else { return nil }
    var name: [UInt8]?
    forEachOpenFile { process, descriptor, open in
      guard open.inode == status.inode, open.device == status.device, allowsWriting(process, descriptor)
      else {
        return true
      }
      let text = (try? Files.read(process + Array("/comm".utf8))) ?? []
      name = Array(text.prefix { $0 != 10 })
      return false
    }
    return name
  }

  /// Calls the body with the process, the descriptor and the status of each open file, until it answers false.
  private static func forEachOpenFile(
    _ body: (_ process: [UInt8], _ descriptor: [UInt8], FileStatus) -> Bool
  ) {
    for process in processes() {
      let folder = process + Array("/fd".utf8)
      for descriptor in (try? Files.list(folder)) ?? [] {
        let open = try? Files.status(BytePath.join(folder, descriptor), followLinks: true)
        if let open, !body(process, descriptor, open) { return }
      }
    }
  }

  /// Whether a process opened a descriptor for writing; true if that can't be seen.
  private static func allowsWriting(_ process: [UInt8], _ descriptor: [UInt8]) -> Bool {
    let path = process + Array("/fdinfo/".utf8) + descriptor
    guard let text = try? Files.read(path) else { return true }
    for line in text.split(separator: 10) where line.starts(with: "flags:".utf8) {
      let digits = String(decoding: line.dropFirst(6).filter { $0 > 32 }, as: UTF8.self)
      // The lowest two bits are 0 for a file that is open for reading alone.
      return (Int32(digits, radix: 8) ?? 2) & 3 != 0
    }
    return true
  }

  /// The command lines of the processes of a program that work in a folder or below it, as far as they may be looked at.
  ///
  /// - Parameters:
  ///   - program: the name as the system keeps it, at most 15 bytes.
  ///   - skippingAncestors: whether those are left out that wait for this process, as a program does for its hook.
  /// - Complexity: linear in the number of processes.
  package static func commandLines(
    of program: String, in folder: [UInt8], skippingAncestors: Bool = false
  ) -> [[[UInt8]]] {
    var ancestors: Set<[UInt8]>?
    return processes().compactMap { process in
      // The folder first: it takes one call of the system, and few processes work there.
      guard let place = Files.linkTarget(process + Array("/cwd".utf8)),
        place == folder || place.starts(with: folder + [UInt8(ascii: "/")]),
        let name = try? Files.read(process + Array("/comm".utf8), limit: 64),
        name.dropLast().elementsEqual(program.utf8),
        let line = try? Files.read(process + Array("/cmdline".utf8), limit: 1 << 20)
      else { return nil }
      if skippingAncestors {
        let known = ancestors ?? self.ancestors()
        ancestors = known
        if known.contains(process) { return nil }
      }
      return line.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
    }
  }

  /// The folders of the process that started this one, of the one that started that, and so on.
  private static func ancestors() -> Set<[UInt8]> {
    var found: Set<[UInt8]> = []
    var next = Array("/proc/\(CurrentProcess.parentID)".utf8)
    while found.insert(next).inserted, let text = try? Files.read(next + Array("/stat".utf8), limit: 4_096),
      // The name in parentheses may contain anything; the state and the parent follow it.
      let end = text.lastIndex(of: UInt8(ascii: ")"))
    {
      let fields = text[(end + 1)...].split(separator: 32)
      guard fields.count > 1 else { break }
      next = Array("/proc/".utf8) + fields[1]
    }
    return found
  }

  /// The folders of all other processes; empty if the system does not report them.
  private static func processes() -> [[UInt8]] {
    let own = Array(String(CurrentProcess.id).utf8)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    // If there is no list of processes, none can be seen.
    let names = (try? Files.list(Array("/proc".utf8))) ?? []
    return names.filter { $0 != own && $0.allSatisfy(digits.contains) }.map { Array("/proc/".utf8) + $0 }
  }
}
