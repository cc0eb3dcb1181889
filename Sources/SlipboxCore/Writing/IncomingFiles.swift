import Git
import Notes
import Platform
import Text

/// The files of a commit that is taken, in their future states in the work tree.
struct IncomingFiles {
  private let box: Box
  private let bytes: [[UInt8]: [UInt8]]
  /// The paths that a sparse checkout leaves out.
  private let leftOut: Set<[UInt8]>
  /// Files whose attribute names a filter that is not configured here, with the attribute.
  private var unfiltered: [(path: [UInt8], setting: String)] = []

  init(_ edits: [TreeEdit], _ box: Box, _ entries: IndexEntries) throws(SlipboxError) {
    self.box = box
    var unknown: [[UInt8]] = []
    var out: Set<[UInt8]> = []
    for case .put(let name, _, _) in edits {
      let path = Array(name.dropFirst(box.prefix.count))
      guard let entry = entries.entry(at: name) else {
        unknown.append(name)
        continue
      }
      if entry.skipWorktree, !box.isThere(path) {
        out.insert(name)
      } else if !entry.skipWorktree {
        // Git may have left the file in the work tree when the patterns changed; it is removed as soon as it changes.
        unknown.append(name)
      }
    }
    leftOut = try box.git { [unknown, out] repository throws(GitError) in
      out.union(try repository.sparseCheckout.leftOut(of: unknown))
    }
    var files: [CheckoutFile] = []
    for case .put(let path, let blob, let mode) in edits
    where mode & 0o170000 == 0o100000 && !leftOut.contains(path) {
      files.append(CheckoutFile(path: path, blob: blob, mode: mode))
      let setting = try box.git { repository throws(GitError) in
        try repository.attributes.foreignFilter(of: path).flatMap {
          repository.attributes.hasProgram(for: $0, .checkingOut) ? nil : $0
        }
      }
      if let setting { unfiltered.append((path, setting)) }
    }
    let contents = try box.git { [files] repository throws(GitError) in
      try repository.conversion.checkedOut(files)
    }
    bytes = Dictionary(zip(files.map(\.path), contents)) { $1 }
  }

  /// Returns the state of a file after an edit.
  ///
  /// A file whose executable bit was changed here and not committed keeps the bit.
  func state(
    of edit: TreeEdit, replacing found: WorkTreeFile, _ head: TreeEntry?
  ) throws(SlipboxError) -> FileState {
    guard case .put(let path, let blob, let mode) = edit else { return .absent }
    if leftOut.contains(path) { return .leftOut(blob, mode: mode) }
    if mode == TreeEntry.symbolicLink { return .link(try box.stored(blob)) }
    guard mode & 0o170000 == 0o100000, let bytes = bytes[path] else {
      throw Taking.special(Array(path.dropFirst(box.prefix.count)))
    }
    var isExecutable = mode & 0o100 != 0
    if case .file(_, let now) = found.state, let head, head.isRegular {
      let isOwn = now != (head.mode & 0o100 != 0)
      if isOwn, box.withRepository({ $0.settings.usesFileModes }) { isExecutable = now }
    }
    return .file(bytes, isExecutable: isExecutable)
  }

  func warnOfMissingFilters(_ reporter: Reporter) {
    for (path, setting) in unfiltered {
      reporter.warnOnce(
        "\(path) stays as git stores it, for example encrypted: \(setting) is not configured in this clone"
      )
    }
  }
}
