import Bytes
import Platform

extension Repository {
  /// The attributes of the last commit and of git's index, beside those of the work tree.
  package var committedAttributes: CommittedAttributes { CommittedAttributes(repository: self) }
}

/// The filters that the git attributes of the last commit and of git's index name, if the work tree has other attributes.
///
/// Git converts a file by the attributes of the work tree. With an uncommitted typo in them, git would store
/// an encrypted file as plain text.
package struct CommittedAttributes {
  let repository: Repository

  /// The sources of attributes beside the work tree.
  private enum Source: CaseIterable {
    case commit
    case index
  }

  /// A filter that uncommitted attributes take from a file.
  package struct DroppedFilter: Equatable {
    /// Its name.
    package let filter: String
    /// The file of attributes that differs, from the root of the repository.
    package let file: [UInt8]
    /// Whether the last commit names the filter, not only git's index.
    let isCommitted: Bool
    /// Whether that file is new: the last commit or the index lacks it.
    let isNew: Bool
  }

  /// Refuses to store a file for which the last commit or git's index names another filter than the work tree.
  /// - Throws: `filtered`, with the command that restores the attributes.
  func refuseDroppedFilter(of path: [UInt8]) throws(GitError) {
    guard let dropped = try droppedFilter(of: path) else { return }
    let (name, file) = (GitError.text(path), GitError.text(dropped.file))
    let place = dropped.isCommitted ? "in the last commit" : "in git's index"
    let restore =
      dropped.isNew ? "rm \(file)" : "git checkout \(dropped.isCommitted ? "HEAD " : "")-- \(file)"
    throw GitError(
      .filtered(path: path, attribute: "filter=\(dropped.filter)"),
      "\(name) has the git attribute filter=\(dropped.filter) \(place), and the uncommitted \(file) drops it; "
        + "commit \(file), or run: \(restore)")
  }

  /// The filter that the last commit or git's index names for a file if the work tree names another one or none.
  ///
  /// - Complexity: a look at the files of attributes above the path, once for each folder; git is asked only if one of them
  ///   differs.
  package func droppedFilter(of path: [UInt8]) throws(GitError) -> DroppedFilter? {
    guard repository.workTree != nil else { return nil }
    let folders = try foldersAbove(path)
    for source in Source.allCases {
      let blob = { (rules: FilteredFiles.Rules) in source == .commit ? rules.commit : rules.index }
      let changed = folders.first {
        source == .commit ? $0.attributes.mayDropCommitted : $0.attributes.mayDropStaged
      }
      guard let changed else { continue }
      let files = folders.compactMap { folder in blob(folder.attributes).map { (folder.path, $0) } }
      guard let filter = try filter(of: path, by: files) else { continue }
      let used = try repository.attributes.foreignFilter(of: path)
      guard used != "filter=\(filter)" else { continue }
      return DroppedFilter(
        filter: filter, file: FileAttributes.fileName(in: changed.path), isCommitted: source == .commit,
        isNew: blob(changed.attributes) == nil)
    }
    return nil
  }

  /// The attributes of the folders above a path, the innermost first. HEAD is read once for all of them.
  private func foldersAbove(
    _ path: [UInt8]
  ) throws(GitError) -> [(path: [UInt8], attributes: FilteredFiles.Rules)] {
    var paths: [[UInt8]] = []
    var folder = path
    repeat {
      folder = BytePath.folder(of: folder)
      paths.append(folder)
    } while !folder.isEmpty
    let known = repository.attributeCache.filteredFiles.rules
    // Nothing can be committed on top of a commit that can't be read.
    let tip = paths.allSatisfy { known[$0] != nil } ? nil : (try? repository.head())?.tip
    // The root first: the others ask for its macros.
    for path in paths.reversed() where known[path] == nil {
      repository.attributeCache.filteredFiles.rules[path] = try attributes(in: path, at: tip)
    }
    let rules = repository.attributeCache.filteredFiles.rules
    return paths.compactMap { path in rules[path].map { (path, $0) } }
  }

  private func attributes(in folder: [UInt8], at tip: ObjectID?) throws(GitError) -> FilteredFiles.Rules {
    let name = FileAttributes.fileName(in: folder)
    let commit = tip.flatMap { try? repository.file(name, at: $0) }?.id
    let index = try repository.attributes.indexEntries()[name]?.id
    var file: [UInt8]?
    if let workTree = repository.workTree, RawFile.status(workTree / name) != nil {
      // A file that can't be read holds no attributes for git either.
      file = (try? RawFile.read(workTree / name))??.bytes ?? []
    }
    let held = file.map { ObjectID(ofBlob: $0) }
    let text = { (blob: ObjectID?) throws(GitError) -> [UInt8] in
      guard let blob else { return [] }
      return if blob == held, let file { file } else { try repository.blob(blob) }
    }
    let (stored, staged) = (try text(commit), try text(index))
    let used = file ?? staged
    var hasMacros = [used, stored, staged].contains { $0.containsText("[attr]") }
    if !hasMacros, let root = repository.attributeCache.filteredFiles.rules[[]] { hasMacros = root.hasMacros }
    return FilteredFiles.Rules(
      commit: commit, index: index,
      mayDropCommitted: Self.mayDrop(stored, used, hasMacros),
      mayDropStaged: Self.mayDrop(staged, used, hasMacros),
      hasMacros: hasMacros)
  }

  /// Whether attributes in the place of others may take a filter from a file: not if they only add filters.
  private static func mayDrop(_ old: [UInt8], _ used: [UInt8], _ hasMacros: Bool) -> Bool {
    if old == used { return false }
    if hasMacros { return true }
    var rest = filterRules(in: old)[...]
    for rule in filterRules(in: used) {
      if rule == rest.first {
        rest.removeFirst()
      } else if !rule.containsText("filter=") {
        return true
      }
    }
    return !rest.isEmpty
  }

  /// The lines of a file of attributes that mention a filter.
  private static func filterRules(in text: [UInt8]) -> [[UInt8]] {
    text.split { $0 == 10 || $0 == 13 }.map(Array.init).filter {
      $0.first != UInt8(ascii: "#") && $0.containsText("filter")
    }
  }

  /// The filter of a path by other files of attributes than those of the work tree, given as blobs by their folders.
  func filter(
    of path: [UInt8], by files: [(folder: [UInt8], blob: ObjectID)]
  ) throws(GitError) -> String? {
    var texts: [(folder: [UInt8], bytes: [UInt8])] = []
    for file in files { texts.append((file.folder, try repository.blob(file.blob))) }
    return try filters(of: [path], by: texts)[path]
  }

  /// The filters of some paths by texts of files of attributes, given with their folders.
  ///
  /// Wraps git-check-attr(1).
  private func filters(
    of paths: [[UInt8]], by texts: [(folder: [UInt8], bytes: [UInt8])]
  ) throws(GitError) -> [[UInt8]: String] {
    guard !paths.isEmpty, texts.contains(where: { $0.bytes.containsText("filter") }) else { return [:] }
    let scratch = try ScratchFolder(in: repository.gitDirectory)
    defer { scratch.remove() }
    let workTree = scratch.path / "files"
    for text in texts {
      try GitError.wrapping("write", workTree / text.folder) { () throws(SystemError) in
        try Files.makeDirectory(workTree / text.folder)
        try Files.write(text.bytes, to: workTree / FileAttributes.fileName(in: text.folder))
      }
    }
    // Without entries of the index, git reads no other files of attributes.
    let answer = try repository.runGit(
      ["check-attr", "-z", "--stdin", "filter"], index: scratch.path / "index", workTree: workTree,
      input: Array(paths.map { $0 + [0] }.joined()))
    guard answer.status == 0 else {
      throw GitError(.other, "git check-attr failed for \(GitError.text(paths[0]))")
    }
    // Path, attribute and value, each with a zero byte at its end.
    let words = answer.output.split(separator: 0, omittingEmptySubsequences: false)
    var filters: [[UInt8]: String] = [:]
    for start in stride(from: 0, to: words.count - 2, by: 3) {
      let value = String(decoding: words[start + 2], as: UTF8.self)
      if !["unspecified", "unset", "set", ""].contains(value) { filters[Array(words[start])] = value }
    }
    return filters
  }
}

/// The filters that attributes of earlier commits name.
extension CommittedAttributes {
  /// The filters of all files of a commit by its own attributes, without those of some names.
  ///
  /// - Complexity: linear in the trees of the commit.
  package func filters(at commit: ObjectID, except names: Set<String>) throws(GitError) -> [[UInt8]: String] {
    let files = try repository.files(at: commit, under: [])
    var texts: [(folder: [UInt8], bytes: [UInt8])] = []
    for file in files where BytePath.name(of: file.path) == Array(".gitattributes".utf8) && file.isRegular {
      texts.append((BytePath.folder(of: file.path), try repository.blob(file.id)))
    }
    guard texts.contains(where: { Self.mayName($0.bytes, except: names) }) else { return [:] }
    return try filters(of: files.map(\.path), by: texts).filter { !names.contains($0.value) }
  }

  /// The filter of a path by the attributes that a commit has above it, without those of some names; nil without one.
  package func filter(
    of path: [UInt8], at commit: ObjectID, except names: Set<String>
  ) throws(GitError) -> String? {
    var files: [(folder: [UInt8], blob: ObjectID)] = []
    var folder = path
    repeat {
      folder = BytePath.folder(of: folder)
      if let file = try repository.file(FileAttributes.fileName(in: folder), at: commit) {
        files.append((folder, file.id))
      }
    } while !folder.isEmpty
    var mayName = false
    for file in files where try Self.mayName(repository.blob(file.blob), except: names) { mayName = true }
    guard mayName, let filter = try filter(of: path, by: files) else { return nil }
    return names.contains(filter) ? nil : filter
  }

  /// Whether a file of attributes may name another filter than some.
  private static func mayName(_ text: [UInt8], except names: Set<String>) -> Bool {
    guard text.containsText("filter") else { return false }
    return text.split(whereSeparator: { $0 <= 0x20 }).contains { word in
      let word = String(decoding: word, as: UTF8.self)
      return word.hasPrefix("filter=") && !names.contains(String(word.dropFirst("filter=".utf8.count)))
    }
  }
}

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
