import Bytes
import Notes
import Presentation
import SlipboxCore

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
