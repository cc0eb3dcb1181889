package import Notes

/// What happened to the notes of a box in a stretch of days, by its commits.
///
/// Commits of other programs count too. A merge counts nothing of its own: what it brought was counted where it was done.
package struct Review: Sendable {
  /// A note as it is named in a review: by the title that it bears now, or bore last.
  package struct Item: Sendable, Equatable {
    package let id: NoteID?
    /// The path now, or the last one.
    package let path: [UInt8]
    package let title: String
    package let kind: String
    package let isDeleted: Bool

    package init(id: NoteID?, path: [UInt8], title: String, kind: String, isDeleted: Bool) {
      self.id = id
      self.path = path
      self.title = title
      self.kind = kind
      self.isDeleted = isDeleted
    }
  }

  /// The notes of one kind to which the same happened.
  package struct Event: Sendable, Equatable {
    package enum What: String, Sendable, CaseIterable {
      case made
      /// Records that are no longer active.
      case ended
      /// Records that went on to another state in which they are active.
      case moved
      case reopened, deleted
    }

    package let what: What
    package let kind: String
    /// The action that does the same, where the kind has one.
    package let action: String?
    package let items: [Item]

    package init(what: What, kind: String, action: String? = nil, items: [Item]) {
      self.what = what
      self.kind = kind
      self.action = action
      self.items = items
    }
  }

  /// A note with another title than at the beginning.
  package struct Renaming: Sendable, Equatable {
    package let item: Item
    package let oldTitle: String

    package init(item: Item, oldTitle: String) {
      self.item = item
      self.oldTitle = oldTitle
    }
  }

  /// A link to a note that another one has and did not have at the beginning.
  package struct NewLink: Sendable, Equatable {
    package let from: Item
    /// The title of the note that it leads to.
    package let to: String

    package init(from: Item, to: String) {
      self.from = from
      self.to = to
    }
  }

  /// A note with the number of commits that changed it.
  package struct Busy: Sendable, Equatable {
    package let item: Item
    package let count: Int

    package init(item: Item, count: Int) {
      self.item = item
      self.count = count
    }
  }

  package let first: CivilDate
  package let last: CivilDate
  /// In the order of what happened, then of the kinds.
  package let events: [Event]
  package let renamings: [Renaming]
  /// Tags that no note bore at the beginning, in alphabetical order.
  package let newTags: [String]
  package let newLinks: [NewLink]
  /// Notes that more than one commit changed, the busiest first.
  package let busiest: [Busy]
  /// The number of commits of each day that has any.
  package let days: [CivilDate: Int]
  /// The number of notes that were changed, also of those of which nothing else is told.
  package let noteCount: Int
  /// The number of notes that were in the folder when it became a box; that commit is no other part of a review.
  package let adoptedCount: Int
  /// The day of the first commit, if all days of the review are before it.
  package let begins: CivilDate?
  /// Whether the days reach behind the cut of a shallow clone.
  package let isCut: Bool

  package init(
    first: CivilDate, last: CivilDate, events: [Event] = [], renamings: [Renaming] = [],
    newTags: [String] = [], newLinks: [NewLink] = [], busiest: [Busy] = [], days: [CivilDate: Int] = [:],
    noteCount: Int = 0, adoptedCount: Int = 0, begins: CivilDate? = nil, isCut: Bool = false
  ) {
    self.first = first
    self.last = last
    self.events = events
    self.renamings = renamings
    self.newTags = newTags
    self.newLinks = newLinks
    self.busiest = busiest
    self.days = days
    self.noteCount = noteCount
    self.adoptedCount = adoptedCount
    self.begins = begins
    self.isCut = isCut
  }

  /// The number of commits.
  package var commitCount: Int { days.values.reduce(0, +) }
}
