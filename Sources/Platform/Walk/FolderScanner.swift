import Bytes

/// Reads one folder after another for a walk.
final class FolderScanner {
  let plan: WalkPlan
  let reader = FolderReader()
  /// A name for `include`: an array for each would cost more than the look at the file.
  var name: [UInt8] = []

  init(_ plan: WalkPlan) { self.plan = plan }

  /// Looks at a folder and at the files in it.
  /// - Parameter mustRead: Whether its names are read although its times are unchanged.
  func scan(_ path: [UInt8], known: Int?, mustRead: Bool) -> (scan: FolderScan, rest: [RowWork]) {
    var scan = FolderScan(path: path, known: known)
    do throws(SystemError) {
      let folder = path.isEmpty ? plan.root : try open(path)
      let status = try folder.status(path)
      if let known, !mustRead, plan.isUnchanged(known, status),
        let rest = lookAtUnchanged(folder, known, &scan)
      {
        return (scan, rest)
      }
      // If a file is gone although the folder's times say otherwise, the folder is read.
      scan = FolderScan(path: path, known: known, identity: plan.identity(status))
      let rest = try read(folder, &scan)
      // An entry that could not be checked is not in the next table: its folder must be read again.
      if scan.problem != nil || scan.rows.problem != nil { scan.identity?.isSettled = false }
      return (scan, rest)
    } catch {
      return (failed(scan, error), [])
    }
  }

  private func open(_ path: [UInt8]) throws(SystemError) -> Descriptor {
    try Descriptor.open(path, [.reading, .folder, .withoutLink, .withoutWaiting], in: plan.root)
  }

  /// The scan of a folder that could not be read. One that went away meanwhile is not a problem.
  private func failed(_ scan: FolderScan, _ error: SystemError) -> FolderScan {
    var failed = FolderScan(path: scan.path, known: scan.known)
    if let known = scan.known { failed.lost = [plan.table.filesBelow(known)] }
    if !error.isMissing || scan.path.isEmpty { failed.problem = error }
    return failed
  }
}

extension FolderScanner {
  /// Checks the entries that the table has for a folder.
  /// - Returns: the rows that are still to be checked; nil if an entry is missing.
  private func lookAtUnchanged(_ folder: Descriptor, _ known: Int, _ scan: inout FolderScan) -> [RowWork]? {
    scan.isUnchanged = true
    scan.identity = plan.table.identity(of: known)
    if scan.identity?.isNestedRepository == true {
      scan.lost = [plan.table.filesBelow(known)]
      return []
    }
    let children = plan.table.children(of: known)
    for child in children {
      scan.children.append(
        FolderScan.Subfolder(known: child, path: Array(plan.table.folderPath(child)), addedBefore: 0))
    }
    let rest = look(at: plan.table.ownFiles(of: known, between: children), in: folder, &scan)
    guard scan.rows.missing.isEmpty, scan.rows.problem == nil else { return nil }
    let others = plan.table.otherNames(of: known)
    guard !others.isEmpty else { return rest }
    scan.others = others.compactMap { plan.table.otherName($0) }
    look(atOthersIn: folder, &scan)
    return scan.others.count == others.count ? rest : nil
  }

  /// Looks at files that have rows, or leaves them to be looked at in parts if they are many.
  func look(at runs: [Range<Int>], in folder: Descriptor, _ scan: inout FolderScan) -> [RowWork] {
    if runs.reduce(0, { $0 + $1.count }) >= 2 * RowWork.length {
      return RowWork.parts(of: runs, in: folder, scan.path)
    }
    for run in runs { scan.rows.look(at: run, in: folder, scan.path, plan.table) }
    return []
  }

  /// Checks the other names of a folder, and reports their types.
  func look(atOthersIn folder: Descriptor, _ scan: inout FolderScan) {
    let racyWindow = plan.racyWindow(on: scan.identity?.device)
    for (number, other) in scan.others.enumerated() where other.kind != .temporary {
      // Links are followed, and a file of rules may be one. One that leads nowhere is not a problem.
      let status = try? FileStatus.of(other.name, in: folder, followLinks: true)
      let file = status?.kind == .file ? status : nil
      let found = file.map {
        FoundFile(path: BytePath.path(of: other.name, in: scan.path), status: $0)
      }
      guard other.kind == .ignoreFile else {
        if let found { scan.links.append(found) }
        continue
      }
      if let found { scan.ignoreFiles.append(found) }
      let stamp = file.map { FileStamp($0) }
      scan.others[number].stamp = stamp
      scan.others[number].isRacy = stamp.map { racyWindow.isRacy($0) } ?? false
      if scan.others[number] != other { scan.othersDiffer = true }
    }
  }
}

extension RowScan {
  /// Looks at files of a folder that have rows.
  /// - Complexity: One call of the system a file; nothing is allocated for one that is unchanged.
  mutating func look(
    at run: Range<Int>, in folder: Descriptor, _ path: [UInt8], _ table: FileTable
  ) {
    for row in run {
      let name = table.name(of: row)
      guard FileTable.isPlainName(name) else {
        missing.append(row)
        continue
      }
      var code: Int32 = 0
      guard let status = FileStatus.of(terminated: name, in: folder, code: &code) else {
        note(code, path, name)
        missing.append(row)
        continue
      }
      guard status.kind == .file else {
        missing.append(row)
        continue
      }
      if FileStamp(status) != table.stamp(of: row) {
        changed.append(TableChanges.Row(row: row, status: status))
      } else if table.isRacy(row) {
        suspect.append(TableChanges.Row(row: row, status: status))
      }
    }
  }

  private mutating func note(_ code: Int32, _ path: [UInt8], _ name: UnsafeRawBufferPointer) {
    guard problem == nil, code != SystemError.Code.missing else { return }
    problem = SystemError(operation: "stat", path: BytePath.path(of: name, in: path), code: code)
  }
}

extension FolderScanner {
  /// Reads the names of a folder, and compares them with the table.
  /// - Returns: the rows that are still to be checked.
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
    var code: Int32 = 0
    guard let status = FileStatus.of(terminated: name, in: folder, code: &code) else {
      // One that went away meanwhile is not a problem.
      if code != SystemError.Code.missing, scan.problem == nil {
        scan.problem = SystemError(
          operation: "stat", path: BytePath.path(of: name, in: scan.path), code: code)
      }
      return
    }
    guard status.kind == .file else { return }
    scan.added.append(FoundFile(path: BytePath.path(of: name, in: scan.path), status: status))
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
    var code: Int32 = 0
    switch FileStatus.of(terminated: name, in: folder, code: &code)?.kind {
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

/// The names in a folder, in the order of their paths: each a letter for its kind, the name, and a NUL.
struct FolderListing {
  enum Kind: UInt8 {
    case file = 0x66  // f
    case folder = 0x64  // d
    case link = 0x6C  // l
  }

  fileprivate let entries: [UInt8]

  /// Calls the body with every entry's kind and name, with a NUL behind its end.
  func forEach(_ body: (Kind, UnsafeRawBufferPointer) -> Void) {
    entries.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return }
      var start = 0
      while start + 2 < buffer.count, let kind = Kind(rawValue: buffer[start]),
        let end = CLibrary.offset(of: 0, in: buffer, from: start + 1, to: buffer.count)
      {
        let length = end - start - 1
        body(kind, UnsafeRawBufferPointer(start: base + start + 1, count: length))
        start += length + 2
      }
    }
  }
}

/// Entries of a folder being collected and sorted.
struct ListingBuilder {
  private var names: [UInt8] = []
  private var entries: [Entry] = []

  /// A name in `names`. That of a folder ends with a slash, so that it sorts like the paths below it.
  private struct Entry {
    /// The first eight bytes of the name, the first byte most significant: most comparisons end here.
    let prefix: UInt64
    let offset: Int
    let length: Int
    let kind: FolderListing.Kind
  }

  mutating func add(_ kind: FolderListing.Kind, _ name: UnsafeRawBufferPointer) {
    let offset = names.count
    names.append(contentsOf: name)
    if kind == .folder { names.append(UInt8(ascii: "/")) }
    var prefix: UInt64 = 0
    for position in 0..<8 {
      let index = offset + position
      prefix = prefix << 8 | UInt64(index < names.count ? names[index] : 0)
    }
    entries.append(Entry(prefix: prefix, offset: offset, length: names.count - offset, kind: kind))
  }

  /// The entries as a listing.
  mutating func finish() -> FolderListing {
    var result: [UInt8] = []
    result.reserveCapacity(names.count + 2 * entries.count)
    names.withUnsafeBytes { names in
      entries.sort { left, right in
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        return ByteOrder.precedes(
          names[left.offset..<left.offset + left.length], names[right.offset..<right.offset + right.length])
      }
      for entry in entries {
        result.append(entry.kind.rawValue)
        let length = entry.length - (entry.kind == .folder ? 1 : 0)
        result.append(contentsOf: names[entry.offset..<entry.offset + length])
        result.append(0)
      }
    }
    return FolderListing(entries: result)
  }
}
