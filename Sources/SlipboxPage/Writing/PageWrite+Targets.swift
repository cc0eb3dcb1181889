import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// The notes of a change.
extension PageWrite {
  /// The notes that are named, each with the bytes that the page has read of it; or those that a query finds.
  ///
  /// - Throws: where a query finds another number of notes than the page has shown.
  func targets() throws -> [(entry: Entry, target: WriteBody.Target?)] {
    if let query = try body.text("where") {
      guard try body.targets() == nil else {
        throw PageError(.badRequest, "notes and where can't be combined")
      }
      return try found(by: query).map { ($0, nil) }
    }
    guard let targets = try body.targets() else {
      throw PageError(.badRequest, "notes is missing")
    }
    var seen: Set<[UInt8]> = []
    var all: [(entry: Entry, target: WriteBody.Target?)] = []
    for target in targets {
      let entry = try snapshot.entry(namedByPage: target.ref, readAs: target.etag)
      if seen.insert(entry.note.path).inserted { all.append((entry, target)) }
    }
    return all
  }

  /// The note of an id or a path.
  func entry(_ ref: String) throws -> Entry { try snapshot.entry(namedByPage: ref) }

  /// The changes that are asked for of notes of some kinds.
  func changes(of kinds: [String]) throws -> [Change] {
    let kinds = Set(kinds).map { snapshot.schema().kindOrPlain(named: $0) }
    return try body.changes { name in
      let fields = kinds.compactMap { $0.field(name) }
      return fields.isEmpty ? nil : fields.contains(where: \.isList)
    }
  }

  /// A body that a page sends, with the line ends of the text that it has read.
  func bytes(ofBody sent: String, _ entry: Entry, _ target: WriteBody.Target?) -> [UInt8] {
    let base = target?.etag.flatMap { call.box.knownBytes(of: $0) }
    return SentBody(sent, changing: base.map { NoteText($0) } ?? entry.note.text).bytes
  }

  private func found(by query: String) throws -> [Entry] {
    guard query.contains(where: { !$0.isWhitespace }) else {
      throw PageError(.refused, "the query is empty", hints: ["to select all notes: @all"])
    }
    let entries = try snapshot.matches(try snapshot.query([query])).map(\.entry)
    let isHeldAgainstShown = try body.text("seen") != nil
    guard let expected = try body.number("expect") else {
      guard try isHeldAgainstShown || body.flag("preview") else {
        throw PageError(.badRequest, "where needs expect or seen")
      }
      return entries
    }
    guard entries.count == expected else {
      guard !isHeldAgainstShown else { throw ShownChange.refusal }
      throw PageError(
        .refused, "\(Count.notes(entries.count)), not \(expected) as expected", hints: ["nothing was changed"]
      )
    }
    return entries
  }
}
