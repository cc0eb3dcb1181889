import Git
import NoteIndex
package import Notes

/// The changes of the notes of a box in a period of days, according to its commits.
///
/// Commits of other programs count too. A merge has no changes of its own: they were counted in the merged commits.
package struct Review: Sendable {
  /// A note as a review names it: by its present title, or its last one.
  package struct Item: Sendable, Equatable {
    package let id: NoteID?
    /// The present path, or the last one.
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

  /// The notes of one kind with the same change.
  package struct Event: Sendable, Equatable {
    package enum What: String, Sendable, CaseIterable {
      case made
      /// Records that are no longer active.
      case ended
      /// Records that changed to another state in which they are active.
      case moved
      case reopened, deleted
    }

    package let what: What
    package let kind: String
    /// The action that makes the same change, if the kind has one.
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

  /// A link to a note that another note has now and did not have at the beginning.
  package struct NewLink: Sendable, Equatable {
    package let from: Item
    /// The title of the note to which it leads.
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
  /// The events, in the order of the changes, then of the kinds.
  package let events: [Event]
  package let renamings: [Renaming]
  /// Tags that no note had at the beginning, in alphabetical order.
  package let newTags: [String]
  package let newLinks: [NewLink]
  /// Notes that more than one commit changed, the busiest first.
  package let busiest: [Busy]
  /// The number of commits of each day that has any.
  package let days: [CivilDate: Int]
  /// The number of changed notes, including those that the review does not list.
  package let noteCount: Int
  /// The number of notes that were in the folder when it became a box. Nothing else in a review counts that commit.
  package let adoptedCount: Int
  /// The day of the first commit, if all days of the review are before it.
  package let begins: CivilDate?
  /// Whether the days extend beyond the boundary of a shallow clone.
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

/// The changes of one note, commit after commit.
struct ReviewTrack {
  /// The last change of a record's state.
  enum Shift: Equatable {
    case ended(action: String?)
    case moved(action: String)
    case reopened
  }

  /// Whether the note existed at the beginning.
  let wasThere: Bool
  /// The title, and the links, at the beginning.
  private let oldTitle: String?
  private let oldLinks: Set<String>
  private let oldKeys: (names: LinkKeySet, links: [LinkKey])
  /// The last version.
  private(set) var note: Note
  private(set) var kind: String
  private(set) var isThere = true
  private(set) var count = 0
  private(set) var shift: Shift?
  /// The shift after each version so far, by its text: undoing a change restores the former shift.
  private var shifts: [[UInt8]: Shift?] = [:]

  /// Begins with the first change of a note; nil if there is no version of it.
  init?(_ pair: VersionPair) {
    guard let first = pair.old ?? pair.new else { return nil }
    wasThere = pair.old != nil
    oldTitle = pair.old?.title
    oldLinks = Set((pair.old?.links ?? []).map(\.target))
    oldKeys = (LinkKeySet(pair.old?.nameKeys ?? []), pair.old?.linkKeys ?? [])
    note = first
    kind = first.kind
    if let old = pair.old { shifts[old.wholeText.bytes] = .some(nil) }
  }

  /// Adds a change.
  mutating func add(_ pair: VersionPair, _ states: ReviewStates) {
    count += 1
    isThere = pair.new != nil
    guard let new = pair.new else { return }
    kind = states.kind(of: new)
    if let earlier = shifts[new.wholeText.bytes] {
      shift = earlier
    } else if let old = pair.old, let shift = states.shift(from: old, to: new) {
      self.shift = shift
    }
    shifts[new.wholeText.bytes] = .some(shift)
    note = new
  }

  /// Returns whether the note had a link at the beginning by a name that another note had then.
  func linked(to other: ReviewTrack) -> Bool {
    oldKeys.links.contains { other.oldKeys.names.contains($0) }
  }

  /// The title at the beginning, if it has changed.
  var formerTitle: String? { oldTitle.flatMap { isThere && $0 != note.title ? $0 : nil } }

  /// The links that did not exist at the beginning, each target once.
  var newLinks: [BodyScan.Link] {
    guard isThere else { return [] }
    var seen = oldLinks
    return note.links.filter { seen.insert($0.target).inserted }
  }
}

/// Determines the states of records by the kinds of a box.
struct ReviewStates {
  private let schema: Schema
  private let matcher: KindMatcher
  private let active: ActiveTest
  private let clock: ClockReading

  init(_ snapshot: BoxSnapshot) {
    schema = snapshot.schema()
    matcher = snapshot.kindMatcher()
    clock = snapshot.clock
    // A postponed record is not over.
    active = ActiveTest(.open, schema: schema, clock: clock)
  }

  func kind(of note: Note) -> String { entry(note).kind }

  /// Returns the change of a record's state; nil if it did not change.
  func shift(from old: Note, to new: Note) -> ReviewTrack.Shift? {
    let (before, after) = (entry(old), entry(new))
    guard before.kind == after.kind, let kind = schema.kind(named: after.kind), kind.active != nil else {
      return nil
    }
    let action = kind.actions.first { does($0, kind, old, new) }?.name
    switch (active.isActive(before), active.isActive(after)) {
    case (true, false): return .ended(action: action)
    case (false, true): return .reopened
    case (true, true): return action.map { .moved(action: $0) }
    case (false, false): return nil
    }
  }

  private func entry(_ note: Note) -> Entry {
    let created = note.created ?? clock.now
    return Entry(note: note, created: created, kind: matcher.kind(of: note, created: created))
  }

  /// Returns whether an action would have made a change of the field that decides the state of a record.
  private func does(_ action: Action, _ kind: Kind, _ old: Note, _ new: Note) -> Bool {
    action.changes.contains { change in
      guard case .set(let name, let value) = change, let field = kind.field(name), kind.tellsActivity(field),
        let now = kind.value(of: name, in: new)
      else { return false }
      return field.written(now).isSameName(as: value) && kind.value(of: name, in: old) != now
    }
  }
}

/// A note before and after a commit; nil if it did not exist.
struct VersionPair {
  let old: Note?
  let new: Note?
}

/// The notes that a commit changed, each with its versions, across renames.
struct VersionPairs {
  private static let symbolicLink: UInt32 = 0o120000

  private let box: Box
  /// The notes of the last commit, by their paths: the new version of one commit is the old one of the next.
  private let known = SharedNotes()

  init(_ box: Box) { self.box = box }

  /// Returns the pairs of a commit compared with its first parent, without versions that a merge took unchanged from
  /// another parent.
  ///
  /// - Throws: `GitError` with `missing` if the parent is beyond the boundary of a shallow clone.
  /// - Complexity: linear in the folders and notes that differ.
  func pairs(of commit: Commit, in repository: Repository) throws(GitError) -> [VersionPair] {
    var versions: [(old: NoteVersion?, new: NoteVersion?)] = []
    var (old, new): ([[UInt8]: Note], [[UInt8]: Note]) = ([:], [:])
    for file in try NoteVersion.files(changedBy: commit, at: nil, in: repository, below: box.prefix) {
      let before = try file.old.flatMap { entry throws(GitError) in try note(entry, repository) }
      let after = try file.new.flatMap { entry throws(GitError) in try note(entry, repository) }
      guard before != nil || after != nil else { continue }
      if let before { old[before.path] = before }
      if let after { new[after.path] = after }
      versions.append((Self.version(before, file.old), Self.version(after, file.new)))
    }
    let moves = OperationTrailers.operation(of: commit).moves
    return NoteMatching.pairs(versions, moves: moves).map { pair in
      VersionPair(old: pair.old.flatMap { old[$0.path] }, new: pair.new.flatMap { new[$0.path] })
    }
  }

  private static func version(_ note: Note?, _ entry: TreeEntry?) -> NoteVersion? {
    guard let note, let entry else { return nil }
    return NoteVersion(note, blob: entry.id)
  }

  /// Returns the note of a file; nil for a file that is not a note.
  private func note(_ entry: TreeEntry, _ repository: Repository) throws(GitError) -> Note? {
    let path = Array(entry.path.dropFirst(box.prefix.count))
    guard box.isNoteFile(entry.path), entry.mode != Self.symbolicLink else { return nil }
    let content = ContentID(entry.id.bytes)
    if let note = known.note(at: path, content) { return note }
    let note = Note(
      path: path, text: NoteText(try repository.conversion.content(of: entry.id, at: entry.path)))
    known.keep(note, content)
    return note
  }
}
