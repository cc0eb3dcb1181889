import Bytes
import Foreign
import NoteIndex
import Notes
import Platform
import Text

/// Folders of Markdown: each file comes as it is.
extension ImportPlanning {
  /// - Throws: `.usage` for a folder in the box itself, or a place that can't hold notes.
  mutating func add(_ folder: ImportFolder) throws(SlipboxError) {
    let place = try place(of: folder)
    if !folder.isOneFile { places.append(place) }
    try addKinds(of: folder)
    let editor = try snapshot.recordEditor(allowsNewFields: request.allowsNewFields)
    var known: [NoteID: [UInt8]] = [:]
    var linking: [Note] = []
    for (index, file) in folder.notes.enumerated() {
      context.reporter.report(.reading, index, of: folder.notes.count)
      let source = ImportResult.Place(
        file: Visible.escape(BytePath.join(Array(folder.name.utf8), file.path)), line: nil)
      do throws(SlipboxError) {
        let bytes = try folder.read(file.path)
        let path = BytePath.join(place, file.path)
        let note = Note(path: path, text: NoteText(bytes))
        if let id = note.id, let other = known.updateValue(path, forKey: id) {
          throw SlipboxError(.badData, "the id \(id) is also the id of \(Visible.escape(other)) too")
        }
        met.insert(path)
        linking.append(Note(path: file.path, text: note.text))
        try add(note, file, source, editor)
      } catch {
        fail(source, error.message, named: Visible.escape(BytePath.join(place, file.path)))
      }
    }
    try addLinkedFiles(of: folder, linking, place)
    refuseLinkedFiles(of: folder, linking)
    result.remarks += folder.remarks
  }

  private mutating func add(
    _ note: Note, _ file: FoundFile, _ source: ImportResult.Place, _ editor: RecordEditor
  ) throws(SlipboxError) {
    let existing = note.id.flatMap { catalogue.entry(id: $0) } ?? catalogue.entry(path: note.path)
    var text = note.text
    if note.created == nil, request.writesDates { text = dated(note, file) }
    let kind = snapshot.kindMatcher().kind(of: note, created: note.created ?? snapshot.clock.now)
    text = try changed(Note(path: note.path, text: text), kind: kind, request.changes, editor)
    let made = result.made.count
    var imported = ImportedNote(
      place: source, path: note.path, id: note.id, existing: existing, text: text)
    imported.isUndated = note.created == nil
    try settle(imported)
    if result.made.count > made, note.created == nil, !request.writesDates { result.undated += 1 }
  }

  /// The note with the date on which its file was last written.
  private mutating func dated(_ note: Note, _ file: FoundFile) -> NoteText {
    let seconds = file.status.modified.seconds
    let stamp = Timestamp(seconds: seconds, offsetSeconds: snapshot.clock.offset(seconds))
    do throws(EditError) {
      return try note.text.setting("created", to: .text(stamp.rfc3339), order: fieldOrder)
    } catch {
      result.remarks.append("no date written: " + SlipboxError(error, note: note.shownName).message)
      return note.text
    }
  }

  /// The folder of the box in which the files go.
  private func place(of folder: ImportFolder) throws(SlipboxError) -> [UInt8] {
    let root = Files.realPath(snapshot.box.root) ?? snapshot.box.root
    let source = Files.realPath(folder.root) ?? folder.root
    if BytePath.relative(source, to: root) != nil {
      throw SlipboxError(
        .usage, "\(Visible.escape(folder.name)) is in the box already",
        hints: ["slip commit commits its new notes"])
    }
    let isFile = folder.notes.count == 1 && FileName.isNote(Array(folder.name.utf8))
    guard let typed = request.place else {
      let name = isFile ? [] : BytePath.name(of: source)
      if name.first == UInt8(ascii: ".") {
        throw SlipboxError(
          .usage, "slip ignores a folder named \(Visible.escape(name))",
          hints: ["--into NAME uses another name"])
      }
      return name
    }
    let place = BytePath.normalised(typed)
    let isHidden =
      place?.split(separator: UInt8(ascii: "/")).contains { $0.first == UInt8(ascii: ".") } ?? true
    guard let place, !isHidden, place.isEmpty || FileName.problem(in: place) == nil else {
      throw SlipboxError(
        .usage, "--into: \(Visible.escape(typed)) is not a valid folder of the box",
        hints: ["a path from the root of the box, such as notes/old; . is the root itself"])
    }
    return place
  }

  /// Adds the other files that the notes link to.
  private mutating func addLinkedFiles(
    of folder: ImportFolder, _ notes: [Note], _ place: [UInt8]
  ) throws(SlipboxError) {
    let others = OtherFiles(folder.others.map(\.path), links: [], leftovers: [])
    guard !others.isEmpty else { return }
    var linked: Set<[UInt8]> = []
    for note in notes {
      for link in note.links {
        if let file = BoxSnapshot.linkedFile(of: link, from: note.path, among: others) { linked.insert(file) }
      }
    }
    let bytes = folder.others.reduce(0) { linked.contains($1.path) ? $0 + $1.status.size : $0 }
    guard bytes <= BoxSnapshot.linkedFilesLimit || mayBring(bytes) else {
      result.remarks.append("not imported: \(bytes >> 20) MB of files that notes link to")
      return
    }
    for path in linked.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let source = ImportResult.Place(
        file: Visible.escape(BytePath.join(Array(folder.name.utf8), path)), line: nil)
      do throws(SlipboxError) {
        let bytes = try folder.read(path)
        try addLinkedFile(BytePath.join(place, path), bytes, source)
      } catch {
        fail(source, error.message)
      }
    }
    let rest = others.paths.count - linked.count
    if rest > 0 {
      result.remarks.append("not imported: \(rest == 1 ? "1 file" : "\(rest) files") that no note links to")
    }
  }

  /// Reports the linked files that are not imported because they are outside of the folder or hidden.
  private mutating func refuseLinkedFiles(of folder: ImportFolder, _ notes: [Note]) {
    var seen = Set(folder.others.map(\.path))
    for file in notes.flatMap(folder.refusedFiles) where seen.insert(file.path).inserted {
      fail(.init(file: Visible.escape(file.path), line: nil), file.reason)
    }
  }

  private mutating func addLinkedFile(
    _ path: [UInt8], _ bytes: [UInt8], _ source: ImportResult.Place
  ) throws(SlipboxError) {
    guard let own = try snapshot.box.bytes(at: path) else {
      if addNew(path, bytes, source) { result.attachments += 1 }
      return
    }
    guard own != bytes else { return }
    guard try lastVersion(path, id: nil)?.bytes == own else {
      result.remarks.append("\(Visible.escape(path)) is kept: the box has a different file with that name")
      return
    }
    change(path, from: own, to: bytes)
    result.attachments += 1
  }
}
