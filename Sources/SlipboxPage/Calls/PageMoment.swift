import Git
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Synchronization
import Text

/// A snapshot of a box, with results cached for later requests.
final class PageMoment: Sendable {
  let snapshot: BoxSnapshot
  /// The identifier of this moment.
  let state: String
  /// The commit of the box; nil before the first one.
  let tip: ObjectID?
  /// The answer about the box as a whole, without the parts that depend on the server.
  let overview = Kept<[UInt8]>()
  private let keptObjects = Kept<NoteObjects>()
  private let keptFiles = Kept<Set<[UInt8]>>()
  private let keptNames = Kept<NoteNameIndex>()
  private let keptWeb = Kept<NoteWeb>()
  private let keptDeleted = Kept<DeletedNotes?>()
  private let context: CommandContext
  private let lists = KeptFew<ListRequest, ListOrder>(4)
  private let views = KeptFew<ViewRequest, ShownView>(4)

  init(_ snapshot: BoxSnapshot, state: String, _ context: CommandContext) throws(SlipboxError) {
    self.snapshot = snapshot
    self.context = context
    self.state = state
    tip = try snapshot.box.tip()
  }

  /// Notes as objects of JSON.
  func objects() throws(SlipboxError) -> NoteObjects {
    try keptObjects.value { () throws(SlipboxError) in try NoteObjects(snapshot) }
  }

  /// A sorted list. The last few lists are cached, so that a window of one costs no more than its notes.
  func list(_ request: ListRequest, _ compute: () throws -> ListOrder) throws -> ListOrder {
    try lists.value(request, compute)
  }

  /// A view with its notes. The last few views are cached.
  func view(_ request: ViewRequest, _ compute: () throws -> ShownView) throws -> ShownView {
    try views.value(request, compute)
  }

  /// Caches the fields and titles that lists read.
  func keepFields() { try? snapshot.catalogue().entries.keepFields() }

  /// Computes the lists of all kinds and the active notes, so that they are cached.
  ///
  /// Errors are reported to later requests.
  func prepareLists() {
    for query in snapshot.schema().kinds.map({ "kind:" + $0.name }) + ["is:active", "sort:title"] {
      _ = try? snapshot.matches(snapshot.query([query]))
    }
  }

  /// The files other than notes that some note links to or embeds.
  func linkedFiles() throws(SlipboxError) -> Set<[UInt8]> {
    try keptFiles.value { () throws(SlipboxError) in Set(try LinkedFiles(in: snapshot).all()) }
  }

  /// The index of the names of the notes, searched by typed text.
  func names() throws(SlipboxError) -> NoteNameIndex {
    try keptNames.value { () throws(SlipboxError) in try NoteNameIndex(of: snapshot) }
  }

  /// How the notes are connected.
  func web() throws(SlipboxError) -> NoteWeb {
    try keptWeb.value { () throws(SlipboxError) in try NoteWeb(snapshot) }
  }

  /// The notes that were deleted; nil before the first commit.
  func deleted() throws(SlipboxError) -> DeletedNotes? {
    try keptDeleted.value { () throws(SlipboxError) in try DeletedNotes(of: snapshot, context) }
  }

  /// A note as requests name it: by its id, else by its path.
  static func ref(of note: Note) -> String {
    note.id?.description ?? String(decoding: note.path, as: UTF8.self)
  }

  /// Writes a note as an object with the id of its bytes.
  func write(
    _ entry: Entry, _ objects: NoteObjects, to writer: inout JSONWriter
  ) throws(SlipboxError) {
    try objects.write(entry, to: &writer) { writeState(of: entry, objects, to: &$0) }
  }

  /// Writes the id of the bytes of a note, and whether it is active, as members of the open object.
  func writeState(of entry: Entry, _ objects: NoteObjects, to writer: inout JSONWriter) {
    // A note of the catalogue has an id of its bytes.
    writer.member("etag", (try? snapshot.contentID(at: entry.note.path))??.hex)
    objects.writeState(of: entry, to: &writer)
  }
}

/// Finds the notes that requests name.
struct RequestedNotes {
  private let snapshot: BoxSnapshot

  init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The note that a request names by its id or path.
  ///
  /// - Parameter etag: the id of the bytes that the page has read of it: if no note is at the path any more, the one
  ///   note that holds them is meant, whose file was moved.
  /// - Throws: if there is none, or if several fit.
  func entry(_ ref: String, readAs etag: ObjectID? = nil) throws -> Entry {
    do throws(SlipboxError) {
      return try NoteLookup(in: snapshot).entry(ref, fuzzy: false)
    } catch {
      if error.kind == .notFound, NoteID(ref) == nil, let etag, let moved = try onlyEntry(holding: etag) {
        return moved
      }
      // Only an ambiguous REF is reported as bad data here.
      guard error.kind == .badData else { throw error }
      throw PageError(.ambiguous, WindowMessage(error).message, hints: WindowMessage(error).hints)
    }
  }

  /// The one note whose file holds some bytes; nil if none does, or several do.
  ///
  /// - Complexity: O(n log n).
  private func onlyEntry(holding id: ObjectID) throws(SlipboxError) -> Entry? {
    let entries = try snapshot.catalogue().entries
    var found: Int?
    for place in entries.indices where try snapshot.contentID(at: entries.path(at: place)) == id {
      guard found == nil else { return nil }
      found = place
    }
    return found.map { entries[$0] }
  }
}

/// A requested list.
struct ListRequest: Equatable, Sendable {
  let query: String
  let sort: String?
  /// Whether deleted notes are requested.
  var isOfDeleted = false
}

/// The notes of a list in their order.
struct ListOrder: Sendable {
  let query: Query
  /// Without snippets: these are computed for the requested window.
  let matches: [Match]

  /// Whether words were looked for, so that snippets belong to the notes.
  var isSearch: Bool { query.hasText }
}

/// A value that is computed at its first use and then cached. Safe for several threads.
final class Kept<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  /// The value; other threads wait while it is worked out. If that fails, the next question tries again.
  func value<Failure: Error>(_ compute: () throws(Failure) -> Value) throws(Failure) -> Value {
    let result = value.withLock { known -> Result<Value, Failure> in
      if let known { return .success(known) }
      do throws(Failure) {
        let made = try compute()
        known = made
        return .success(made)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

/// The last few computed values by their keys. Safe for several threads.
final class KeptFew<Key: Equatable & Sendable, Value: Sendable>: Sendable {
  private let most: Int
  private let known = Mutex<[(key: Key, value: Kept<Value>)]>([])

  /// - Parameter most: the number of cached values, the most recently used ones.
  init(_ most: Int) { self.most = most }

  /// The value of a key; threads that request the same one wait while it is computed.
  func value<Failure: Error>(
    _ key: Key, _ compute: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let kept = known.withLock { known in
      let place = known.firstIndex { $0.key == key }
      let found = place.map { known.remove(at: $0) } ?? (key: key, value: Kept<Value>())
      known.append(found)
      if known.count > most { known.removeFirst() }
      return found.value
    }
    return try kept.value(compute)
  }
}

/// A view that a page requests.
struct ViewRequest: Equatable, Sendable {
  let view: View
  /// A further query, which the notes match too.
  let filter: String
}

/// A view with its notes.
enum ShownView: Sendable {
  case board(Board)
  case calendar(NoteCalendar)
  case table(NoteTable)
  case agenda(Agenda)
  /// Parts one below the other, each with a heading.
  case sections([(title: String, matches: [Match])], total: Int)

  init(_ request: ViewRequest, in snapshot: BoxSnapshot) throws {
    let view = request.view
    if view.form == .agenda {
      var agenda = Agenda.Request()
      agenda.query = view.query + (request.filter.isEmpty ? [] : ["(\(request.filter))"])
      if let days = view.days { (agenda.days, agenda.isOfToday) = (days, days == 0) }
      self = .agenda(try Agenda(agenda, in: snapshot))
      return
    }
    let notes = try ViewNotes(view, filter: request.filter, in: snapshot)
    switch view.form {
    case .board: self = .board(try Board(view, notes, in: snapshot))
    case .calendar: self = .calendar(try NoteCalendar(view, notes, in: snapshot))
    case _ where view.isTable:
      self = .table(try NoteTable(notes.matches, try TableRequest(view, kind: notes.kind), in: snapshot))
    default:
      guard let by = view.by else {
        self = .sections([("", notes.matches)], total: notes.matches.count)
        return
      }
      let groups = try NoteGroup.groups(notes.matches, by: try TableColumn.readGroup(by), in: snapshot)
      self = .sections(groups.map { ($0.heading, $0.matches) }, total: notes.matches.count)
    }
  }
}
