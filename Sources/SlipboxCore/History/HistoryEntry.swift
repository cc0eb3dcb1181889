package import Git
import NoteIndex
package import Notes

/// One commit of the box's history with what it did to the notes that are asked for.
package struct HistoryEntry: Sendable {
  package let commit: Repository.Commit
  /// The operation, as its message tells of it.
  package let operation: Operation
  /// The changes that are asked for; those that the message tells of where no more were asked for.
  package let changes: [NoteChange]
  /// The files that are asked for, from the root of the repository; nil for all of the box.
  let paths: [[UInt8]]?

  init(_ commit: Repository.Commit, changes: [NoteChange]? = nil, paths: [[UInt8]]? = nil) {
    self.commit = commit
    self.paths = paths
    operation = OperationTrailers.operation(of: commit)
    self.changes = changes ?? operation.changes
  }
}

/// A note of now or of the past, as far as its history is asked for.
package struct PastNote: Sendable, Hashable {
  /// Its path in the box: that of now, or the last one.
  package let path: [UInt8]
  package let id: NoteID?

  package init(path: [UInt8], id: NoteID?) {
    self.path = path
    self.id = id
  }
}

/// Which commits of a history are asked for, besides those of certain notes.
package struct HistoryFilter: Sendable {
  /// The stretch of time in which the author made them.
  package var interval: DateInterval
  /// What the author's name or address holds, in any case; nil for anybody.
  package var author: String?
  /// The field that they changed, by its name; `body` is the text, `path` the place.
  package var field: String?
  /// Whether all changes are wanted, also those that messages do not tell of.
  package var wantsChanges: Bool
  /// Whether somebody still waits for the commits: asked at each one that is looked at, which is the last where not.
  package var isWanted: @Sendable () -> Bool = { true }

  /// The clock whose days the interval counts.
  let clock: ClockReading?

  package init(
    interval: DateInterval = .all, clock: ClockReading? = nil, author: String? = nil, field: String? = nil,
    wantsChanges: Bool = false
  ) {
    self.interval = interval
    self.clock = clock
    self.author = author
    self.field = field
    self.wantsChanges = wantsChanges
  }
}
