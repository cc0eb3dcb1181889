import Bytes

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

  /// The number of bytes that show whether a file is text: those of a cipher are not UTF-8 within the first few.
  private static let probeLength = 1024

  /// Whether a file may hold a stored form, by its first bytes alone.
  package static func mayBeOne(_ bytes: [UInt8]) -> Bool {
    let probe = bytes.prefix(probeLength)
    // The last character of the probe may be incomplete.
    let isText = (0..<4).contains { String(validating: probe.dropLast($0), as: UTF8.self) != nil }
    return !isText || StoredForm(bytes) != nil
  }
}

extension FileConversion {
  /// The most files that are compared with their stored forms.
  private static let mostCompared = 8

  /// Refuses a text that its filter left as it is, if the last commit has files of its folder in another form.
  ///
  /// A filter that is not required may fail without a message, for example by git's process protocol; git then stores the
  /// text as it is.
  /// - Throws: `filterFailed`.
  func refusePlainForm(of path: [UInt8], setting: String) throws(GitError) {
    let name = setting.dropFirst("filter=".count)
    guard !repository.settings.isTrue("filter.\(name).required"), let tip = try repository.head().tip else {
      return
    }
    let folder = BytePath.folder(of: path)
    var compared = [try repository.file(path, at: tip)].compactMap(\.self)
    for entry in try repository.files(at: tip, under: folder) where entry.isRegular && entry.path != path {
      guard compared.count < Self.mostCompared else { break }
      if try repository.attributes.foreignFilter(of: entry.path) == setting { compared.append(entry) }
    }
    for entry in compared where try isStoredInOtherForm(entry) {
      throw GitError(
        .filterFailed,
        "a git filter failed on \(GitError.text(path)): \(name) left it as plain text, but changed \(GitError.text(entry.path)) before"
      )
    }
  }

  /// The stored form that git's index or the last commit has for a file with these bytes; nil if they have others.
  ///
  /// A filter may store equal text in other bytes each time. Git compares an unchanged file by its time, and keeps its blob.
  func heldForm(of bytes: [UInt8], path: [UInt8]) throws(GitError) -> [UInt8]? {
    let staged = try repository.index.entry(path)
    var blobs = [staged].compactMap { $0.flatMap { $0.stage == 0 && $0.isFile ? $0.id : nil } }
    if let tip = (try? repository.head())?.tip, let entry = try? repository.file(path, at: tip),
      entry.isRegular, entry.id != blobs.first
    {
      blobs.append(entry.id)
    }
    // A stored form that can't be read is of other bytes, for all that is known.
    for blob in blobs where (try? content(of: blob, at: path)) == bytes {
      let stored = try repository.blob(blob)
      // A text that was stored before the path had its filter is filtered now.
      if stored != bytes { return stored }
    }
    return nil
  }

  /// Whether a filter made other text of a file: bytes that are no text, or text without a line of the file.
  private func isStoredInOtherForm(_ entry: TreeEntry) throws(GitError) -> Bool {
    let stored = try repository.blob(entry.id)
    if StoredForm.mayBeOne(stored) { return true }
    // The failure of a filter says nothing about the form.
    guard let plain = try? content(of: entry.id, at: entry.path), plain != stored else { return false }
    return Self.haveNoCommonLine(plain, stored)
  }

  /// Whether two texts have no line with a letter in common.
  static func haveNoCommonLine(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    wordyLines(of: one).isDisjoint(with: wordyLines(of: other))
  }

  /// The lines with a letter.
  private static func wordyLines(of bytes: [UInt8]) -> Set<ArraySlice<UInt8>> {
    Set(
      bytes.split(separator: 10).filter { line in line.contains { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A } })
  }
}
