import Bytes

/// The reason why another repository could not be reached, or refused the push.
package struct RemoteFault: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    /// The address is one that git is not given.
    case address
    /// The repository's own configuration names a program that git would run.
    case foreignProgram
    /// The name of the machine is not known.
    case unknownHost
    /// The machine, or the service on it, can't be reached.
    case unreachable
    /// Nothing came for too long.
    case silent
    /// The connection ended in the middle.
    case cut
    /// The certificate of the server is not accepted.
    case certificate
    /// The key of the server was never seen before.
    case unknownHostKey
    /// The key of the server is another than before.
    case changedHostKey
    /// The server does not let this user in, or not do that.
    case noAccess
    /// There is no repository at that place.
    case noRepository
    /// There is no such branch.
    case noBranch
    /// The pre-push hook of this clone refused to push.
    case hookRefused
    /// A hook or a rule of the server refused the push.
    case declined
    /// The server takes no more bytes at once.
    case tooLarge
    /// Something went wrong on the server.
    case serverTrouble
    /// Someone else was faster: the branch there has commits that are not here.
    case overtaken
    /// The server takes nothing from a history that is cut.
    case shallow
    /// The folder belongs to another user.
    case notOwned
    /// Another git holds a lock here.
    case busy
    /// Files in the git directory of this clone can't be written.
    case readOnly
    /// This disk is full.
    case full
    /// Git's output matches none of these.
    case other
  }

  package let kind: Kind
  /// The line by which git, ssh or the server says so; control characters are not yet escaped.
  package let reason: String
  /// Further output of the server, a line each, likewise.
  package let words: [String]

  package init(_ kind: Kind, _ reason: String, words: [String] = []) {
    self.kind = kind
    self.reason = reason
    self.words = words
  }
}

extension RemoteFault {
  /// Whether a lock file of the other repository is in the way, which may be one that a killed git left.
  package var isLocked: Bool { words.contains { $0.contains(".lock': File exists") } }
}

extension GitError {
  /// A failure of another repository.
  static func remote(_ fault: RemoteFault) -> GitError { GitError(.remote(fault), fault.reason) }
}

// MARK: Messages

/// Reads faults from the output of git, ssh and servers.
extension RemoteFault {
  /// The beginnings or parts of lines that identify each fault, the most specific first.
  private static let phrases: [(Kind, [String])] = [
    (.changedHostKey, ["REMOTE HOST IDENTIFICATION HAS CHANGED"]),
    (.unknownHostKey, ["Host key verification failed", "No ED25519 host key is known"]),
    (
      .unknownHost,
      [
        "Could not resolve host", "Name or service not known", "unable to look up",
        "failure in name resolution",
      ]
    ),
    (.certificate, ["certificate", "gnutls_handshake", "SSL_ERROR", "SSL routines"]),
    (.tooLarge, ["returned error: 413", "HTTP 413", "exceeds maximum allowed size", "HTTP code = 413"]),
    (
      .noAccess,
      [
        "Authentication failed", "could not read Username", "could not read Password", "returned error: 401",
        "returned error: 403", "returned error: 407", "HTTP 401", "HTTP 403", "Permission to ",
        "access denied", "not exported", "service not enabled", "Too many authentication failures",
        "insufficient permission", "unable to create temporary object directory",
        "Write access to repository not granted", "agent refused operation",
        "Permission denied",
      ]
    ),
    (.notOwned, ["dubious ownership"]),
    (.full, ["No space left on device", "Disk quota exceeded"]),
    (.busy, [".lock': File exists"]),
    (.noBranch, ["couldn't find remote ref"]),
    (.address, ["not allowed", "strange hostname", "strange pathname", "strange port"]),
    (.shallow, ["shallow update not allowed"]),
    (
      .silent,
      ["Operation too slow", "Timeout, server", "Operation timed out", "client_loop: send disconnect"]
    ),
    (
      .unreachable,
      [
        "Connection refused", "Failed to connect", "Couldn't connect", "No route to host",
        "Network is unreachable", "unable to connect", "Connection timed out", "Could not connect",
        "Connection closed by", "kex_exchange_identification",
      ]
    ),
    (
      .noRepository,
      [
        "does not appear to be a git repository", "returned error: 404", "HTTP 404", "epository not found",
        "' not found", "does not exist",
      ]
    ),
    (.serverTrouble, ["returned error: 5", "returned error: 4", "HTTP 5", "HTTP 4", "remote error:"]),
    (
      .cut,
      [
        "early EOF", "hung up unexpectedly", "unexpected disconnect", "RPC failed", "Connection reset",
        "Broken pipe", "Empty reply from server", "transfer closed", "invalid index-pack output",
        "index-pack failed", "bad line length", "expected flush", "unexpected EOF", "truncated",
      ]
    ),
    (.noRepository, ["Could not read from remote repository"]),
  ]

  /// Parts of git's own lines about files of this repository that it can't write; a server's come as its words.
  private static let unwritable = [
    "insufficient permission for adding an object", ".lock'", "FETCH_HEAD'",
    "unable to create temporary file",
    "cannot update the ref 'refs/remotes/",
  ]

  /// The reasons of the operating system for that: the user lacks the right, or the file system is mounted read-only.
  private static let lackOfRights = ["insufficient permission", "Permission denied", "Read-only file system"]

  /// Whether a line of git's says that the user may not write in this repository.
  private static func isReadOnly(_ line: String) -> Bool {
    unwritable.contains { line.contains($0) } && lackOfRights.contains { line.contains($0) }
  }

  /// Reads the standard error of a git that failed.
  package init(errors: [UInt8], status: Int32) {
    let lines = RemoteLines(errors)
    if let line = lines.own.first(where: Self.isReadOnly) {
      self.init(.readOnly, RemoteLines.bare(line))
      return
    }
    // The end of a connection is reported last, after its cause.
    if let line = lines.own.first(where: { Self.isKnown($0) || $0.hasPrefix("fatal: ") }), !Self.isKnown(line)
    {
      self.init(.other, RemoteLines.bare(line), words: lines.server)
      return
    }
    for said in [lines.own, lines.server] {
      for (kind, phrases) in Self.phrases {
        guard let line = said.first(where: { line in phrases.contains { line.contains($0) } }) else {
          continue
        }
        self.init(kind, RemoteLines.bare(line), words: lines.server.filter { $0 != line })
        return
      }
    }
    let telling = lines.own.first { $0.hasPrefix("fatal: ") } ?? lines.own.last
    self.init(
      .other, telling.map(RemoteLines.bare) ?? "git exited with code \(status) and no message",
      words: lines.server)
  }

  private static func isKnown(_ line: String) -> Bool {
    phrases.contains { _, phrases in phrases.contains { line.contains($0) } }
  }

  /// Phrases by which a server says that the branch has moved meanwhile.
  private static let overtaking = [
    "fetch first", "non-fast-forward", "stale info", "cannot lock ref", "failed to update ref",
    "failed to lock",
    "incorrect old value", "reference already exists", "remote ref is at", "atomic push failed",
  ]

  /// Reads the line of `git push --porcelain` for a branch that was refused, such as
  /// `!<tab>ID:refs/heads/main<tab>[remote rejected] (pre-receive hook declined)`.
  package init(refusal line: String, errors: [UInt8]) {
    let server = RemoteLines(errors).server
    let summary = line.split(separator: "\t").last.map(String.init) ?? line
    let reason =
      summary.firstIndex(of: "(").map { String(summary[summary.index(after: $0)...].dropLast()) } ?? summary
    if Self.overtaking.contains(where: { reason.contains($0) }) {
      self.init(.overtaken, reason, words: server)
    } else if reason.contains("shallow update not allowed") {
      self.init(.shallow, reason, words: server)
    } else if reason.contains("unpacker error") {
      let fault = RemoteFault(errors: errors, status: 1)
      let isTold = [.tooLarge, .noAccess].contains(fault.kind)
      self.init(isTold ? fault.kind : .serverTrouble, isTold ? fault.reason : reason, words: server)
    } else {
      self.init(.declined, reason, words: server)
    }
  }
}

/// The lines of a git's standard error: its own and ssh's, and those that the server sent.
struct RemoteLines {
  private static let mostWords = 8

  private(set) var own: [String] = []
  private(set) var server: [String] = []

  init(_ errors: [UInt8]) {
    // Progress goes back to the beginning of its line.
    for line in errors.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
      let text = GitError.text(line)
      guard !Self.isProgress(text) else { continue }
      if text.hasPrefix("remote: ") || text == "remote:" {
        let words = text.dropFirst(8).trimmingBlanks
        if !words.isEmpty, server.count < Self.mostWords { server.append(words) }
      } else if !text[...].trimmingBlanks.isEmpty {
        own.append(text)
      }
    }
  }

  /// Whether a line says how far git has come, such as `Receiving objects:  45% (9/20)`.
  private static func isProgress(_ line: String) -> Bool {
    let text = line.hasPrefix("remote: ") ? line.dropFirst(8) : line[...]
    let isCount = [
      "Enumerating", "Counting", "Compressing", "Receiving", "Resolving", "Writing", "Delta", "Total ",
    ]
    .contains { text.hasPrefix($0) }
    return isCount
      && (text.contains("%") || text.contains(": ") || text.hasPrefix("Total ") || text.hasPrefix("Delta"))
  }

  /// A line without the words before it that only say who speaks.
  static func bare(_ line: String) -> String {
    var text = line[...]
    var goesOn = true
    while goesOn {
      goesOn = false
      for prefix in ["fatal: ", "error: ", "ssh: ", "remote: ", "ERROR: ", "remote error: "]
      where text.hasPrefix(prefix) {
        text = text.dropFirst(prefix.count)
        goesOn = true
      }
    }
    // "unable to access 'URL': REASON": the address is reported separately, and may contain a password.
    if text.hasPrefix("unable to access '"), let end = text.firstRange(of: "': ") {
      text = text[end.upperBound...]
    }
    return text.trimmingBlanks
  }
}
