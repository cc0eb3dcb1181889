import Bytes
import Foreign
import NoteIndex
import Notes
package import Platform
package import Text

/// A folder of Markdown that is to be imported, as a walk has found it.
package struct ImportFolder: Sendable {
  /// The absolute path.
  package let root: [UInt8]
  /// The name in messages.
  package let name: String
  /// Reads the files, and follows no symbolic link out of the folder.
  private let reader: BoxFolder
  /// The notes, by their paths below the folder.
  package let notes: [FoundFile]
  /// The other files that notes may link to.
  package let others: [FoundFile]
  /// The files that declare kinds, if the folder is a box.
  let kinds: [FoundFile]
  /// Whether it is a note alone.
  let isOneFile: Bool
  /// The files and features that are not imported, a sentence each.
  package let remarks: [Phrase]

  /// Folders with files that programs fetched or generated, never notes of the user's.
  private static let foldersOfPrograms = ["node_modules", "bower_components", "__pycache__"]

  /// Walks a folder.
  ///
  /// Hidden files and folders, repositories inside of it, folders of packages and symbolic links are left.
  /// - Throws: `.inputOutput` and the like if the folder can't be read.
  package init(at root: [UInt8], name: String) throws(SlipboxError) {
    _ = try system { () throws(SystemError) in try Files.list(root) }
    let walk = DirectoryWalk.files(
      under: root,
      descend: { path in
        let last = BytePath.name(of: Array(path))
        return !Self.foldersOfPrograms.contains { last.elementsEqual($0.utf8) }
      }, include: { _ in true })
    self.root = root
    self.name = name
    reader = try Self.reader(root)
    let settings = Settings((try? reader.read(Settings.boxFile).bytes) ?? [])
    let excluded = ExcludedPaths(of: reader, settings)
    let all = walk.files.filter { FileName.isNote($0.path) }
    notes = all.filter { !excluded.covers($0.path) }
    others = walk.files.filter { !FileName.isNote($0.path) }
    kinds = Self.kinds(in: root)
    isOneFile = false
    let count = all.count - notes.count
    let sources = Set(all.compactMap { excluded.pattern(covering: $0.path)?.source }).sorted()
    remarks =
      Self.remarks(root, walk, hasKinds: !kinds.isEmpty)
      + (count == 0
        ? []
        : [
          "not imported, excluded by \(sources.joined(separator: ", ")): \(count == 1 ? "1 note" : "\(count) notes")"
        ])
  }

  /// A note alone, with the files that it links to.
  package init(file: [UInt8], name: String) throws(SlipboxError) {
    let path = BytePath.name(of: file)
    root = BytePath.folder(of: file)
    self.name = name
    reader = try Self.reader(root)
    let status = try system { () throws(SystemError) in try Files.status(file, followLinks: true) }
    notes = status.map { [FoundFile(path: path, status: $0)] } ?? []
    others = status == nil ? [] : try Self.linkedFiles(of: path, in: root, reader)
    kinds = []
    isOneFile = true
    remarks = []
  }

  /// The declarations of kinds, by their paths from the folder.
  private static func kinds(in root: [UInt8]) -> [FoundFile] {
    let folder = Array(".slipbox/kinds".utf8)
    // A folder without kinds is one of any other program.
    let names = (try? Files.list(BytePath.join(root, folder))) ?? []
    return names.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { name in
      let path = BytePath.join(folder, name)
      guard name.first != UInt8(ascii: "."), name.suffix(5).elementsEqual(".yaml".utf8),
        let status = try? Files.status(BytePath.join(root, path)), status.kind == .file
      else { return nil }
      return FoundFile(path: path, status: status)
    }
  }

  private static func reader(_ root: [UInt8]) throws(SlipboxError) -> BoxFolder {
    try system { () throws(SystemError) in try BoxFolder(root) }
  }

  /// Reads a file of the folder.
  ///
  /// - Throws: if the path passes through a symbolic link that leads out of the folder, also one that was made after the
  ///   folder was walked. A note that the user named is read through links.
  func read(_ path: [UInt8]) throws(SlipboxError) -> [UInt8] {
    do throws(SystemError) {
      if isOneFile, notes.contains(where: { $0.path == path }) {
        return try Files.read(BytePath.join(root, path))
      }
      return try reader.read(path).bytes
    } catch {
      guard error.code == SystemError.leavesBox else { throw SlipboxError(error) }
      throw SlipboxError(.notPermitted, Self.leavesFolder)
    }
  }

  private static let leavesFolder: Phrase = "not imported: a symbolic link points out of its folder"

  /// The files that a note alone links to, by their paths from its folder.
  private static func linkedFiles(
    of path: [UInt8], in root: [UInt8], _ reader: BoxFolder
  ) throws(SlipboxError) -> [FoundFile] {
    let bytes = try system { () throws(SystemError) in try Files.read(BytePath.join(root, path)) }
    var found: [FoundFile] = []
    for link in Note(path: path, text: NoteText(bytes)).links {
      for target in targets(of: link, from: path) {
        guard let target = BytePath.normalised(target), place(target) == nil,
          !found.contains(where: { $0.path == target }),
          let status = try? reader.status(target), status.kind == .file
        else { continue }
        found.append(FoundFile(path: target, status: status))
      }
    }
    return found
  }

  /// The paths, from the folder, of the files other than notes that a link may name; `..` and a leading slash stay in them.
  private static func targets(of link: BodyScan.Link, from note: [UInt8]) -> [[UInt8]] {
    guard case .name(let name) = LinkAddress(link) else { return [] }
    return name.readings.filter { !FileName.isNote($0) }.map { reading in
      reading.first == UInt8(ascii: "/") ? reading : BytePath.join(BytePath.folder(of: note), reading)
    }
  }

  /// The reason why a path can't be that of an imported file; nil if it can.
  private static func place(_ target: [UInt8]) -> Phrase? {
    guard let path = BytePath.normalised(target), path.first != UInt8(ascii: "/") else {
      return "not imported: it is outside the imported folder"
    }
    let isHidden = path.split(separator: UInt8(ascii: "/")).contains { $0.first == UInt8(ascii: ".") }
    return isHidden ? "not imported: it is hidden" : nil
  }

  /// The files that a note links to, that exist and that are not imported, by their paths from the folder.
  func refusedFiles(of note: Note) -> [(path: [UInt8], reason: Phrase)] {
    note.links.flatMap { Self.targets(of: $0, from: note.path) }.compactMap {
      target -> (path: [UInt8], reason: Phrase)? in
      let path = target.first == UInt8(ascii: "/") ? target : BytePath.join(root, target)
      // A file that can't be read would not come along anyway.
      guard let status = try? Files.status(path, followLinks: true), status.kind == .file else { return nil }
      if let reason = Self.place(target) { return (target, reason) }
      do throws(SystemError) {
        _ = try reader.status(BytePath.normalised(target) ?? target)
        return nil
      } catch {
        return error.code == SystemError.leavesBox ? (target, Self.leavesFolder) : nil
      }
    }
  }

  private static func remarks(
    _ root: [UInt8], _ walk: DirectoryWalk.Result, hasKinds: Bool
  ) -> [Phrase] {
    var remarks: [Phrase] = []
    // A folder that could be walked a moment ago.
    let hidden = ((try? Files.list(root)) ?? []).filter { $0.first == UInt8(ascii: ".") }
    let groups: [(String, [[UInt8]])] = [
      ("hidden", hidden), ("symbolic links", walk.links.map(\.path)),
      ("nested repositories", walk.nestedRepositories),
    ]
    for (what, paths) in groups where !paths.isEmpty {
      let shown =
        paths.prefix(5).map { path -> Phrase in
          let isBox = hasKinds && path.elementsEqual(".slipbox".utf8)
          return isBox ? ".slipbox except its kinds" : Phrase(path)
        } + (paths.count > 5 ? ["\(paths.count - 5) more"] : [])
      remarks.append("not imported, \(what): \(shown.joined(separator: ", "))")
    }
    return remarks + walk.problems.map { SlipboxError($0).message }
  }
}

/// Folders of Markdown: each file comes as it is.
extension ImportPlanning {
  /// - Throws: `.usage` for a folder in the box itself, or a place that can't hold notes.
  mutating func add(_ folder: ImportFolder) throws(SlipboxError) {
    let place = try place(of: folder)
    if !folder.isOneFile { places.append(place) }
    try addKinds(of: folder)
    let editing = ChangeRecords(allowsNewFields: request.allowsNewFields, in: snapshot)
    var known: [NoteID: [UInt8]] = [:]
    var linking: [Note] = []
    for (index, file) in folder.notes.enumerated() {
      context.reporter.report(.reading, index, of: folder.notes.count)
      let source = ImportResult.Place(
        file: Phrase(BytePath.join(Array(folder.name.utf8), file.path)).description, line: nil)
      do throws(SlipboxError) {
        let bytes = try folder.read(file.path)
        let path = BytePath.join(place, file.path)
        let note = Note(path: path, text: NoteText(bytes))
        if let id = note.id, let other = known.updateValue(path, forKey: id) {
          throw SlipboxError(.badData, "the id \(id) is also the id of \(other)")
        }
        met.insert(path)
        linking.append(Note(path: file.path, text: try note.text))
        try add(note, file, source, editing)
      } catch {
        fail(source, error.fault)
      }
    }
    try addLinkedFiles(of: folder, linking, place)
    refuseLinkedFiles(of: folder, linking)
    result.remarks += folder.remarks
  }

  private mutating func add(
    _ note: Note, _ file: FoundFile, _ source: ImportResult.Place, _ editing: ChangeRecords
  ) throws(SlipboxError) {
    let existing = note.id.flatMap { catalogue.entry(id: $0) } ?? catalogue.entry(path: note.path)
    var text = try note.text
    if note.created == nil, request.writesDates { text = try dated(note, file) }
    let kind = snapshot.kindMatcher().kind(of: note, created: note.created ?? snapshot.clock.now)
    do throws(SlipboxError) {
      text = try changed(Note(path: note.path, text: text), kind: kind, request.changes, editing)
    } catch {
      let message: Phrase =
        "imported without \(request.typedChanges.joined(separator: " ")): \(error.message)"
      fail(source, message, isPartial: true)
    }
    let made = result.made.count
    var imported = ImportedNote(
      place: source, path: note.path, id: note.id, existing: existing, text: text)
    imported.isUndated = note.created == nil
    try settle(imported)
    if result.made.count > made, note.created == nil, !request.writesDates { result.undated += 1 }
  }

  /// The note with the date on which its file was last written.
  private mutating func dated(_ note: Note, _ file: FoundFile) throws(SlipboxError) -> NoteText {
    let text = try note.text
    let seconds = file.status.modified.seconds
    let stamp = Timestamp(seconds: seconds, offsetSeconds: snapshot.clock.offset(seconds))
    do throws(EditError) {
      return try text.setting("created", to: .text(stamp.rfc3339), order: fieldOrder)
    } catch {
      result.remarks.append("no creation date added: \(SlipboxError(error, note: note.mention).message)")
      return text
    }
  }

  /// The folder of the box in which the files go.
  private func place(of folder: ImportFolder) throws(SlipboxError) -> [UInt8] {
    let root = Files.realPath(snapshot.box.root) ?? snapshot.box.root
    let source = Files.realPath(folder.root) ?? folder.root
    if BytePath.relative(source, to: root) != nil {
      throw SlipboxError(
        .usage, "\(folder.name) is in the box already",
        hints: ["\(slip: "commit") commits its new notes"])
    }
    let isFile = folder.notes.count == 1 && FileName.isNote(Array(folder.name.utf8))
    guard let typed = request.place else {
      let name = isFile ? [] : BytePath.name(of: source)
      if name.first == UInt8(ascii: ".") {
        throw SlipboxError(
          .usage, "slip ignores a folder named \(name)",
          hints: ["\(option: "--into NAME") uses another name"])
      }
      return name
    }
    let place = BytePath.normalised(typed)
    let isHidden =
      place?.split(separator: UInt8(ascii: "/")).contains { $0.first == UInt8(ascii: ".") } ?? true
    guard let place, !isHidden, place.isEmpty || FileName.problem(in: place) == nil else {
      throw SlipboxError(
        .usage, "--into: \(typed) is not a valid folder of the box",
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
        if let file = others.file(of: link, from: note.path) { linked.insert(file) }
      }
    }
    let bytes = folder.others.reduce(0) { linked.contains($1.path) ? $0 + $1.status.size : $0 }
    guard bytes <= LinkedFiles.limit || mayBring(bytes) else {
      result.remarks.append("not imported: \(bytes >> 20) MB of files that notes link to")
      return
    }
    for path in linked.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let source = ImportResult.Place(
        file: Phrase(BytePath.join(Array(folder.name.utf8), path)).description, line: nil)
      do throws(SlipboxError) {
        let bytes = try folder.read(path)
        try addLinkedFile(BytePath.join(place, path), bytes, source)
      } catch {
        fail(source, error.fault)
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
      fail(.init(file: Phrase(file.path).description, line: nil), file.reason)
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
      result.remarks.append("\(path) is kept: the box has a different file with that name")
      return
    }
    change(path, from: own, to: bytes)
    result.attachments += 1
  }
}
