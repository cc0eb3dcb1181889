package import Notes
import Platform
import Text

/// A note whose file is not as HEAD has it.
package struct OutsideChange: Sendable {
  package let path: [UInt8]
  package let difference: CommittedState.Difference
  /// The note now, or nil where it was deleted.
  package let note: Note?
}

extension Slipbox {
  /// The notes that other programs changed and nobody committed, by path.
  package func outsideChanges() throws(SlipboxError) -> [OutsideChange] {
    let state = try committedState()
    var changes: [OutsideChange] = []
    var present: Set<[UInt8]> = []
    for file in try notes().notes {
      present.insert(file.note.path)
      let difference = try difference(file.note.path, file.status, bytes: file.note.text.bytes)
      if difference != .unchanged {
        changes.append(OutsideChange(path: file.note.path, difference: difference, note: file.note))
      }
    }
    let unreadable = Set(try notes().unreadable.map(\.path))
    for path in state.committedPaths
    where FileName.isNote(path) && !present.contains(path) && !unreadable.contains(path)
      && !state.isSparse(path)
    {
      if try isGone(path) { changes.append(OutsideChange(path: path, difference: .deleted, note: nil)) }
    }
    return changes.sorted { $0.path.lexicographicallyPrecedes($1.path) }
  }

  /// The box's own files that an editor changed and nobody committed: settings, kinds and templates, by path.
  package func uncommittedSettings() throws(SlipboxError) -> [[UInt8]] {
    let state = try committedState()
    var paths: Set<[UInt8]> = []
    for folder in [".slipbox", ".slipbox/kinds", ".slipbox/templates"].map({ Array($0.utf8) }) {
      for name in (try? Files.list(absolutePath(folder))) ?? [] where name.first != UInt8(ascii: ".") {
        let path = BytePath.join(folder, name)
        guard FileName.problem(in: path) == nil,
          let status = try? Files.status(absolutePath(path), followLinks: false), status.kind == .file
        else { continue }
        if try difference(path, status, bytes: try bytes(at: path) ?? []) == .unchanged { continue }
        if !state.isTracked(path), try isIgnored(path) { continue }
        paths.insert(path)
      }
    }
    for path in state.committedPaths where path.starts(with: ".slipbox/".utf8) && !state.isSparse(path) {
      if try isGone(path) { paths.insert(path) }
    }
    return paths.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Files that notes link to and that differ from HEAD, with their sizes in bytes.
  package func uncommittedLinkedFiles() throws(SlipboxError) -> [(path: [UInt8], size: Int64)] {
    let state = try committedState()
    let names = otherFiles()
    var files: Set<[UInt8]> = []
    for file in try notes().notes { files.formUnion(linkedFiles(of: file.note, names: names)) }
    var changed: [(path: [UInt8], size: Int64)] = []
    for path in files.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      guard let status = try? Files.status(absolutePath(path), followLinks: false) else { continue }
      if !state.isTracked(path), try isIgnored(path) { continue }
      if state.isUnchanged(path, status) == true { continue }
      changed.append((path, status.size))
    }
    return changed
  }

  /// Commits the files at some paths as they are on disk.
  package func commitAsFound(
    _ paths: [[UInt8]], command: String = "commit", subject: String? = nil, reason: String? = nil
  ) throws(SlipboxError) -> Recorded {
    try recordAsFound(paths) { changes in
      let subject = subject ?? Self.subject(of: changes)
      return Operation(
        command: command, subject: subject, reason: reason, changes: changes, isAsFound: true)
    }
  }

  private static func subject(of changes: [FileChange]) -> String {
    guard changes.count == 1, let change = changes.first else {
      return "Commit outside edits: \(changes.count) files"
    }
    let verb = change.before == nil ? "Add" : change.after == nil ? "Delete" : "Edit"
    let isNote = FileName.isNote(change.path)
    return "\(verb): \(isNote ? Plan.described(changes) : Visible.escape(change.path))"
  }

  private func isGone(_ path: [UInt8]) throws(SlipboxError) -> Bool {
    let status = try system { () throws(SystemError) in
      try Files.status(absolutePath(path), followLinks: false)
    }
    return status == nil
  }
}
