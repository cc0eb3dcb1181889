package import Git
import Text

/// A file that is a note by its name and could not be read.
package struct UnreadableNote: Sendable {
  package enum Cause: Sendable, Equatable {
    /// The reason of the system or of git.
    case failure(String)
    /// The size is over the limit of notes, in words.
    case tooLarge(String)
    /// The file holds what a filter stores in place of the text.
    case stored(StoredForm)
  }

  package let path: [UInt8]
  package let cause: Cause

  package var reason: String {
    switch cause {
    case .failure(let reason): reason
    case .tooLarge(let reason): reason
    case .stored(.gitCrypt): "encrypted by git-crypt"
    case .stored(.age): "encrypted by age"
    case .stored(.lfsPointer): "a pointer of Git LFS"
    case .stored(.unknown(let filter)): "not converted by the git filter \(Visible.escape(filter))"
    }
  }

  /// What the user can do.
  package var remedy: String {
    switch cause {
    case .failure: "check its permissions"
    case .tooLarge: "split or rename it; git add and git commit can commit it"
    case .stored(.gitCrypt): "decrypt it with: git-crypt unlock KEY"
    case .stored(.age): "configure the filter that decrypts it, then check the file out again"
    case .stored(.lfsPointer): "fetch it with: git lfs install && git lfs pull"
    case .stored(.unknown(let filter)):
      "set filter.\(Visible.escape(filter)).smudge with git config, then check the file out again"
    }
  }

  /// Whether a filter would make the note readable.
  package var isStoredForm: Bool { if case .stored = cause { true } else { false } }
}
