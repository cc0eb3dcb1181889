import Bytes
import Git
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

/// The box as a whole: its kinds, filters and tags with their numbers of notes, and the operations to undo and redo.
enum OverviewAnswer {
  static func answer(_ call: PageCall) throws -> PageResponse {
    let moment = try call.moment()
    let isBrief = try call.argument("brief") == "true"
    let facts = isBrief ? outline(of: moment) : try moment.overview.value { try members(moment, call) }
    let bytes = JSONDocument.object { writer in
      writer.member("name", bytes: BytePath.name(of: moment.snapshot.box.root))
      writer.member("path", bytes: moment.snapshot.box.root)
      writer.member("today", moment.snapshot.clock.today.description)
      writer.member("readOnly", call.box.circumstances.isReadOnly || call.isOfPast)
      writer.key("at")
      if call.isOfPast, let at = call.target.text("at") { writer.string(at) } else { writer.null() }
      writer.members(bytes: facts)
    }
    return .json(bytes).with(PageResponse.stateHeader, call.isOfPast ? call.box.state : moment.state)
  }

  /// The part that depends only on the moment, as members of an object.
  private static func members(_ moment: PageMoment, _ call: PageCall) throws -> [UInt8] {
    let snapshot = moment.snapshot
    let device = snapshot.box.device(call.box.circumstances.context())
    let facts = try OverviewFacts(moment, device: device, isNow: !call.isOfPast)
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("device", device)
      facts.write(to: &writer)
      OverviewFacts.writeViews(of: snapshot, to: &writer)
    }
    return Array(writer.takeBytes().dropFirst().dropLast())
  }

  /// The part that depends only on the settings, for a fast first answer: as `members`, without numbers, groups and tags.
  private static func outline(of moment: PageMoment) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("brief", true)
      writer.member("kinds", of: moment.snapshot.schema().kinds) { kind, writer in
        KindJSON.write(kind, to: &writer) { OverviewFacts.writeShape(of: kind, to: &$0) }
      }
      writer.member("filters", of: moment.snapshot.settings.allFilters) { filter, writer in
        writer.object { writer in
          writer.member("name", filter.name)
          writer.member("query", filter.query)
        }
      }
      OverviewFacts.writeViews(of: moment.snapshot, to: &writer)
    }
    return Array(writer.takeBytes().dropFirst().dropLast())
  }
}

/// The numbers of a box at one moment.
struct OverviewFacts {
  private let kinds: [(kind: Kind, count: Int, active: Int)]
  private let filters: [(name: String, query: String, count: Int?, isOwn: Bool)]
  private let groups: [RecordGroup]
  private let tags: [TagCount]
  private let folders: [FolderCount]
  private let conflicts: Int
  private let deleted: Int
  private let undo: PastOperation?
  private let redo: PastOperation?
  private let problems: [String]
  private let first: Timestamp?
  /// The name of the remote that a sync uses; nil if there is none.
  private let remote: String?

  /// - Parameters:
  ///   - device: the device whose operations are undone.
  ///   - isNow: whether it is about the present, so that operations can be undone and redone.
  init(_ moment: PageMoment, device: String, isNow: Bool) throws {
    let snapshot = moment.snapshot
    let schema = snapshot.schema()
    let (named, own) = (snapshot.settings.allFilters, snapshot.settings.filters)
    // A filter whose query can't be read is shown without a number.
    let readable = named.map { try? snapshot.query(["@\($0.name)"]) }
    var queries = [try snapshot.query(["is:active"]), try snapshot.query(["is:conflicted"])]
    for kind in schema.kinds { queries.append(try snapshot.query(["kind:\(kind.name)"])) }
    queries += readable.compactMap { $0 }
    let places = try snapshot.places(ofEach: queries)
    var isActive = [Bool](repeating: false, count: try snapshot.catalogue().entries.count)
    for place in places[0] { isActive[place] = true }
    kinds = schema.kinds.enumerated().map { number, kind in
      let records = places[2 + number]
      return (kind, records.count, records.count { isActive[$0] })
    }
    var counts = zip(queries, places).dropFirst(2 + schema.kinds.count).map { query, places in
      min(places.count, query.limit ?? .max)
    }[...]
    filters = zip(named, readable).map { filter, query in
      (filter.name, filter.query, query == nil ? nil : counts.removeFirst(), own[filter.name] != nil)
    }
    groups = try RecordGroup.all(at: moment)
    tags = try BoxTags(of: snapshot).counts(active: places[0])
    folders = FolderCount.all(in: try snapshot.catalogue().entries)
    conflicts = places[1].count
    deleted = isNow ? try moment.deleted()?.snapshot.catalogue().entries.count ?? 0 : 0
    let operations = PastOperations(in: snapshot, on: device)
    undo = isNow ? try operations.nextUndo() : nil
    redo = isNow ? try operations.nextRedo() : nil
    problems = UnreadableNotes.lines(try snapshot.unreadableNotes()) + schema.faults.map(\.message)
    first = try BoxHistory(of: snapshot).beginning()
    remote = isNow ? try? snapshot.box.syncTarget(named: nil).remote.name : nil
  }

  func write(to writer: inout JSONWriter) {
    writer.member("kinds", of: kinds) { item, writer in
      KindJSON.write(item.kind, to: &writer) { writer in
        writer.member("count", item.count)
        writer.member("activeCount", item.active)
        Self.writeShape(of: item.kind, to: &writer)
      }
    }
    writer.member("filters", of: filters) { filter, writer in
      writer.object { writer in
        writer.member("name", filter.name)
        writer.member("query", filter.query)
        writer.key("count")
        if let count = filter.count { writer.integer(count) } else { writer.null() }
        if filter.isOwn { writer.member("own", true) }
      }
    }
    writer.member("groups", of: groups) { $0.write(to: &$1) }
    writer.member("tags", of: tags) { tag, writer in
      writer.object {
        $0.member("tag", tag.name)
        $0.member("active", tag.active)
        $0.member("count", tag.all)
      }
    }
    writer.member("folders", of: folders) { folder, writer in
      writer.object {
        $0.member("folder", bytes: Array(folder.path))
        $0.member("count", folder.count)
      }
    }
    writer.member("conflicts", conflicts)
    writer.member("deleted", deleted)
    write("undo", undo, to: &writer)
    write("redo", redo, to: &writer)
    writer.member("problems", of: problems) { $1.string($0) }
    writer.member("remote", remote)
    writer.key("first")
    if let first { writer.string(first.rfc3339) } else { writer.null() }
  }

  /// Writes the layout by which a page draws the notes of a kind, besides its declaration.
  static func writeShape(of kind: Kind, to writer: inout JSONWriter) {
    if kind.isOfPlainNotes { writer.member("plain", true) }
    KindJSON.writeRow(of: kind, to: &writer)
  }

  /// Writes the saved views; one whose line can't be read has no form and no query.
  static func writeViews(of snapshot: BoxSnapshot, to writer: inout JSONWriter) {
    writer.member("views", of: snapshot.settings.viewLines) { saved, writer in
      let view = try? View(named: saved.name, in: snapshot)
      writer.object {
        $0.member("name", saved.name)
        $0.member("form", view?.shownForm.rawValue)
        $0.member("line", saved.line)
        $0.member("kind", view.flatMap { try? snapshot.query($0.query).kindName })
        $0.member("query", view?.query.joined(separator: " "))
        $0.member("by", view?.by)
        $0.member("columns", view?.columns)
      }
    }
  }

  private func write(_ name: String, _ past: PastOperation?, to writer: inout JSONWriter) {
    writer.key(name)
    guard let past else { return writer.null() }
    writer.object { writer in
      writer.member("operation", past.operation.id?.description)
      writer.member("subject", past.operation.subject)
    }
  }
}

/// A record that others belong to, such as a group with its tasks, with how many these are.
///
/// Such are the records of a kind without a state of its own that the one reference field of another kind names.
struct RecordGroup {
  private let entry: Entry
  private let referring: Kind
  private let field: Field
  private let count: Int
  private let active: Int

  /// The largest number of reported elements.
  private static let most = 200

  /// The groups of a box by their titles.
  static func all(at moment: PageMoment) throws -> [RecordGroup] {
    let (snapshot, objects) = (moment.snapshot, try moment.objects())
    let schema = snapshot.schema()
    var groups: [RecordGroup] = []
    for referring in schema.kinds {
      let references = referring.fields.filter { $0.type == .reference && !$0.isList && $0.target != nil }
      guard references.count == 1, let target = references[0].target.flatMap({ schema.kind(named: $0) }),
        target.active == nil, !target.isOfPlainNotes
      else { continue }
      let field = references[0]
      let records = try snapshot.matches(try snapshot.query(["kind:\(target.name) sort:title"])).prefix(most)
      for match in records {
        let numbers = objects.numbers(of: referring.name, referringTo: match.entry)
        groups.append(
          RecordGroup(
            entry: match.entry, referring: referring, field: field, count: numbers.all, active: numbers.active
          ))
      }
    }
    return Array(groups.prefix(most))
  }

  private static func query(_ entry: Entry, _ referring: Kind, _ field: Field) -> String {
    "kind:\(referring.name) \(field.name):\(entry.name)"
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("ref", PageMoment.ref(of: entry.note))
      writer.member("title", entry.note.title)
      writer.member("kind", entry.kind)
      writer.member("by", referring.name)
      writer.member("field", field.name)
      writer.member("active", active)
      writer.member("count", count)
      writer.member("query", Self.query(entry, referring, field))
    }
  }
}

/// A folder of the box with the number of notes in it and in the folders below it.
struct FolderCount {
  let path: ArraySlice<UInt8>
  private(set) var count: Int

  /// More folders are not listed.
  private static let most = 500

  /// The folders that hold notes, in order, each before the ones below it.
  ///
  /// - Complexity: O(n) in the bytes of the paths; notes of one folder that follow each other cost one look-up.
  static func all(in entries: Entries) -> [FolderCount] {
    var counts: [ArraySlice<UInt8>: Int] = [:]
    var (folder, run): (ArraySlice<UInt8>, Int) = ([], 0)
    for place in entries.indices {
      let path = entries.path(at: place)
      let end = path.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
      if !path[..<end].elementsEqual(folder) {
        counts[folder, default: 0] += run
        (folder, run) = (path[..<end], 0)
      }
      run += 1
    }
    counts[folder, default: 0] += run
    var all: [ArraySlice<UInt8>: Int] = [:]
    for (folder, count) in counts where !folder.isEmpty {
      all[folder, default: 0] += count
      for end in folder.indices where folder[end] == UInt8(ascii: "/") {
        all[folder[..<end], default: 0] += count
      }
    }
    let folders = all.map { FolderCount(path: $0.key, count: $0.value) }
    return Array(folders.sorted { $0.path.lexicographicallyPrecedes($1.path) }.prefix(most))
  }
}
