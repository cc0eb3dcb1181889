import Bytes
import CLibgit2

/// The form in which a filter stores a file, found in place of the file's text.
package enum StoredForm: Sendable, Hashable {
  case gitCrypt
  case age
  /// The pointer by which Git LFS finds a file.
  case lfsPointer
  /// Bytes that are no text, although the attribute names a filter.
  case unknown(filter: String)

  private static let headers: [(text: String, form: StoredForm)] = [
    ("\0GITCRYPT\0", .gitCrypt), ("age-encryption.org/v1\n", .age),
    ("-----BEGIN AGE ENCRYPTED FILE-----", .age), ("version https://git-lfs.github.com/spec/", .lfsPointer),
  ]

  /// Recognises a form by the first bytes of a file; nil for any other file.
  package init?(_ bytes: [UInt8]) {
    guard let known = Self.headers.first(where: { bytes.starts(with: $0.text.utf8) }) else { return nil }
    self = known.form
  }

  /// So many bytes tell whether a file is a text: those of a cipher are no UTF-8 within the first few.
  private static let probeLength = 1024

  /// Whether a file may hold a stored form, by its first bytes alone.
  package static func mayBeOne(_ bytes: [UInt8]) -> Bool {
    let probe = bytes.prefix(probeLength)
    // The last character of the probe may be incomplete.
    let isText = (0..<4).contains { String(validating: probe.dropLast($0), as: UTF8.self) != nil }
    return !isText || StoredForm(bytes) != nil
  }
}

extension Repository {
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
    guard isInWorkTree, try indexEntry(path)?.id == ObjectID(ofBlob: bytes) else { return nil }
    return form
  }
}

extension Repository {
  /// The name that the blob of these bytes has at a path; nothing is written.
  ///
  /// As for `git add`: line ends are changed as attributes and `core.autocrlf` say, and kept where the index already
  /// holds the path with carriage returns.
  /// - Throws: `filtered` and `filterFailed`, as for `writeBlob`.
  package func contentID(of bytes: [UInt8], path: [UInt8]) throws(GitError) -> ObjectID {
    let stored = try storedForm(of: bytes, path: path)
    return SHA1.objectID(kind: "blob", stored)
  }

  /// Writes the blob that `git add` would store for a file of these bytes at a path.
  /// - Throws: `filtered` if attributes ask for another encoding, or for a filter (Git LFS, git-crypt) that is not
  ///   configured; `filterFailed` if the filter fails; `damaged` if the object exists already and can't be read.
  package func writeBlob(_ bytes: [UInt8], path: [UInt8]) throws(GitError) -> ObjectID {
    try store(.blob, try storedForm(of: bytes, path: path))
  }

  /// The bytes of the blob that `git add` would store for a file.
  func storedForm(of bytes: [UInt8], path: [UInt8]) throws(GitError) -> [UInt8] {
    try PathCheck.validate(path)
    try refuseSpecialRuleFiles(above: path)
    if let setting = try foreignFilter(of: path) {
      return try filteredForm(of: bytes, path: path, setting: setting)
    }
    // Each of git's own filters leaves a text without these alone; the keyword comes second.
    var stored = bytes
    if bytes.contains(13) {
      stored = try IdentKeyword.hidden(bytes) { (bytes) throws(GitError) in
        try withStoredLineEnds(bytes, path: path)
      }
    }
    if stored.containsText("$Id"), try hasIdentKeyword(path) { stored = IdentKeyword.stored(stored) }
    return stored
  }

  /// The bytes with line ends as they are stored.
  private func withStoredLineEnds(_ bytes: [UInt8], path: [UInt8]) throws(GitError) -> [UInt8] {
    try rememberIndexEntry(of: path)
    let repository = try open().repository
    var list: OpaquePointer?
    let flags = GIT_FILTER_ALLOW_UNSAFE.rawValue
    let loaded = path.withCPath { git_filter_list_load(&list, repository, nil, $0, GIT_FILTER_TO_ODB, flags) }
    try GitLibrary.check(loaded, "read the attributes of \(GitError.text(path))")
    guard let list else { return bytes }
    defer { git_filter_list_free(list) }
    let (status, result) = GitLibrary.buffer { buffer in
      bytes.withUnsafeBytes { source in
        git_filter_list_apply_to_buffer(
          buffer, list, source.bindMemory(to: CChar.self).baseAddress, source.count)
      }
    }
    try GitLibrary.check(status, "convert the line endings of \(GitError.text(path))")
    return result
  }

  private func hasIdentKeyword(_ path: [UInt8]) throws(GitError) -> Bool {
    let repository = try open().repository
    var value: UnsafePointer<CChar>?
    let status = path.withCPath { git_attr_get(&value, repository, 0, $0, "ident") }
    try GitLibrary.check(status, "read the attributes of \(GitError.text(path))")
    return git_attr_value(value) == GIT_ATTR_VALUE_TRUE
  }

  /// The attribute by which a program or another encoding makes the stored form of a file, as "filter=lfs"; nil if it has
  /// none.
  package func foreignFilter(of path: [UInt8]) throws(GitError) -> String? {
    try refuseSpecialRuleFiles(above: path)
    try rememberSparseAttributes()
    let repository = try open().repository
    for name in ["filter", "working-tree-encoding"] {
      var value: UnsafePointer<CChar>?
      let status = path.withCPath { git_attr_get(&value, repository, 0, $0, name) }
      try GitLibrary.check(status, "read the attributes of \(GitError.text(path))")
      if let value, let setting = Self.foreign(name, value) { return setting }
    }
    return nil
  }

  /// Whether git writes a file of this path to the work tree with other bytes than its blob has: line ends, keywords,
  /// encodings, filters.
  func isConverted(_ path: [UInt8]) throws(GitError) -> Bool {
    if try foreignFilter(of: path) != nil { return true }
    if try hasIdentKeyword(path) { return true }
    let repository = try open().repository
    var list: OpaquePointer?
    let flags = GIT_FILTER_ALLOW_UNSAFE.rawValue
    let status = path.withCPath {
      git_filter_list_load(&list, repository, nil, $0, GIT_FILTER_TO_WORKTREE, flags)
    }
    try GitLibrary.check(status, "read the attributes of \(GitError.text(path))")
    guard let list else { return false }
    git_filter_list_free(list)
    return true
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
    return use.programs.contains { settings["filter.\(name).\($0)"].map { !$0.isEmpty } ?? false }
  }

  /// The setting, where it asks for more than git's own line ends.
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

  /// Shows libgit2 the blob that the index has for a path, by which it decides whether carriage returns stay.
  private func rememberIndexEntry(of path: [UInt8]) throws(GitError) {
    let entry = try indexEntry(path)
    let index = try open().attributeIndex
    guard let entry, entry.stage == 0, entry.isFile, try hasObject(entry.id) else {
      _ = path.withCPath { git_index_remove(index, $0, 0) }
      return
    }
    try addToAttributeIndex(entry)
  }

  /// Shows libgit2 the attribute files that a sparse checkout leaves out of the work tree.
  private func rememberSparseAttributes() throws(GitError) {
    guard !attributeCache.hasSparseFiles else { return }
    attributeCache.hasSparseFiles = true
    guard settings.isTrue("core.sparseCheckout") else { return }
    for entry in try indexEntries() where entry.stage == 0 && entry.skipWorktree && entry.isFile {
      let name = entry.path.suffix(14)
      if name.elementsEqual(".gitattributes".utf8) { try addToAttributeIndex(entry) }
    }
  }

  private func addToAttributeIndex(_ entry: IndexEntry) throws(GitError) {
    let index = try open().attributeIndex
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
