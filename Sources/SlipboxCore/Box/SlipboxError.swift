import Bytes
package import Git
package import Notes
package import Platform
package import Text

/// A refusal or failure: the fault, the note or file, and the next step for the user.
package struct SlipboxError: Error, Sendable {
  /// The class of the fault; each class has an exit code of its own.
  package enum Kind: String, Sendable {
    case usage
    case badData = "bad-data"
    case notFound = "not-found"
    case unavailable, bug
    case cannotCreate = "cannot-create"
    case inputOutput = "input-output"
    case busy
    case notPermitted = "not-permitted"
    case configuration
  }

  /// A fact about an error that a caller may need besides its kind.
  package enum Fact: Sendable, Equatable {
    /// A REF names no note; `isNear` is true if the hints are notes with similar names.
    case noNote(String, isNear: Bool)
    /// The value of a field of a record is refused.
    case badValue(field: String)
    /// Other records refer to the notes that were to be deleted.
    case hasReferrers
    /// The command takes no further argument.
    case unexpectedArgument

    fileprivate var code: String {
      switch self {
      case .noNote: "no-note"
      case .badValue: "bad-value"
      case .hasReferrers: "has-referrers"
      case .unexpectedArgument: "unexpected-argument"
      }
    }
  }

  package let kind: Kind
  package let fact: Fact?
  /// One line without a full stop.
  package let message: Phrase
  /// The message without the note or file that it begins with; the whole message if it names neither.
  let fault: Phrase
  /// The remedies or the candidates, one per line.
  package var hints: [Phrase] { remedies + (retry.map { [$0] } ?? []) }
  /// The hints except the one to repeat the command.
  let remedies: [Phrase]
  /// The hint to repeat the command, if that may succeed.
  let retry: Phrase?
  /// The user's text if it could be stored nowhere else; empty if nothing is lost.
  package let unsavedText: [UInt8]

  package init(
    _ kind: Kind, _ message: Phrase, hints: [Phrase] = [], retry: Phrase? = nil, fact: Fact? = nil,
    unsavedText: [UInt8] = []
  ) {
    self.init(kind, message: message, fault: message, hints, retry, fact, unsavedText)
  }

  /// Creates an error about a note or a file, with which the message begins.
  init(_ kind: Kind, about subject: Phrase, _ fault: Phrase, hints: [Phrase] = [], fact: Fact? = nil) {
    self.init(kind, message: "\(subject): \(fault)", fault: fault, hints, nil, fact, [])
  }

  private init(
    _ kind: Kind, message: Phrase, fault: Phrase, _ remedies: [Phrase], _ retry: Phrase?, _ fact: Fact?,
    _ unsavedText: [UInt8]
  ) {
    self.kind = kind
    self.fact = fact
    self.message = message
    self.fault = fault
    self.remedies = remedies
    self.retry = retry
    self.unsavedText = unsavedText
  }

  /// Returns the same error with one more hint.
  func adding(hint: Phrase) -> SlipboxError {
    SlipboxError(kind, message: message, fault: fault, remedies + [hint], retry, fact, unsavedText)
  }
}

extension SlipboxError {
  /// The code by which programs distinguish errors: the code of the fact, otherwise of the kind.
  package var code: String { fact?.code ?? kind.rawValue }

  /// Returns whether the error reports a fact in the same words, as its message, the fault in it or a hint.
  func tells(_ fact: Phrase) -> Bool { ([message, fault] + hints).contains(fact) }

  /// Creates an error for a failed call to the operating system.
  package init(_ error: SystemError) {
    self.init(
      error.isPermission || error.code == SystemError.leavesBox ? .notPermitted : .inputOutput,
      "\(error.path): \(error.operation) failed: \(error.reason)")
  }

  /// Creates an error for a failure of the repository.
  package init(_ error: GitError) {
    switch error.reason {
    case .notOwned: self.init(.notPermitted, Phrase(error.message))
    case .unsupported: self.init(.configuration, Phrase(error.message))
    case .locked:
      self.init(
        .busy, Phrase(error.message),
        hints: ["if no git command is running, remove that file"], retry: "then try again")
    case .moved: self.init(.busy, Phrase(error.message), retry: "try again")
    case .noIdentity(let what):
      self.init(.configuration, "git does not know your \(what)", hints: Self.identityHints)
    case .badIdentity: self.init(.configuration, Phrase(error.message), hints: Self.identityHints)
    case .damaged:
      self.init(.inputOutput, Phrase(error.message), hints: ["git fsck lists all corrupt objects"])
    case .lostBranch(_, let cure):
      self.init(.configuration, Phrase(error.message), hints: cure.map { Phrase($0) })
    case .filtered: self.init(.configuration, Phrase(error.message))
    case .filterFailed:
      self.init(
        .notPermitted, Phrase(error.message),
        hints: [
          "nothing was written; fix the filter (git checkout shows its messages), then try again"
        ])
    case .special:
      self.init(.configuration, Phrase(error.message), hints: ["remove it, or put a plain file there"])
    case .unreadable:
      self.init(
        .notPermitted, Phrase(error.message), hints: ["git needs it too: check its permissions and its type"])
    case .unmerged:
      self.init(.busy, Phrase(error.message), hints: ["finish the merge with git, then try again"])
    case .missing: self.init(.notFound, Phrase(error.message))
    case .promised(let wasTried):
      self.init(
        .unavailable, Phrase(error.message),
        hints: [wasTried ? "run: \(run: "git fetch")" : "fetch it with: \(slip: "list", "--deleted")"])
    case .ambiguous: self.init(.usage, Phrase(error.message))
    case .remote(let fault): self.init(fault, remote: "the remote", address: nil)
    case .io, .other: self.init(.inputOutput, Phrase(error.message))
    }
  }

  /// The commands that set the author's identity in git.
  package static let identityHints: [Phrase] = [
    "git config --global user.name \"Your Name\"", "git config --global user.email you@example.org",
  ]

  /// Creates an error for an edit that would have to rewrite text that slip does not understand.
  /// - Parameters:
  ///   - note: the note in a message.
  ///   - typed: the note as an argument of a command.
  package init(_ error: EditError, note: Phrase, typed: Phrase.Argument? = nil) {
    let typed = typed ?? .value(note)
    switch error {
    case .unreadable(let problem):
      self.init(
        .badData, about: note, "line \(problem.line), column \(problem.column): \(problem.message)",
        hints: ["nothing was changed; fix the text with: \(slip: "edit", typed)"])
    case .opaque(let field, let line, let reason):
      self.init(
        .badData, about: note, "line \(line): \(field): \(reason)",
        hints: ["nothing was changed; edit it by hand with: \(slip: "edit", typed)"])
    case .unsettable(let field, let reason):
      self.init(.badData, about: note, "\(field): \(reason)", fact: .badValue(field: field))
    }
  }
}

extension SlipboxError {
  /// Returns the last line of a truncated list of candidates.
  static func more(_ count: Int) -> [Phrase] { count > 0 ? ["  and \(count) more"] : [] }
}

extension SlipboxError {
  /// Creates an error for a failure of another repository, with remedies.
  ///
  /// - Parameter remote: the local name of the other repository.
  package init(_ fault: RemoteFault, remote: String, address: RemoteAddress?) {
    let form = Self.form(
      of: fault, remote: remote, host: address?.host ?? "the remote",
      reason: fault.reason, address)
    if fault.kind == .readOnly {
      self.init(
        .notPermitted, "the git directory of this clone can't be written: \(fault.reason)",
        hints: ["fix the permissions of its files, then run: \(slip: "sync")"])
      return
    }
    let said: [Phrase] = fault.words.map { "message: \($0)" }
    let mayPass = [.unreachable, .silent, .noBranch, .serverTrouble, .overtaken, .busy].contains(fault.kind)
    let isOfServer = ![.address, .foreignProgram, .busy, .full, .notOwned, .hookRefused].contains(fault.kind)
    self.init(
      form.kind, "\(remote): \(form.message)", hints: (isOfServer ? said : []) + form.hints,
      retry: mayPass ? Self.again : nil)
  }

  /// Returns the class of a fault with its message and its remedies.
  private static func form(
    of fault: RemoteFault, remote: String, host: String, reason: String, _ address: RemoteAddress?
  ) -> (kind: Kind, message: Phrase, hints: [Phrase]) {
    switch fault.kind {
    case .address:
      (
        .notPermitted, "unsupported address: \(reason)",
        [
          "\(slip: "remote list") shows it; supported are a folder, user@host:path, ssh://, https:// and git://"
        ] + (address?.allowingHints ?? [])
      )
    case .foreignProgram:
      (
        .notPermitted,
        "this repository's git config sets \(reason), which can run programs: refused",
        foreignHints(fault.reason, file: fault.words.first ?? ".git/config")
      )
    case .unknownHost:
      (
        .unavailable, "can't resolve the host name \(address?.host == nil ? "of the remote" : host)",
        ["check the network, and the address with: \(slip: "remote list")"]
      )
    case .unreachable: (.unavailable, "\(host) can't be reached: \(reason)", [])
    case .silent: (.unavailable, "\(host) does not answer: \(reason)", [])
    case .cut:
      (.unavailable, "the connection was cut: \(reason)", ["nothing is lost here or on the remote; \(again)"])
    case .certificate:
      (
        .unavailable, "the certificate of \(host) is not accepted: \(reason)",
        ["check the clock of this machine with: date", "git help config explains http.sslCAInfo"]
      )
    case .unknownHostKey:
      (
        .notPermitted, "the host key of \(host) is unknown: verify its fingerprint first",
        ["run ssh \(typed(address?.host)) and compare the fingerprint with one from the owner of the server"]
      )
    case .changedHostKey:
      (
        .notPermitted, "the host key of \(host) has changed: this may be a man-in-the-middle attack",
        ["if its owner confirms the new key, run: ssh-keygen -R \(typed(address?.host))"]
      )
    case .noAccess: (.notPermitted, "no access: \(reason)", accessHints(address, remote))
    case .noRepository:
      (
        .unavailable, "the repository does not exist, or you can't read it: \(reason)",
        ["\(slip: "remote list") shows the address", "create one with: git init --bare -b main DIR"]
      )
    case .noBranch: (.notFound, "no such branch: \(reason)", [])
    case .hookRefused:
      (
        .notPermitted, "\(reason); your commits are kept locally",
        fault.words.map { "the hook's message: \($0)" }
      )
    case .declined:
      (.notPermitted, "the remote rejected the commits: \(reason)", declinedHints(reason))
    case .tooLarge:
      (
        .unavailable, "the push is too large for the server: \(reason)",
        ["use ssh, which usually has no such limit, or ask the owner of the server to raise it"]
      )
    case .serverTrouble: (.unavailable, "server error on \(host): \(reason)", [])
    case .overtaken: (.busy, "push rejected because the remote branch changed: \(reason)", [])
    case .shallow:
      (
        .configuration, "the remote accepts no push from a shallow clone",
        ["git fetch --unshallow fetches the rest of the history"]
      )
    case .notOwned:
      (
        .notPermitted, "\(reason)",
        ["if you trust that folder: git config --global --add safe.directory DIR"]
      )
    case .busy: (.busy, "another git command is running: \(reason)", [])
    case .readOnly: (.notPermitted, "\(reason)", [])
    case .full: (.inputOutput, "\(reason)", ["free some space; nothing is lost"])
    case .other: (.unavailable, "\(reason)", ["git fetch \(typed(remote)) shows more"])
    }
  }

  /// Returns a text as it is typed in a shell.
  private static func typed(_ text: String?) -> Phrase { Phrase(typed: text ?? "") }

  private static let again: Phrase = "try again: \(slip: "sync")"

  private static func foreignHints(_ setting: String, file: String) -> [Phrase] {
    let name = typed(setting)
    let unset: Phrase = "git config --file \(file) --unset-all \(name)"
    if setting.hasPrefix("include") { return ["check that file, then remove the setting: \(unset)"] }
    let hint: Phrase = "if it is yours, put it into your own settings: git config --global \(name) VALUE"
    return [hint, "then remove it here: \(unset)"]
  }

  private static func accessHints(_ address: RemoteAddress?, _ remote: String) -> [Phrase] {
    switch address?.way {
    case .ssh:
      let login = [address?.user, address?.host].compactMap { $0 }.joined(separator: "@")
      return [
        "check that your key is loaded: ssh-add -l", "ssh -T \(typed(login)) shows what the server answers",
      ]
    case .http:
      return [
        "run git fetch \(typed(remote)) on a terminal to enter name and password; your credential helper stores them"
      ]
    case .folder: return ["check the permissions: ls -ld \(typed(address?.path))"]
    default: return ["ask its owner for access"]
    }
  }

  private static func declinedHints(_ reason: String) -> [Phrase] {
    guard reason.contains("checked out") else {
      return ["your commits are kept locally; ask the owner of the remote"]
    }
    return ["it has a working tree; use a bare repository: git init --bare -b main DIR"]
  }
}

extension RemoteAddress {
  /// The commands with which the user allows the remote helper of the address; empty for an address without one.
  var allowingHints: [Phrase] {
    guard case .program(let name) = way, name != "ext", name != "fd" else { return [] }
    return ["if you trust this helper, allow it: git config --global protocol.\(name).allow user"]
  }
}
