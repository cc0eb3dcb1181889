/// One replacement or removal in progress: the temporary name is that of the new file before the exchange, and of the
/// old file after it.
struct PendingReplacement {
  let place: AnchoredPath
  /// The bytes to write, or nil to remove the file.
  let bytes: [UInt8]?
  /// The bytes that the file must hold, or nil if it must not exist.
  let expecting: [UInt8]?
  /// The type of the old entry: a link is only ever removed as such.
  let oldKind: FileStatus.Kind?
  let temporaryName: [UInt8]
  /// A second name of the old file, where names can't be exchanged.
  var keptName: [UInt8]?
  /// The status of the new file when it had been written.
  let written: FileStatus?
  /// The step that is done; nil until the name leads to something else.
  var outcome: Outcome?

  enum Outcome {
    /// The name was free; nothing has the temporary name.
    case made
    /// The old file has the temporary name.
    case exchanged
    /// The old file has the kept name, or is gone: the file system can't exchange names.
    case overwritten
    /// Nothing has the name; the old file has the temporary name.
    case removed
  }

  /// The status of the new file under its own name.
  var finalStatus: FileStatus? {
    written.map { TemporaryFile.finalStatus(written: $0, place.name, in: place.folder) }
  }

  /// The same swap with another descriptor of its folder.
  func moved(to folder: Descriptor) -> PendingReplacement {
    PendingReplacement(
      place: AnchoredPath(folder: folder, name: place.name, parts: place.parts), bytes: bytes,
      expecting: expecting,
      oldKind: oldKind, temporaryName: temporaryName, keptName: keptName, written: written, outcome: outcome)
  }

  /// The name that the old file has now; nil if it has none or its own.
  var oldName: [UInt8]? {
    switch outcome {
    case .exchanged, .removed: temporaryName
    case .overwritten: keptName
    case .made, nil: nil
    }
  }

  func removeTemporary() { TemporaryFile.remove(temporaryName, in: place.folder) }

  /// Renames between the file's own name and the temporary one.
  /// - Returns: 0 or the `errno`.
  func rename(_ direction: Direction, _ mode: LinuxCalls.RenameMode = .replacing) -> Int32 {
    let names = FolderNames(in: place.folder)
    return switch direction {
    case .toOwnName: names.rename(temporaryName, to: place.name, mode)
    case .toTemporaryName: names.rename(place.name, to: temporaryName, mode)
    }
  }

  enum Direction { case toOwnName, toTemporaryName }

  /// Gives the temporary file its own name if nothing has that name.
  ///
  /// If renameat2(2) does not work, a hard link does the same; where links do not either, a look and a
  /// rename.
  /// - Returns: 0, `EEXIST` or another `errno`.
  func claimOwnName(usingRenameAt2: Bool) -> Int32 {
    if usingRenameAt2 {
      let code = rename(.toOwnName, .refusing)
      guard Self.isUnsupported(code) else { return code }
    }
    let code = FolderNames(in: place.folder).link(temporaryName, as: place.name)
    if code == 0 {
      removeTemporary()
      return 0
    }
    typealias Code = SystemError.Code
    guard Self.isUnsupported(code) || code == Code.notPermitted || code == Code.tooManyNames else {
      return code
    }
    do throws(SystemError) {
      return try place.status() == nil ? rename(.toOwnName) : SystemError.Code.exists
    } catch {
      return error.code
    }
  }

  /// Whether a code of renameat2(2) or linkat(2) means that the file system does not know the call.
  static func isUnsupported(_ code: Int32) -> Bool {
    [SystemError.Code.invalid, SystemError.Code.noSuchCall, SystemError.Code.unsupported].contains(code)
  }

  /// Gives the old file a second name, by which it can be looked at when the first is another's.
  /// - Returns: nil if the file system has no hard links.
  func keepOld() -> [UInt8]? {
    let name = TemporaryFile.randomName()
    return FolderNames(in: place.folder).link(place.name, as: name) == 0 ? name : nil
  }

  /// Gives the old file its own name again, over the new one.
  /// - Returns: 0 or the `errno`.
  func renameKept(_ name: [UInt8]) -> Int32 {
    FolderNames(in: place.folder).rename(name, to: place.name)
  }

  /// The file at the temporary name, as bytes; nil if it is not a regular file.
  func readTemporary() throws(SystemError) -> [UInt8]? {
    try Self.readIfFile(temporaryName, in: place.folder)
  }

  /// The status of whatever has the temporary name.
  var temporaryStatus: FileStatus? {
    (try? FileStatus.of(temporaryName, in: place.folder)) ?? nil
  }

  /// The file at its own name, as bytes; nil if it is not a regular file or does not exist.
  func readOwn() throws(SystemError) -> [UInt8]? { try Self.readIfFile(place.name, in: place.folder) }

  private static func readIfFile(_ name: [UInt8], in folder: Descriptor) throws(SystemError) -> [UInt8]? {
    guard try FileStatus.of(name, in: folder)?.kind == .file else { return nil }
    return try Descriptor.reading(name, in: folder).readAll(name, limit: nil).bytes
  }
}

extension BoxFolder {
  /// Runs a body that writes files; if it fails, the folders that it made are removed again, as far as they are empty.
  package func takingFoldersBack<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    _ = made.takeAll()
    do throws(Failure) {
      let result = try body()
      _ = made.takeAll()
      return result
    } catch {
      for parts in made.takeAll().reversed() {
        guard let name = parts.last, let folder = try? openFolder(parts.dropLast(), name, for: .writing)
        else {
          continue
        }
        if FolderNames(in: folder).removeFolder(name) == 0 { try? folder.sync(name) }
      }
      throw error
    }
  }
}

extension BoxFolder {
  /// Removes temporary files and symbolic links that an interrupted replacement has left.
  ///
  /// Such a file may hold the only copy of what another program saved just before the interruption, so it
  /// goes only if its bytes are known. Files with other names are left alone.
  ///
  /// - Parameter paths: The files, as `DirectoryWalk.Result.temporaries` has them.
  /// - Parameter olderThanSeconds: The age below which a file may belong to a replacement under way.
  /// - Parameter isKnown: Whether bytes, or the target of a symbolic link, are also kept elsewhere.
  /// - Returns: The old ones that were kept.
  package func removeStaleTemporaries(
    _ paths: [[UInt8]], olderThanSeconds: Int64, isKnown: ([UInt8]) -> Bool
  ) -> [[UInt8]] {
    let now = LocalClock.now().seconds
    return paths.filter { path in
      guard TemporaryFile.isTemporary(Files.split(path).name),
        let place = try? place(of: path, for: .reading, followingLast: false)
      else { return false }
      if let link = try? place.status(), link.kind == .symbolicLink, let target = try? linkText(of: place) {
        guard now - link.changed.seconds > olderThanSeconds else { return false }
        guard isKnown(target) else { return true }
        TemporaryFile.remove(place.name, in: place.folder)
        return false
      }
      guard let found = try? place.read(), now - found.status.changed.seconds > olderThanSeconds else {
        return false
      }
      // A program that still has it open may write more.
      guard isKnown(found.bytes), let file = try? quietFile(place.name, in: place.folder) else { return true }
      defer { withExtendedLifetime(file) {} }
      TemporaryFile.remove(place.name, in: place.folder)
      return false
    }
  }
}
