import Bytes
import Glibc

extension FolderScanner {
  /// Reads the names of a folder, and holds them against the table.
  /// - Returns: The rows that are still to be looked at.
  func read(_ folder: Descriptor, _ scan: inout FolderScan) throws(SystemError) -> [RowWork] {
    let listing = try names(in: folder, &scan)
    if scan.identity?.isNestedRepository == true {
      scan.others = []
      if let known = scan.known { scan.lost = [plan.table.filesBelow(known)] }
      return []
    }
    var merge = RowMerge(plan.table, scan.known)
    listing.forEach { kind, name in
      switch kind {
      case .link: scan.others.append(FileTable.OtherName(kind: .link, name: Array(name)))
      case .folder:
        scan.children.append(
          FolderScan.Subfolder(
            known: merge.child(scan.path, name), path: BytePath.path(of: name, in: scan.path),
            addedBefore: scan.added.count))
      case .file: if !merge.takes(name) { lookAtNew(name, in: folder, &scan) }
      }
    }
    merge.finish()
    scan.rows.missing = merge.missing
    scan.lost = merge.lostChildren.map { plan.table.filesBelow($0) }
    let rest = look(at: merge.present, in: folder, &scan)
    scan.others.sort { ByteOrder.precedes($0.name, $1.name) }
    look(atOthersIn: folder, &scan)
    return rest
  }

  private func lookAtNew(_ name: UnsafeRawBufferPointer, in folder: Descriptor, _ scan: inout FolderScan) {
    guard let status = status(of: name, in: folder) else {
      // One that went away meanwhile is no problem.
      if errno != ENOENT, scan.problem == nil {
        scan.problem = SystemError(
          operation: "stat", path: BytePath.path(of: name, in: scan.path), code: errno)
      }
      return
    }
    guard status.kind == .file else { return }
    scan.added.append(FoundFile(path: BytePath.path(of: name, in: scan.path), status: status))
  }

  private func status(of name: UnsafeRawBufferPointer, in folder: Descriptor) -> FileStatus? {
    guard let start = name.baseAddress?.assumingMemoryBound(to: CChar.self) else { return nil }
    var status = stat()
    return fstatat(folder.number, start, &status, AT_SYMLINK_NOFOLLOW) == 0 ? FileStatus(status) : nil
  }
}

extension FolderScanner {
  /// Reads the names of a folder, chooses among them, and sorts them.
  private func names(in folder: Descriptor, _ scan: inout FolderScan) throws(SystemError) -> FolderListing {
    var builder = ListingBuilder()
    try reader.forEach(in: folder, scan.path) { name, hint in
      guard name.first != UInt8(ascii: ".") else {
        addHidden(name, to: &scan)
        return
      }
      guard let kind = kind(of: name, hint, in: folder), isWanted(name, kind, scan.path) else { return }
      builder.add(kind, name)
    }
    return builder.finish()
  }

  private func addHidden(_ name: UnsafeRawBufferPointer, to scan: inout FolderScan) {
    if name.elementsEqual([0x2E, 0x67, 0x69, 0x74]) {  // .git
      scan.identity?.isNestedRepository = !scan.path.isEmpty
    } else if name.elementsEqual(FileTable.ignoreFileName) {
      scan.others.append(FileTable.OtherName(kind: .ignoreFile, name: Array(name)))
    } else if TemporaryFile.isTemporary(name) {
      scan.others.append(FileTable.OtherName(kind: .temporary, name: Array(name)))
    }
  }

  private func kind(
    of name: UnsafeRawBufferPointer, _ hint: FolderReader.Hint, in folder: Descriptor
  ) -> FolderListing.Kind? {
    switch hint {
    case .file: return .file
    case .directory: return .folder
    case .symbolicLink: return .link
    case .other: return nil
    case .unknown: break
    }
    switch status(of: name, in: folder)?.kind {
    case .file: return .file
    case .directory: return .folder
    case .symbolicLink: return .link
    case .other, nil: return nil
    }
  }

  private func isWanted(
    _ name: UnsafeRawBufferPointer, _ kind: FolderListing.Kind, _ path: [UInt8]
  ) -> Bool {
    if kind == .folder {
      guard let descend = plan.descend else { return true }
      return descend(BytePath.path(of: name, in: path)[...])
    }
    self.name.removeAll(keepingCapacity: true)
    self.name.append(contentsOf: name)
    return plan.include(self.name[...])
  }
}
