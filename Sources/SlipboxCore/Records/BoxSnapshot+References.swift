import Bytes
package import NoteIndex
import Notes
import Platform
import Text

/// Finding notes by what people type.
extension BoxSnapshot {
  /// The note that a REF names.
  ///
  /// - Parameters:
  ///   - fuzzy: whether a unique title that resembles the words will do; only where nothing is changed unseen.
  ///   - first: which candidates are named first where the REF does not name one note; of several of one title, the only
  ///     one that it holds for is meant.
  ///   - isStrict: whether a title of several records is ambiguous even if only one is active, and a symbolic link is not
  ///     its note: so for what deletes, moves or merges.
  ///   - suggests: whether a refusal names near candidates, which are looked for among all titles.
  /// - Throws: `.notFound` with near candidates, `.badData` with all candidates where several fit.
  package func entry(
    _ reference: String, fuzzy: Bool, first: (Entry) -> Bool = { _ in true }, isStrict: Bool = false,
    suggests: Bool = true
  ) throws(SlipboxError) -> Entry {
    guard reference.utf8.contains(where: { $0 > 0x20 }) else {
      throw SlipboxError(
        .usage, "an empty text is not a note", hints: ["give an id, a path or a title"])
    }
    if let entry = try entry(named: reference, isStrict) { return entry }
    if ListedNumbers(reference)?.isRange == true {
      throw SlipboxError(
        .usage, "\(reference) names several notes, but this command takes one",
        hints: ["@1 is the first note of the last list"])
    }
    guard let listed = try nameInList(reference) else {
      return try resolved(reference, reference, fuzzy, first, isStrict, suggests)
    }
    let known = try entry(named: listed, isStrict)
    let entry =
      if let known { known } else { try resolved(listed, reference, fuzzy, first, isStrict, suggests) }
    reporter.warnOnce("\(reference) is \(entry.note.shownName)  \(entry.note.title)")
    return entry
  }

  /// The note of a name, for which `reference` was typed.
  private func resolved(
    _ name: String, _ reference: String, _ fuzzy: Bool, _ first: (Entry) -> Bool, _ isStrict: Bool,
    _ suggests: Bool
  ) throws(SlipboxError) -> Entry {
    // A note and its part come before a title that resembles both.
    if fuzzy { try refusePart(reference, fuzzy: false) }
    let keys = RecordKeys(schema())
    switch try catalogue().resolve(name, .typed(fuzzy: fuzzy), keys: keys, suggests: suggests) {
    case .found(let entry): return entry
    case .ambiguous(let entries):
      let likely = entries.filter(first)
      if !isStrict, likely.count == entries.count, let active = onlyActive(of: entries) {
        reportActive(active, among: entries.count)
        return active
      }
      guard likely.count == 1, likely.count < entries.count, Self.haveOneTitle(entries) else {
        let ordered = Self.ordered(entries, first)
        let isOver = likely.isEmpty && areInactive(entries)
        throw Self.ambiguity(of: reference, ordered, isOver ? ", none of them active" : "")
      }
      let title = Phrase(likely[0].note.title)
      reporter.warnOnce("\(entries.count) notes are titled \(title); using \(likely[0].note.shownName)")
      return likely[0]
    case .none(let candidates, let more):
      let shortened = try entries(shownAs: name)
      if shortened.count == 1 { return shortened[0] }
      if shortened.count > 1 { throw Self.ambiguity(of: reference, shortened) }
      if let (name, fault) = NotePart.lineFault(in: reference),
        (try? entry(name, fuzzy: fuzzy, suggests: false)) != nil
      {
        throw SlipboxError(.usage, "\(reference): \(fault)")
      }
      try refusePart(reference, fuzzy: fuzzy)
      throw SlipboxError(
        .notFound, "no note \(reference)",
        hints: candidates.isEmpty
          ? ["\(slip: "list") lists the notes; \(slip: "search") searches their text"]
          : ["did you mean:"] + Self.ordered(candidates, first).map(Self.line) + SlipboxError.more(more),
        fact: .noNote(reference, isNear: !candidates.isEmpty))
    }
  }

  /// Refuses a name of a note with a part behind it.
  private func refusePart(_ reference: String, fuzzy: Bool) throws(SlipboxError) {
    for (name, part) in NotePart.readings(of: reference) {
      guard let entry = try? entry(name, fuzzy: fuzzy, suggests: false) else { continue }
      throw SlipboxError(
        .notFound,
        "\(part.typed) is a part of \(entry.note.mention); this command takes whole notes, "
          + "or one part alone",
        hints: ["\(slip: "help refs") lists the commands that take a part"])
    }
  }

  /// The only active one of several records with the same title; nil if the notes are anything else.
  func onlyActive(of entries: [Entry]) -> Entry? {
    let schema = schema()
    guard entries.count > 1, Self.haveOneTitle(entries),
      entries.allSatisfy({ schema.kind(named: $0.kind)?.isOfRecords == true })
    else { return nil }
    let test = ActiveTest(schema: schema, clock: clock)
    let active = entries.filter(test.isActive)
    return active.count == 1 ? active[0] : nil
  }

  /// Whether notes are records of which none is active.
  private func areInactive(_ entries: [Entry]) -> Bool {
    let schema = schema()
    let test = ActiveTest(schema: schema, clock: clock)
    return entries.allSatisfy { schema.kind(named: $0.kind)?.isOfRecords == true && !test.isActive($0) }
  }

  /// Reports that a title of several records was taken for the active one.
  func reportActive(_ entry: Entry, among count: Int) {
    let title = Phrase(entry.note.title)
    reporter.warnOnce("\(count) notes are titled \(title); using the active one, \(entry.note.shownName)")
  }

  /// Whether notes have the same title: one after the other of what comes again.
  private static func haveOneTitle(_ entries: [Entry]) -> Bool {
    let titles = Set(entries.map { Folding.fold($0.note.title) })
    return titles.count == 1
  }

  /// The same entries, those that are more likely meant before the others.
  private static func ordered(_ entries: [Entry], _ first: (Entry) -> Bool) -> [Entry] {
    entries.filter(first) + entries.filter { !first($0) }
  }

  /// The notes whose path a list shows shortened in the middle to a text with an ellipsis.
  private func entries(shownAs name: String) throws(SlipboxError) -> [Entry] {
    for mark in ["\u{2026}", "..."] {
      let parts = name.split(separator: mark, omittingEmptySubsequences: false).map { Array($0.utf8) }
      guard parts.count == 2, parts[0].count + parts[1].count > 2, !parts[1].isEmpty else { continue }
      let entries = try catalogue().entries
      return entries.indices.filter { place in
        let path = Array(Phrase(entries.path(at: place)).description.utf8)
        return path.count > parts[0].count + parts[1].count && path.starts(with: parts[0])
          && path.suffix(parts[1].count).elementsEqual(parts[1])
      }.map { entries[$0] }
    }
    return []
  }

  /// The note of a full id or an exact path, in the box or from the working directory on; nil where it is none of these.
  private func entry(named reference: String, _ isStrict: Bool) throws(SlipboxError) -> Entry? {
    let isFromHere = ["./", "../", "/"].contains { reference.hasPrefix($0) }
    let typed = ByteText.bytes(of: reference)
    let path = pathFromHere(reference)
    if !isFromHere, let path, path != typed, mayBothBeThere(typed, path),
      try catalogue().entry(path: typed) != nil, try catalogue().entry(path: path) != nil
    {
      let shown = Phrase(reference)
      throw SlipboxError(
        .badData, "\(shown) is ambiguous: a note in this folder and a note at the root of the box",
        hints: ["./\(shown) is the one here, \(box.absolutePath(typed)) the other"])
    }
    if !isFromHere, let entry = try knownEntry(reference) { return entry }
    guard let path else { return nil }
    guard path != typed || ByteText.holdsBytes(reference) else {
      try refuseUnlisted(path)
      return try linkedEntry(path, isStrict)
    }
    for path in isFromHere ? [path] : [typed, path] {
      if let entry = try catalogue().entry(path: path) { return entry }
      try refuseUnlisted(path)
      if let entry = try linkedEntry(path, isStrict) { return entry }
    }
    return nil
  }

  /// Whether two paths may both be notes, without a walk over the box.
  private func mayBothBeThere(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard source == .workTree else { return true }
    // One that can't be looked at is no note that can be read.
    return [one, other].allSatisfy { ((try? Files.status(box.absolutePath($0))) ?? nil) != nil }
  }

  /// The note that a path leads to through symbolic links inside the box: the file or a folder on the way is a link.
  private func linkedEntry(_ path: [UInt8], _ isStrict: Bool) throws(SlipboxError) -> Entry? {
    guard source == .workTree, box.passesThroughLink(path) else { return nil }
    if let target = box.target(of: path) {
      let entry = try catalogue().entry(path: target.path)
      guard isStrict, let entry else { return entry }
      throw SlipboxError(
        .badData,
        "\(path) leads through a symbolic link to the note \(entry.note.path)",
        hints: ["name the note itself, or change the link with git rm and git mv"])
    }
    guard Files.realPath(box.absolutePath(path)) != nil else { return nil }
    throw SlipboxError(
      .notPermitted, "\(path) leads through a symbolic link to no note of this box")
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

  static func ambiguity(of reference: String, _ entries: [Entry], _ remark: Phrase = "") -> SlipboxError {
    let shown = entries.prefix(10)
    var counts: [NoteID: Int] = [:]
    for entry in entries { if let id = entry.note.id { counts[id, default: 0] += 1 } }
    let haveIDs = shown.map { entry in entry.note.id.map { counts[$0] == 1 } ?? false }
    // Equal titles are told apart by the times at which the notes were created.
    let isDated = Set(shown.map(\.note.title)).count < shown.count
    let lines = zip(shown, haveIDs).map { entry, hasID -> Phrase in
      let name: Phrase =
        hasID ? line(entry) : "  \(entry.note.path)  \(entry.note.title)"
      return isDated ? "\(name)  \(entry.created.shownMinute)" : name
    }
    let way = !haveIDs.contains(false) ? "id" : haveIDs.contains(true) ? "id or path" : "path"
    return SlipboxError(
      .badData, "\(reference) matches \(entries.count) notes\(remark)",
      hints: ["name it by its \(way):"] + lines + SlipboxError.more(entries.count - shown.count))
  }

  /// The note of a full id or an exact path, found in what is kept and verified in the file itself; nil where that does
  /// not settle it.
  func knownEntry(_ reference: String) throws(SlipboxError) -> Entry? {
    guard source == .workTree, knownContents == nil, let kept = keptCatalogue() else { return nil }
    let name = ByteText.bytes(of: reference)
    let id = NoteID(reference)
    if id == nil, ConflictCopy(name) != nil { return nil }
    let paths = id.map { Array(kept.paths(of: $0)) } ?? (kept.holds(name) ? [name] : [])
    guard paths.count == 1, let file = try? box.folder.read(paths[0], limit: NoteReader.sizeLimit) else {
      return nil
    }
    let note = Note(path: paths[0], text: NoteText(file.bytes))
    guard let created = note.created, id == nil || note.id == id else { return nil }
    return Entry(note: note, created: created, kind: kindMatcher().kind(of: note, created: created))
  }

  /// The notes that REFs name, each once, in their order.
  ///
  /// `@1-3` and `@1..3` are the first three notes of the last list.
  /// - Parameters:
  ///   - first: which candidates are named first where a REF does not name one note.
  ///   - isStrict: as for `entry(_:fuzzy:first:isStrict:suggests:)`.
  package func entries(
    _ references: [String], fuzzy: Bool, first: (Entry) -> Bool = { _ in true }, isStrict: Bool = false
  ) throws(SlipboxError) -> [Entry] {
    var seen: Set<[UInt8]> = []
    var entries: [Entry] = []
    for reference in references {
      for name in try namesInList(reference) ?? [reference] {
        let entry = try entry(name, fuzzy: fuzzy, first: first, isStrict: isStrict)
        if seen.insert(entry.note.path).inserted { entries.append(entry) }
      }
    }
    return entries
  }

  /// The links of notes of the box.
  package func linkGraph() throws(SlipboxError) -> LinkGraph {
    LinkGraph(try catalogue(), executor: Self.executor)
  }

  /// Does the work of a query on all processors.
  package static var executor: ParallelExecutor { { stretches, work in _ = concurrentMap(stretches, work) } }

  private static func line(_ entry: Entry) -> Phrase {
    "  \(entry.note.shownName)  \(entry.note.title)"
  }
}

/// What queries find.
extension BoxSnapshot {
  /// The notes that a query finds, in its order.
  package func matches(_ query: Query) throws(SlipboxError) -> [Match] {
    let query = try named(query)
    return try asking { catalogue in
      catalogue.matches(
        query, modified: { [self] in modified(at: $0, in: catalogue.entries) }, executor: Self.executor)
    }
  }

  /// How many notes a query finds.
  package func count(_ query: Query) throws(SlipboxError) -> Int {
    let query = try named(query)
    return try asking { catalogue in
      catalogue.count(
        query, modified: { [self] in modified(at: $0, in: catalogue.entries) }, executor: Self.executor)
    }
  }

  /// The places in the catalogue of the notes that each of some queries finds, worked out in one pass over all notes.
  package func places(ofEach queries: [Query]) throws(SlipboxError) -> [[Int]] {
    var known: [Query] = []
    for query in queries { known.append(try named(query)) }
    return try asking { catalogue in
      catalogue.places(
        ofEach: known, modified: { [self] in modified(at: $0, in: catalogue.entries) },
        executor: Self.executor)
    }
  }

  /// The notes that a query finds, best first, with the lines that show why.
  package func search(_ query: Query) throws(SlipboxError) -> [Match] {
    try withSnippets(try ranked(query), of: query)
  }

  /// The notes that a query finds, best first, without the lines that show why: for those who show a few of many.
  package func ranked(_ query: Query) throws(SlipboxError) -> [Match] {
    let query = try named(query)
    return try asking { catalogue in
      catalogue.ranked(
        query, modified: { [self] in modified(at: $0, in: catalogue.entries) }, executor: Self.executor)
    }
  }

  /// Notes that a query found, with the lines that show why.
  package func withSnippets(_ matches: [Match], of query: Query) throws(SlipboxError) -> [Match] {
    try asking { _ in Catalogue.withSnippets(matches, of: query, executor: Self.executor) }
  }

  /// Asks the catalogue a question for which it may read texts, or makes an answer with `Note.textOrEmpty`.
  ///
  /// - Throws: the failure to read a text meanwhile.
  package func asking<Answer>(
    _ ask: (Catalogue) throws(SlipboxError) -> Answer
  ) throws(SlipboxError) -> Answer {
    let catalogue = try catalogue()
    return try texts.answer { () throws(SlipboxError) in try ask(catalogue) }
  }

  /// The query with the notes that its terms about links name.
  private func named(_ query: Query) throws(SlipboxError) -> Query {
    guard !query.references.isEmpty else { return query }
    return try query.naming { (reference) throws(SlipboxError) in try entry(reference, fuzzy: false).note }
  }
}
