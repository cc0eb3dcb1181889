/// Why another repository could not be reached, or refused what was sent.
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
    /// A hook or a rule of the server refused what was sent.
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
    /// What git says fits none of these.
    case other
  }

  package let kind: Kind
  /// The line by which git, ssh or the server says so; control characters are not yet escaped.
  package let reason: String
  /// What the server said besides, a line each, likewise.
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
