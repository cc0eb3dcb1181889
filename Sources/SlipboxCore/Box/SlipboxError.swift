package import Git
package import Notes
package import Platform
import Text

/// A refusal or failure: what, about which note, and what to do next.
package struct SlipboxError: Error, Sendable {
  /// What went wrong, in the classes that exit codes tell apart.
  package enum Kind: Sendable {
    case usage, badData, notFound, unavailable, bug, cannotCreate, inputOutput, busy, notPermitted,
      configuration
  }

  package let kind: Kind
  /// One line without a full stop.
  package let message: String
  /// What to do, or the candidates: a line each.
  package let hints: [String]
  /// The user's text where it could be kept nowhere else; empty where nothing is lost.
  package let unsavedText: [UInt8]

  package init(_ kind: Kind, _ message: String, hints: [String] = [], unsavedText: [UInt8] = []) {
    self.kind = kind
    self.message = message
    self.hints = hints
    self.unsavedText = unsavedText
  }
}

extension SlipboxError {
  /// The hints but for those to repeat the command, where what it was to write is saved.
  var hintsWithoutRetry: [String] {
    hints.filter { !$0.hasPrefix("try again") && !$0.hasPrefix("then try again") }
  }

  /// A failed call to the operating system.
  package init(_ error: SystemError) {
    self.init(
      error.isPermission || error.code == SystemError.leavesBox ? .notPermitted : .inputOutput,
      "\(Visible.escape(error.path)): \(error.operation) failed: \(error.reason)")
  }

  /// A refusal of the repository.
  package init(_ error: GitError) {
    switch error.reason {
    case .notOwned: self.init(.notPermitted, error.message)
    case .unsupported: self.init(.configuration, error.message)
    case .locked:
      self.init(
        .busy, error.message, hints: ["if no git command is running, remove that file", "then try again"])
    case .moved: self.init(.busy, error.message, hints: ["try again"])
    case .noIdentity(let what):
      self.init(.configuration, "git does not know your \(what)", hints: Self.identityHints)
    case .badIdentity: self.init(.configuration, error.message, hints: Self.identityHints)
    case .damaged: self.init(.inputOutput, error.message, hints: ["git fsck lists all corrupt objects"])
    case .lostBranch(_, let cure):
      self.init(.configuration, error.message, hints: cure.map { Visible.escape($0) })
    case .filtered: self.init(.configuration, error.message)
    case .filterFailed:
      self.init(
        .notPermitted, Visible.escape(error.message),
        hints: [
          "nothing was written; fix the filter (git checkout shows its messages), then try again"
        ])
    case .special: self.init(.configuration, error.message, hints: ["remove it, or put a plain file there"])
    case .unreadable:
      self.init(
        .notPermitted, error.message, hints: ["git needs it too: check its permissions and its type"])
    case .unmerged: self.init(.busy, error.message, hints: ["finish the merge with git, then try again"])
    case .missing: self.init(.notFound, error.message)
    case .promised(let hint): self.init(.unavailable, Visible.escape(error.message), hints: [hint])
    case .ambiguous: self.init(.usage, error.message)
    case .remote(let fault): self.init(fault, remote: "the remote", address: nil)
    case .io, .other: self.init(.inputOutput, error.message)
    }
  }

  /// How git is told who writes.
  package static let identityHints = [
    "git config --global user.name \"Your Name\"", "git config --global user.email you@example.org",
  ]

  /// An edit that would have to rewrite what is not understood.
  /// - Parameter shellName: the note as it is typed in a shell, where that is another name.
  package init(_ error: EditError, note: String, shellName: String? = nil) {
    let typed = shellName ?? note
    switch error {
    case .unreadable(let problem):
      self.init(
        .badData, "\(note): line \(problem.line), column \(problem.column): \(problem.message)",
        hints: ["nothing was changed; fix the front matter with: slip edit \(typed)"])
    case .opaque(let field, let line, let reason):
      self.init(
        .badData, "\(note): line \(line): \(Visible.escape(field)): \(reason)",
        hints: ["nothing was changed; edit it by hand with: slip edit \(typed)"])
    case .unsettable(let field, let reason):
      self.init(.badData, "\(note): \(Visible.escape(field)): \(reason)")
    }
  }
}

extension SlipboxError {
  /// The last line of a list of candidates that is cut.
  static func more(_ count: Int) -> [String] { count > 0 ? ["  and \(count) more"] : [] }
}
