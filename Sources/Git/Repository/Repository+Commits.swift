import Bytes
import CLibgit2
import Platform

extension Repository {
  /// Reads a commit.
  package func read(_ id: ObjectID) throws(GitError) -> Commit {
    guard let commit = Commit(id: id, bytes: try object(id, .commit).bytes) else {
      throw GitError(.damaged(object: id.hex), "the commit \(id.hex) can't be read; run: git fsck")
    }
    return commit
  }

  /// The commit of a revision such as `HEAD~2`, a branch, a tag or an abbreviated hash; nil if there
  /// is none.
  ///
  /// Wraps `git_revparse_single`.
  /// - Throws: `ambiguous` if an abbreviated hash fits several objects.
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
  /// The message is stored as it is, with a line end if it has none.
  /// - Throws: `missing` if the tree or a parent is not there.
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

extension Repository {
  /// The author and committer that git would write, at a moment.
  ///
  /// Variables come before configuration, `author.*` and `committer.*` before `user.*`, `EMAIL` last. A name alone may
  /// come from the user's account. If git would guess an address from the names of user and host, nothing is guessed.
  /// - Throws: `noIdentity`, with the commands to run, `badIdentity`, or `io` if only git can read the configuration and
  ///   it can't be started.
  package func identity(
    at time: (seconds: Int64, offsetMinutes: Int)
  ) throws(GitError) -> (author: Signature, committer: Signature) {
    // `settings` would answer from the files that libgit2 reads: another author.
    _ = try open().listedSettings()
    return (
      author: try signature("author", at: time),
      committer: try signature("committer", at: time)
    )
  }

  private func signature(
    _ role: String, at time: (seconds: Int64, offsetMinutes: Int)
  ) throws(GitError) -> Signature {
    let variable = "GIT_\(role.uppercased())"
    let email =
      environment["\(variable)_EMAIL"] ?? setting("\(role).email") ?? setting("user.email")
      ?? environment["EMAIL"].flatMap { $0.isEmpty ? nil : $0 }
    guard let email else { throw Self.noIdentity("email") }
    var name = environment["\(variable)_NAME"] ?? setting("\(role).name") ?? setting("user.name")
    if name == nil { name = try accountName(variable) }
    guard let name, !name.isEmpty else { throw Self.noIdentity("name") }
    return Signature(
      name: try Self.cleaned(name, "name"), email: try Self.cleaned(email, "email", mayBeEmpty: true),
      seconds: time.seconds, offsetMinutes: time.offsetMinutes)
  }

  /// The name that git takes of the user's account; nil if that has none.
  ///
  /// Wraps git-var(1).
  private func accountName(_ variable: String) throws(GitError) -> String? {
    let answer = try runGit(["var", "\(variable)_IDENT"])
    guard answer.status == 0, let end = answer.output.firstIndex(of: UInt8(ascii: "<")) else { return nil }
    let name = String(decoding: answer.output[..<end], as: UTF8.self)
    return String(Substring(name).trimmingBlanks)
  }

  private func setting(_ key: String) -> String? {
    settings[key].flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func noIdentity(_ what: String) -> GitError {
    GitError(
      .noIdentity(what: what),
      "git does not know your \(what); run: git config --global user.name \"Your Name\" "
        + "and git config --global user.email you@example.org")
  }

  /// The text without the characters that git strips: `<` and `>` everywhere, blanks and punctuation around it.
  private static func cleaned(
    _ text: String, _ what: String, mayBeEmpty: Bool = false
  ) throws(GitError) -> String {
    let hasControls = text.unicodeScalars.contains { $0.value < 32 || $0.value == 127 || $0 == "\u{FFFD}" }
    let crud = Array(".,:;<>\"\\'".utf8)
    let isCrud: (UInt8) -> Bool = { $0 <= 32 || crud.contains($0) }
    let core = text.utf8.drop(while: isCrud).reversed().drop(while: isCrud).reversed()
    let kept = core.filter { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
    guard !hasControls, mayBeEmpty || !kept.isEmpty else {
      throw GitError(
        .badIdentity,
        "your \(what) has characters that a commit can't store; set another: "
          + "git config --global user.\(what) ..., or the variable GIT_AUTHOR_\(what.uppercased())")
    }
    return String(decoding: kept, as: UTF8.self)
  }
}
