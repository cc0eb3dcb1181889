import Bytes
import NoteIndex
import Notes
import Text

/// The edits that rename notes and preserve every link to them.
///
/// The edits are computed twice with the same rules: once from the catalogue, to find the files that change and to refuse
/// uncertain links, and once for each file from the bytes that it has under the lock.
struct KeptLinks {
  let snapshot: BoxSnapshot
  let rewriting: LinkRewriting
  private let references: ReferenceRewriting
  private let rewritten: [RewrittenLinks]

  /// - Parameters:
  ///   - successors: the notes after the change.
  ///   - made: notes that are new.
  ///   - files: the new paths of files that are not notes and move, by their paths before.
  /// - Throws: `.badData` with the places of the links that would break or become ambiguous.
  init(
    _ successors: [NoteSuccessor], made: [Entry] = [], files: [[UInt8]: [UInt8]] = [:],
    in snapshot: BoxSnapshot
  ) throws(SlipboxError) {
    self.snapshot = snapshot
    try LeftOutFiles.warnOfNotes(in: snapshot)
    let entries = try snapshot.catalogue().entries
    rewriting = LinkRewriting(
      entries, successors, made: made, style: try snapshot.layout().links, executor: Processors.all,
      files: try LinkedFiles(in: snapshot).finder(moves: files))
    rewritten = rewriting.all()
    let refusals = rewritten.flatMap { note in note.refusals.map { Place(note.path, $0.link, $0.reason) } }
    if !refusals.isEmpty { throw Self.refusal(refusals) }
    references = try ReferenceRewriting(rewriting, successors, in: snapshot)
  }

  /// The number of links that are rewritten.
  var report: LinkReport {
    var report = LinkReport()
    var notes = Set(references.paths)
    report.links = references.count
    for note in rewritten {
      report.links += note.edits.count
      report.gained += note.gained
      if !note.edits.isEmpty { notes.insert(note.path) }
    }
    report.notes = notes.count
    return report
  }

  /// Returns the edits of the notes that link to changed notes and do not change themselves.
  func edits(except own: Set<[UInt8]>) -> [FileEdit] {
    let linking = Set(rewritten.filter { !$0.edits.isEmpty }.map(\.path)).union(references.paths)
    return linking.subtracting(own).sorted { $0.lexicographicallyPrecedes($1) }.map { path in
      FileEdit(path: path) { bytes throws(SlipboxError) in
        guard let bytes else { throw Self.gone(path) }
        return try text(of: NoteText(bytes), at: path, to: path).bytes
      }
    }
  }

  /// Returns a note's text with its links and references rewritten.
  ///
  /// - Parameters:
  ///   - path: the former path of the note.
  ///   - newPath: the path of the note that contains the links afterwards.
  func text(of text: NoteText, at path: [UInt8], to newPath: [UInt8]) throws(SlipboxError) -> NoteText {
    try self.text(of: text, at: path) { _ in newPath }
  }

  /// - Parameter newPath: returns the path of the note that contains a link afterwards.
  func text(
    of text: NoteText, at path: [UInt8], to newPath: (BodyScan.Link) -> [UInt8]
  ) throws(SlipboxError) -> NoteText {
    let links = LinkEditor.links(of: text)
    var edits: [LinkEdit] = []
    for place in Set(links.map(newPath)) {
      let rewritten = rewriting.links(links, from: path, to: place)
      let refusals = rewritten.refusals.filter { newPath($0.link) == place }.map {
        Place(path, $0.link, $0.reason)
      }
      if !refusals.isEmpty { throw Self.refusal(refusals) }
      edits += rewritten.edits.filter { newPath(links[$0.number]) == place }
    }
    while true {
      do throws(LinkEditError) {
        let text = try LinkEditor.text(of: text, links: links, edits)
        return try references.text(of: text, at: path)
      } catch {
        guard let place = edits.firstIndex(where: { $0.number == error.number && !$0.isNeeded }) else {
          throw Self.refusal([Place(path: path, line: error.line, target: error.target, reason: error.reason)]
          )
        }
        // The link still leads to the note, by an alias.
        edits.remove(at: place)
        snapshot.reporter.remarkWhenDone(
          "\(path):\(error.line): \(error.target) is not rewritten: \(error.reason)"
        )
      }
    }
  }

  static func gone(_ path: [UInt8]) -> SlipboxError {
    SlipboxError(.notFound, "\(path) was deleted meanwhile")
  }

  /// The maximum number of links that an error names.
  private static let mostNamed = 10

  /// A link that can't be rewritten.
  private struct Place {
    let path: [UInt8]
    let line: Int
    let target: String
    let reason: String

    init(path: [UInt8], line: Int, target: String, reason: String) {
      (self.path, self.line, self.target, self.reason) = (path, line, target, reason)
    }

    init(_ path: [UInt8], _ link: BodyScan.Link, _ reason: String) {
      self.init(path: path, line: link.line, target: link.target, reason: reason)
    }
  }

  private static func refusal(_ places: [Place]) -> SlipboxError {
    let what = places.count == 1 ? "1 link" : "\(places.count) links"
    var hints = places.prefix(mostNamed).map { place -> Phrase in
      "\(place.path):\(place.line): \(place.target): \(place.reason)"
    }
    if places.count > mostNamed { hints.append("and \(places.count - mostNamed) more") }
    return SlipboxError(
      .badData, "\(what) would break or become ambiguous",
      hints: hints + ["nothing was changed; edit these links first"])
  }
}

/// Rewrites the reference fields of records that name a renamed note.
struct ReferenceRewriting {
  /// The change of a name in a field.
  private struct Change {
    let field: String
    let old: String
    let new: String
  }

  private var changes: [[UInt8]: [Change]] = [:]

  /// - Throws: `.badData` with the records whose reference can't be rewritten.
  init(
    _ rewriting: LinkRewriting, _ successors: [NoteSuccessor], in snapshot: BoxSnapshot
  ) throws(SlipboxError) {
    let schema = snapshot.schema()
    guard schema.kinds.contains(where: { $0.fields.contains { $0.type == .reference } }) else { return }
    let table = RecordTable(of: rewriting.before, schema, executor: Processors.all)
    let after = RecordTable(of: rewriting.after, schema, executor: Processors.all)
    let referrers = table.referrers(reachedFrom: successors.map(\.old))
    var lost: [Phrase] = []
    for successor in successors {
      for reference in referrers[successor.old.note.path] ?? [] {
        let path = rewriting.path(after: reference.referrer.note.path)
        guard reference.isPlain, rewriting.isThere(path) else { continue }
        switch Self.name(
          for: reference, successor, heir: rewriting.changedEntry(successor.path), after, schema)
        {
        case .same: continue
        case .changed(let name):
          changes[reference.referrer.note.path, default: []].append(
            Change(field: reference.field.name, old: reference.name, new: name))
        case .lost:
          lost.append(
            "\(reference.referrer.note.mention): \(reference.field.name): \(reference.name)")
        }
      }
    }
    guard lost.isEmpty else {
      throw SlipboxError(
        .badData,
        "\(lost.count == 1 ? "1 reference" : "\(lost.count) references") would break or become ambiguous",
        hints: Array(lost.prefix(10)) + SlipboxError.more(lost.count - 10) + [
          "nothing was changed; edit these links first"
        ]
      )
    }
  }

  /// The number of references that are rewritten.
  var count: Int { changes.values.reduce(0) { $0 + $1.count } }

  /// The paths of the notes with these references.
  var paths: [[UInt8]] { Array(changes.keys) }

  /// Returns a note's text with its references rewritten.
  func text(of text: NoteText, at path: [UInt8]) throws(LinkEditError) -> NoteText {
    var text = text
    for change in changes[path] ?? [] {
      let note = Note(path: path, text: text)
      guard let field = note.frontMatter.fields.first(where: { $0.name.isSameName(as: change.field) }) else {
        continue
      }
      do throws(EditError) {
        text = try text.settingField(field.name, to: Self.replacing(change, in: field.value))
      } catch {
        throw LinkEditError(
          line: field.line, target: change.old, reason: "the field \(field.name) can't be rewritten")
      }
    }
    return text
  }

  private static func replacing(_ change: Change, in value: FieldValue) -> FieldValue {
    switch value {
    case .text(let text): .text(Note.titleOnOneLine(text).hasSameBytes(as: change.old) ? change.new : text)
    case .list(let elements): .list(elements.map { replacing(change, in: $0) })
    case .map, .empty: value
    }
  }
}

extension ReferenceRewriting {
  private enum Outcome {
    case same
    case changed(String)
    case lost
  }

  /// Returns the name by which a field refers to a record afterwards.
  private static func name(
    for reference: StoredReference, _ successor: NoteSuccessor, heir: Entry?, _ after: RecordTable,
    _ schema: Schema
  ) -> Outcome {
    let leads = { (name: String) in
      let found = after.records(of: reference.field.target ?? "", named: name)
      return found.count == 1 && found[0].note.path == successor.path
    }
    let (old, new) = (successor.old.note, successor.new)
    let fits = { (name: String, title: String) in
      Folding.fold(name) == Folding.fold(title)
    }
    var names: [String] = []
    if let new, successor.rewritesTitle, !old.title.hasSameBytes(as: new.note.title) {
      if fits(reference.name, old.title) { names.append(new.note.title) }
      if reference.name.hasSameBytes(as: Slug.make(old.title)) { names.append(Slug.make(new.note.title)) }
    }
    if names.isEmpty, leads(reference.name) { return .same }
    let path = String(decoding: successor.path, as: UTF8.self)
    if reference.name.utf8.contains(UInt8(ascii: "/")) {
      let stem = String(
        decoding: successor.path.dropLast(FileName.ending(of: successor.path).count), as: UTF8.self)
      names.append(FileName.isNote(Array(reference.name.utf8)) ? path : stem)
    }
    if let heir { names.append(schema.recordKey(of: heir)) }
    names.append(path)
    return names.first(where: leads).map { $0.hasSameBytes(as: reference.name) ? .same : .changed($0) }
      ?? .lost
  }
}
