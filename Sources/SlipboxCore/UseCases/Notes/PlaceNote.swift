import Bytes
import NoteIndex
package import Notes
import Platform
import Text

/// The path of a new note, and the content of its file, by the layout of the box.
package struct PlaceNote {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// A new note as its file is to be, from its text with `id`, `title` and `created`.
  ///
  /// - Parameters:
  ///   - folder: the folder of the file; nil: that of the layout.
  ///   - source: the note whose text it takes; see `path(of:id:from:)`.
  ///   - taken: further paths that are not free.
  /// - Throws: `.configuration` if the layout is not known, `.badData` if the text can't be changed.
  package func note(
    _ text: NoteText, id: NoteID, in folder: [UInt8]? = nil, from source: Note? = nil,
    taken: Set<[UInt8]> = []
  ) throws(SlipboxError) -> Note {
    let note = Note(path: [], text: text)
    let path =
      if let source {
        try self.path(of: note, id: id, from: source)
      } else {
        try self.path(of: note, id: id, in: folder, taken: taken)
      }
    return Note(path: path, text: try laidOut(text, at: path))
  }

  /// The text of a new note at a path, with the fields and the heading of the layout.
  ///
  /// - Parameter keepsHeading: whether the heading of its template stays the only one, as in Obsidian.
  /// - Throws: as `note`.
  func laidOut(
    _ text: NoteText, at path: [UInt8], keepsHeading: Bool = false
  ) throws(SlipboxError) -> NoteText {
    let layout = try snapshot.layout()
    if layout.name == .slipbox, layout.title == .field, layout.idField == "id" { return text }
    let kind = snapshot.schema().kindOrPlain(named: Note(path: [], text: text).kind)
    let isRequired = kind.field("title").map { $0.isRequired || $0.isNotEmpty } ?? false
    do throws(EditError) {
      return try layout.text(text, at: path, keepsTitleField: isRequired, keepsHeading: keepsHeading)
    } catch {
      throw SlipboxError(error, note: "the new note")
    }
  }

  /// The path of a new note's file, with a number at its end if another note has the name, without regard to case; for
  /// Denote with a later second if another note has the identifier.
  ///
  /// - Throws: as `note`, and if the names of other notes can't be read.
  package func path(
    of note: Note, id: NoteID, in folder: [UInt8]? = nil, taken: Set<[UInt8]> = []
  ) throws(SlipboxError) -> [UInt8] {
    let layout = try snapshot.layout()
    let pattern: PathPattern
    do throws(Problem) { pattern = try PathPattern(layout.path, naming: layout.naming) } catch {
      throw SlipboxError(.configuration, "path: \(layout.path): \(error.message)")
    }
    var created = note.created ?? snapshot.clock.now
    let path = { (created: Timestamp) in
      let path = pattern.path(title: note.title, id: id, tags: note.frontMatterTags, created: created)
      return folder.map { BytePath.join($0, BytePath.name(of: path)) } ?? path
    }
    var free = path(created)
    if pattern.holdsID { return snapshot.box.pathWithoutTitle(free, id) }
    let names = try takenNames(layout, like: free)
    let first = free
    var number = 2
    while names.contains(Self.folded(free, layout)) || taken.contains(free) || snapshot.box.isThere(free) {
      created = Timestamp(seconds: created.seconds + 1, offsetSeconds: created.offsetSeconds)
      let later = path(created)
      if layout.name == .denote, later != free {
        free = later
      } else {
        free = pattern.numbered(first, number)
        number += 1
      }
    }
    return free
  }

  /// The path of a new note that takes text of another one: in the folder of that one if git encrypts it and would not encrypt
  /// the new note in the folder of the layout.
  ///
  /// - Throws: as above.
  func path(of note: Note, id: NoteID, from source: Note) throws(SlipboxError) -> [UInt8] {
    let path = try self.path(of: note, id: id)
    guard try snapshot.box.leavesFilter(from: source.path, to: path) else { return path }
    let near = try self.path(of: note, id: id, in: BytePath.folder(of: source.path))
    if try snapshot.box.leavesFilter(from: source.path, to: near) {
      snapshot.box.warnOfReadableText(of: "a part of \(source.mention)", snapshot.reporter)
    }
    return near
  }

  /// The parts of the paths of notes that a new note can't share, without case: those that links use.
  ///
  /// Before the notes are read, only names are looked for that begin like that of the new note: in its folder, or in the
  /// whole box if names are unique there.
  private func takenNames(_ layout: Layout, like path: [UInt8]) throws(SlipboxError) -> Set<[UInt8]> {
    if snapshot.source == .workTree, snapshot.knownContents == nil {
      let isWide = layout.needsUniqueNames || layout.name == .denote
      let folder = isWide ? [] : BytePath.folder(of: path)
      let length = layout.name == .denote ? Self.denoteDay : Self.longestStart
      let start = Array(Folding.fold(FileName.stem(of: path)).prefix(length))
      let walk = DirectoryWalk.files(
        under: folder.isEmpty ? snapshot.box.root : snapshot.box.absolutePath(folder),
        descend: { _ in isWide }
      ) { name in FileName.isNote(name) && Self.isBegun(name, by: start) }
      return Set(walk.files.map { Self.folded(BytePath.join(folder, $0.path), layout) })
    }
    return try snapshot.computedNames.value { () throws(SlipboxError) in
      let entries = try snapshot.catalogue().entries
      return Set(entries.indices.map { Self.folded(entries.path(at: $0), layout) })
    }
  }

  /// The digits of the day at the beginning of Denote's identifiers.
  private static let denoteDay = 8
  private static let longestStart = 40

  private static func isBegun(_ name: ArraySlice<UInt8>, by start: [UInt8]) -> Bool {
    guard let first = name.first, let wanted = start.first else { return true }
    // Most names differ in their first letter.
    if first < 0x80, wanted < 0x80, first | 0x20 != wanted | 0x20 { return false }
    return Folding.fold(name).starts(with: start)
  }

  private static func folded(_ path: [UInt8], _ layout: Layout) -> [UInt8] {
    if layout.name == .denote, let identifier = Layout.denoteIdentifier(of: path) {
      return Array(identifier.utf8)
    }
    return Folding.fold(layout.needsUniqueNames ? Array(FileName.stem(of: path))[...] : path[...])
  }
}

/// Places that people name, and those behind filters of git.
extension PlaceNote {
  /// The path in the box of the folder that a new note goes to.
  ///
  /// - Throws: `.usage` for an empty path, `.cannotCreate` if the folder is outside the box or its place is taken.
  package func folder(_ target: [UInt8]) throws(SlipboxError) -> [UInt8] {
    let (path, isFolder) = try place(target)
    let status = try? Files.status(snapshot.box.absolutePath(path), followLinks: true)
    if !isFolder, status != nil {
      throw SlipboxError(.cannotCreate, "\(target) is not a folder")
    }
    return path
  }

  /// The path in the box that a target means, and whether it is a folder.
  func place(_ target: [UInt8]) throws(SlipboxError) -> (path: [UInt8], isFolder: Bool) {
    guard !target.isEmpty else { throw SlipboxError(.usage, "the path is empty") }
    let root = Files.realPath(snapshot.box.root) ?? snapshot.box.root
    let here = Files.realPath(snapshot.workingDirectory) ?? snapshot.workingDirectory
    let isInside = BytePath.relative(here, to: root) != nil
    let absolute = BytePath.normalised(BytePath.join(isInside ? here : root, target))
    guard let absolute,
      let path = BytePath.relative(absolute, to: root) ?? BytePath.relative(absolute, to: snapshot.box.root)
    else {
      throw SlipboxError(
        .cannotCreate, "\(target) is outside the box",
        hints: ["notes can't leave their box: \(snapshot.box.root)"])
    }
    let last = BytePath.name(of: target)
    let isFolder = last.isEmpty || last == Array(".".utf8) || last == Array("..".utf8) || path.isEmpty
    if isFolder { return (path, true) }
    let status = try? Files.status(snapshot.box.absolutePath(path), followLinks: true)
    return (path, status?.kind == .directory)
  }
}

/// Checks the paths that notes are to have.
struct PlaceCheck {
  private let snapshot: BoxSnapshot
  private var box: Box { snapshot.box }

  init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Refuses a path in a repository inside the box, whose files are no notes of the box.
  func refuseNestedRepository(_ path: [UInt8], hints: [Phrase] = []) throws(SlipboxError) {
    if box.isInNestedRepository(path) { throw box.inNestedRepository(path, hints: hints) }
  }

  /// Refuses a path that a setting excludes from the notes.
  func refuseExcluded(_ path: [UInt8], hint: Phrase) throws(SlipboxError) {
    guard let pattern = box.excluded.pattern(covering: path) else { return }
    throw SlipboxError(
      .cannotCreate,
      "\(path) would not be a note: \(pattern.source) excludes \(pattern.text)",
      hints: [hint])
  }

  /// Refuses new paths that differ from one of another file of the folder in case or Unicode composition alone: on other
  /// systems the two are one file.
  ///
  /// - Parameter paths: the old paths by the new ones.
  func refuseTwins(of paths: [[UInt8]: [UInt8]]) throws(SlipboxError) {
    let leaving = Set(paths.values)
    for (folder, group) in Dictionary(grouping: paths.keys, by: { BytePath.folder(of: $0) }) {
      let wanted = Set(group.map { Folding.fold(BytePath.name(of: $0)[...]) })
      let files = DirectoryWalk.files(under: box.absolutePath(folder), descend: { _ in false }) { name in
        wanted.contains(Folding.fold(name))
      }.files.map { BytePath.join(folder, $0.path) }
      for path in group.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        let folded = Folding.fold(path[...])
        guard
          let twin = files.first(where: {
            $0 != path && !leaving.contains($0) && Folding.fold($0[...]) == folded
          })
        else { continue }
        throw SlipboxError(
          .cannotCreate,
          "\(path) differs from \(twin) only in case or Unicode composition",
          hints: ["nothing was changed; choose another name: on other systems the two are one file"])
      }
    }
  }

  /// Whether an ignore rule matches the path of a new file.
  ///
  /// Libgit2 is asked only if any rule can be about the path: the kept catalogue knows of some, or a folder on the way has a
  /// file of rules.
  func isIgnored(_ path: [UInt8]) throws(SlipboxError) -> Bool {
    if let kept = snapshot.keptCatalogue(), !kept.sources.hasRules, !box.hasIgnoreFile(above: path) {
      return false
    }
    return try box.isIgnored(path)
  }

  /// Refuses a path that no note can have: taken, hidden, ignored or not plain.
  func refuseUnusable(_ path: [UInt8]) throws(SlipboxError) {
    let shown = Phrase(path)
    if let problem = FileName.problem(in: path) { throw SlipboxError(.cannotCreate, "\(shown): \(problem)") }
    if path.split(separator: UInt8(ascii: "/")).contains(where: { $0.first == UInt8(ascii: ".") }) {
      throw SlipboxError(
        .cannotCreate, "\(shown) is hidden: a name that begins with a dot is not read as a note",
        hints: ["choose a path without such a name"])
    }
    if box.isThere(path) { throw FileEdit.taken(path) }
    guard box.folder.isOpen(path) else {
      throw SlipboxError(.cannotCreate, "\(shown) is in a folder whose files are not read as notes")
    }
    try refuseNestedRepository(path)
    if try isIgnored(path) {
      let rule = box.ignoreRule(path).map { " by \($0)" as Phrase } ?? ""
      throw SlipboxError(
        .cannotCreate, "\(shown) would be ignored\(rule)", hints: ["change that rule, or choose another path"]
      )
    }
  }
}
