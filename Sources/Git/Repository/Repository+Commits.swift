import CLibgit2

extension Repository {
  /// Reads a commit.
  package func read(_ id: ObjectID) throws(GitError) -> Commit {
    guard let commit = Commit(id: id, bytes: try object(id, .commit).bytes) else {
      throw GitError(.damaged(object: id.hex), "the commit \(id.hex) can't be read; run: git fsck")
    }
    return commit
  }

  /// The commit that a revision such as `HEAD~2`, a branch, a tag or the beginning of a name stands for; nil where there
  /// is none.
  ///
  /// Wraps `git_revparse_single`.
  /// - Throws: `ambiguous` where the beginning of a name fits several objects.
  package func commit(revision: String) throws(GitError) -> ObjectID? {
    guard !revision.isEmpty, revision.utf8.count <= Self.longestRevision, !revision.utf8.contains(0) else {
      return nil
    }
    // Libgit2 does not know the short form of HEAD before an operator.
    let isShort = revision.first == "@" && "~^".contains(revision.dropFirst().first ?? "-")
    let revision = isShort ? "HEAD" + revision.dropFirst() : revision
    let repository = try open().repository
    var found: OpaquePointer?
    let status = git_revparse_single(&found, repository, revision)
    // The beginning of a name has four letters at least.
    if status == GIT_EAMBIGUOUS.rawValue, revision.utf8.count < 4 { return nil }
    if status == GIT_EAMBIGUOUS.rawValue {
      throw GitError(.ambiguous, "\(revision) is an ambiguous abbreviation; give more characters")
    }
    if status == GIT_ENOTFOUND.rawValue || status == GIT_EINVALIDSPEC.rawValue { return nil }
    try GitLibrary.check(status, "find the revision \(revision)")
    defer { git_object_free(found) }
    var commit: OpaquePointer?
    guard git_object_peel(&commit, found, GIT_OBJECT_COMMIT) >= 0, let commit else { return nil }
    defer { git_object_free(commit) }
    return git_object_id(commit).map { ObjectID($0.pointee) }
  }

  /// No revision that people type is longer.
  private static let longestRevision = 1_000

  /// Whether a text is the whole name of a commit, a branch, a tag or another ref, as `git rev-parse` takes it.
  package func isExactName(_ text: String) throws(GitError) -> Bool {
    guard text.utf8.count <= Self.longestRevision else { return false }
    if text == "HEAD" || text == "@" { return true }
    if let id = ObjectID(hex: text) { return try hasObject(id) }
    for folder in ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"] {
      let name = Array((folder + text).utf8)
      guard References.isSafe(name) else { continue }
      if try references.object(at: name) != nil { return true }
    }
    return false
  }

  /// Writes a commit; no branch moves.
  ///
  /// The message is stored as it is, with a line end where it has none.
  /// - Throws: `missing` where the tree or a parent is not there.
  package func writeCommit(
    tree: ObjectID, parents: [ObjectID], message: String, author: Signature, committer: Signature
  ) throws(GitError) -> ObjectID {
    for id in [tree] + parents {
      guard try hasObject(id) else {
        throw GitError(.missing, "the object \(id.hex) is not in the repository")
      }
    }
    guard !message.utf8.contains(0) else {
      throw GitError(.other, "a commit's message cannot hold a NUL byte")
    }
    var text = "tree \(tree)\n"
    for parent in parents { text += "parent \(parent)\n" }
    text += "author \(try Self.checked(author))\ncommitter \(try Self.checked(committer))\n\n"
    text += message.utf8.last == 10 ? message : message + "\n"
    return try store(.commit, Array(text.utf8))
  }

  private static func checked(_ signature: Signature) throws(GitError) -> String {
    let text = signature.name + signature.email
    let breaks = text.utf8.contains {
      $0 < 32 || $0 == 127 || $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">")
    }
    guard !breaks, !signature.name.isEmpty else {
      throw GitError(
        .badIdentity, "\"\(signature.name) <\(signature.email)>\" can't be the author of a commit")
    }
    return signature.line
  }
}
