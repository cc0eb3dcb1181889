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
