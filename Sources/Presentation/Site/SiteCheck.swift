import NoteIndex
import Notes
import Platform
import SlipboxCore
import Text

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
  package func problems(embeds: Bool, fields: Bool) -> [SiteProblem] {
    let found = contents.notes.indices.map { number in
      (embeds ? embedProblems(of: number) : []) + (fields ? fieldProblems(of: number) : [])
    }
    var seen: Set<String> = []
    return found.flatMap { $0 }.filter { seen.insert($0.message).inserted }
  }

  private func embedProblems(of number: Int) -> [SiteProblem] {
    contents.notes[number].connections.compactMap { connection in
      guard connection.field == nil, connection.form == .embed || connection.form == .image,
        case .note(let place) = connection.target, contents.hidden.contains(place),
        let end = reason(for: place)?.predicate
      else { return nil }
      let message = "\(sentence(number, connection.line)) embeds \(name(place)), which \(end)"
      return SiteProblem(message: message, isEmbed: true)
    }
  }

  private func fieldProblems(of number: Int) -> [SiteProblem] {
    contents.hiddenNames(of: number).map { found in
      let end = reason(for: found.place)?.predicate ?? "is not on the site"
      let names = "names \(name(found.place)) in \(Visible.escape(found.field))"
      return SiteProblem(message: "\(sentence(number, found.line)) \(names), which \(end)", isEmbed: false)
    }
  }

  private func reason(for place: Int) -> WithheldReason? {
    withheld[place]?.reason ?? contents.rule.reason(for: contents.entries[place])
  }

  private func sentence(_ number: Int, _ line: Int) -> String {
    "\(Self.name(contents.entry(number).note)), line \(line),"
  }

  private func name(_ place: Int) -> String { Self.name(contents.entries[place].note) }

  /// How many titles of notes that their flags keep off the site are still in its texts, as one line; nil if there are none.
  ///
  /// - Complexity: that of `exposures()`.
  package var titlesLine: String? {
    guard !withheld.isEmpty else { return nil }
    let mentions = MentionFinder(contents)
    let named = exposures().filter { exposure in
      withheld[exposure.target] != nil
        && mentions.mentions(in: Array(exposure.text.utf8)[...]).contains { $0.place == exposure.target }
    }
    let count = Set(named.map(\.target)).count
    if count == 0 { return nil }
    return count == 1
      ? "1 title of a note that is left out is still in texts; slip export html --check lists it"
      : "\(count) titles of notes that are left out are still in texts; slip export html --check lists them"
  }

  static func name(_ note: Note) -> String { "\(Visible.escape(note.title)) (\(note.shownName))" }

  /// The words about notes that are not on the site, by those notes, in the order of the catalogue.
  ///
  /// - Complexity: O(n) in the texts of the notes.
  package func exposures() -> [Exposure] {
    let mentions = MentionFinder(contents)
    let found = concurrentMap(Array(contents.notes.indices)) { number in
      ExposureReader(contents, mentions, number).exposures()
    }
    return found.flatMap { $0 }.sorted {
      ($0.target, $0.source, $0.line, $0.way) < ($1.target, $1.source, $1.line, $1.way)
    }
  }
}

/// Words of a site that say something of a note which is not on it.
package struct Exposure: Sendable {
  /// The place of the note in the catalogue.
  let target: Int
  /// The number of the note that has the words.
  let source: Int
  /// The line of the file, from 1.
  let line: Int
  /// `link`, `embed`, `mention`, or the field with a colon.
  let way: String
  /// The words as readers see them.
  let text: String
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
    connections = contents.notes[number].connections
  }

  func exposures() -> [Exposure] {
    let text = entry.note.text
    let hidden = connections.filter { connection in
      if case .note(let place) = connection.target { contents.hidden.contains(place) } else { false }
    }
    var found = hidden.filter { $0.field == nil }.compactMap { link(at: $0, in: text) }
    let ranges = hidden.filter { $0.field == nil }.map(\.range)
    let body = mentions.mentions(in: text.bytes[text.body]).filter { mention in
      !ranges.contains { $0.overlaps(mention.range) }
    }
    var lines = LineCounter(text.bytes)
    for (place, range) in body {
      found.append(exposure(place, lines.line(of: range.lowerBound), "mention", text.bytes[range]))
    }
    if entry.note.hasOwnTitle { found += exposures(in: entry.note.title, "title:", line: 1) }
    let fields = NoteColumn.otherFields(of: entry.note).filter { contents.shows($0, of: number) }
    for field in fields {
      found += exposures(in: NoteColumns.text(field.value), "\(field.name):", line: field.line)
    }
    return found + names(besides: found)
  }

  private func exposures(in value: String, _ way: String, line: Int) -> [Exposure] {
    let bytes = Array(value.utf8)[...]
    return mentions.mentions(in: bytes).map { exposure($0.place, line, way, bytes[$0.range]) }
  }

  /// What remains of fields that name hidden notes by links and references.
  private func names(besides found: [Exposure]) -> [Exposure] {
    contents.hiddenNames(of: number).compactMap { name in
      let way = "\(name.field):"
      if found.contains(where: { $0.target == name.place && $0.way == way }) { return nil }
      let text = NoteColumns.text(entry.note.frontMatter[name.field] ?? .empty)
      return exposure(name.place, name.line, way, Array((text.isEmpty ? NoteMarks.unnamed : text).utf8)[...])
    }
  }

  /// The words that remain of a link to a note that is not on the site; nil if they say nothing.
  private func link(at connection: Connection, in text: NoteText) -> Exposure? {
    guard case .note(let place) = connection.target, let form = connection.form else { return nil }
    let written = text.bytes[connection.range]
    let isEmbed = form == .embed || form == .image
    switch form {
    case .wiki, .embed:
      let label = WikiLabel(written)
      let isPlace = NoteMarks.namesByPlace(label.target)
      guard let words = label.text ?? (isPlace ? nil : label.target) else { return nil }
      return exposure(place, connection.line, isEmbed ? "embed" : "link", Array(words.utf8)[...])
    case .markdown, .image, .reference:
      let label = written.drop { $0 != UInt8(ascii: "[") }.dropFirst().prefix { $0 != UInt8(ascii: "]") }
      guard !label.isEmpty else { return nil }
      return exposure(place, connection.line, isEmbed ? "embed" : "link", label)
    case .html, .path: return nil
    }
  }

  private func exposure(_ place: Int, _ line: Int, _ way: String, _ text: ArraySlice<UInt8>) -> Exposure {
    let words = String(decoding: text, as: UTF8.self)
    return Exposure(target: place, source: number, line: line, way: way, text: words)
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

/// Exposures as rows and as JSON.
package struct ExposureRows {
  private let site: Site
  private let exposures: [Exposure]

  package init(_ site: Site, _ exposures: [Exposure]) {
    self.site = site
    self.exposures = exposures
  }

  /// A row each with tabs between its columns: the hidden note, the note on the site, the line, the way, the words.
  package func rows() -> [String] {
    exposures.map { exposure in
      NoteColumns.row([
        note(exposure.target).shownName.description, source(exposure).shownName.description,
        String(exposure.line), exposure.way,
        exposure.text,
      ])
    }
  }

  /// The exposures of each hidden note below its title.
  package func table(_ display: Display) -> [String] {
    var lines: [String] = []
    for (index, exposure) in exposures.enumerated() {
      if index == 0 || exposures[index - 1].target != exposure.target {
        lines.append(display.style.bold(Site.name(note(exposure.target))))
      }
      let place = "\(Visible.escape(source(exposure).title)):\(exposure.line):"
      lines.append("  \(display.style.dim(place)) \(exposure.way) \(Visible.escape(exposure.text))")
    }
    return lines
  }

  package func json() -> [UInt8] {
    JSONDocument.list("exposures", exposures) { exposure, writer in
      writer.object { writer in
        writer.names(of: note(exposure.target))
        writer.key("shownBy")
        writer.object { $0.names(of: source(exposure)) }
        writer.member("line", exposure.line)
        writer.member("form", exposure.way)
        writer.member("text", exposure.text)
      }
    }
  }

  private func note(_ place: Int) -> Note { site.contents.entries[place].note }
  private func source(_ exposure: Exposure) -> Note { site.contents.entry(exposure.source).note }
}
