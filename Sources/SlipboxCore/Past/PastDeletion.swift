package import Git
package import Notes

/// The deletion of a note: when, and by which command.
package struct PastDeletion: Sendable, Equatable {
  package let commit: ObjectID
  /// The author's time of the commit.
  package let time: Timestamp
  /// The command of slip that did it; nil where another program made the commit.
  package let command: String?
}
