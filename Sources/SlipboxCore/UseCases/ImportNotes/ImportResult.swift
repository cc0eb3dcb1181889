import Bytes
package import Notes

/// What an import does to a box: the plan, and each note with where it came from.
package struct ImportResult {
  /// A place in a source.
  package struct Place: Sendable, Equatable {
    /// The file, as it is shown.
    package let file: String
    /// From 1; nil for a file that is a note as a whole.
    package let line: Int?

    /// The place as messages name it.
    package var shown: String { line.map { "\(file):\($0)" } ?? file }
  }

  /// A note of the box with the place that it came from.
  package struct Item: Sendable {
    package let note: Note
    package let place: Place
    /// Whether it was made for records to belong to.
    package var isGroup = false
  }

  /// What could not be imported.
  package struct Failure: Sendable {
    package let place: Place
    package let message: String
    /// Whether the note of the line is imported without what can't be read.
    package let isPartial: Bool
  }

  /// A note of which something stays as it is in the box although the source says something else.
  package struct Kept: Sendable {
    package let item: Item
    /// The fields, or `body`; empty where no import has made the note, so that no change can be told.
    package let parts: [String]
    /// Whether other parts of the note follow the source, so that it is among those that change too.
    let isChanged: Bool
  }

  package internal(set) var plan: Plan
  package internal(set) var made: [Item] = []
  package internal(set) var changed: [Item] = []
  package internal(set) var unchanged = 0
  package internal(set) var kept: [Kept] = []
  /// The notes that were deleted in the box, and stay so.
  package internal(set) var deleted: [Item] = []
  /// The notes that an earlier import brought from the sources and that are not in them now.
  package internal(set) var vanished: [Note] = []
  package internal(set) var failures: [Failure] = []
  /// What was left out or done beside, a sentence each.
  package internal(set) var remarks: [String] = []
  /// How many files that notes link to come along.
  package internal(set) var attachments = 0
  /// How many made notes have no date of their own.
  package internal(set) var undated = 0

  /// How many notes and records the sources have that can be read.
  package var count: Int {
    made.count(where: { !$0.isGroup }) + changed.count + unchanged + deleted.count
      + kept.count { !$0.isChanged }
  }
}
