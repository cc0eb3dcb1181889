import NoteIndex
import Notes
import Platform
package import SlipboxCore
package import Text

/// A note of a site that embeds or names a note which is not on the site.
package struct SiteProblem: Sendable {
  /// The sentence that names both notes.
  package let message: String
  /// Whether it is an embed, which can be left out.
  package let isEmbed: Bool
}

extension Site {
  /// The embeds of notes that their flags keep off the site, and the names of notes that are not on it in fields.
  ///
  /// - Parameters:
  ///   - embeds: whether embeds are problems.
  ///   - fields: whether names in fields are problems.
  package func problems(embeds: Bool, fields: Bool) throws(SlipboxError) -> [SiteProblem] {
    let found = try contents.notes.indices.map { (number) throws(SlipboxError) in
      let own = embeds ? try embedProblems(of: number) : []
      return own + (fields ? try fieldProblems(of: number) : [])
    }
    var seen: Set<String> = []
    return found.flatMap { $0 }.filter { seen.insert($0.message).inserted }
  }

  private func embedProblems(of number: Int) throws(SlipboxError) -> [SiteProblem] {
    var problems: [SiteProblem] = []
    for (place, line) in try hiddenEmbeds(of: number) {
      guard let end = try reason(for: place)?.predicate else { continue }
      let message = "\(sentence(number, line)) embeds \(name(place)), which \(end)"
      problems.append(SiteProblem(message: message, isEmbed: true))
    }
    return problems
  }

  /// The notes that are not on the site and that a note embeds, with the lines of the embeds.
  private func hiddenEmbeds(of number: Int) throws(SlipboxError) -> [(place: Int, line: Int)] {
    let embeds = contents.notes[number].leads.hiddenEmbeds
    guard !embeds.isEmpty else { return [] }
    let catalogue = try snapshot.catalogue()
    return embeds.compactMap { embed in catalogue.place(path: embed.path).map { ($0, embed.line) } }
  }

  private func fieldProblems(of number: Int) throws(SlipboxError) -> [SiteProblem] {
    try contents.hiddenNames(of: number).map { (found) throws(SlipboxError) in
      let end = try reason(for: found.place)?.predicate ?? "is not on the site"
      let names = "names \(name(found.place)) in \(Visible.escape(found.field))"
      return SiteProblem(message: "\(sentence(number, found.line)) \(names), which \(end)", isEmbed: false)
    }
  }

  private func reason(for place: Int) throws(SlipboxError) -> WithheldReason? {
    if let known = withheld[place] { return known.reason }
    return try contents.rule.reason(for: contents.entries[place])
  }

  private func sentence(_ number: Int, _ line: Int) -> String {
    "\(Self.name(contents.entry(number).note)), line \(line),"
  }

  private func name(_ place: Int) -> String { Self.name(contents.entries[place].note) }

  /// How many titles of notes that their flags keep off the site are still in its texts, as one line; nil for 0.
  ///
  /// - Complexity: that of `exposures()`; of a later export that of the notes that were read again.
  package func titlesLine() throws(SlipboxError) -> String? {
    guard !withheld.isEmpty else { return nil }
    let count = Set(try mentionedTitles().values.joined()).count
    if count == 0 { return nil }
    return count == 1
      ? "1 title of a note that is left out is still in texts; slip export html --check lists it"
      : "\(count) titles of notes that are left out are still in texts; slip export html --check lists them"
  }

  /// The paths of the withheld notes whose titles are in texts, by the numbers of the notes with these texts.
  private func mentionedTitles() throws(SlipboxError) -> [Int: [[UInt8]]] {
    var found: [Int: [[UInt8]]] = [:]
    var unread: [Int] = []
    for number in contents.notes.indices {
      if let known = contents.changes?.mentions(of: number) {
        found[number] = known
      } else {
        unread.append(number)
      }
    }
    let mentions = MentionFinder(contents)
    for exposure in try exposures(of: unread, mentions) {
      guard case .note(let place) = exposure.target, withheld[place] != nil,
        mentions.mentions(in: Array(exposure.text.utf8)[...]).contains(where: { $0.place == place })
      else { continue }
      found[exposure.source, default: []].append(contents.entries.path(at: place))
    }
    self.mentions.set(found)
    return found
  }

  /// The lines about parts of the site that this clone can't make: it lacks history, or the key of encrypted notes.
  package func cloneLines() throws(SlipboxError) -> [String] {
    var lines: [String] = []
    let locked = try snapshot.lockedNotes().count
    if locked > 0 {
      let notes = locked == 1 ? "1 encrypted note is locked" : "\(locked) encrypted notes are locked"
      lines.append("\(notes): references to names that no other note has are left out")
    }
    if snapshot.box.isShallow {
      lines.append(
        "this clone is shallow: aliases and earlier paths have no redirects; run: git fetch --unshallow")
    }
    return lines
  }

  /// The number of notes on the site with both versions of a conflict, and the first of them; nil if there are none.
  package func conflictsLine() throws -> Phrase? {
    let found = try snapshot.matches(try snapshot.query(["is:conflicted"])).filter {
      contents.map.number(ofPlace: $0.place) != nil
    }
    guard let first = found.first else { return nil }
    let has = found.count == 1 ? "1 note has" : "\(found.count) notes have"
    return "\(has) conflicts, so pages show both versions, such as \(Self.name(first.entry.note)); "
      + "\(slip: "list", "is:conflicted") lists them"
  }

  /// The embeds of notes that the query leaves out, as one line; nil without such embeds.
  package func embedsLine() throws(SlipboxError) -> Phrase? {
    var found: [(number: Int, line: Int)] = []
    for number in contents.notes.indices {
      for (place, line) in try hiddenEmbeds(of: number) where try reason(for: place) == nil {
        found.append((number, line))
      }
    }
    guard let first = found.first else { return nil }
    let count: Phrase = found.count == 1 ? "1 embed" : "\(found.count) embeds"
    let verb = found.count == 1 ? "is" : "are"
    let place: Phrase = "\(Self.name(contents.entry(first.number).note)), line \(first.line)"
    let more: Phrase = found.count > 1 ? " and \(found.count - 1) more" : ""
    return "\(count) of notes outside of the query \(verb) not shown: \(place)\(more)"
  }

  /// How many notes of a site of the past their flags keep off the site now, as one line; nil for 0.
  ///
  /// - Parameter now: the box as it is now.
  package func hiddenNowLine(_ now: BoxSnapshot, _ rule: PublicationRule) throws(SlipboxError) -> Phrase? {
    let catalogue = try now.catalogue()
    let reasons = try contents.notes.indices.map { (number) throws(SlipboxError) -> WithheldReason? in
      let note = contents.entry(number).note
      let entry = note.id.flatMap { catalogue.entry(id: $0) } ?? catalogue.entry(path: note.path)
      return try entry.flatMap { (entry) throws(SlipboxError) in try rule.reason(for: entry) }
    }.compactMap { $0 }
    guard !reasons.isEmpty else { return nil }
    if reasons.allSatisfy({ $0 == .private }) {
      return "\(reasons.count) of these notes \(reasons.count == 1 ? "is" : "are") private now"
    }
    let counts = WithheldReason.allCases.compactMap { reason -> Phrase? in
      let count = reasons.count { $0 == reason }
      return count == 0 ? nil : Phrase(reason.words(count))
    }
    return "\(reasons.count) of these notes would be left out now: \(counts.joined(separator: ", "))"
  }

  static func name(_ note: Note) -> String { "\(Visible.escape(note.title)) (\(note.shownName))" }

  /// The words about notes that are not on the site, by those notes, in the order of the catalogue.
  ///
  /// - Complexity: O(n) in the texts of the notes.
  package func exposures() throws(SlipboxError) -> [Exposure] {
    let found = try exposures(of: Array(contents.notes.indices), MentionFinder(contents))
    return (found + refusedPermalinks() + (try oldTitles())).sorted {
      if $0.target != $1.target { return $0.target < $1.target }
      return ($0.source, $0.line, $0.way) < ($1.source, $1.line, $1.way)
    }
  }

  private func exposures(of numbers: [Int], _ mentions: MentionFinder) throws(SlipboxError) -> [Exposure] {
    try contents.published.read(numbers)
    return try snapshot.asking { [contents] _ in
      concurrentMap(numbers) { number in ExposureReader(contents, mentions, number).exposures() }
    }.flatMap { $0 }
  }

  /// The titles of hidden versions that are still in the addresses of pages.
  private func oldTitles() throws(SlipboxError) -> [Exposure] {
    try PastNames.hiddenTitles(contents, in: snapshot).map {
      Exposure(target: .page, source: $0.number, line: 1, way: "address", text: $0.title)
    }
  }

  /// The permalinks that no page has, because they are not valid or another page has the address.
  private func refusedPermalinks() -> [Exposure] {
    contents.refused.map { number in
      let field = contents.entry(number).note.frontMatter.fields.first {
        ["permalink", "slug"].contains($0.name)
      }
      return Exposure(
        target: .page, source: number, line: field?.line ?? 1, way: "\(field?.name ?? "permalink"):",
        text: field?.value.text ?? "")
    }
  }
}

/// Words of a site that say something of a note which is not on it.
package struct Exposure: Sendable {
  let target: ExposureTarget
  /// The number of the note that has the words.
  let source: Int
  /// The line of the file, from 1.
  let line: Int
  /// `link`, `embed`, `mention`, `comment`, `address`, or the field with a colon.
  let way: String
  /// The words as readers see them.
  let text: String
}

/// The subject of words on a site, in the order of lists.
enum ExposureTarget: Sendable, Hashable, Comparable {
  /// A note that is not on the site, by its place in the catalogue.
  case note(Int)
  /// A linked file that is not copied.
  case file([UInt8])
  /// The note itself: a comment that nothing closes, a permalink that no page has, or a title that its address keeps.
  case page

  static func < (one: ExposureTarget, other: ExposureTarget) -> Bool {
    switch (one, other) {
    case (.note(let one), .note(let other)): one < other
    case (.file(let one), .file(let other)): one.lexicographicallyPrecedes(other)
    case (.note, .file), (.note, .page), (.file, .page): true
    case (.file, .note), (.page, .note), (.page, .file), (.page, .page): false
    }
  }
}

/// Finds titles and aliases of notes that are not on a site in the texts of those that are.
struct MentionFinder: Sendable {
  private struct Name: Sendable {
    let words: [[UInt8]]
    let place: Int
  }

  private let names: [[UInt8]: [Name]]

  init(_ contents: SiteContents) {
    let hidden = contents.entries.indices.filter { contents.map.number(ofPlace: $0) == nil }
    let all = concurrentMap(Array(hidden)) { place in
      let note = contents.entries[place].note
      return ([note.title] + note.aliases).map { Name(words: Self.words($0), place: place) }
    }
    names = Dictionary(grouping: all.joined().filter { !$0.words.isEmpty }) { $0.words[0] }
  }

  private static func words(_ text: String) -> [[UInt8]] {
    let bytes = Array(text.utf8)[...]
    return Words.ranges(in: bytes).map { Folding.fold(bytes[$0]) }
  }

  /// The names in a text, each with the place of its note and its bytes.
  func mentions(in text: ArraySlice<UInt8>) -> [(place: Int, range: Range<Int>)] {
    guard !names.isEmpty else { return [] }
    let ranges = Words.ranges(in: text)
    let words = ranges.map { Folding.fold(text[$0]) }
    return words.indices.flatMap { start in
      (names[words[start]] ?? []).compactMap { name in
        let end = start + name.words.count
        guard end <= words.count, words[start..<end].elementsEqual(name.words) else { return nil }
        return (name.place, ranges[start].lowerBound..<ranges[end - 1].upperBound)
      }
    }
  }
}

/// The words of one note of a site about notes that are not on it.
private struct ExposureReader {
  private let contents: SiteContents
  private let mentions: MentionFinder
  private let number: Int
  private let entry: Entry
  private let connections: [Connection]

  init(_ contents: SiteContents, _ mentions: MentionFinder, _ number: Int) {
    self.contents = contents
    self.mentions = mentions
    self.number = number
    entry = contents.entry(number)
    connections = contents.connections(of: number)
  }

  func exposures() -> [Exposure] {
    let text = entry.note.textOrEmpty
    let hidden = connections.filter { contents.hidden.hides($0.target) }
    var found = hidden.filter { $0.field == nil }.compactMap { link(at: $0, in: text) }
    let ranges = hidden.filter { $0.field == nil }.map(\.range)
    let body = mentions.mentions(in: text.bytes[text.body]).filter { mention in
      !ranges.contains { $0.overlaps(mention.range) }
    }
    var lines = LineCounter(text.bytes)
    for (place, range) in body {
      found.append(exposure(.note(place), lines.line(of: range.lowerBound), "mention", text.bytes[range]))
    }
    if entry.note.hasOwnTitle {
      let field = entry.note.frontMatter.fields.first { $0.name.isSameName(as: "title") }
      found += exposures(in: entry.note.title, "title:", line: field?.line ?? 1)
    }
    let fields = entry.note.frontMatter.fields.filter(isShown)
    for field in fields {
      found += exposures(in: NoteColumns.text(field.value), "\(field.name):", line: field.line)
    }
    found += names(besides: found)
    var openings = LineCounter(text.bytes)
    for offset in BodyComments.unclosed(in: text) {
      let rest = text.bytes[offset..<text.body.upperBound].prefix { $0 != 0x0A && $0 != 0x0D }
      found.append(exposure(.page, openings.line(of: offset), "comment", rest.prefix(200)))
    }
    // One that hides the rest of the note is in the note as it is.
    let raw = contents.entries[contents.map.places[number]].note.textOrEmpty
    if let offset = BodyComments.endless(in: raw) {
      var lines = LineCounter(raw.bytes)
      let rest = raw.bytes[offset..<raw.body.upperBound].prefix { $0 != 0x0A && $0 != 0x0D }
      found.append(exposure(.page, lines.line(of: offset), "comment", rest.prefix(200)))
    }
    return found
  }

  /// Whether a field is on a page, in its address or in the graph: the tags, the aliases, and those that the page lists.
  private func isShown(_ field: FrontMatterField) -> Bool {
    if field.name == entry.note.tagsField { return true }
    if ["aliases", "alias"].contains(where: field.name.isSameName) { return true }
    return !NoteColumn.shows(field, of: entry.note) && contents.shows(field, of: number)
  }

  private func exposures(in value: String, _ way: String, line: Int) -> [Exposure] {
    let bytes = Array(value.utf8)[...]
    return mentions.mentions(in: bytes).map { exposure(.note($0.place), line, way, bytes[$0.range]) }
  }

  /// The remaining fields that name hidden notes by links and references.
  private func names(besides found: [Exposure]) -> [Exposure] {
    contents.hiddenNames(of: number).compactMap { name in
      let way = "\(name.field):"
      if found.contains(where: { $0.target == .note(name.place) && $0.way == way }) { return nil }
      let text = NoteColumns.text(entry.note.frontMatter[name.field] ?? .empty)
      return exposure(
        .note(name.place), name.line, way, Array((text.isEmpty ? NoteMarks.unnamed : text).utf8)[...])
    }
  }

  /// The words that remain of a link to a note or file that is not on the site; nil if they say nothing of a note.
  private func link(at connection: Connection, in text: NoteText) -> Exposure? {
    let target: ExposureTarget
    switch connection.target {
    case .note(let place): target = .note(place)
    case .file(let path): target = .file(path)
    case .ambiguous, .url, .broken: return nil
    }
    let isEmbed = connection.form == .embed || connection.form == .image
    let way = isEmbed ? "embed" : "link"
    if let words = words(of: connection, in: text) { return exposure(target, connection.line, way, words) }
    guard case .file = target else { return nil }
    return exposure(target, connection.line, way, Array(NoteMarks.unnamed.utf8)[...])
  }

  private func words(of connection: Connection, in text: NoteText) -> ArraySlice<UInt8>? {
    let written = text.bytes[connection.range]
    switch connection.form {
    case .wiki, .embed:
      let label = WikiLabel(written)
      let isName = connection.form == .wiki && !NoteMarks.namesByPlace(label.target)
      return (label.text ?? (isName ? label.target : nil)).map { Array($0.utf8)[...] }
    case .markdown, .image, .reference:
      let label = written.drop { $0 != UInt8(ascii: "[") }.dropFirst().prefix { $0 != UInt8(ascii: "]") }
      return label.isEmpty ? nil : label
    case .html, .path, nil: return nil
    }
  }

  private func exposure(
    _ target: ExposureTarget, _ line: Int, _ way: String, _ text: ArraySlice<UInt8>
  ) -> Exposure {
    let words = String(decoding: text, as: UTF8.self)
    return Exposure(target: target, source: number, line: line, way: way, text: words)
  }
}

/// The lines of ascending offsets.
private struct LineCounter {
  private let bytes: [UInt8]
  private var (position, line) = (0, 1)

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func line(of offset: Int) -> Int {
    while position < offset {
      if bytes[position] == 0x0A { line += 1 }
      position += 1
    }
    return line
  }
}
