import CLibgit2
import Platform

/// A refusal or failure of git, with a sentence for the person at the keyboard.
package struct GitError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; the caller chooses the exit status by it.
  package enum Reason: Sendable, Equatable {
    /// The repository belongs to another user, and git does not trust it either.
    case notOwned
    /// The repository uses an extension of git's format that cannot be read here.
    case unsupported(extension: String)
    /// A lock file stayed in the way until the wait was over.
    case locked(path: [UInt8], ageSeconds: Int)
    /// The branch has moved: the compare-and-swap failed.
    case moved
    /// Neither variables nor configuration give the name or the email.
    case noIdentity(what: String)
    /// The name or the email has characters that a commit can't contain.
    case badIdentity
    /// An object, a ref or the index exists and can't be read; objects are named by their hash.
    case damaged(object: String)
    /// A branch does not lead to a commit although there was one: the last that its log names, in hexadecimal, and
    /// the commands of git that bring it back.
    case lostBranch(commit: String?, cure: [String])
    /// Git would pass the file through a program or another encoding, which is not done here.
    case filtered(path: [UInt8], attribute: String)
    /// A filter of git's failed on a file.
    case filterFailed
    /// A FIFO, a socket or a device has the name of a file that git would read.
    case special(path: [UInt8])
    /// The file of the repository's settings can't be read.
    case unreadable(path: [UInt8])
    /// The path has conflicting versions in the index.
    case unmerged(path: [UInt8])
    /// An object, commit or file that is named does not exist.
    case missing
    /// An object was left at the remote of a partial clone: it may not be fetched now, or that failed.
    case promised(wasTried: Bool)
    /// The beginning of a name fits several objects.
    case ambiguous
    /// Another repository could not be reached, or refused the push.
    case remote(RemoteFault)
    /// The operating system failed.
    case io
    /// Anything else.
    case other
  }

  package let reason: Reason
  /// The refusal and the next step; control characters in paths are not yet escaped.
  package let message: String

  init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }

  package var description: String { message }
}

extension GitError {
  /// A failed system call, with the reason of a code of `errno`.
  static func system(_ operation: String, _ path: [UInt8], code: Int32) -> GitError {
    GitError(.io, "cannot \(operation) \(text(path)): \(SystemError.words(for: code))")
  }

  /// A failed call of libgit2, with its last message.
  static func library(_ status: Int32, _ operation: String) -> GitError {
    let last = git_error_last()
    let detail = last?.pointee.message.map { String(cString: $0) } ?? "error \(status)"
    let message = "cannot \(operation): \(detail)"
    switch git_error_code(status) {
    case GIT_ENOTFOUND: return GitError(.missing, message)
    case GIT_EMODIFIED: return GitError(.moved, message)
    case GIT_EMISMATCH: return GitError(.damaged(object: ""), message)
    default: break
    }
    let isSystem = last.map { git_error_t(UInt32(bitPattern: $0.pointee.klass)) == GIT_ERROR_OS } ?? false
    return GitError(isSystem ? .io : .other, message)
  }

  /// The refusal for a path of which the index has the versions of a conflict.
  package static func unmerged(_ path: [UInt8]) -> GitError {
    GitError(
      .unmerged(path: path),
      "\(text(path)) has unmerged entries in git's index; resolve them, then run: git add")
  }

  /// The refusal for a lock that another program holds.
  package static func locked(_ path: [UInt8]) -> GitError {
    let age = RawFile.status(path).map { max(0, time(nil) - Int($0.modified.seconds)) } ?? 0
    return GitError(
      .locked(path: path, ageSeconds: age), "git is locked by \(text(path)): \(lockState(path))")
  }

  /// Describes a lock file of another program: its age, and whether a process has it open.
  package static func lockState(_ path: [UInt8]) -> String {
    guard let status = RawFile.status(path) else { return "the lock file is gone by now" }
    let age = time(nil) - Int(status.modified.seconds)
    let isOpen = ProcessTable.isOpen(path)
    return "\(words(forAge: age)), \(isOpen ? "a process has" : "no process has") it open"
  }

  /// An age as people say it.
  static func words(forAge seconds: Int) -> String {
    guard seconds >= 0 else { return "dated in the future" }
    let units = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")]
    let (size, name) = units.first { seconds >= $0.0 } ?? (1, "second")
    let count = seconds / size
    return "\(count) \(name)\(count == 1 ? "" : "s") old"
  }

  /// A path for a message; bytes that are not UTF-8 become replacement characters.
  static func text(_ path: some Collection<UInt8>) -> String { String(decoding: path, as: UTF8.self) }
}
