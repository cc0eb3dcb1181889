import Bytes
import CLibgit2
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
  /// The conversion of files between the work tree and the repository.
  package var conversion: FileConversion { FileConversion(repository: self) }
}

/// The conversion of files between the work tree and the repository by git attributes and configuration.
package struct FileConversion {
  let repository: Repository
  private var attributes: FileAttributes { repository.attributes }

  private static let attributesName = Array(".gitattributes".utf8)

  /// The bytes that git would write to the work tree for files, in their order.
  ///
  /// Line ends, keywords and encodings are converted, and the filters that the user or this clone has configured run,
  /// as git-checkout(1) does it. Only files that need it are handed to git: they are checked out, by a private index,
  /// into a scratch folder.
  /// - Parameter files: several may have one path, as versions of a file have.
  /// - Throws: `filterFailed` if a filter fails.
  package func checkedOut(_ files: [CheckoutFile]) throws(GitError) -> [[UInt8]] {
    // New attributes hold for the files that come with them.
    let hasNewRules = files.contains { BytePath.name(of: $0.path) == Self.attributesName }
    var converted: Set<Int> = []
    for (number, file) in files.enumerated() {
      if hasNewRules {
        converted.insert(number)
      } else if try attributes.isConverted(file.path) {
        converted.insert(number)
      }
    }
    var made: [Int: [UInt8]] = [:]
    var waiting = converted.sorted()
    while !waiting.isEmpty {
      // An index has one file at a path.
      var (round, later, paths): ([Int], [Int], Set<[UInt8]>) = ([], [], [])
      for number in waiting {
        if paths.insert(files[number].path).inserted { round.append(number) } else { later.append(number) }
      }
      let contents = try checkedOutByGit(round.map { files[$0] })
      for number in round { made[number] = contents[files[number].path] }
      waiting = later
    }
    var result: [[UInt8]] = []
    for (number, file) in files.enumerated() {
      if let bytes = made[number] {
        result.append(bytes)
      } else {
        result.append(try repository.blob(file.blob))
      }
    }
    return result
  }

  private func checkedOutByGit(_ files: [CheckoutFile]) throws(GitError) -> [[UInt8]: [UInt8]] {
    guard !files.isEmpty else { return [:] }
    let scratch = try ScratchFolder(in: repository.gitDirectory)
    defer { scratch.remove() }
    var input: [UInt8] = []
    for file in files {
      input += Array("\(String(file.mode, radix: 8)) \(file.blob.hex)\t".utf8) + file.path + [0]
    }
    // With an index, git reads the attributes of a file that is missing from it.
    var shown: Set<[UInt8]> = []
    for file in files {
      for entry in try attributes.entriesWithoutFiles(above: file.path)
      where shown.insert(entry.path).inserted {
        input += Array("\(String(entry.mode, radix: 8)) \(entry.id.hex)\t".utf8) + entry.path + [0]
      }
    }
    let index = scratch.path / "index"
    _ = try repository.git(["update-index", "--add", "-z", "--index-info"], index: index, input: input)
    let prefix = GitError.text(scratch.path / "files/")
    let answer = try repository.runGit(["checkout-index", "--all", "--prefix=\(prefix)"], index: index)
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
    let answer = try repository.runGit(["hash-object", "--stdin-paths"], input: input)
    let ids = answer.output.split(separator: 10).map { ObjectID(hex: $0) }
    return Dictionary(zip(plain, ids).compactMap { path, id in id.map { (path, $0) } }) { $1 }
  }
}

extension FileConversion {
  /// The content of a file that is stored as a blob: behind a filter as git writes it to the work tree, else as it is
  /// stored, with line ends and keywords.
  /// - Throws: `filterFailed` if the filter fails; see `blob(_:)`.
  package func content(of id: ObjectID, at path: [UInt8]) throws(GitError) -> [UInt8] {
    guard try attributes.isFiltered(path) else { return try repository.blob(id) }
    if let known = repository.attributeCache.filteredFiles.contents[id] { return known }
    let content = try smudged(id, path)
    repository.attributeCache.filteredFiles.remember(content, for: id)
    return content
  }

  /// Writes the blob of a content as `content(of:at:)` has it.
  /// - Throws: as `writeBlob(_:path:)`.
  package func writeBlob(ofContent content: [UInt8], path: [UInt8]) throws(GitError) -> ObjectID {
    guard try attributes.isFiltered(path) else {
      try repository.committedAttributes.refuseDroppedFilter(of: path)
      return try repository.writeBlob(asStored: content)
    }
    return try writeBlob(content, path: path)
  }

  /// Runs the filter of a path on a blob.
  private func smudged(_ id: ObjectID, _ path: [UInt8]) throws(GitError) -> [UInt8] {
    if path.contains(10) {
      let answer = try attributes.runGit(
        ["cat-file", "--filters", "--path=\(GitError.text(path))", id.hex], at: path)
      try refuseFailure(answer, path)
      return answer.output
    }
    let answer = try attributes.runGit(
      ["cat-file", "--batch", "--filters"], at: path, input: Array("\(id.hex) ".utf8) + path + [10])
    try refuseFailure(answer, path)
    // A line with the name, the content, and a line feed.
    guard let end = answer.output.firstIndex(of: 10), answer.output.last == 10, end + 1 < answer.output.count
    else {
      throw GitError(.missing, "the object \(id.hex) is not in the repository")
    }
    return Array(answer.output[(end + 1)...].dropLast())
  }

  /// The bytes that git would store for a file behind a filter.
  ///
  /// Git runs the filter and stores the result in a scratch folder, since no command of git prints it.
  /// - Throws: `filtered` if no program for it is configured; `filterFailed` if it fails.
  func filteredForm(of bytes: [UInt8], path: [UInt8], setting: String) throws(GitError) -> [UInt8] {
    guard attributes.hasProgram(for: setting, .storing), let name = String(validating: path, as: UTF8.self)
    else {
      throw FileAttributes.unstorable(path, setting)
    }
    let plain = FilteredFiles.Plain(path: path, id: ObjectID(ofBlob: bytes))
    if let known = repository.attributeCache.filteredFiles.stored[plain] { return known }
    if let held = try heldForm(of: bytes, path: path) {
      repository.attributeCache.filteredFiles.remember(held, for: plain)
      return held
    }
    let (id, stored) = try storedByGit(bytes, path, name: name)
    if stored == bytes, !bytes.isEmpty { try refusePlainForm(of: path, setting: setting) }
    repository.attributeCache.filteredFiles.remember(stored, for: plain)
    repository.attributeCache.filteredFiles.remember(bytes, for: id)
    return stored
  }

  /// The blob that git makes of the bytes of a file, with its filter, encoding and line ends.
  private func storedByGit(
    _ bytes: [UInt8], _ path: [UInt8], name: String
  ) throws(GitError) -> (id: ObjectID, bytes: [UInt8]) {
    let scratch = try ScratchFolder(in: repository.gitDirectory)
    defer { scratch.remove() }
    let objects = scratch.path / "objects"
    try GitError.wrapping("make", objects) { () throws(SystemError) in try Files.makeDirectory(objects) }
    let answer = try attributes.runGit(
      ["hash-object", "-w", "--stdin", "--path=\(name)"], at: path, objects: objects, input: bytes)
    try refuseFailure(answer, path)
    guard let id = ObjectID(hex: answer.output.prefix { $0 != 10 }) else {
      throw GitError(.filterFailed, "git hash-object stored nothing for \(GitError.text(path))")
    }
    // Git does not write objects again that the repository has.
    if case .found(let object) = ObjectFiles(objects).look(for: id, isVerified: true) {
      return (id, object.bytes)
    }
    return (id, try repository.blob(id))
  }

  /// A filter that is not required may fail, and git goes on without it: the stored form would be the plain one.
  private func refuseFailure(_ answer: GitProgram.Answer, _ path: [UInt8]) throws(GitError) {
    let complaint = Self.filterComplaint(in: answer)
    guard answer.status != 0 || complaint != nil else { return }
    let said = complaint ?? answer.errors.split(separator: 10).first.map { GitError.text($0) } ?? "git failed"
    throw GitError(.filterFailed, "a git filter failed on \(GitError.text(path)): \(RemoteLines.bare(said))")
  }

  /// Words of git's errors about a filter. Source: git's convert.c and sub-process.c.
  private static let complaints = ["external filter", "run subprocess '", "for subprocess '"]

  /// Finds git's message on a failed filter; nil if every filter worked.
  static func filterComplaint(in answer: GitProgram.Answer) -> String? {
    answer.errors.split(separator: 10).map { GitError.text($0) }.first { line in
      line.hasPrefix("fatal: ") || line.contains("smudge filter")
        || line.hasPrefix("error: ") && Self.complaints.contains { line.contains($0) }
    }
  }
}

extension FileConversion {
  /// The hash of the blob of these bytes at a path; nothing is written.
  ///
  /// As for `git add`: line ends are converted by attributes and `core.autocrlf`, and kept if the index already
  /// has the path with carriage returns.
  /// - Throws: `filtered` and `filterFailed`, as for `writeBlob`.
  package func contentID(of bytes: [UInt8], path: [UInt8]) throws(GitError) -> ObjectID {
    let stored = try storedForm(of: bytes, path: path)
    return SHA1.objectID(kind: "blob", stored)
  }

  /// Writes the blob that `git add` would store for a file of these bytes at a path.
  /// - Throws: `filtered` if attributes require another encoding, or a filter (Git LFS, git-crypt) that is not
  ///   configured, or if uncommitted attributes drop the filter of the file; `filterFailed` if the filter fails; `damaged`
  ///   if the object exists already and can't be read.
  package func writeBlob(_ bytes: [UInt8], path: [UInt8]) throws(GitError) -> ObjectID {
    try repository.committedAttributes.refuseDroppedFilter(of: path)
    return try repository.store(.blob, try storedForm(of: bytes, path: path))
  }

  /// The bytes of the blob that `git add` would store for a file.
  func storedForm(of bytes: [UInt8], path: [UInt8]) throws(GitError) -> [UInt8] {
    try PathCheck.validate(path)
    try repository.refuseSpecialRuleFiles(above: path)
    if let setting = try attributes.foreignFilter(of: path) {
      return try filteredForm(of: bytes, path: path, setting: setting)
    }
    // Each of git's own filters leaves a text without these alone; the keyword comes second.
    guard bytes.contains(13) || bytes.containsText("$Id") else { return bytes }
    if try attributes.needsGit(path), let name = String(validating: path, as: UTF8.self) {
      return try repository.attributesByGit.keepsLineEnds(of: path)
        ? bytes : storedByGit(bytes, path, name: name).bytes
    }
    var stored = bytes
    if bytes.contains(13) {
      stored = try IdentKeyword.hidden(bytes) { (bytes) throws(GitError) in
        try withStoredLineEnds(bytes, path: path)
      }
    }
    if stored.containsText("$Id"), try attributes.hasIdentKeyword(path) {
      stored = IdentKeyword.stored(stored)
    }
    return stored
  }

  /// The bytes with line ends as they are stored.
  private func withStoredLineEnds(_ bytes: [UInt8], path: [UInt8]) throws(GitError) -> [UInt8] {
    try rememberIndexEntry(of: path)
    let stored = try attributes.withFilters(of: path, GIT_FILTER_TO_ODB) { (list) throws(GitError) in
      let (status, result) = GitLibrary.buffer { buffer in
        bytes.withUnsafeBytes { source in
          git_filter_list_apply_to_buffer(
            buffer, list, source.bindMemory(to: CChar.self).baseAddress, source.count)
        }
      }
      try GitLibrary.check(status, "convert the line endings of \(GitError.text(path))")
      return result
    }
    return stored ?? bytes
  }

  /// Shows libgit2 the blob that the index has for a path, by which it decides whether carriage returns stay.
  private func rememberIndexEntry(of path: [UInt8]) throws(GitError) {
    let entry = try repository.index.entry(path)
    let index = try repository.open().attributeIndex
    guard let entry, entry.stage == 0, entry.isFile, try repository.hasObject(entry.id) else {
      _ = path.withCPath { git_index_remove(index, $0, 0) }
      return
    }
    try attributes.showEntry(entry)
  }
}

/// The keyword `$Id$` of git's `ident` attribute, as `git add` takes it back: `$Id: 5c1f...$` is stored as `$Id$`.
///
/// Source: git's convert.c, `count_ident` and `ident_to_git`. libgit2 knows the first one only, and takes the words
/// between `$Id` and any later `$` for one.
enum IdentKeyword {
  private static let dollar = UInt8(ascii: "$")
  private static let newline = UInt8(ascii: "\n")

  /// The bytes with each keyword as it is stored.
  /// - Complexity: O(n).
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    guard holdsOne(bytes) else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let start = rest.firstIndex(of: dollar) {
      result += rest[...start]
      rest = rest[(start + 1)...]
      guard rest.count > 3, rest.starts(with: "Id:".utf8) else { continue }
      guard let end = rest.dropFirst(3).firstIndex(where: { $0 == dollar || $0 == newline }) else { break }
      if rest[end] == newline { continue }
      result += Array("Id$".utf8)
      rest = rest[(end + 1)...]
    }
    return result + rest
  }

  private static func holdsOne(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while let start = rest.firstIndex(of: dollar) {
      rest = rest[(start + 1)...]
      guard rest.count >= 3 else { return false }
      guard rest.starts(with: "Id".utf8) else { continue }
      let mark = rest[rest.startIndex + 2]
      rest = rest.dropFirst(3)
      if mark == dollar { return true }
      guard mark == UInt8(ascii: ":") else { continue }
      guard let end = rest.firstIndex(where: { $0 == dollar || $0 == newline }) else { return false }
      if rest[end] == dollar { return true }
      rest = rest[(end + 1)...]
    }
    return false
  }
}

extension IdentKeyword {
  /// Runs a conversion of line ends, which may take carriage returns away and nothing else, with no keyword in sight.
  static func hidden<Failure>(
    _ bytes: [UInt8], _ convert: ([UInt8]) throws(Failure) -> [UInt8]
  ) throws(Failure) -> [UInt8] {
    var masked = bytes
    // The places of the letters that are masked, counted without carriage returns.
    var places: [Int] = []
    var place = 0
    for index in bytes.indices where bytes[index] != 13 {
      if bytes[index] == UInt8(ascii: "d"), index >= 2, bytes[index - 1] == UInt8(ascii: "I"),
        bytes[index - 2] == dollar
      {
        masked[index] = UInt8(ascii: "e")
        places.append(place)
      }
      place += 1
    }
    var converted = try convert(masked)
    guard !places.isEmpty else { return converted }
    var next = places[...]
    place = 0
    for index in converted.indices where converted[index] != 13 {
      if next.first == place {
        converted[index] = UInt8(ascii: "d")
        next.removeFirst()
      }
      place += 1
    }
    return converted
  }
}
