import Glibc

/// Files that can be made again at any time, such as the pages of a site.
extension BoxFolder {
  /// Makes a file hold some bytes, unless it does already. Folders above it are made; nothing is synced.
  ///
  /// Whoever reads the file sees the old bytes or the new ones. A symbolic link at the path is replaced, not followed.
  ///
  /// - Returns: Whether the file was written.
  /// - Throws: `SystemError.leavesBox` where a folder on the way is a symbolic link.
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
  /// - Throws: `SystemError.leavesBox` where a folder on the way is a symbolic link.
  package func discard(_ relative: [UInt8]) throws(SystemError) -> Bool {
    let place: AnchoredPath
    do throws(SystemError) {
      place = try self.place(of: relative, for: .reading, followingLast: false)
    } catch {
      if error.isMissing { return false }
      throw error
    }
    guard let status = try place.status(), status.kind != .directory else { return false }
    guard unlinkat(place.folder.number, try terminated(place.name, "remove"), 0) == 0 else {
      throw SystemError("remove", relative)
    }
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
