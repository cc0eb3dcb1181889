import Git
import NoteIndex
import Notes
import SlipboxCore

/// A change of a note that was changed elsewhere since the page has read it.
///
/// Fields that were not changed elsewhere get the requested values, and the body is merged by lines and words. If both
/// changed one field to different values, nothing is decided here.
struct StaleChange {
  private let write: PageWrite
  private let entry: Entry
  private let ref: String
  private let base: Note?
  private var theirs: Note { entry.note }
  private let takesMine: Bool

  /// The result of a merge.
  struct Result {
    /// The body to write; nil if it stays as it is.
    var body: [UInt8]?
    var merged: [(ref: String, field: String)] = []
    var conflicts: [FieldConflict] = []
  }

  /// - Parameter takesMine: whether the page's value wins if both changed a field.
  /// - Returns: nil if the note is as the page has read it.
  init?(_ write: PageWrite, _ entry: Entry, _ target: WriteBody.Target, takesMine: Bool) throws {
    guard let etag = target.etag, etag != ObjectID(ofBlob: try entry.note.text.bytes) else { return nil }
    self.write = write
    self.entry = entry
    self.takesMine = takesMine
    ref = PageMoment.ref(of: entry.note)
    // A forgotten text can't be the base of a merge.
    let path = entry.note.path
    base = write.call.box.knownBytes(of: etag, at: path).map { Note(path: path, text: NoteText($0)) }
  }

  /// The result of changing fields, and the body if there is a new one.
  func result(_ changes: [Change], body: [UInt8]?) throws -> Result {
    var result = Result(body: body)
    // Values that the page's own value overrides are not taken.
    let own = changes.compactMap(\.singleField)
    result.merged = try changedElsewhere().filter { name in !own.contains { $0.isSameName(as: name) } }.map {
      (ref, $0)
    }
    let wanted = mine(changes, body: body)
    for change in changes {
      guard let field = change.singleField, !takesMine else { continue }
      let values = (base.flatMap { value(field, $0) }, mine(field, change, wanted), value(field, theirs))
      if base != nil, values.2 == values.0 || values.2 == values.1 { continue }
      if base == nil, values.2 == values.1 { continue }
      result.conflicts.append(
        FieldConflict(ref: ref, field: field, base: values.0, mine: values.1, theirs: values.2))
    }
    if let body { try mergeBody(body, into: &result) }
    return result
  }

  /// The fields that were changed elsewhere, and `body`.
  func changedElsewhere() throws -> [String] {
    guard let base else { return [] }
    let names = (theirs.frontMatter.fields + base.frontMatter.fields).map(\.name)
    var seen: Set<String> = []
    var changed = names.filter {
      seen.insert($0).inserted && theirs.frontMatter[$0] != base.frontMatter[$0]
    }
    if try Self.body(of: base) != Self.body(of: theirs) { changed.append(MergePart.body.name) }
    return changed
  }

  // MARK: Fields

  private func value(_ field: String, _ note: Note) -> FieldValue? {
    if field.isSameName(as: "title") { return .text(note.title) }
    let value = note.frontMatter.field(field)?.value
    if case .empty? = value { return nil }
    return value
  }

  /// The note with the page's changes, made from the text that the page has read; nil if that is impossible.
  private func mine(_ changes: [Change], body: [UInt8]?) -> Note? {
    guard let base else { return nil }
    let entry = Entry(note: base, created: entry.created, kind: entry.kind)
    // If the core refuses it, it refuses the change of the note of now too, in its own words.
    let plan = try? ChangeNotes(in: write.snapshot).plan([entry], changes, body: body)
    let bytes = try? plan?.edits.first { $0.path == base.path }?.transform(base.text.bytes)
    return bytes.map { Note(path: base.path, text: NoteText($0)) }
  }

  private func mine(_ field: String, _ change: Change, _ note: Note?) -> FieldValue? {
    if let note { return value(field, note) }
    if case .set(_, let value) = change { return .text(value) }
    return nil
  }

  // MARK: The body

  private static func body(of note: Note) throws -> [UInt8] {
    let text = try note.text
    return Array(text.bytes[text.body])
  }

  private static let mineLabel = "mine"

  /// Merges the page's body with the current one. Of parts that both changed, the page's win if the page requests it.
  private func mergeBody(_ mine: [UInt8], into result: inout Result) throws {
    let now = try Self.body(of: theirs)
    guard mine != now else { return result.body = nil }
    guard let base else {
      if !takesMine { result.conflicts.append(bodyConflict(nil, mine, now)) }
      return
    }
    let before = try Self.body(of: base)
    if before == now { return }
    if before == mine { return result.body = nil }
    let stamp = { (seconds: Int64, device: String) in
      MergeStamp(seconds: seconds, commit: "", when: device, who: device, device: device)
    }
    let times = MergeTimes(all: MergeStamps(one: stamp(1, Self.mineLabel), other: stamp(0, "theirs")))
    let text = try theirs.text
    let merged = NoteMerge.merge(
      base: text.replacingBody(before), one: text.replacingBody(mine), other: text, times: times)
    guard let merged else {
      if !takesMine { result.conflicts.append(bodyConflict(before, mine, now)) }
      return
    }
    if merged.conflicts.isEmpty { return result.body = Array(merged.text.bytes[merged.text.body]) }
    guard takesMine else { return result.conflicts.append(bodyConflict(before, mine, now)) }
    result.body = Self.takingMine(merged.text) ?? mine
  }

  private func bodyConflict(_ base: [UInt8]?, _ mine: [UInt8], _ theirs: [UInt8]) -> FieldConflict {
    let value = { (bytes: [UInt8]) in FieldValue.text(String(decoding: bytes, as: UTF8.self)) }
    return FieldConflict(
      ref: ref, field: MergePart.body.name, base: base.map(value), mine: value(mine), theirs: value(theirs))
  }

  /// The body of a merged text with the page's version of each part that both changed.
  private static func takingMine(_ text: NoteText) -> [UInt8]? {
    let conflicts = NoteConflict.all(in: text).filter { $0.name == MergePart.body.name }
    guard let conflict = conflicts.first,
      let place = conflict.versions.firstIndex(where: { $0.device == mineLabel }),
      let resolved = try? text.resolving(conflicts, .version(place + 1))
    else { return nil }
    return Array(resolved.bytes[resolved.body])
  }
}

extension Change {
  /// The field whose one value it replaces; nil for a change of one element of a list.
  fileprivate var singleField: String? {
    switch self {
    case .set(let field, _), .clear(let field): field
    case .addTag, .removeTag, .add, .remove: nil
    }
  }
}
