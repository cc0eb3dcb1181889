import Glibc

extension BoxFolder {
  /// Makes, replaces or removes a symbolic link, provided that it still has the expected target.
  ///
  /// The new link is made under a temporary name, and the two exchange their names. If something else comes out than was
  /// expected, it is put back. The link itself is written, never its target. The folder is synced last.
  ///
  /// - Parameters:
  ///   - target: the target as it is written in the link; nil removes the link.
  ///   - expecting: the target that the link must have; nil if nothing may be there.
  /// - Returns: the status of the link that was written; nil if it was removed.
  /// - Throws: `changed` if something else is there.
  @discardableResult
  package func replaceLink(
    _ relative: [UInt8], with target: [UInt8]?, expecting: [UInt8]?
  ) throws(ReplaceError) -> FileStatus? {
    let purpose: Purpose = expecting == nil ? .making(syncing: true) : .writing
    let place = try asReplaceError { () throws(SystemError) in
      try self.place(of: relative, for: purpose, followingLast: false)
    }
    guard areEqual(try linkTarget(at: place), expecting) else { throw .changed(found: nil) }
    let temporary = AnchoredPath(
      folder: place.folder, name: TemporaryFile.randomName(), parts: place.parts)
    if let target {
      try asReplaceError { () throws(SystemError) in try makeLink(temporary, target) }
      try exchange(temporary, place, isNew: expecting == nil)
    } else {
      try rename(place, temporary, 0)
    }
    if let expecting {
      // Whatever came out is under the temporary name now.
      guard (try? linkText(of: temporary)) == expecting else {
        try rename(temporary, place, target == nil ? LinuxCalls.renameNoReplace : LinuxCalls.renameExchange)
        if target != nil { TemporaryFile.remove(temporary.name, in: place.folder) }
        throw .changed(found: nil)
      }
      TemporaryFile.remove(temporary.name, in: place.folder)
    }
    return try asReplaceError { () throws(SystemError) in
      try place.folder.sync(relative)
      if target == nil { removeEmptyFolders(above: place.parts) }
      return target == nil ? nil : try place.status()
    }
  }

  /// The target of the link at a place; nil if nothing is there.
  /// - Throws: `changed` if something else is there.
  private func linkTarget(at place: AnchoredPath) throws(ReplaceError) -> [UInt8]? {
    let status = try asReplaceError { () throws(SystemError) in try place.status() }
    guard let status else { return nil }
    guard status.kind == .symbolicLink else { throw .changed(found: nil) }
    return try asReplaceError { () throws(SystemError) in try linkText(of: place) }
  }

  private func makeLink(_ place: AnchoredPath, _ target: [UInt8]) throws(SystemError) {
    let name = try terminated(place.name, "make link")
    guard symlinkat(try terminated(target, "make link"), place.folder.number, name) == 0 else {
      throw SystemError("make link", place.path)
    }
  }

  private func exchange(
    _ temporary: AnchoredPath, _ place: AnchoredPath, isNew: Bool
  ) throws(ReplaceError) {
    do throws(ReplaceError) {
      try rename(temporary, place, isNew ? LinuxCalls.renameNoReplace : LinuxCalls.renameExchange)
    } catch {
      TemporaryFile.remove(temporary.name, in: place.folder)
      throw error
    }
  }

  private func rename(
    _ from: AnchoredPath, _ to: AnchoredPath, _ flags: UInt32
  ) throws(ReplaceError) {
    let code = asCode { () throws(SystemError) in
      let (old, new) = (try terminated(from.name, "rename"), try terminated(to.name, "rename"))
      let folder = from.folder.number
      if flags == 0 { return renameat(folder, old, folder, new) == 0 ? 0 : errno }
      guard let call = LinuxCalls.renameAt2 else { return ENOSYS }
      return call(folder, old, folder, new, flags) == 0 ? 0 : errno
    }
    if code == EEXIST || code == ENOENT { throw .changed(found: nil) }
    guard code == 0 else { throw .failed(SystemError(operation: "rename", path: to.path, code: code)) }
  }

  private func asCode(_ body: () throws(SystemError) -> Int32) -> Int32 {
    do throws(SystemError) { return try body() } catch { return error.code }
  }
}
