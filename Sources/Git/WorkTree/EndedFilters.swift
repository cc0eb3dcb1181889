import Bytes
import Platform

/// Files that the last commit has in the form that a filter made, although attributes name no filter for them any more.
extension CommittedAttributes {
  /// The filter that made the blob of a file in the last commit; nil if no filter made it, or if attributes
  /// name a filter for the file now.
  ///
  /// Git would store the file as it is: a text that was encrypted becomes readable in the history. Attributes may lose the
  /// filter in a commit, or in `info/attributes`.
  /// - Parameter bytes: those of the file now.
  /// - Complexity: the blob is read; attributes in history are looked up only if it may be another form of the file.
  package func endedFilter(of path: [UInt8], now bytes: [UInt8]) throws(GitError) -> String? {
    // Nothing can be committed on top of a commit that can't be read.
    guard let tip = (try? repository.head())?.tip, let entry = try? repository.file(path, at: tip),
      entry.isRegular, try repository.attributes.foreignFilter(of: path) == nil,
      // Uncommitted attributes that drop the filter are refused by themselves.
      try droppedFilter(of: path) == nil
    else { return nil }
    guard let stored = try? repository.blob(entry.id), stored != bytes, StoredForm(bytes) == nil else {
      return nil
    }
    switch StoredForm(stored) {
    case .gitCrypt: return "git-crypt"
    case .age: return "age"
    case .lfsPointer: return nil
    case .unknown, nil: break
    }
    guard !StoredForm.mayBeOne(bytes) else { return nil }
    let isBinary = StoredForm.mayBeOne(stored)
    guard isBinary || FileConversion.haveNoCommonLine(stored, bytes) else { return nil }
    if let filter = try filterOfLastChange(of: path, at: tip) { return filter }
    return isBinary && Self.isCipher(stored) ? "a git filter" : nil
  }

  /// The filter that attributes of the commit that changed a file last, or of one of its parents, name for the file.
  private func filterOfLastChange(of path: [UInt8], at tip: ObjectID) throws(GitError) -> String? {
    var commits: [ObjectID] = []
    try repository.history.visit(from: tip, touching: [path], limit: 1) { commit in
      commits = [commit.id] + commit.parents
      return false
    }
    for commit in commits {
      var files: [(folder: [UInt8], blob: ObjectID)] = []
      var folder = path
      repeat {
        folder = BytePath.folder(of: folder)
        let file = try repository.file(FileAttributes.fileName(in: folder), at: commit)
        if let file, file.isRegular { files.append((folder, file.id)) }
      } while !folder.isEmpty
      if let filter = try filter(of: path, by: files) { return filter }
    }
    return nil
  }

  /// Whether bytes that are no UTF-8 are no text in another encoding either.
  private static func isCipher(_ bytes: [UInt8]) -> Bool {
    let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    return !isUTF16 && bytes.prefix(1024).contains { $0 < 9 || $0 > 13 && $0 < 27 }
  }
}

extension FileAttributes {
  /// Whether a file of attributes of the repository names a filter.
  ///
  /// - Complexity: that of reading the files of attributes in git's index.
  package func nameAnyFilter() throws(GitError) -> Bool {
    if try mayFilter([]) { return true }
    for (name, entry) in try indexEntries() {
      if try mayFilter(name) { return true }
      // A file of attributes that can't be read may name one.
      if (try? repository.blob(entry.id))?.containsText("filter") ?? true { return true }
    }
    return false
  }
}
