extension BoxFolder {
  /// An entry of a folder: a symbolic link, or a file that replaces one or is replaced by one.
  package enum Entry: Sendable, Equatable {
    /// A symbolic link with its target as it is written.
    case link([UInt8])
    case file([UInt8], FilePermissions)
  }

  /// Creates, replaces or removes a symbolic link, or replaces a file by a link or a link by a file, if the current entry
  /// is the expected one.
  ///
  /// The new entry is created under a temporary name, and the two exchange their names. If the exchanged entry is not the
  /// expected one, it is put back. The link itself is written, never its target. The folder is synced last.
  ///
  /// - Parameters:
  ///   - entry: the new entry; nil removes the current one.
  ///   - expecting: the entry that must exist; nil if none may exist. The permissions of a file don't matter.
  /// - Returns: the status of the new entry; nil if it was removed.
  /// - Throws: `changed` if another entry is found.
  @discardableResult
  package func replaceEntry(
    _ relative: [UInt8], with entry: Entry?, expecting: Entry?
  ) throws(ReplaceError) -> FileStatus? {
    let purpose: Purpose = expecting == nil ? .making(syncing: true) : .writing
    let place = try asReplaceError { () throws(SystemError) in
      try self.place(of: relative, for: purpose, followingLast: false)
    }
    guard try isThere(expecting, at: place) else { throw .changed(found: nil) }
    let temporary = try make(entry, beside: place)
    if entry == nil {
      try rename(place, temporary, .replacing)
    } else {
      try exchange(temporary, place, isNew: expecting == nil)
    }
    if let expecting {
      // Whatever came out is under the temporary name now.
      guard (try? isThere(expecting, at: temporary)) == true else {
        try rename(temporary, place, entry == nil ? .refusing : .exchanging)
        if entry != nil { TemporaryFile.remove(temporary.name, in: place.folder) }
        throw .changed(found: nil)
      }
      if case .file(let bytes, _) = expecting {
        letGo(temporary.name, of: place, expecting: bytes)
      } else {
        TemporaryFile.remove(temporary.name, in: place.folder)
      }
    }
    return try asReplaceError { () throws(SystemError) in
      try place.folder.sync(relative)
      if entry == nil { removeEmptyFolders(above: place.parts) }
      return entry == nil ? nil : try place.status()
    }
  }

  /// Makes an entry under a temporary name; the name alone if there is nothing to make.
  private func make(_ entry: Entry?, beside place: AnchoredPath) throws(ReplaceError) -> AnchoredPath {
    try asReplaceError { () throws(SystemError) in
      var temporary = AnchoredPath(folder: place.folder, name: TemporaryFile.randomName(), parts: place.parts)
      switch entry {
      case nil: break
      case .link(let target): try makeLink(temporary, target)
      case .file(let bytes, let permissions):
        let file = try TemporaryFile.make(
          bytes, like: nil, permissions: permissions, in: place.folder, for: place.path, syncing: true)
        temporary = AnchoredPath(folder: place.folder, name: file.name, parts: place.parts)
      }
      return temporary
    }
  }

  /// Returns whether a place holds an entry. The permissions of a file do not count. Nil means that nothing is there.
  private func isThere(_ entry: Entry?, at place: AnchoredPath) throws(ReplaceError) -> Bool {
    try asReplaceError { () throws(SystemError) in
      let status = try place.status()
      switch entry {
      case nil: return status == nil
      case .link(let target):
        guard status?.kind == .symbolicLink else { return false }
        return try linkText(of: place) == target
      case .file(let bytes, _):
        guard status?.kind == .file else { return false }
        return try place.read().bytes == bytes
      }
    }
  }

  private func makeLink(_ place: AnchoredPath, _ target: [UInt8]) throws(SystemError) {
    try SystemError.check(
      FolderNames(in: place.folder).makeLink(place.name, to: target), "make link", place.path)
  }

  private func exchange(
    _ temporary: AnchoredPath, _ place: AnchoredPath, isNew: Bool
  ) throws(ReplaceError) {
    do throws(ReplaceError) {
      try rename(temporary, place, isNew ? .refusing : .exchanging)
    } catch {
      TemporaryFile.remove(temporary.name, in: place.folder)
      throw error
    }
  }

  private func rename(
    _ from: AnchoredPath, _ to: AnchoredPath, _ mode: LinuxCalls.RenameMode
  ) throws(ReplaceError) {
    let code = FolderNames(in: from.folder).rename(from.name, to: to.name, mode)
    if code == SystemError.Code.exists || code == SystemError.Code.missing { throw .changed(found: nil) }
    guard code == 0 else { throw .failed(SystemError(operation: "rename", path: to.path, code: code)) }
  }
}

/// Files that can be made again at any time, such as the pages of a site.
extension BoxFolder {
  /// Makes a file hold some bytes, unless it does already. Folders above it are created; nothing is synced.
  ///
  /// Readers see the old bytes or the new ones. A symbolic link at the path is replaced, not followed.
  ///
  /// - Returns: whether the file was written.
  /// - Throws: `SystemError.leavesBox` if a folder on the way is a symbolic link.
  package func fill(_ relative: [UInt8], with bytes: [UInt8]) throws(SystemError) -> Bool {
    let place = try place(of: relative, for: .making(syncing: false), followingLast: false)
    let existing = try place.status()
    let file = existing?.kind == .file ? existing : nil
    if let file, file.size == Int64(bytes.count), try place.read().bytes == bytes { return false }
    let temporary = try TemporaryFile.make(
      bytes, like: file, in: place.folder, for: relative, syncing: false)
    do throws(SystemError) {
      try Files.renameName(temporary.name, to: place.name, in: place.folder)
    } catch {
      temporary.remove()
      throw SystemError(operation: "write", path: relative, code: error.code)
    }
    return true
  }

  /// Removes a file or a symbolic link, and the folders above it that are left empty.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: `SystemError.leavesBox` if a folder on the way is a symbolic link.
  package func discard(_ relative: [UInt8]) throws(SystemError) -> Bool {
    let place: AnchoredPath
    do throws(SystemError) {
      place = try self.place(of: relative, for: .reading, followingLast: false)
    } catch {
      if error.isMissing { return false }
      throw error
    }
    guard let status = try place.status(), status.kind != .directory else { return false }
    try SystemError.check(FolderNames(in: place.folder).remove(place.name), "remove", relative)
    removeEmptyFolders(above: place.parts)
    return true
  }

  /// Whether anything has a path, a symbolic link included.
  package func holds(_ relative: [UInt8]) throws(SystemError) -> Bool {
    do throws(SystemError) {
      return try place(of: relative, for: .reading, followingLast: false).status() != nil
    } catch {
      if error.isMissing { return false }
      throw error
    }
  }
}
