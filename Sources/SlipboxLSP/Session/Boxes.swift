import Bytes
import NoteIndex
import Notes
import Platform
import Presentation
package import SlipboxCore
import Synchronization
import Text

/// The boxes of the client's folders and open documents. Each is opened at its first use.
final class Boxes: Sendable {
  private let circumstances: Circumstances
  private let onChange: @Sendable (OpenBox) -> Void
  private let state = Mutex(State())

  private struct State {
    var open: [[UInt8]: OpenBox] = [:]
    /// The boxes of folders with files that were asked about; nil for those in none.
    var known: [[UInt8]: OpenBox?] = [:]
  }

  init(_ circumstances: Circumstances, onChange: @escaping @Sendable (OpenBox) -> Void) {
    self.circumstances = circumstances
    self.onChange = onChange
  }

  /// The boxes that are open, by their paths.
  var all: [OpenBox] {
    state.withLock { $0.open.values.sorted { $0.root.lexicographicallyPrecedes($1.root) } }
  }

  /// The box of a file with an absolute path, and the file's path in it; nil if it is in none, or hidden in it.
  ///
  /// - Parameter includesExcluded: whether a file that a setting excludes from the notes counts.
  func box(of path: [UInt8], includesExcluded: Bool = false) -> (box: OpenBox, path: [UInt8])? {
    guard let box = box(at: BytePath.folder(of: path)), let relative = BytePath.relative(path, to: box.root)
    else {
      return nil
    }
    let isHidden = relative.split(separator: UInt8(ascii: "/")).contains { $0.first == UInt8(ascii: ".") }
    if isHidden || !includesExcluded && box.excludes(relative) { return nil }
    return (box, relative)
  }

  /// The box at or above a folder with an absolute path.
  @discardableResult
  func box(at folder: [UInt8]) -> OpenBox? {
    state.withLock { state in
      if let known = state.known[folder] { return known }
      let root = BoxLocation.upwards(from: folder)
      let box = root.map { root in
        state.open[root] ?? OpenBox(root, circumstances, onChange: onChange)
      }
      // A folder in no box may be made one later.
      if let root, let box {
        state.open[root] = box
        state.known[folder] = box
      }
      return box
    }
  }

  /// A box with those of the open documents laid over it that are in it.
  func view(of box: OpenBox, _ documents: Documents) throws(SlipboxError) -> BoxView {
    try box.view(own(documents, of: box))
  }

  /// The same, with all files checked again.
  func viewForChange(of box: OpenBox, _ documents: Documents) throws(SlipboxError) -> BoxView {
    try box.viewForChange(own(documents, of: box))
  }

  /// The documents of a box, by their paths in it.
  private func own(_ documents: Documents, of box: OpenBox) -> [[UInt8]: OpenDocument] {
    var own: [[UInt8]: OpenDocument] = [:]
    for document in documents.all {
      if let path = document.path, let (other, relative) = self.box(of: path), other === box {
        own[relative] = document
      }
    }
    return own
  }
}

/// The environment of the server: clock, random numbers, device and streams.
package struct Circumstances: Sendable {
  private let makeContext: @Sendable (_ folder: [UInt8], Reporter) -> CommandContext
  private let receive: @Sendable (String) -> Void
  /// The descriptor that messages come from.
  package let input: Int32
  /// The descriptor that messages go to.
  package let output: Int32

  /// - Parameters:
  ///   - context: makes the circumstances of a command in a folder, with the clock read now.
  ///   - say: receives warnings, one line each.
  package init(
    input: Int32, output: Int32,
    context: @escaping @Sendable (_ folder: [UInt8], Reporter) -> CommandContext,
    say: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.input = input
    self.output = output
    makeContext = context
    receive = say
  }

  /// The same, with another receiver of warnings.
  func saying(_ say: @escaping @Sendable (String) -> Void) -> Circumstances {
    Circumstances(input: input, output: output, context: makeContext, say: say)
  }

  func context(in folder: [UInt8]) -> CommandContext {
    let warn = { @Sendable [receive] (message: Phrase) in
      receive(WindowMessage(toClient: message).lines.joined(separator: "; "))
    }
    return makeContext(folder, Reporter(warn: warn))
  }

  func say(_ message: String) { receive(message) }
}

/// A snapshot of a box, with the unsaved texts of the editor laid over its files.
///
/// Immutable. Requests about the same snapshot share it, and its cached results.
final class BoxView: Sendable {
  /// The box as it is on disk.
  let saved: BoxSnapshot
  /// The same with the unsaved texts.
  let snapshot: BoxSnapshot
  /// The names of its notes as they are on disk.
  let names: NoteNameIndex
  /// Cached facts of the whole box, as it is on disk.
  let facts: CompletionFacts
  /// The open documents of the box, by their paths in it.
  let documents: [[UInt8]: OpenDocument]
  /// The paths of the open documents whose texts are not those of their files.
  let unsaved: Set<[UInt8]>
  /// The absolute path of the box as the editor writes it.
  private let root: [UInt8]

  init(
    _ saved: BoxSnapshot, _ names: NoteNameIndex, _ facts: CompletionFacts, root: [UInt8],
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

  /// The bytes of a file as the editor has it, else as it is on disk; nil if there is none.
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

  /// The notes whose names match the typed text, the best first. Open notes have the names that they have in the
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

/// The facts of a whole box that completion needs, computed at their first use.
final class CompletionFacts: Sendable {
  private let snapshot: BoxSnapshot
  private let known = Mutex<(tags: [TagCount]?, fields: [String]?)>((nil, nil))

  init(_ snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The tags of the box.
  func tags() throws(SlipboxError) -> [TagCount] {
    if let tags = known.withLock({ $0.tags }) { return tags }
    let tags = try BoxTags(of: snapshot).counts()
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
