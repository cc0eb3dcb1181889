import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// A record that others belong to, such as a group with its tasks, with how many these are.
///
/// Such are the records of a kind without a state of its own that the one reference field of another kind names.
struct RecordGroup {
  private let entry: Entry
  private let referring: Kind
  private let field: Field
  private let count: Int
  private let active: Int

  /// So many are told of.
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
