import CLibgit2
import Glibc

/// A nameless file in memory, as a stream of a child process: nobody has to read or write it while the child runs.
final class MemoryFile {
  let descriptor: Int32

  init() throws(GitError) {
    descriptor = slipbox_memory_file("git")
    guard descriptor >= 0 else { throw .system("make a file in memory for", Array("git".utf8)) }
  }

  deinit { close(descriptor) }

  /// Writes what the child is to read; false on an error, which `errno` tells.
  func fill(_ bytes: [UInt8]) -> Bool {
    RawFile.write(bytes, to: descriptor) && lseek(descriptor, 0, SEEK_SET) == 0
  }

  /// All that was written to it.
  var contents: [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else { return [] }
    return RawFile.readAll(descriptor, expecting: Int(status.st_size)) ?? []
  }
}
