import Bytes
package import NoteIndex
package import Notes
import Platform
import Text

/// Finds notes by the REFs that people type.
package struct NoteLookup {
  private let snapshot: BoxSnapshot
  private var box: Box { snapshot.box }

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Returns the note that a REF names.
  ///
  /// - Parameters:
  ///   - fuzzy: whether a unique title that resembles the words is accepted; only for commands whose changes the user
  ///     sees first.
  ///   - first: selects the candidates that are listed first if the REF does not name one note. Of several notes with one
  ///     title, the only selected one is meant.
  ///   - isStrict: whether a title of several records is ambiguous even if only one is active, and a symbolic link does
  ///     not mean its target. For commands that delete, move or merge.
  ///   - suggests: whether an error names near candidates, which are searched for among all titles.
  /// - Throws: `.notFound` with near candidates, `.badData` with all candidates if several match.
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
    guard let listed = try LastList(in: snapshot).name(reference) else {
      return try resolved(reference, reference, fuzzy, first, isStrict, suggests)
    }
    let known = try entry(named: listed, isStrict)
    let entry =
      if let known { known } else { try resolved(listed, reference, fuzzy, first, isStrict, suggests) }
    snapshot.reporter.warnOnce("\(reference) is \(entry.note.shownName)  \(entry.note.title)")
    return entry
  }

  /// Returns a query with the notes that its terms about links name.
  func naming(_ query: Query) throws(SlipboxError) -> Query {
    guard !query.references.isEmpty else { return query }
    return try query.naming { (reference) throws(SlipboxError) in try entry(reference, fuzzy: false).note }
  }

  /// Returns the note of a name, for which `reference` was typed.
  private func resolved(
    _ name: String, _ reference: String, _ fuzzy: Bool, _ first: (Entry) -> Bool, _ isStrict: Bool,
    _ suggests: Bool
  ) throws(SlipboxError) -> Entry {
    // A note and its part take precedence over a title that resembles both.
    if fuzzy { try refusePart(reference, fuzzy: false) }
    let keys = RecordKeys(snapshot.schema())
    switch try snapshot.catalogue().resolve(name, .typed(fuzzy: fuzzy), keys: keys, suggests: suggests) {
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
      snapshot.reporter.warnOnce(
        "\(entries.count) notes are titled \(title); using \(likely[0].note.shownName)")
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

  /// Refuses a name of a note that is followed by a part.
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

  /// Returns the only active one of several records with the same title; nil if the notes are anything else.
  func onlyActive(of entries: [Entry]) -> Entry? {
    let schema = snapshot.schema()
    guard entries.count > 1, Self.haveOneTitle(entries),
      entries.allSatisfy({ schema.kind(named: $0.kind)?.isOfRecords == true })
    else { return nil }
    let test = ActiveTest(schema: schema, clock: snapshot.clock)
    let active = entries.filter(test.isActive)
    return active.count == 1 ? active[0] : nil
  }

  /// Returns whether notes are records, and none is active.
  private func areInactive(_ entries: [Entry]) -> Bool {
    let schema = snapshot.schema()
    let test = ActiveTest(schema: schema, clock: snapshot.clock)
    return entries.allSatisfy { schema.kind(named: $0.kind)?.isOfRecords == true && !test.isActive($0) }
  }

  /// Reports that a title of several records was taken for the active one.
  func reportActive(_ entry: Entry, among count: Int) {
    let title = Phrase(entry.note.title)
    snapshot.reporter.warnOnce(
      "\(count) notes are titled \(title); using the active one, \(entry.note.shownName)")
  }

  /// Returns whether notes have the same title, as the successive records of a recurring one do.
  private static func haveOneTitle(_ entries: [Entry]) -> Bool {
    let titles = Set(entries.map { Folding.fold($0.note.title) })
    return titles.count == 1
  }

  /// Returns the same entries, the more likely ones before the others.
  private static func ordered(_ entries: [Entry], _ first: (Entry) -> Bool) -> [Entry] {
    entries.filter(first) + entries.filter { !first($0) }
  }

  /// Returns the notes whose path a list shows shortened in the middle to a text with an ellipsis.
  private func entries(shownAs name: String) throws(SlipboxError) -> [Entry] {
    for mark in ["\u{2026}", "..."] {
      let parts = name.split(separator: mark, omittingEmptySubsequences: false).map { Array($0.utf8) }
      guard parts.count == 2, parts[0].count + parts[1].count > 2, !parts[1].isEmpty else { continue }
      let entries = try snapshot.catalogue().entries
      return entries.indices.filter { place in
        let path = Array(Phrase(entries.path(at: place)).description.utf8)
        return path.count > parts[0].count + parts[1].count && path.starts(with: parts[0])
          && path.suffix(parts[1].count).elementsEqual(parts[1])
      }.map { entries[$0] }
    }
    return []
  }

  /// Returns the note of a full id or an exact path, relative to the box or to the working directory; nil if there
  /// is no such note.
  private func entry(named reference: String, _ isStrict: Bool) throws(SlipboxError) -> Entry? {
    let isFromHere = ["./", "../", "/"].contains { reference.hasPrefix($0) }
    let typed = ByteText.bytes(of: reference)
    let path = pathFromHere(reference)
    if !isFromHere, let path, path != typed, mayBothBeThere(typed, path),
      try snapshot.catalogue().entry(path: typed) != nil, try snapshot.catalogue().entry(path: path) != nil
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
      if let entry = try snapshot.catalogue().entry(path: path) { return entry }
      try refuseUnlisted(path)
      if let entry = try linkedEntry(path, isStrict) { return entry }
    }
    return nil
  }

  /// Refuses the path of a file that is in no list because it is a copy, or encrypted.
  /// - Throws: `.badData` for a copy, which only a merge reads or deletes; `.notPermitted` for a note behind a filter.
  private func refuseUnlisted(_ path: [UInt8]) throws(SlipboxError) {
    if let note = try snapshot.unreadableNotes().first(where: { $0.path == path && $0.isStoredForm }) {
      throw SlipboxError(
        .notPermitted, "\(path) can't be read: \(note.reason)", hints: [note.remedy])
    }
    guard ConflictCopy.mayBeOne(path), let original = try snapshot.originalsOfCopies()[path] else { return }
    throw SlipboxError(
      .badData, "\(path) is a copy of \(original) that a sync program made",
      hints: ["\(slip: "heal") merges it with the note"])
  }

  /// Returns whether two paths may both be notes, without a scan of the box.
  private func mayBothBeThere(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard snapshot.source == .workTree else { return true }
    // A file whose status can't be read is not a readable note.
    return [one, other].allSatisfy { ((try? Files.status(box.absolutePath($0))) ?? nil) != nil }
  }

  /// Returns the note that a path leads to through symbolic links inside the box: the file or a folder above it is a
  /// link.
  private func linkedEntry(_ path: [UInt8], _ isStrict: Bool) throws(SlipboxError) -> Entry? {
    guard snapshot.source == .workTree, box.passesThroughLink(path) else { return nil }
    if let target = box.target(of: path) {
      let entry = try snapshot.catalogue().entry(path: target.path)
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

  /// Returns the path in the box of a reference that is a path relative to the working directory; nil if it leads out of
  /// the box, or does not look like a path.
  private func pathFromHere(_ reference: String) -> [UInt8]? {
    let path = ByteText.bytes(of: reference)
    guard path.contains(UInt8(ascii: "/")) || FileName.isNote(path),
      let absolute = BytePath.normalised(BytePath.join(snapshot.workingDirectory, path))
    else { return nil }
    return BytePath.relative(absolute, to: box.root)
  }

  static func ambiguity(of reference: String, _ entries: [Entry], _ remark: Phrase = "") -> SlipboxError {
    let shown = entries.prefix(10)
    var counts: [NoteID: Int] = [:]
    for entry in entries { if let id = entry.note.id { counts[id, default: 0] += 1 } }
    let haveIDs = shown.map { entry in entry.note.id.map { counts[$0] == 1 } ?? false }
    // Creation times distinguish notes with equal titles.
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

  /// Returns the note of a full id or an exact path, found in the cached catalogue and verified in the file itself; nil
  /// if that is not conclusive.
  func knownEntry(_ reference: String) throws(SlipboxError) -> Entry? {
    guard snapshot.source == .workTree, snapshot.knownContents == nil,
      let kept = snapshot.keptCatalogue()
    else { return nil }
    let name = ByteText.bytes(of: reference)
    let id = NoteID(reference)
    if id == nil, ConflictCopy(name) != nil { return nil }
    let paths = id.map { Array(kept.paths(of: $0)) } ?? (kept.holds(name) ? [name] : [])
    guard paths.count == 1, let file = try? box.folder.read(paths[0], limit: NoteReader.sizeLimit) else {
      return nil
    }
    let note = Note(path: paths[0], text: NoteText(file.bytes))
    guard let created = note.created, id == nil || note.id == id else { return nil }
    return Entry(note: note, created: created, kind: snapshot.kindMatcher().kind(of: note, created: created))
  }

  /// Returns the notes that REFs name, each once, in their order.
  ///
  /// `@1-3` and `@1..3` are the first three notes of the last list.
  /// - Parameters:
  ///   - first: selects the candidates that are listed first if a REF does not name one note.
  ///   - isStrict: as for `entry(_:fuzzy:first:isStrict:suggests:)`.
  package func entries(
    _ references: [String], fuzzy: Bool, first: (Entry) -> Bool = { _ in true }, isStrict: Bool = false
  ) throws(SlipboxError) -> [Entry] {
    var seen: Set<[UInt8]> = []
    var entries: [Entry] = []
    for reference in references {
      for name in try LastList(in: snapshot).names(reference) ?? [reference] {
        let entry = try entry(name, fuzzy: fuzzy, first: first, isStrict: isStrict)
        if seen.insert(entry.note.path).inserted { entries.append(entry) }
      }
    }
    return entries
  }

  private static func line(_ entry: Entry) -> Phrase {
    "  \(entry.note.shownName)  \(entry.note.title)"
  }
}

/// Parts of notes.
extension NoteLookup {
  /// Returns the note that a REF names, or the part of one: `REF#HEADING`, `REF#^block`, `REF:LINE`, `REF:FIRST-LAST`.
  ///
  /// The order of precedence is: a note whose id, path or title is the whole text; the longest name of a note that has
  /// such a part; the longest name; the longest name that resembles a title.
  /// - Throws: as `entry(_:fuzzy:)`.
  package func namedPart(
    _ reference: String, fuzzy: Bool, isStrict: Bool = false
  ) throws(SlipboxError) -> NamedPart {
    let readings = NotePart.readings(of: reference)
    if !readings.isEmpty {
      if let entry = try existing(reference, fuzzy: false, isStrict) {
        return NamedPart(entry: entry, part: nil)
      }
      if let named = try named(readings, fuzzy: false, isStrict) { return named }
      if fuzzy, let named = try named(readings, fuzzy: true, isStrict) { return named }
    }
    return NamedPart(entry: try entry(reference, fuzzy: fuzzy, isStrict: isStrict), part: nil)
  }

  /// Returns the first of the readings whose note has such a part, otherwise the first with a note.
  private func named(
    _ readings: [(name: String, part: NotePart)], fuzzy: Bool, _ isStrict: Bool
  ) throws(SlipboxError) -> NamedPart? {
    var first: NamedPart?
    for (name, part) in readings {
      guard let entry = try existing(name, fuzzy: fuzzy, isStrict) else { continue }
      let named = NamedPart(entry: entry, part: part)
      if readings.count == 1 || (try? entry.note.text.span(of: part, takesFirst: true)) != nil {
        return named
      }
      first = first ?? named
    }
    return first
  }

  /// Returns the part of a note that a REF names; nil if it names a whole note, or none.
  ///
  /// - Throws: as `entry(_:fuzzy:)` if several notes have the name, or if it can't be read.
  package func part(
    _ reference: String, fuzzy: Bool, isStrict: Bool = false
  ) throws(SlipboxError) -> (entry: Entry, part: NotePart)? {
    guard !NotePart.readings(of: reference).isEmpty else { return nil }
    do throws(SlipboxError) {
      let named = try namedPart(reference, fuzzy: fuzzy, isStrict: isStrict)
      return named.part.map { (named.entry, $0) }
    } catch {
      guard error.kind == .notFound else { throw error }
      return nil
    }
  }

  /// Returns the notes that REFs name, with the parts that they name.
  package func namedParts(_ references: [String], fuzzy: Bool) throws(SlipboxError) -> [NamedPart] {
    var parts: [NamedPart] = []
    for reference in references { parts.append(try namedPart(reference, fuzzy: fuzzy)) }
    return parts
  }

  /// Returns the note with a name; nil if no note has it.
  private func existing(_ name: String, fuzzy: Bool, _ isStrict: Bool) throws(SlipboxError) -> Entry? {
    do throws(SlipboxError) {
      return try entry(name, fuzzy: fuzzy, isStrict: isStrict, suggests: false)
    } catch {
      guard error.kind == .notFound else { throw error }
      return nil
    }
  }

  /// Returns the notes that REFs name, each once, and their parts if the REFs name parts.
  package func notesAndParts(_ references: [String]) throws(SlipboxError) -> [NamedPart] {
    var seen: Set<[UInt8]> = []
    var named: [NamedPart] = []
    for reference in references {
      var found: [NamedPart] = []
      if let (entry, part) = try part(reference, fuzzy: true) {
        found = [NamedPart(entry: entry, part: part)]
      } else {
        found = try entries([reference], fuzzy: true).map { NamedPart(entry: $0, part: nil) }
      }
      for one in found {
        let key = one.entry.note.path + [0] + Array((one.part?.typed ?? "").utf8)
        if seen.insert(key).inserted { named.append(one) }
      }
    }
    return named
  }
}
