import Glibc

extension BoxFolder {
  /// Holds single files against a table, as a walk of the whole folder would hold all of them.
  ///
  /// - Parameter paths: the files that may have changed, without hidden names in them.
  /// - Returns: What of them differs. Symbolic links are among `links` with their own status, wherever they lead.
  /// - Complexity: A few calls of the system a path.
  package func changes(among paths: some Sequence<[UInt8]>, since table: FileTable) -> TableChanges {
    let isLocal = DirectoryWalk.reliableDevice(anchor) != nil
    var changes = TableChanges(racyWindow: RacyWindow(isLocal: isLocal))
    for path in paths {
      let row = table.row(of: path)
      let status: FileStatus?
      do throws(SystemError) {
        status = try place(of: path, for: .reading, followingLast: false).status()
      } catch {
        // What lies behind a symbolic link to a folder is none of a walk's.
        if !error.isMissing, error.code != SystemError.leavesBox { changes.problems.append(error) }
        status = nil
      }
      if let status, status.kind == .symbolicLink {
        changes.links.append(FoundFile(path: path, status: status))
      }
      if let status, status.kind == .file {
        changes.note(path, status, row, table)
      } else if let row {
        changes.removed.append(row)
      }
    }
    return changes
  }
}

extension TableChanges {
  /// Notes a file that is there.
  fileprivate mutating func note(_ path: [UInt8], _ status: FileStatus, _ row: Int?, _ table: FileTable) {
    guard let row else {
      added.append(FoundFile(path: path, status: status))
      return
    }
    if FileStamp(status) != table.stamp(of: row) {
      changed.append(Row(row: row, status: status))
    } else if table.isRacy(row) {
      suspect.append(Row(row: row, status: status))
    }
  }
}
