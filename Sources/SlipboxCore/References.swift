package import NoteIndex
import Notes
import Platform
import Text

/// Finding notes by what people type.
extension Slipbox {
  /// The note that a REF names.
  ///
  /// - Parameter fuzzy: whether a unique title that resembles the words will do; only where nothing is changed unseen.
  /// - Throws: `.notFound` with near candidates, `.badData` with all candidates where several fit.
  package func entry(_ reference: String, fuzzy: Bool) throws(SlipboxError) -> Entry {
    if let entry = try entry(named: reference) { return entry }
    let name = try expandingListNumber(reference)
    switch try keyed(name, try catalogue().resolve(name, fuzzy: fuzzy)) {
    case .found(let entry): return entry
    case .ambiguous(let entries): throw Self.ambiguity(of: reference, entries)
    case .none(let candidates):
      throw SlipboxError(
        .notFound, "no note \(Visible.escape(reference))",
        hints: candidates.isEmpty ? [] : ["did you mean:"] + candidates.map(Self.line))
    }
  }

  /// The note of a full id or an exact path, in the box or from the working directory on; nil where it is none of these.
  private func entry(named reference: String) throws(SlipboxError) -> Entry? {
    let isFromHere = ["./", "../", "/"].contains { reference.hasPrefix($0) }
    if !isFromHere, let entry = try knownEntry(reference) { return entry }
    guard let path = pathFromHere(reference), path != Array(reference.utf8) else { return nil }
    if !isFromHere, let entry = try catalogue().entry(path: Array(reference.utf8)) { return entry }
    return try catalogue().entry(path: path)
  }

  /// The path in the box that a reference stands for as a path from the working directory on; nil where it leads out of
  /// the box, or looks like no path.
  private func pathFromHere(_ reference: String) -> [UInt8]? {
    let path = Array(reference.utf8)
    guard path.contains(UInt8(ascii: "/")) || FileName.isNote(path),
      let absolute = BytePath.normalised(BytePath.join(surroundings.workingDirectory, path))
    else { return nil }
    return BytePath.relative(absolute, to: root)
  }

  /// What a reference came to, with the records whose key it is: that is a name as good as an id.
  private func keyed(_ name: String, _ resolution: Resolution) throws(SlipboxError) -> Resolution {
    let keyed = try entries(withKey: name)
    guard !keyed.isEmpty else { return resolution }
    var found = keyed
    // What the words of a title resemble is no name.
    switch try catalogue().resolve(name, fuzzy: false) {
    case .found(let entry): found.append(entry)
    case .ambiguous(let entries): found += entries
    case .none: break
    }
    var seen: Set<[UInt8]> = []
    found = found.filter { seen.insert($0.note.path).inserted }
    return found.count == 1 ? .found(found[0]) : .ambiguous(found)
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
    guard !hasWalked, let kept = keptCatalogue() else { return nil }
    let name = Array(reference.utf8)
    let id = NoteID(reference)
    let paths = id.map { Array(kept.paths(of: $0)) } ?? (kept.holds(name) ? [name] : [])
    guard paths.count == 1, let file = try? folder.read(paths[0], limit: NoteFolder.sizeLimit) else {
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
    let (query, times, catalogue) = (try named(query), try noteTimes(), try catalogue())
    return catalogue.matches(
      query, modified: { times.modified(at: $0, in: catalogue.entries) }, spread: Self.spread)
  }

  /// The notes that a query finds, best first.
  package func search(_ query: Query) throws(SlipboxError) -> [Match] {
    let (query, times, catalogue) = (try named(query), try noteTimes(), try catalogue())
    return catalogue.search(
      query, modified: { times.modified(at: $0, in: catalogue.entries) }, spread: Self.spread)
  }

  /// The query with the notes that its terms about links name.
  private func named(_ query: Query) throws(SlipboxError) -> Query {
    guard !query.references.isEmpty else { return query }
    return try query.naming { (reference) throws(SlipboxError) in try entry(reference, fuzzy: false).note }
  }

  /// The links of notes of the box.
  package func linkGraph() throws(SlipboxError) -> LinkGraph {
    LinkGraph(try catalogue(), spread: Self.spread)
  }

  /// Does the work of a query on all processors.
  private static var spread: Spread { { stretches, work in _ = concurrentMap(stretches, work) } }

  private static func line(_ entry: Entry) -> String {
    "  \(name(of: entry.note))  \(Visible.escape(entry.note.title))"
  }
}

/// The last list shown in a terminal, so that `@1` can name its first note.
extension Slipbox {
  /// The most notes that are remembered.
  private static let listLimit = 1_000

  /// Remembers the notes of a list for this terminal.
  package func rememberList(_ entries: [Entry]) {
    let lines = entries.prefix(Self.listLimit).map { entry in
      entry.note.id?.description ?? String(decoding: entry.note.path, as: UTF8.self)
    }
    // Without it `@1` is not known, which is said then.
    try? Files.write(Array(lines.joined(separator: "\n").utf8), to: listFile)
  }

  private func expandingListNumber(_ reference: String) throws(SlipboxError) -> String {
    guard reference.utf8.first == UInt8(ascii: "@"), let number = Int(reference.dropFirst()), number > 0
    else {
      return reference
    }
    let bytes = (try? Files.read(listFile, limit: 1 << 20)) ?? []
    let names = bytes.split(separator: UInt8(ascii: "\n"))
    guard number <= names.count else {
      throw SlipboxError(
        .notFound, "\(reference): the last list in this terminal had \(names.count) notes",
        hints: ["slip list or slip search shows a list; @1 is its first note"])
    }
    let name = String(decoding: names[number - 1], as: UTF8.self)
    if case .found(let entry) = try catalogue().resolve(name, fuzzy: false) {
      surroundings.warn("\(reference) is \(Self.name(of: entry.note))  \(Visible.escape(entry.note.title))")
    }
    return name
  }

  private var listFile: [UInt8] {
    BytePath.join(stateFolder, Array("lists/\(Terminal.sessionID ?? "none")".utf8))
  }
}
