extension FileTable {
  /// A file of a table to be.
  package struct File: Sendable, Equatable {
    /// The path relative to the root of the walk.
    package let path: [UInt8]
    package let stamp: FileStamp
    /// Whether the file could change without a change of its stamp: see `RacyWindow`.
    package let isRacy: Bool

    package init(path: [UInt8], stamp: FileStamp, isRacy: Bool) {
      self.path = path
      self.stamp = stamp
      self.isRacy = isRacy
    }
  }

  /// A folder of a table to be, as a walk saw it.
  package struct Folder: Sendable, Equatable {
    /// The path relative to the root of the walk; empty for the root.
    package let path: [UInt8]
    let identity: FolderIdentity
    let others: [OtherName]
  }

  /// The folders, as they may be given to `encode`.
  package var folders: [Folder] {
    (0..<folderCount).map { folder in
      Folder(
        path: Array(folderPath(folder)), identity: identity(of: folder),
        others: otherNames(of: folder).compactMap { otherName($0) })
    }
  }

  /// Writes a table.
  ///
  /// The next walk trusts it with the names of folders that have not changed: all files that the walk found
  /// must be there.
  ///
  /// - Parameter files: In the order of their paths. Those in folders that are not given are left out.
  /// - Parameter folders: In the order of their paths with a slash at the end, the root first.
  package static func encode(files: [File], folders: [Folder]) -> [UInt8] {
    TableContents(base: .empty, kept: [], renewed: [], added: files, folders: folders).encoded()
  }
}

/// A row whose file has another stamp than the table says, or the same one and now reliably.
struct RenewedRow {
  let row: Int
  let stamp: FileStamp
  let isRacy: Bool
}
