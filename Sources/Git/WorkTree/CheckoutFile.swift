import Bytes
import Platform

/// A file of a commit that is to be written to the work tree.
package struct CheckoutFile: Sendable {
  /// From the root of the repository.
  package let path: [UInt8]
  package let blob: ObjectID
  /// 0o100644 or 0o100755.
  package let mode: UInt32

  package init(path: [UInt8], blob: ObjectID, mode: UInt32) {
    self.path = path
    self.blob = blob
    self.mode = mode
  }
}

extension Repository {
  private static let attributesName = Array(".gitattributes".utf8)

  /// The bytes that git would write to the work tree for files, in their order.
  ///
  /// Line ends, keywords and encodings are converted, and the filters that the user or this clone has configured run,
  /// as git-checkout(1) does it. Only files that need it are handed to git: they are checked out, by a private index,
  /// into a scratch folder.
  /// - Throws: `filterFailed` if a filter fails.
  package func checkedOut(_ files: [CheckoutFile]) throws(GitError) -> [[UInt8]] {
    // New attributes hold for the files that come with them.
    let hasNewRules = files.contains { BytePath.name(of: $0.path) == Self.attributesName }
    var converted: Set<Int> = []
    for (number, file) in files.enumerated() {
      if hasNewRules {
        converted.insert(number)
      } else if try isConverted(file.path) {
        converted.insert(number)
      }
    }
    let made = try checkedOutByGit(converted.sorted().map { files[$0] })
    var result: [[UInt8]] = []
    for (number, file) in files.enumerated() {
      if converted.contains(number), let bytes = made[file.path] {
        result.append(bytes)
      } else {
        result.append(try blob(file.blob))
      }
    }
    return result
  }

  private func checkedOutByGit(_ files: [CheckoutFile]) throws(GitError) -> [[UInt8]: [UInt8]] {
    guard !files.isEmpty else { return [:] }
    let scratch = try ScratchFolder(in: gitDirectory)
    defer { scratch.remove() }
    var input: [UInt8] = []
    for file in files {
      input += Array("\(String(file.mode, radix: 8)) \(file.blob.hex)\t".utf8) + file.path + [0]
    }
    let index = scratch.path / "index"
    _ = try git(["update-index", "--add", "-z", "--index-info"], index: index, input: input)
    let prefix = GitError.text(scratch.path / "files/")
    let answer = try runGit(["checkout-index", "--all", "--prefix=\(prefix)"], index: index)
    // A filter that is not required may fail, and git goes on without it: the file would hold its stored form.
    let complaint = Self.filterComplaint(in: answer)
    if answer.status != 0 || complaint != nil {
      let said = complaint ?? "git checkout-index failed"
      throw GitError(.filterFailed, "a git filter failed on an incoming file: \(RemoteLines.bare(said))")
    }
    var result: [[UInt8]: [UInt8]] = [:]
    for file in files { result[file.path] = try RawFile.read(scratch.path / "files" / file.path)?.bytes }
    return result
  }

  /// The ids of the blobs that git would store for files of the work tree, by their paths; filters run. A path that git
  /// can't read is missing.
  package func storedIDs(ofFiles paths: [[UInt8]]) throws(GitError) -> [[UInt8]: ObjectID] {
    let plain = paths.filter { !$0.contains(10) && $0.first != UInt8(ascii: "\"") }
    guard !plain.isEmpty else { return [:] }
    let input = Array(plain.joined(separator: [10])) + [10]
    // It stops at the first file that it can't read; those are not as git has them then.
    let answer = try runGit(["hash-object", "--stdin-paths"], input: input)
    let ids = answer.output.split(separator: 10).map { ObjectID(hex: $0) }
    return Dictionary(zip(plain, ids).compactMap { path, id in id.map { (path, $0) } }) { $1 }
  }
}

extension Repository {
  /// Whether sparse checkout is on: git writes only files that its patterns select.
  package var isSparse: Bool { settings.isTrue("core.sparseCheckout") }

  /// The paths that the sparse checkout leaves out of the work tree; none if it is off.
  ///
  /// Git itself decides, on an index of these paths alone and an empty folder in the place of the work tree.
  package func leftOut(of paths: [[UInt8]]) throws(GitError) -> Set<[UInt8]> {
    guard !paths.isEmpty, isSparse else { return [] }
    let scratch = try ScratchFolder(in: gitDirectory)
    defer { scratch.remove() }
    let (index, files) = (scratch.path / "index", scratch.path / "files")
    try GitError.wrapping("make", files) { () throws(SystemError) in try Files.makeDirectory(files) }
    let empty = try writeBlob(asStored: [])
    let line = Array("100644 \(empty.hex)\t".utf8)
    let input = Array(paths.map { line + $0 + [0] }.joined())
    _ = try git(["update-index", "--add", "-z", "--index-info"], index: index, workTree: files, input: input)
    _ = try git(["sparse-checkout", "reapply"], index: index, workTree: files)
    let listing = try git(["ls-files", "-t", "-z"], index: index, workTree: files)
    let out = listing.split(separator: 0).filter { $0.starts(with: "S ".utf8) }
    return Set(out.map { Array($0.dropFirst(2)) })
  }
}

/// A folder inside the git directory that is removed with all that is in it.
struct ScratchFolder {
  private static let prefix = "scratch.slip"

  let path: [UInt8]

  /// Makes a new one, and removes those that killed commands left an hour ago or earlier.
  init(in gitDirectory: [UInt8]) throws(GitError) {
    for name in RawFile.names(in: gitDirectory) where name.hasPrefix("\(Self.prefix)-") {
      let left = gitDirectory / name
      let age = LocalClock.now().seconds - (RawFile.status(left)?.modified.seconds ?? .max)
      if age > 3_600 { Self.removeAll(left) }
    }
    let path = gitDirectory / Files.uniqueName(Self.prefix)
    try GitError.wrapping("make", path) { () throws(SystemError) in try Files.makeDirectory(path) }
    self.path = path
  }

  func remove() { Self.removeAll(path) }

  private static func removeAll(_ path: [UInt8]) {
    guard RawFile.status(path)?.kind == .directory else { return RawFile.remove(path) }
    // What can't be removed is left; nothing reads it.
    for name in (try? Files.list(path)) ?? [] { removeAll(path / name) }
    try? Files.removeFolder(path)
  }
}

/// Files whose stored form a filter makes, as git-crypt(1) and Git LFS do it.
///
/// Only filters run that the machine, the user or this clone has configured: git attributes name a filter, and no tracked
/// file can configure one. Git itself runs them. See gitattributes(5), "filter".
extension Repository {
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

  /// The content of a file that is stored as a blob: behind a filter as git writes it to the work tree, else as it is
  /// stored, with line ends and keywords.
  /// - Throws: `filterFailed` if the filter fails; see `blob(_:)`.
  package func content(of id: ObjectID, at path: [UInt8]) throws(GitError) -> [UInt8] {
    guard try isFiltered(path) else { return try blob(id) }
    if let known = attributeCache.filteredFiles.contents[id] { return known }
    let content = try smudged(id, path)
    attributeCache.filteredFiles.remember(content, for: id)
    return content
  }

  /// Writes the blob of a content as `content(of:at:)` has it.
  /// - Throws: as `writeBlob(_:path:)`.
  package func writeBlob(ofContent content: [UInt8], path: [UInt8]) throws(GitError) -> ObjectID {
    guard try isFiltered(path) else { return try writeBlob(asStored: content) }
    return try writeBlob(content, path: path)
  }

  /// Runs the filter of a path on a blob.
  private func smudged(_ id: ObjectID, _ path: [UInt8]) throws(GitError) -> [UInt8] {
    if path.contains(10) {
      let answer = try runGit(["cat-file", "--filters", "--path=\(GitError.text(path))", id.hex])
      try refuseFailure(answer, path)
      return answer.output
    }
    let answer = try runGit(
      ["cat-file", "--batch", "--filters"], input: Array("\(id.hex) ".utf8) + path + [10])
    try refuseFailure(answer, path)
    // A line with the name, the content, and a line feed.
    guard let end = answer.output.firstIndex(of: 10), answer.output.last == 10, end + 1 < answer.output.count
    else {
      throw GitError(.missing, "the object \(id.hex) is not in the repository")
    }
    return Array(answer.output[(end + 1)...].dropLast())
  }

  /// Refuses a path that no blob can be written for: git can't hold it, or attributes ask for another encoding or for a
  /// filter that is not configured.
  package func refuseUnstorable(_ path: [UInt8]) throws(GitError) {
    try PathCheck.validate(path)
    try refuseSpecialRuleFiles(above: path)
    guard let setting = try foreignFilter(of: path), !hasProgram(for: setting, .storing) else { return }
    throw Self.unstorable(path, setting)
  }

  private static func unstorable(_ path: [UInt8], _ setting: String) -> GitError {
    GitError(
      .filtered(path: path, attribute: setting),
      "\(GitError.text(path)) has the git attribute \(setting), which slip does not apply; "
        + "commit it with git add and git commit, or remove the attribute in .gitattributes")
  }

  /// The bytes that git would store for a file behind a filter.
  ///
  /// Git stores what a filter makes of the file, in a scratch folder, for no command of git prints it.
  /// - Throws: `filtered` if no program for it is configured; `filterFailed` if it fails.
  func filteredForm(of bytes: [UInt8], path: [UInt8], setting: String) throws(GitError) -> [UInt8] {
    guard hasProgram(for: setting, .storing), let name = String(validating: path, as: UTF8.self) else {
      throw Self.unstorable(path, setting)
    }
    let plain = FilteredFiles.Plain(path: path, id: ObjectID(ofBlob: bytes))
    if let known = attributeCache.filteredFiles.stored[plain] { return known }
    let scratch = try ScratchFolder(in: gitDirectory)
    defer { scratch.remove() }
    let objects = scratch.path / "objects"
    try GitError.wrapping("make", objects) { () throws(SystemError) in try Files.makeDirectory(objects) }
    let answer = try runGit(
      ["hash-object", "-w", "--stdin", "--path=\(name)"], objects: objects, input: bytes)
    try refuseFailure(answer, path)
    guard let id = ObjectID(hex: answer.output.prefix { $0 != 10 }) else {
      throw GitError(.filterFailed, "git hash-object stored nothing for \(GitError.text(path))")
    }
    // Git does not write again what the repository has.
    let stored: [UInt8]
    if case .found(let object) = ObjectFiles(objects).look(for: id, isVerified: true) {
      stored = object.bytes
    } else {
      stored = try blob(id)
    }
    attributeCache.filteredFiles.remember(stored, for: plain)
    attributeCache.filteredFiles.remember(bytes, for: id)
    return stored
  }

  /// A filter that is not required may fail, and git goes on without it: the stored form would be the plain one.
  private func refuseFailure(_ answer: GitProgram.Answer, _ path: [UInt8]) throws(GitError) {
    let complaint = Self.filterComplaint(in: answer)
    guard answer.status != 0 || complaint != nil else { return }
    let said = complaint ?? answer.errors.split(separator: 10).first.map { GitError.text($0) } ?? "git failed"
    throw GitError(.filterFailed, "a git filter failed on \(GitError.text(path)): \(RemoteLines.bare(said))")
  }

  /// Finds git's message on a failed filter; nil if every filter worked.
  static func filterComplaint(in answer: GitProgram.Answer) -> String? {
    answer.errors.split(separator: 10).map { GitError.text($0) }.first {
      $0.hasPrefix("error: external filter") || $0.hasPrefix("fatal: ") || $0.contains("smudge filter")
    }
  }

  /// Forgets which files are behind filters: another program may have changed the attributes.
  package func forgetFilters() { attributeCache.filteredFiles = FilteredFiles() }

  /// Whether a file of attributes that holds for a path names a filter. Hardly any repository has one, and attributes are
  /// slow to ask for.
  package func mayFilter(_ path: [UInt8]) throws(GitError) -> Bool {
    if attributeCache.filteredFiles.isNamedForAll == nil {
      attributeCache.filteredFiles.isNamedForAll = isFilterNamedForAll
    }
    if attributeCache.filteredFiles.isNamedForAll == true { return true }
    guard let workTree else { return false }
    var folder = path
    repeat {
      folder = BytePath.folder(of: folder)
      let isNamed =
        attributeCache.filteredFiles.folders[folder] ?? Self.namesFilter(workTree / folder / ".gitattributes")
      attributeCache.filteredFiles.folders[folder] = isNamed
      if isNamed { return true }
    } while !folder.isEmpty
    return false
  }

  /// Whether a file of attributes that holds for all files names a filter, or a sparse checkout leaves such files out.
  private var isFilterNamedForAll: Bool {
    let texts = settings.files.compactMap { file in
      (try? RawFile.read(file))??.bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    }
    let mayInclude = texts.contains { $0.containsText("include") }
    if mayInclude || texts.contains(where: { $0.containsText("sparsecheckout") }), isSparse { return true }
    var files = [commonDirectory / "info/attributes", Array("/etc/gitattributes".utf8)]
    if mayInclude || texts.contains(where: { $0.containsText("attributesfile") }),
      let named = settings.path("core.attributesFile")
    {
      files.append(named)
    } else if let excludes = ConfigurationFiles(environment).defaultExcludes {
      files.append(BytePath.folder(of: excludes) / "attributes")
    }
    return files.contains(where: Self.namesFilter)
  }

  private static func namesFilter(_ file: [UInt8]) -> Bool {
    (try? RawFile.read(file))??.bytes.containsText("filter") ?? false
  }
}
