import Glibc

/// A file that is made or replaced part by part: until it is finished, its name stands for what it stood for before.
///
/// A temporary file beside it is written, synced and renamed, then the folder is synced. The mode of an existing file is
/// kept. Of a symbolic link the target is written. Not safe for several threads.
package final class StreamedFile {
  private let path: [UInt8]
  private let folder: Descriptor
  private let temporary: [UInt8]
  private let file: Descriptor
  private var failure: SystemError?
  private var isFinished = false

  /// Begins the file; the folder must be there.
  package init(_ path: [UInt8]) throws(SystemError) {
    let isLink = try Files.status(path)?.kind == .symbolicLink
    self.path = isLink ? Files.realPath(path) ?? path : path
    let (parent, name) = Files.split(self.path)
    folder = try Descriptor.open(parent, O_RDONLY | O_DIRECTORY)
    let existing = try FileStatus.of(name, in: folder.number)
    if let existing, existing.kind != .file {
      throw SystemError(operation: "write", path: path, code: SystemError.notRegular)
    }
    let made = try TemporaryFile.make([], like: existing, in: folder, for: path, syncing: false)
    (temporary, file) = (made.name, made.file)
  }

  deinit {
    if !isFinished { TemporaryFile.remove(temporary, in: folder) }
  }

  /// Adds bytes. A failure is kept until the end: what comes after it is not written.
  package func write(_ bytes: [UInt8]) {
    guard failure == nil else { return }
    do throws(SystemError) {
      try file.writeAll(bytes, path)
    } catch {
      failure = error
    }
  }

  /// Gives the file its name.
  /// - Throws: the first failure to write it.
  package func finish() throws(SystemError) {
    if let failure { throw failure }
    try file.sync(path)
    try Files.renameName(temporary, to: Files.split(path).name, in: folder)
    isFinished = true
    try folder.sync(path)
  }
}
