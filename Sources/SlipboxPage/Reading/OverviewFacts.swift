import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

/// The numbers of a box at one moment.
struct OverviewFacts {
  private let kinds: [(kind: Kind, count: Int, active: Int)]
  private let filters: [(name: String, query: String, count: Int?)]
  private let groups: [RecordGroup]
  private let tags: [TagCount]
  private let conflicts: Int
  private let deleted: Int
  private let undo: PastOperation?
  private let redo: PastOperation?
  private let problems: [String]
  private let first: Timestamp?

  /// - Parameters:
  ///   - device: whose operations are taken back.
  ///   - isNow: whether something can be taken back, and comes back.
  init(_ moment: PageMoment, device: String, isNow: Bool) throws {
    let snapshot = moment.snapshot
    kinds = try snapshot.schema().kinds.map { kind in
      (
        kind, try Self.count("kind:\(kind.name)", snapshot),
        try Self.count("kind:\(kind.name) is:active", snapshot)
      )
    }
    filters = try snapshot.allFilters.map { filter in
      (filter.name, filter.query, try Self.countIfReadable("@\(filter.name)", snapshot))
    }
    groups = try RecordGroup.all(at: moment)
    tags = try snapshot.tags()
    conflicts = try Self.count("is:conflicted", snapshot)
    deleted = isNow ? try moment.deleted()?.snapshot.catalogue().entries.count ?? 0 : 0
    undo = isNow ? try snapshot.nextUndo(on: device) : nil
    redo = isNow ? try snapshot.nextRedo(on: device) : nil
    problems = UnreadableNotes.lines(try snapshot.unreadableNotes()) + snapshot.schema().faults.map(\.message)
    first = try snapshot.beginning()
  }

  private static func count(_ query: String, _ snapshot: BoxSnapshot) throws -> Int {
    try snapshot.count(try snapshot.query([query]))
  }

  /// The number of notes of a filter; nil where its query can't be read, which is no reason to show none.
  private static func countIfReadable(_ query: String, _ snapshot: BoxSnapshot) throws -> Int? {
    guard let query = try? snapshot.query([query]) else { return nil }
    return try snapshot.count(query)
  }

  func write(to writer: inout JSONWriter) {
    writer.member("kinds", of: kinds) { item, writer in
      KindJSON.write(item.kind, to: &writer) { writer in
        writer.member("count", item.count)
        writer.member("activeCount", item.active)
        if item.kind.isOfPlainNotes { writer.member("plain", true) }
        KindJSON.writeRow(of: item.kind, to: &writer)
      }
    }
    writer.member("filters", of: filters) { filter, writer in
      writer.object { writer in
        writer.member("name", filter.name)
        writer.member("query", filter.query)
        writer.key("count")
        if let count = filter.count { writer.integer(count) } else { writer.null() }
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
    writer.member("conflicts", conflicts)
    writer.member("deleted", deleted)
    write("undo", undo, to: &writer)
    write("redo", redo, to: &writer)
    writer.member("problems", of: problems) { $1.string($0) }
    writer.key("first")
    if let first { writer.string(first.rfc3339) } else { writer.null() }
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
