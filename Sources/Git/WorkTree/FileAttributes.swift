import Bytes
import CLibgit2
import Platform

extension Repository {
  /// The attributes of files.
  package var attributes: FileAttributes { FileAttributes(repository: self) }
}

/// The git attributes of files that decide how git stores them. See gitattributes(5).
///
/// A filter makes the stored form of a file, as git-crypt(1) and Git LFS do it. Only filters run that the machine, the user
/// or this clone has configured: git attributes name a filter, and no tracked file can configure one. Git itself runs them.
package struct FileAttributes {
  let repository: Repository

  /// Whether a configured filter makes the stored form of a file.
  package func isFiltered(_ path: [UInt8]) throws(GitError) -> Bool {
    guard try mayFilter(path) else { return false }
    guard let setting = try foreignFilter(of: path) else { return false }
    return hasProgram(for: setting, .either)
  }

  /// The filter that attributes name for a file, whether or not it is configured; nil if they name none.
  package func namedFilter(of path: [UInt8]) throws(GitError) -> String? {
    guard try mayFilter(path), let setting = try foreignFilter(of: path), setting.hasPrefix("filter=") else {
      return nil
    }
    return String(setting.dropFirst("filter=".count))
  }

  /// The stored form that a file holds in place of its text: in a clone without the filter, or without its key.
  ///
  /// - Parameters:
  ///   - path: of the file, from the root of the repository.
  ///   - isInWorkTree: whether the bytes are those of the work tree, which a filter should have written.
  /// - Returns: nil for a text.
  package func storedForm(
    in bytes: [UInt8], of path: [UInt8], isInWorkTree: Bool
  ) throws(GitError) -> StoredForm? {
    if let form = StoredForm(bytes) { return form }
    guard StoredForm.mayBeOne(bytes), try mayFilter(path), let setting = try foreignFilter(of: path),
      setting.hasPrefix("filter=")
    else { return nil }
    let form = StoredForm.unknown(filter: String(setting.dropFirst(7)))
    guard hasProgram(for: setting, .checkingOut) else { return form }
    guard isInWorkTree, try repository.index.entry(path)?.id == ObjectID(ofBlob: bytes) else { return nil }
    return form
  }

  /// Refuses a path that no blob can be written for: git can't hold it, attributes require another encoding or a
  /// filter that is not configured, or uncommitted attributes drop its filter.
  package func refuseUnstorable(_ path: [UInt8]) throws(GitError) {
    try PathCheck.validate(path)
    try repository.refuseSpecialRuleFiles(above: path)
    try repository.committedAttributes.refuseDroppedFilter(of: path)
    guard let setting = try foreignFilter(of: path), !hasProgram(for: setting, .storing) else { return }
    throw Self.unstorable(path, setting)
  }

  /// The refusal of a path whose attribute needs a program that is not configured.
  static func unstorable(_ path: [UInt8], _ setting: String) -> GitError {
    let file = GitError.text(path)
    let reason =
      setting.hasPrefix("filter=")
      // Git would store the text as it is.
      ? "and this clone has no such filter; set it up, for example with git-crypt unlock or git lfs install"
      : "which slip does not apply; commit it with git add and git commit"
    return GitError(
      .filtered(path: path, attribute: setting), "\(file) has the git attribute \(setting), \(reason)")
  }

  /// Whether git replaces the keyword `$Id$` in a file.
  func hasIdentKeyword(_ path: [UInt8]) throws(GitError) -> Bool {
    let opened = try repository.open()
    var value: UnsafePointer<CChar>?
    let status = path.withCPath { git_attr_get(&value, opened.repository, 0, $0, "ident") }
    try GitLibrary.check(status, "read the attributes of \(GitError.text(path))")
    return git_attr_value(value) == GIT_ATTR_VALUE_TRUE
  }

  /// The attribute by which a program or another encoding makes the stored form of a file, as "filter=lfs"; nil if it has
  /// none.
  package func foreignFilter(of path: [UInt8]) throws(GitError) -> String? {
    try repository.refuseSpecialRuleFiles(above: path)
    try rememberSparseAttributes()
    // It shows libgit2 the attribute files that only the index has.
    _ = try mayFilter(path)
    if try needsGit(path) {
      return try repository.attributesByGit.foreignFilter(of: path)
    }
    let opened = try repository.open()
    let names: [StaticString] = ["filter", "working-tree-encoding"]
    var values: [UnsafePointer<CChar>?] = [nil, nil]
    let status = path.withCPath { path in
      names.map { UnsafeRawPointer($0.utf8Start).assumingMemoryBound(to: CChar.self) as UnsafePointer? }
        .withUnsafeBufferPointer { list in
          let list = UnsafeMutablePointer(mutating: list.baseAddress)
          return git_attr_get_many(&values, opened.repository, 0, path, names.count, list)
        }
    }
    try GitLibrary.check(status, "read the attributes of \(GitError.text(path))")
    for (name, value) in zip(names, values) {
      if let value, let setting = Self.foreign(name.description, value) { return setting }
    }
    return nil
  }

  /// Whether git writes a file of this path to the work tree with other bytes than its blob has: line ends, keywords,
  /// encodings, filters.
  func isConverted(_ path: [UInt8]) throws(GitError) -> Bool {
    if try foreignFilter(of: path) != nil { return true }
    if try needsGit(path) { return true }
    if try hasIdentKeyword(path) { return true }
    return try withFilters(of: path, GIT_FILTER_TO_WORKTREE) { _ in true } ?? false
  }

  /// Lends the filters of libgit2 that change a file on its way to or from the repository, such as those of line ends.
  ///
  /// Wraps `git_filter_list_load`.
  /// - Returns: nil if no filter changes the file.
  func withFilters<Result>(
    of path: [UInt8], _ mode: git_filter_mode_t, _ body: (OpaquePointer) throws(GitError) -> Result
  ) throws(GitError) -> Result? {
    let opened = try repository.open()
    var list: OpaquePointer?
    let flags = GIT_FILTER_ALLOW_UNSAFE.rawValue
    let status = path.withCPath {
      git_filter_list_load(&list, opened.repository, nil, $0, mode, flags)
    }
    try GitLibrary.check(status, "read the attributes of \(GitError.text(path))")
    guard let list else { return nil }
    defer { git_filter_list_free(list) }
    return try body(list)
  }

  /// The two uses of a filter, clean and smudge. Source: gitattributes(5).
  package enum FilterUse {
    /// Makes the stored form.
    case storing
    /// Makes the file of the work tree.
    case checkingOut
    case either

    fileprivate var programs: [String] {
      switch self {
      case .storing: ["clean", "process"]
      case .checkingOut: ["smudge", "process"]
      case .either: ["clean", "smudge", "process"]
      }
    }
  }

  /// Whether the configuration has a program for the attribute that `foreignFilter(of:)` returned.
  ///
  /// Encodings need none to be checked out: git itself converts them.
  package func hasProgram(for setting: String, _ use: FilterUse) -> Bool {
    guard setting.hasPrefix("filter=") else { return use == .checkingOut }
    let name = setting.dropFirst(7)
    return use.programs.contains { repository.settings["filter.\(name).\($0)"].map { !$0.isEmpty } ?? false }
  }

  /// The setting, if it requires more than git's own conversion of line ends.
  private static func foreign(_ name: String, _ value: UnsafePointer<CChar>) -> String? {
    let kind = git_attr_value(value)
    let isEncoding = name != "filter"
    if kind == GIT_ATTR_VALUE_STRING {
      let text = String(cString: value)
      let isPlain = isEncoding && ["utf-8", "utf8", ""].contains(text.lowercased())
      return isPlain ? nil : "\(name)=\(text)"
    }
    return isEncoding && kind == GIT_ATTR_VALUE_TRUE ? name : nil
  }

  /// Shows libgit2 the attribute files that a sparse checkout leaves out of the work tree.
  private func rememberSparseAttributes() throws(GitError) {
    guard !repository.attributeCache.hasSparseFiles else { return }
    repository.attributeCache.hasSparseFiles = true
    guard repository.settings.isTrue("core.sparseCheckout") else { return }
    for entry in try repository.index.entries() where entry.stage == 0 && entry.skipWorktree && entry.isFile {
      let name = entry.path.suffix(14)
      if name.elementsEqual(".gitattributes".utf8) { try showEntry(entry) }
    }
  }

  /// Shows libgit2 an entry of the index, which decides on attributes and line ends.
  func showEntry(_ entry: IndexEntry) throws(GitError) {
    let index = try repository.open().attributeIndex
    let status = entry.path.withCPath { path in
      var copy = git_index_entry()
      copy.mode = entry.mode
      copy.id = entry.id.oid
      copy.path = path
      return git_index_add(index, &copy)
    }
    try GitLibrary.check(status, "read the index entry of \(GitError.text(entry.path))")
  }
}

extension FileAttributes {
  /// Forgets which files are behind filters: another program may have changed the attributes.
  package func forget() { repository.attributeCache.filteredFiles = FilteredFiles() }

  /// Whether a file of attributes that applies to a path names a filter. Hardly any repository has one, and looking up
  /// attributes is slow.
  package func mayFilter(_ path: [UInt8]) throws(GitError) -> Bool {
    if repository.attributeCache.filteredFiles.isNamedForAll == nil {
      repository.attributeCache.filteredFiles.isNamedForAll = isFilterNamedForAll
    }
    if repository.attributeCache.filteredFiles.isNamedForAll == true { return true }
    var folder = path
    repeat {
      folder = BytePath.folder(of: folder)
      var known = repository.attributeCache.filteredFiles.folders[folder]
      if known == nil { known = try namesFilter(in: folder) }
      let isNamed = known ?? false
      repository.attributeCache.filteredFiles.folders[folder] = isNamed
      if isNamed { return true }
    } while !folder.isEmpty
    return false
  }

  /// Whether git itself has to read the attributes of a path.
  func needsGit(_ path: [UInt8]) throws(GitError) -> Bool {
    if repository.workTree == nil { return false }
    if repository.attributeCache.filteredFiles.needsGitForAll == nil {
      let texts = sharedFiles().map { (try? RawFile.read($0))??.bytes ?? [] }
      repository.attributeCache.filteredFiles.needsGitForAll = texts.contains {
        AttributesByGit.areNeeded(by: $0)
      }
    }
    if repository.attributeCache.filteredFiles.needsGitForAll == true { return true }
    var folder = path
    repeat {
      folder = BytePath.folder(of: folder)
      if let known = repository.attributeCache.filteredFiles.needingGit[folder] {
        if known { return true }
        continue
      }
      let isNeeded = AttributesByGit.areNeeded(by: try text(in: folder))
      repository.attributeCache.filteredFiles.needingGit[folder] = isNeeded
      if isNeeded { return true }
    } while !folder.isEmpty
    return false
  }

  /// Whether a file of attributes that holds for all files names a filter, or a sparse checkout leaves such files out.
  private var isFilterNamedForAll: Bool {
    // An open repository has read its settings: they need no look at their files.
    let texts =
      repository.isOpen
      ? []
      : repository.settings.files.compactMap { file in
        (try? RawFile.read(file))??.bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
      }
    let mayInclude = repository.isOpen || texts.contains { $0.containsText("include") }
    if mayInclude || texts.contains(where: { $0.containsText("sparsecheckout") }),
      repository.sparseCheckout.isOn
    {
      return true
    }
    return sharedFiles().contains(where: Self.namesFilter)
  }

  /// The texts of the files of attributes that hold for all files, and of that at the root of the work tree.
  package func sharedTexts() throws(GitError) -> [[UInt8]] {
    sharedFiles().map { (try? RawFile.read($0))??.bytes ?? [] } + [try text(in: [])]
  }

  /// The files of attributes that hold for all files.
  private func sharedFiles() -> [[UInt8]] {
    let texts = repository.settings.files.compactMap { file in
      (try? RawFile.read(file))??.bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    }
    let mayInclude = texts.contains { $0.containsText("include") }
    var files = [repository.commonDirectory / "info/attributes", Array("/etc/gitattributes".utf8)]
    if mayInclude || texts.contains(where: { $0.containsText("attributesfile") }),
      let named = repository.settings.path("core.attributesFile")
    {
      files.append(named)
    } else if let excludes = ConfigurationFiles(repository.environment).defaultExcludes {
      files.append(BytePath.folder(of: excludes) / "attributes")
    }
    return files
  }

  /// Whether the attributes of a folder name a filter. If the work tree lacks their file, git takes it from the index.
  private func namesFilter(in folder: [UInt8]) throws(GitError) -> Bool {
    guard let workTree = repository.workTree else { return false }
    guard let entry = try entryWithoutFile(in: folder) else {
      return Self.namesFilter(workTree / Self.fileName(in: folder))
    }
    try showEntry(entry)
    // A file of attributes that can't be read may name one.
    return (try? repository.blob(entry.id))?.containsText("filter") ?? true
  }

  /// The attributes of a folder as git reads them; empty without any.
  private func text(in folder: [UInt8]) throws(GitError) -> [UInt8] {
    guard let workTree = repository.workTree else { return [] }
    if let entry = try entryWithoutFile(in: folder) { return (try? repository.blob(entry.id)) ?? [] }
    return (try? RawFile.read(workTree / Self.fileName(in: folder)))??.bytes ?? []
  }

  static func fileName(in folder: [UInt8]) -> [UInt8] {
    folder.isEmpty ? Array(".gitattributes".utf8) : folder / ".gitattributes"
  }

  /// The entry of a folder's attributes in git's index if the work tree lacks their file.
  private func entryWithoutFile(in folder: [UInt8]) throws(GitError) -> IndexEntry? {
    let name = Self.fileName(in: folder)
    guard let workTree = repository.workTree, let entry = try indexEntries()[name] else { return nil }
    return RawFile.status(workTree / name) == nil ? entry : nil
  }

  /// The attribute files in git's index, by path.
  ///
  /// - Complexity: O(n) in the bytes of the index, once; its entries are read only if one of them may be such a file.
  func indexEntries() throws(GitError) -> [[UInt8]: IndexEntry] {
    if let known = repository.attributeCache.filteredFiles.indexEntries { return known }
    // Version 4 of the index leaves out the begin of a path that the path before it has too.
    let bytes = (try? RawFile.read(repository.index.path))??.bytes ?? []
    // A split index has other entries in a file beside it.
    let mayHaveSome =
      bytes.containsText("butes")
      // The extension of a split index names that file.
      || bytes.containsText("link")
        && RawFile.names(in: repository.gitDirectory).contains { $0.hasPrefix("sharedindex.") }
    var found: [[UInt8]: IndexEntry] = [:]
    if mayHaveSome {
      for entry in try repository.index.entries() where entry.stage == 0 && entry.isFile {
        if BytePath.name(of: entry.path).elementsEqual(".gitattributes".utf8) { found[entry.path] = entry }
      }
    }
    repository.attributeCache.filteredFiles.indexEntries = found
    return found
  }

  /// The attribute files above a path that only git's index has.
  ///
  /// Commands of git that do not read the index, such as git-hash-object(1), do not see them.
  func entriesWithoutFiles(above path: [UInt8]) throws(GitError) -> [IndexEntry] {
    let mayFilter = try mayFilter(path)
    guard try mayFilter ? true : needsGit(path) else { return [] }
    var (entries, folder): ([IndexEntry], [UInt8]) = ([], path)
    repeat {
      folder = BytePath.folder(of: folder)
      if let entry = try entryWithoutFile(in: folder) { entries.append(entry) }
    } while !folder.isEmpty
    return entries
  }

  /// Runs git with the attributes of a path in place, also those that only the index has.
  func runGit(
    _ words: [String], at path: [UInt8], objects: [UInt8]? = nil, input: [UInt8] = []
  ) throws(GitError) -> GitProgram.Answer {
    guard try !entriesWithoutFiles(above: path).isEmpty, let workTree = repository.workTree else {
      return try repository.runGit(words, objects: objects, input: input)
    }
    let scratch = try ScratchFolder(in: repository.gitDirectory)
    defer { scratch.remove() }
    var folder = path
    repeat {
      folder = BytePath.folder(of: folder)
      let name = Self.fileName(in: folder)
      var bytes = try RawFile.read(workTree / name)?.bytes
      if let entry = try entryWithoutFile(in: folder) { bytes = try repository.blob(entry.id) }
      guard let bytes else { continue }
      try GitError.wrapping("write", scratch.path / name) { () throws(SystemError) in
        try Files.makeDirectory(scratch.path / folder)
        try Files.write(bytes, to: scratch.path / name)
      }
    } while !folder.isEmpty
    return try repository.runGit(words, objects: objects, workTree: scratch.path, input: input)
  }

  private static func namesFilter(_ file: [UInt8]) -> Bool {
    (try? RawFile.read(file))??.bytes.containsText("filter") ?? false
  }
}
