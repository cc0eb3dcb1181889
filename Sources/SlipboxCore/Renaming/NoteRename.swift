import Bytes
import NoteIndex
import Notes
import Platform
import Text

/// Renames notes.
struct RenameNotes {
  private let snapshot: BoxSnapshot

  init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Returns the plan that renames notes and rewrites the links to them.
  ///
  /// - Parameters:
  ///   - files: the new paths of files that are not notes and move too, by their paths before.
  ///   - folders: the new paths of folders that move as a whole, for the links to them.
  ///   - subject: returns a description of the changes of the notes.
  /// - Throws: `.badData` if a link would break or become ambiguous, and the errors of the changes of the notes.
  func plan(
    _ renames: [NoteRename], files: [[UInt8]: [UInt8]] = [:], folders: [[UInt8]: [UInt8]] = [:],
    command: String, reason: String?,
    inPlace: Phrase? = nil,
    subject: @escaping ([FileChange]) -> String
  ) throws(SlipboxError) -> Plan {
    var successors: [NoteSuccessor] = []
    for rename in renames { successors.append(try rename.successor()) }
    let kept = try KeptLinks(
      successors, files: files.merging(folders, uniquingKeysWith: { $1 }), in: snapshot)
    var edits: [FileEdit] = []
    for rename in renames { edits += Self.edits(of: rename, kept) }
    let own = Set(renames.map(\.entry.note.path))
    edits += kept.edits(except: own)
    let moves = Dictionary(
      renames.filter(\.isMove).map { ($0.entry.note.path, $0.path) }, uniquingKeysWith: { $1 })
    let paths = moves.merging(files, uniquingKeysWith: { $1 })
    for (old, new) in files.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      edits += self.edits(moving: old, to: new, paths, kept)
    }
    edits += try canvasEdits(paths, kept, without: Set(files.keys))
    let concerned = own.union(renames.map(\.path))
    var plan = Plan(command: command, reason: reason, edits: edits, moves: moves, inPlace: inPlace) {
      changes in
      let notes = changes.filter { concerned.contains($0.path) }
      return subject(notes.isEmpty ? changes : notes)
    }
    plan.links = kept.report
    for (old, new) in paths where try snapshot.box.leavesFilter(from: old, to: new) {
      plan.exposed.append(old)
    }
    if let file = plan.exposed.first(where: { files[$0] != nil }) {
      snapshot.box.warnOfReadableText(of: Phrase(file), snapshot.reporter)
    }
    if command == "retitle", let note = renames.first?.entry.note { try warnOfReadableTitle(of: note, plan) }
    for (old, new) in paths {
      // A file whose status can't be read can't be moved either; that is reported when it is read.
      if let status = (try? Files.status(snapshot.box.absolutePath(old), followLinks: false)) ?? nil {
        plan.permissions[new] = FilePermissions(like: status)
      }
    }
    return plan
  }

  /// Warns if links in other notes make the new title of an encrypted note readable in the history.
  private func warnOfReadableTitle(of note: Note, _ plan: Plan) throws(SlipboxError) {
    guard let filter = snapshot.box.encryption(of: note.path) else { return }
    let readable = Set(plan.edits.map(\.path)).filter { snapshot.box.encryption(of: $0) != filter }
    guard !readable.isEmpty else { return }
    let notes =
      readable.count == 1 ? "1 note that is not encrypted" : "\(readable.count) notes that are not encrypted"
    snapshot.reporter.warnOnce(
      "\(note.mention) is encrypted, and links in \(notes) make the new title readable in the history")
  }

  /// Returns the edits of canvases that show moved files, or have texts with links that change.
  ///
  /// - Parameter moving: canvases that move themselves.
  func canvasEdits(
    _ paths: [[UInt8]: [UInt8]], _ kept: KeptLinks, without moving: Set<[UInt8]> = []
  ) throws(SlipboxError) -> [FileEdit] {
    var edits: [FileEdit] = []
    for (path, canvas) in try Canvases(in: snapshot).tracked() where !moving.contains(path) {
      guard let found = rewritten(canvas, paths, kept, at: path, to: path) else { continue }
      let parts = [
        found.paths == 0 ? nil : found.paths == 1 ? "1 path" : "\(found.paths) paths",
        found.texts == 0 ? nil : found.texts == 1 ? "1 text" : "\(found.texts) texts",
      ].compactMap { $0 }
      snapshot.reporter.remarkWhenDone("\(path): \(parts.joined(separator: " and ")) rewritten")
      edits.append(
        FileEdit(path: path) { [self] bytes in
          bytes.map { rewrittenCanvas($0, paths, kept, at: path, to: path) }
        })
    }
    for (path, canvas) in try Canvases(in: snapshot).untracked()
    where rewritten(canvas, paths, kept, at: path, to: path) != nil {
      snapshot.reporter.remarkWhenDone("\(path) is not in git; its paths were not changed")
    }
    return edits
  }

  private func rewrittenCanvas(
    _ bytes: [UInt8], _ paths: [[UInt8]: [UInt8]], _ kept: KeptLinks, at path: [UInt8], to newPath: [UInt8]
  ) -> [UInt8] {
    rewritten(CanvasFile(bytes), paths, kept, at: path, to: newPath)?.bytes ?? bytes
  }

  private func rewritten(
    _ canvas: CanvasFile, _ paths: [[UInt8]: [UInt8]], _ kept: KeptLinks, at path: [UInt8],
    to newPath: [UInt8]
  ) -> (bytes: [UInt8], paths: Int, texts: Int)? {
    canvas.replacing(paths) { note, suffix in
      kept.rewriting.destination(of: suffix, in: note)
    } texts: { text in
      canvasText(text, kept, at: path, to: newPath)
    }
  }

  /// Returns a text of a canvas with its links rewritten; a text with a link that can't be rewritten stays and is
  /// reported.
  private func canvasText(
    _ text: [UInt8], _ kept: KeptLinks, at path: [UInt8], to newPath: [UInt8]
  ) -> [UInt8] {
    do throws(SlipboxError) {
      return try kept.text(of: NoteText(text), at: path, to: newPath).bytes
    } catch {
      snapshot.reporter.remarkWhenDone(
        "\(path): the links in a text were not changed: \(error.message)")
      return text
    }
  }

  /// - Parameter paths: the new paths of all files that move, for canvases.
  private func edits(
    moving old: [UInt8], to new: [UInt8], _ paths: [[UInt8]: [UInt8]], _ kept: KeptLinks
  ) -> [FileEdit] {
    // The edits of a plan are computed in their order.
    var moved: [UInt8] = []
    return [
      FileEdit(path: old) { [self] bytes throws(SlipboxError) in
        guard let bytes else { throw KeptLinks.gone(old) }
        moved =
          CanvasFile.isOne(old)
          ? rewrittenCanvas(bytes, paths, kept, at: old, to: new) : bytes
        return nil
      },
      FileEdit(path: new) { bytes throws(SlipboxError) in
        guard bytes == nil else { throw FileEdit.taken(new) }
        return moved
      },
    ]
  }

  private static func edits(of rename: NoteRename, _ kept: KeptLinks) -> [FileEdit] {
    let note = rename.entry.note
    let changed = { (bytes: [UInt8]) throws(SlipboxError) -> [UInt8] in
      let text = try kept.text(of: NoteText(bytes), at: note.path, to: rename.path)
      return try rename.change(Note(path: note.path, text: text)).bytes
    }
    guard rename.isMove else {
      return [
        FileEdit(path: note.path) { bytes throws(SlipboxError) in
          guard let bytes else { throw FileEdit.gone(note) }
          return try changed(bytes)
        }
      ]
    }
    // The edits of a plan are computed in their order.
    var moved: [UInt8] = []
    return [
      .taking(note) { moved = $0 },
      FileEdit(path: rename.path) { bytes throws(SlipboxError) in
        guard bytes == nil else { throw FileEdit.taken(rename.path) }
        return try changed(moved)
      },
    ]
  }
}

extension FileEdit {
  static func taken(_ path: [UInt8]) -> SlipboxError {
    SlipboxError(
      .cannotCreate, "\(path) exists already",
      hints: ["nothing was changed; choose another name"])
  }

  /// Returns an edit that removes the file of a note and passes its bytes to a later edit.
  static func taking(_ note: Note, _ keep: @escaping ([UInt8]) -> Void) -> FileEdit {
    FileEdit(path: note.path) { bytes throws(SlipboxError) in
      guard let bytes else { throw gone(note) }
      keep(bytes)
      return nil
    }
  }
}

/// One note that is renamed: it gets another path, title or headings.
struct NoteRename {
  let entry: Entry
  /// The path afterwards.
  let path: [UInt8]
  /// Whether links by the old title get the new one.
  let rewritesTitle: Bool
  /// Returns the note's text with other changes, besides its links.
  let change: (Note) throws(SlipboxError) -> NoteText
  /// Returns the new places of the headings, by the text before and after; nil if they don't change.
  let headings: ((NoteText, NoteText) -> HeadingsMove)?

  init(
    _ entry: Entry, to path: [UInt8]? = nil, rewritesTitle: Bool = true,
    headings: ((NoteText, NoteText) -> HeadingsMove)? = nil,
    change: @escaping (Note) throws(SlipboxError) -> NoteText = { note throws(SlipboxError) in try note.text }
  ) {
    self.entry = entry
    self.path = path ?? entry.note.path
    self.rewritesTitle = rewritesTitle
    self.headings = headings
    self.change = change
  }

  /// Returns a move for the same headings in the same order, some with other texts.
  static func inPlace(_ path: [UInt8]) -> (NoteText, NoteText) -> HeadingsMove {
    { before, after in
      let (old, new) = (HeadingAnchors(before), HeadingAnchors(after))
      return HeadingsMove(old, [.init(old.headings.indices, path: path, anchors: new, start: 0)])
    }
  }

  var isMove: Bool { path != entry.note.path }

  /// Returns the note with its new name; its links are unchanged.
  func successor() throws(SlipboxError) -> NoteSuccessor {
    let text = try change(entry.note)
    let note = Note(path: path, text: text)
    let headings = try headings.map { (moved) throws(SlipboxError) in moved(try entry.note.text, text) }
    return NoteSuccessor(
      entry, becomes: Entry(note: note, created: entry.created, kind: entry.kind),
      rewritesTitle: rewritesTitle, headings: headings)
  }
}

extension Note {
  /// Returns the one heading of the note that a name means.
  ///
  /// - Throws: `.notFound` if there is none, `.badData` with the lines if there are several.
  func heading(named name: String) throws(SlipboxError) -> (anchors: HeadingAnchors, number: Int) {
    let text = try text
    let anchors = HeadingAnchors(text)
    let numbers = text.numbers(ofHeadings: name, among: anchors)
    guard let first = numbers.first, numbers.count == 1 else {
      let problem: PartProblem = numbers.isEmpty ? .noHeading : .severalHeadings(numbers)
      throw NotePart.heading(name).refusal(problem, in: self, text)
    }
    return (anchors, first)
  }
}
