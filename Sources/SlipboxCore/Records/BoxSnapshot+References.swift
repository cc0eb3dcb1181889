import Bytes
package import NoteIndex
import Notes
import Platform
import Text

/// Finding notes by what people type.
extension BoxSnapshot {
  /// The note that a REF names.
  ///
  /// - Parameter fuzzy: whether a unique title that resembles the words will do; only where nothing is changed unseen.
  /// - Throws: `.notFound` with near candidates, `.badData` with all candidates where several fit.
  package func entry(_ reference: String, fuzzy: Bool) throws(SlipboxError) -> Entry {
    guard reference.utf8.contains(where: { $0 > 0x20 }) else {
      throw SlipboxError(
        .usage, "which note? an empty text names none", hints: ["name it by id, path or title"])
    }
    if let entry = try entry(named: reference) { return entry }
    guard let listed = try nameInList(reference) else { return try resolved(reference, reference, fuzzy) }
    let known = try entry(named: listed)
    let entry = if let known { known } else { try resolved(listed, reference, fuzzy) }
    reporter.warnOnce("\(reference) is \(entry.note.shownName)  \(Visible.escape(entry.note.title))")
    return entry
  }

  /// The note of a name, for which `reference` was typed.
  private func resolved(
    _ name: String, _ reference: String, _ fuzzy: Bool
  ) throws(SlipboxError) -> Entry {
    switch try catalogue().resolve(name, .typed(fuzzy: fuzzy), keys: RecordKeys(schema())) {
    case .found(let entry): return entry
    case .ambiguous(let entries): throw Self.ambiguity(of: reference, entries)
    case .none(let candidates):
      throw SlipboxError(
        .notFound, "no note \(Visible.escape(reference))",
        hints: candidates.isEmpty
          ? ["slip list shows the notes; slip search looks into their text"]
          : ["did you mean:"] + candidates.map(Self.line))
    }
  }

  /// The note of a full id or an exact path, in the box or from the working directory on; nil where it is none of these.
  private func entry(named reference: String) throws(SlipboxError) -> Entry? {
    let isFromHere = ["./", "../", "/"].contains { reference.hasPrefix($0) }
    if !isFromHere, let entry = try knownEntry(reference) { return entry }
    guard let path = pathFromHere(reference) else { return nil }
    let typed = ByteText.bytes(of: reference)
    guard path != typed || ByteText.holdsBytes(reference) else { return try linkedEntry(path) }
    for path in isFromHere ? [path] : [typed, path] {
      if let entry = try catalogue().entry(path: path) { return entry }
      if let entry = try linkedEntry(path) { return entry }
    }
    return nil
  }

  /// The note that a symbolic link inside the box leads to, by the path of the link.
  private func linkedEntry(_ path: [UInt8]) throws(SlipboxError) -> Entry? {
    guard source == .workTree, box.isLink(path) else { return nil }
    if let target = box.target(of: path) { return try catalogue().entry(path: target.path) }
    guard Files.realPath(box.absolutePath(path)) != nil else { return nil }
    throw SlipboxError(
      .notPermitted, "\(Visible.escape(path)) is a symbolic link that leads to no note of this box")
  }

  /// The path in the box that a reference stands for as a path from the working directory on; nil where it leads out of
  /// the box, or looks like no path.
  private func pathFromHere(_ reference: String) -> [UInt8]? {
    let path = ByteText.bytes(of: reference)
    guard path.contains(UInt8(ascii: "/")) || FileName.isNote(path),
      let absolute = BytePath.normalised(BytePath.join(workingDirectory, path))
    else { return nil }
    return BytePath.relative(absolute, to: box.root)
  }

  private static func ambiguity(of reference: String, _ entries: [Entry]) -> SlipboxError {
    let shown = entries.prefix(10)
    var counts: [NoteID: Int] = [:]
    for entry in entries { if let id = entry.note.id { counts[id, default: 0] += 1 } }
    let haveIDs = shown.map { entry in entry.note.id.map { counts[$0] == 1 } ?? false }
    let lines = zip(shown, haveIDs).map { entry, hasID in
      hasID ? line(entry) : "  \(Visible.escape(entry.note.path))  \(Visible.escape(entry.note.title))"
    }
    let way = !haveIDs.contains(false) ? "id" : haveIDs.contains(true) ? "id or path" : "path"
    return SlipboxError(
      .badData, "\(Visible.escape(reference)) fits \(entries.count) notes",
      hints: ["name one by its \(way):"] + lines)
  }

  /// The note of a full id or an exact path, found in what is kept and verified in the file itself; nil where that does
  /// not settle it.
  private func knownEntry(_ reference: String) throws(SlipboxError) -> Entry? {
    guard source == .workTree, knownContents == nil, let kept = keptCatalogue() else { return nil }
    let name = ByteText.bytes(of: reference)
    let id = NoteID(reference)
    let paths = id.map { Array(kept.paths(of: $0)) } ?? (kept.holds(name) ? [name] : [])
    guard paths.count == 1, let file = try? box.folder.read(paths[0], limit: NoteReader.sizeLimit) else {
      return nil
    }
    let note = Note(path: paths[0], text: NoteText(file.bytes))
    guard let created = note.created, id == nil || note.id == id else { return nil }
    return Entry(note: note, created: created, kind: kindMatcher().kind(of: note, created: created))
  }

  /// The notes that REFs name, each once, in their order.
  package func entries(_ references: [String], fuzzy: Bool) throws(SlipboxError) -> [Entry] {
    var seen: Set<[UInt8]> = []
    var entries: [Entry] = []
    for reference in references {
      let entry = try entry(reference, fuzzy: fuzzy)
      if seen.insert(entry.note.path).inserted { entries.append(entry) }
    }
    return entries
  }

  /// The notes that a query finds, in its order.
  package func matches(_ query: Query) throws(SlipboxError) -> [Match] {
    let (query, catalogue) = (try named(query), try catalogue())
    let found = catalogue.matches(
      query, modified: { [self] in modified(at: $0, in: catalogue.entries) }, executor: Self.executor)
    try refuseUnreadTexts()
    return found
  }

  /// How many notes a query finds.
  package func count(_ query: Query) throws(SlipboxError) -> Int {
    let (query, catalogue) = (try named(query), try catalogue())
    let found = catalogue.count(
      query, modified: { [self] in modified(at: $0, in: catalogue.entries) }, executor: Self.executor)
    try refuseUnreadTexts()
    return found
  }

  /// The notes that a query finds, best first.
  package func search(_ query: Query) throws(SlipboxError) -> [Match] {
    let (query, catalogue) = (try named(query), try catalogue())
    let found = catalogue.search(
      query, modified: { [self] in modified(at: $0, in: catalogue.entries) }, executor: Self.executor)
    try refuseUnreadTexts()
    return found
  }

  /// The query with the notes that its terms about links name.
  private func named(_ query: Query) throws(SlipboxError) -> Query {
    guard !query.references.isEmpty else { return query }
    return try query.naming { (reference) throws(SlipboxError) in try entry(reference, fuzzy: false).note }
  }

  /// The links of notes of the box.
  package func linkGraph() throws(SlipboxError) -> LinkGraph {
    LinkGraph(try catalogue(), executor: Self.executor)
  }

  /// Does the work of a query on all processors.
  static var executor: ParallelExecutor { { stretches, work in _ = concurrentMap(stretches, work) } }

  private static func line(_ entry: Entry) -> String {
    "  \(entry.note.shownName)  \(Visible.escape(entry.note.title))"
  }
}

/// The last list shown in a terminal, so that `@1` can name its first note.
extension BoxSnapshot {
  /// The most notes that are remembered.
  private static let listLimit = 1_000

  /// Remembers the notes of a list for this terminal; not those of a list of the past.
  package func rememberList(_ entries: [Entry]) {
    // What a list of the past shows need not be what is there now.
    guard source == .workTree else { return }
    let names = entries.prefix(Self.listLimit).map { $0.note.id?.bytes ?? $0.note.path }
    // Without it `@1` is not known, which is said then. Names of files may hold line ends, never NUL.
    try? Files.write(Array(names.joined(separator: [0])), to: listFile)
  }

  /// The name of the note that `@1` and its like stand for; nil for any other reference.
  private func nameInList(_ reference: String) throws(SlipboxError) -> String? {
    guard reference.utf8.first == UInt8(ascii: "@"), let number = Int(reference.dropFirst()), number > 0
    else { return nil }
    let bytes = (try? Files.read(listFile, limit: 1 << 20)) ?? []
    let names = bytes.split(separator: 0)
    guard number <= names.count else {
      let what =
        names.isEmpty
        ? "no list was shown in this terminal yet"
        : "the last list in this terminal had \(names.count == 1 ? "1 note" : "\(names.count) notes")"
      throw SlipboxError(
        .notFound, "\(reference): \(what)",
        hints: ["slip list or slip search shows a list; @1 is its first note"])
    }
    return ByteText.text(of: names[number - 1])
  }

  private var listFile: [UInt8] {
    BytePath.join(box.stateFolder, Array("lists/\(Terminal.sessionID ?? "none")".utf8))
  }
}
