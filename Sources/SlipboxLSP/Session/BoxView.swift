import Bytes
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Synchronization

/// A box at one moment, with the unsaved texts of the editor laid over its files.
///
/// Immutable; requests about the same moment share it, and so what was worked out for one of them.
final class BoxView: Sendable {
  /// The box as it is on disk.
  let saved: BoxSnapshot
  /// The same with the unsaved texts.
  let snapshot: BoxSnapshot
  /// The names of its notes as they are on disk.
  let names: NoteNameIndex
  /// What is known of it as a whole, as it is on disk.
  let facts: BoxFacts
  /// The open documents of the box, by their paths in it.
  let documents: [[UInt8]: OpenDocument]
  /// The paths of the open documents whose texts are not those of their files.
  let unsaved: Set<[UInt8]>
  /// The absolute path of the box as the editor writes it.
  private let root: [UInt8]

  init(
    _ saved: BoxSnapshot, _ names: NoteNameIndex, _ facts: BoxFacts, root: [UInt8],
    documents: [[UInt8]: OpenDocument],
    _ context: CommandContext
  ) throws(SlipboxError) {
    self.saved = saved
    self.names = names
    self.facts = facts
    self.root = root
    self.documents = documents
    var texts: [[UInt8]: [UInt8]] = [:]
    for (path, document) in documents where FileName.isNote(path) {
      if try !saved.holds(document.bytes, at: path) { texts[path] = document.bytes }
    }
    unsaved = Set(texts.keys)
    snapshot =
      texts.isEmpty ? saved : WorkTreeReader(saved.box, context).snapshot(of: saved, with: texts)
  }

  /// The bytes of a file as the editor has it, else as it is on disk; nil where there is none.
  func bytes(at path: [UInt8]) throws(SlipboxError) -> [UInt8]? {
    if let document = documents[path] { return document.bytes }
    return try saved.bytes(at: path)
  }

  /// The address of a file of the box: of an open one as the client writes it.
  func uri(of path: [UInt8]) -> String {
    documents[path]?.uri ?? DocumentURI.uri(BytePath.join(root, path))
  }
}

extension BoxView {
  /// Whether a note may have a title or alias, whatever its case and accents, on disk or in the editor.
  func mayHaveNote(named name: String) -> Bool {
    if names.count(named: name) > 0 { return true }
    return unsaved.contains { path in
      documents[path].map { NamesOfNote($0.note(at: path)) }.map { note in
        ([note.title] + note.aliases).contains { $0.isSameName(as: name) }
      } ?? false
    }
  }

  /// The notes whose names fit what was typed, the best first; those that are open with the names that they have in the
  /// editor.
  func matches(
    _ typed: String, ofKind kind: String? = nil, in folder: NameFolder = .any, most: Int
  ) -> [NameMatch] {
    let open = documents.filter { FileName.isNote($0.key) && unsaved.contains($0.key) }
    let stock = NameStock(
      open.map { path, document in
        let note = document.note(at: path)
        return NamedNote(NamesOfNote(note), kind: note.kind, created: note.created)
      })
    let own = NameStock.matches(NamePattern(typed), in: [stock], ofKind: kind, most: most) {
      folder.holds($0)
    }
    let others = names.matches(typed, ofKind: kind, in: folder, most: most, hiding: Set(open.keys))
    return own.isEmpty ? others : (own + others).sorted { $0.precedes($1) }
  }
}

/// What completion asks of a box as a whole, worked out when it is first asked for.
final class BoxFacts: Sendable {
  private let snapshot: BoxSnapshot
  private let known = Mutex<(tags: [TagCount]?, fields: [String]?)>((nil, nil))

  init(_ snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The tags of the box.
  func tags() throws(SlipboxError) -> [TagCount] {
    if let tags = known.withLock({ $0.tags }) { return tags }
    let tags = try snapshot.tags()
    known.withLock { $0.tags = tags }
    return tags
  }

  /// The names of the fields that its notes have.
  func fieldNames() throws(SlipboxError) -> [String] {
    if let fields = known.withLock({ $0.fields }) { return fields }
    let fields = try snapshot.catalogue().fieldNames.sorted()
    known.withLock { $0.fields = fields }
    return fields
  }
}
