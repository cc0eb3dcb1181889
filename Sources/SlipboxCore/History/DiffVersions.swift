import Git
import NoteIndex
package import Notes
package import Text

/// The two versions of a note that are compared.
package struct DiffVersions: Sendable {
  /// A version and its name.
  package struct Version: Sendable {
    package let note: Note
    package let name: String

    package init(_ note: Note, named name: String) {
      self.note = note
      self.name = name
    }

    package var side: NoteDiff.Side {
      get throws(SlipboxError) { NoteDiff.Side(path: note.path, bytes: try note.text.bytes) }
    }
  }

  /// The old version; nil if there was no note.
  package let old: Version?
  /// The new version; nil if the note no longer exists.
  package let new: Version?
  /// The description of the change between the two, if nothing else is known of them.
  private let change: String?

  package init(old: Version?, new: Version?, change: String? = nil) {
    self.old = old
    self.new = new
    self.change = change
  }

  /// The note of the versions.
  package var note: Note? { new?.note ?? old?.note }

  /// The title of the note and the names of the versions, on one line.
  package var title: Phrase {
    let title = Phrase(note?.title ?? "")
    if let change { return "\(title): last change: \(change)" }
    let names = [old, new].compactMap { $0.map { Phrase($0.name) } }
    return "\(title): \(names.joined(separator: " .. "))"
  }
}

extension DiffVersions {
  /// Returns the versions of a note before and after its uncommitted change or, without one, its last commit.
  package static func last(
    of reference: String, in snapshot: BoxSnapshot
  ) throws(SlipboxError) -> DiffVersions {
    let entry = try NoteLookup(in: snapshot).entry(reference, fuzzy: true)
    let path = entry.note.path
    let history = BoxHistory(of: snapshot)
    if let committed = try version(of: path, at: try history.tip(), snapshot.box, named: "committed") {
      let now = Version(entry.note, named: "not committed")
      if try !snapshot.box.stores(entry.note.text.bytes, at: path, as: committed.blob) {
        return DiffVersions(old: committed.version, new: now)
      }
    } else {
      return DiffVersions(old: nil, new: .init(entry.note, named: "not committed"))
    }
    var last: HistoryEntry?
    try history.visit(
      of: [PastNote(path: path, id: entry.note.id)], HistoryFilter(wantsChanges: true), limit: 1
    ) {
      last = $0
      return false
    }
    guard let last else { return DiffVersions(old: nil, new: .init(entry.note, named: "now")) }
    let former = last.changes.compactMap(\.pathBefore).first ?? path
    let isMade = last.changes.contains { if case .made = $0.file { true } else { false } }
    let old =
      isMade
      ? nil
      : try version(of: former, at: last.commit.parents.first, snapshot.box, named: "\(last.commit.id.hex)~")
    return DiffVersions(
      old: old?.version, new: .init(entry.note, named: last.commit.id.hex), change: last.commit.subject)
  }

  private static func version(
    of path: [UInt8], at commit: ObjectID?, _ box: Box, named name: String
  ) throws(SlipboxError) -> (version: Version, blob: ObjectID)? {
    guard let commit else { return nil }
    let file = try box.git { repository throws(GitError) in
      try repository.file(box.repositoryPath(path), at: commit)
    }
    guard let file else { return nil }
    let note = Note(path: path, text: NoteText(try box.content(of: file.id, at: path)))
    return (Version(note, named: name), file.id)
  }
}

/// The differences between two versions of a note: its path, its fields, its text.
package struct NoteDiff: Sendable {
  /// One version of a note.
  package struct Side: Sendable {
    package let path: [UInt8]
    package let bytes: [UInt8]

    package init(path: [UInt8], bytes: [UInt8]) {
      self.path = path
      self.bytes = bytes
    }
  }

  /// The change of the path and the fields from one version to the other; nil if neither differs.
  package let change: NoteChange?
  /// The lines of the text that differ. Lines of the front matter are included only if nothing else differs.
  package let hunks: [TextDiff.Hunk]
  /// The text to whose lines the hunks refer: the newer version or, if there is none, the older one.
  package let text: [UInt8]

  /// Whether the versions are the same.
  package var isEmpty: Bool { change == nil && hunks.isEmpty }

  /// - Parameters:
  ///   - old: the old version; nil if there was no note.
  ///   - new: the new version; nil if the note no longer exists.
  package init(_ old: Side?, _ new: Side?) {
    let isSame = old?.bytes == new?.bytes
    let version = { (side: Side?, isOld: Bool) -> NoteVersion? in
      let other = ObjectID(bytes: [UInt8](repeating: 1, count: ObjectID.zero.bytes.count)) ?? .zero
      return side.map { NoteVersion(path: $0.path, bytes: $0.bytes, blob: isOld || isSame ? .zero : other) }
    }
    let (before, after) = (version(old, true), version(new, false))
    let change = NoteChange.between(before, after)
    self.change = change.flatMap { change in
      let fields = NoteChange(note: change.note, file: change.file, fields: change.fields)
      return fields.isEmpty ? nil : fields
    }
    let bodies = (before?.body.map(Array.init) ?? [], after?.body.map(Array.init) ?? [])
    // If no field and no line of the body differs, the layout of the front matter does.
    let isLayout = bodies.0 == bodies.1 && change?.body != nil
    let texts = isLayout ? (old?.bytes ?? [], new?.bytes ?? []) : bodies
    hunks = TextDiff.hunks(texts.0, texts.1)
    text = after == nil ? texts.0 : texts.1
  }
}
