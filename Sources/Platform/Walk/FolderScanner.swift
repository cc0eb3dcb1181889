import Bytes
import Glibc

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
      // Where a file is gone although the folder's times say otherwise, the folder is read.
      scan = FolderScan(path: path, known: known, identity: plan.identity(status))
      let rest = try read(folder, &scan)
      // What could not be looked at is not in the next table: its folder must be read again.
      if scan.problem != nil || scan.rows.problem != nil { scan.identity?.isSettled = false }
      return (scan, rest)
    } catch {
      return (failed(scan, error), [])
    }
  }

  private func open(_ path: [UInt8]) throws(SystemError) -> Descriptor {
    try Descriptor.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK, in: plan.root.number)
  }

  /// The scan of a folder that could not be read. One that went away meanwhile is no problem.
  private func failed(_ scan: FolderScan, _ error: SystemError) -> FolderScan {
    var failed = FolderScan(path: scan.path, known: scan.known)
    if let known = scan.known { failed.lost = [plan.table.filesBelow(known)] }
    if !error.isMissing || scan.path.isEmpty { failed.problem = error }
    return failed
  }
}

extension FolderScanner {
  /// Looks at what the table says that a folder holds.
  /// - Returns: The rows that are still to be looked at; nil where something is missing.
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

  /// Looks at files that have rows, or leaves them to be looked at in parts where they are many.
  func look(at runs: [Range<Int>], in folder: Descriptor, _ scan: inout FolderScan) -> [RowWork] {
    if runs.reduce(0, { $0 + $1.count }) >= 2 * RowWork.length {
      return RowWork.parts(of: runs, in: folder, scan.path)
    }
    for run in runs { scan.rows.look(at: run, in: folder, scan.path, plan.table) }
    return []
  }

  /// Looks at the other names of a folder, and reports what they are.
  func look(atOthersIn folder: Descriptor, _ scan: inout FolderScan) {
    let racyWindow = plan.racyWindow(on: scan.identity?.device)
    for (number, other) in scan.others.enumerated() where other.kind != .temporary {
      // Links are followed, and a file of rules may be one. One that leads nowhere is no problem.
      let status = try? FileStatus.of(other.name, in: folder.number, followLinks: true)
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
    let descriptor = folder.number
    var status = stat()
    for row in run {
      let name = table.name(of: row)
      guard FileTable.isPlainName(name), let start = name.baseAddress?.assumingMemoryBound(to: CChar.self)
      else {
        missing.append(row)
        continue
      }
      guard fstatat(descriptor, start, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
        note(errno, path, name)
        missing.append(row)
        continue
      }
      guard status.st_mode & S_IFMT == S_IFREG else {
        missing.append(row)
        continue
      }
      if FileStamp(status) != table.stamp(of: row) {
        changed.append(TableChanges.Row(row: row, status: FileStatus(status)))
      } else if table.isRacy(row) {
        suspect.append(TableChanges.Row(row: row, status: FileStatus(status)))
      }
    }
  }

  private mutating func note(_ code: Int32, _ path: [UInt8], _ name: UnsafeRawBufferPointer) {
    guard problem == nil, code != ENOENT else { return }
    problem = SystemError(operation: "stat", path: BytePath.path(of: name, in: path), code: code)
  }
}
