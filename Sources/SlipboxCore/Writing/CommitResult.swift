package import Git

/// The result of recording a change.
package struct CommitResult: Sendable {
  /// How far the recording came.
  package enum Outcome: Sendable, Equatable {
    /// Everything was in place already.
    case unchanged
    /// One commit holds it.
    case committed(ObjectID)
    /// The files are written; why they could not be committed, and the class of that condition.
    case saved(SlipboxError.Kind, reason: String, hints: [String])
  }

  package let outcome: Outcome
  package let changes: [FileChange]
  /// The sentence of the commit; nil where nothing changed.
  package let subject: String?
}
