import Bytes
import NoteIndex
import Notes
import Text

/// Keeps the reference fields of records that name a note which gets another name.
struct ReferenceMending {
  /// Another name in a field.
  private struct Change {
    let field: String
    let old: String
    let new: String
  }

  private var changes: [[UInt8]: [Change]] = [:]

  /// - Throws: `.badData` with the records whose reference can't be kept.
  init(
    _ mending: LinkMending, _ successors: [NoteSuccessor], in snapshot: BoxSnapshot
  ) throws(SlipboxError) {
    let schema = snapshot.schema()
    guard schema.kinds.contains(where: { $0.fields.contains { $0.type == .reference } }) else { return }
    let table = RecordTable(of: mending.before, schema, executor: BoxSnapshot.executor)
    let after = RecordTable(of: mending.after, schema, executor: BoxSnapshot.executor)
    let referrers = table.referrers(reachedFrom: successors.map(\.old))
    var lost: [String] = []
    for successor in successors {
      for reference in referrers[successor.old.note.path] ?? [] {
        let path = mending.path(after: reference.referrer.note.path)
        guard reference.isPlain, mending.isThere(path) else { continue }
        switch Self.name(for: reference, successor, heir: mending.changedEntry(successor.path), after, schema)
        {
        case .same: continue
        case .changed(let name):
          changes[reference.referrer.note.path, default: []].append(
            Change(field: reference.field.name, old: reference.name, new: name))
        case .lost:
          lost.append(
            "\(reference.referrer.note.shownName): \(Visible.escape(reference.field.name)): "
              + Visible.escape(reference.name))
        }
      }
    }
    guard lost.isEmpty else {
      throw SlipboxError(
        .badData,
        "\(lost.count == 1 ? "1 reference" : "\(lost.count) references") would break or become ambiguous",
        hints: lost.prefix(10) + SlipboxError.more(lost.count - 10) + [
          "nothing was changed; edit these links first"
        ]
      )
    }
  }

  /// How many references are rewritten.
  var count: Int { changes.values.reduce(0) { $0 + $1.count } }

  /// The paths of the notes that hold them.
  var paths: [[UInt8]] { Array(changes.keys) }

  /// A note's text with its references kept.
  func text(of text: NoteText, at path: [UInt8]) throws(LinkEditError) -> NoteText {
    var text = text
    for change in changes[path] ?? [] {
      let note = Note(path: path, text: text)
      guard let field = note.frontMatter.fields.first(where: { $0.name.isSameName(as: change.field) }) else {
        continue
      }
      do throws(EditError) {
        text = try text.setting(field.name, to: Self.replacing(change, in: field.value))
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

extension ReferenceMending {
  private enum Outcome {
    case same
    case changed(String)
    case lost
  }

  /// The name by which a field calls a record afterwards.
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
