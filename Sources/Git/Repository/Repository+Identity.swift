extension Repository {
  /// The author and committer that git would write, at a moment.
  ///
  /// Variables come before configuration, `author.*` and `committer.*` before `user.*`, `EMAIL` last. Where git would
  /// then guess from the names of user and host, nothing is guessed.
  /// - Throws: `noIdentity`, with the commands to run, `badIdentity`, or `io` if only git can read the configuration and
  ///   it can't be started.
  package func identity(
    at time: (seconds: Int64, offsetMinutes: Int)
  ) throws(GitError) -> (author: Signature, committer: Signature) {
    // `configuration` would answer from the files that libgit2 reads: another author.
    if let opened = try? open() { _ = try opened.listedSettings() }
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
    let name = environment["\(variable)_NAME"] ?? setting("\(role).name") ?? setting("user.name")
    guard let email else { throw Self.noIdentity("email") }
    guard let name, !name.isEmpty else { throw Self.noIdentity("name") }
    return Signature(
      name: try Self.cleaned(name, "name"), email: try Self.cleaned(email, "email", mayBeEmpty: true),
      seconds: time.seconds, offsetMinutes: time.offsetMinutes)
  }

  private func setting(_ key: String) -> String? {
    configuration(key).flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func noIdentity(_ what: String) -> GitError {
    GitError(
      .noIdentity(what: what),
      "git does not know your \(what); run: git config --global user.name \"Your Name\" "
        + "and git config --global user.email you@example.org")
  }

  /// The text without what git strips: `<` and `>` everywhere, blanks and punctuation around it.
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
        "your \(what) in git's configuration has characters that a commit can't store; "
          + "set another: git config --global user.\(what) ...")
    }
    return String(decoding: kept, as: UTF8.self)
  }
}
