import NoteIndex
import Notes
import SlipboxCore
import Text

/// The notes of a box that are not on its site, and the linked files that are not copied.
struct HiddenNotes: Sendable {
  private let places: [[UInt8]: Int]
  private let isShown: [Bool]
  /// The linked files that are not on the site.
  let files: [[UInt8]: WithheldFile]
  /// Whether the box has encrypted notes without their key: a name that no other note has may be one of theirs.
  private let hasLocked: Bool

  /// - Parameters:
  ///   - shown: the places of the notes on the site.
  ///   - files: the linked files that are not on it.
  ///   - hasLocked: whether the box has encrypted notes without their key.
  init(_ entries: Entries, shown: [Int], files: [[UInt8]: WithheldFile], hasLocked: Bool = false) {
    self.files = files
    self.hasLocked = hasLocked
    var isShown = [Bool](repeating: false, count: entries.count)
    for place in shown { isShown[place] = true }
    self.isShown = isShown
    let hidden = isShown.indices.filter { !isShown[$0] }
    places = Dictionary(hidden.map { (entries.path(at: $0), $0) }, uniquingKeysWith: { first, _ in first })
  }

  var isEmpty: Bool { places.isEmpty && files.isEmpty && !hasLocked }

  /// Whether the note at a place of the catalogue is one of them.
  func contains(_ place: Int) -> Bool { !isShown[place] }

  /// Whether a link leads to one of them.
  func hides(_ target: Connection.Target) -> Bool {
    switch target {
    case .note(let place): contains(place)
    case .file(let path): files[path] != nil
    case .broken: hasLocked
    case .ambiguous, .url: false
    }
  }

  /// The note that a text names by its path, from the root of the box or of the site; nil if it names none of these.
  func place(ofPath text: String) -> Int? {
    guard !places.isEmpty else { return nil }
    var path = Array(text.utf8)[...]
    if path.starts(with: "./".utf8) { path = path.dropFirst(2) }
    let whole = Array(path.drop { $0 == UInt8(ascii: "/") })
    // One word may be a name of anything.
    return places[whole] ?? (whole.contains(UInt8(ascii: "/")) ? places[whole + Array(".md".utf8)] : nil)
  }
}

/// The names of hidden notes in the fields of a note, and the fields without them.
///
/// Every page, feed and search reads the fields, the title and the aliases of the note that `presented` returns.
struct HiddenNames: Sendable {
  /// A name of a hidden note in a field.
  struct Name: Sendable {
    let field: String
    let line: Int
    /// The place of the hidden note in the catalogue.
    let place: Int
  }

  /// The names in the order of the file.
  let names: [Name]
  private let hidden: [(field: String, text: String)]
  private let notes: HiddenNotes

  /// - Parameter files: the links in fields to files that are not on the site.
  init(_ note: Note, _ targets: [FieldTarget], files: [Connection], _ notes: HiddenNotes) {
    self.notes = notes
    // An ambiguous name is a title, which is the author's words; an ambiguous path is hidden.
    let found = targets.compactMap { target -> (target: FieldTarget, place: Int)? in
      guard target.places.count == 1 || NoteMarks.namesByPlace(target.text) else { return nil }
      return target.places.first { notes.contains($0) }.map { (target, $0) }
    }
    hidden =
      found.map { ($0.target.field, $0.target.text) }
      + files.compactMap { link in link.field.map { ($0, link.text) } }
    var names = found.map { Name(field: $0.target.field, line: $0.target.line, place: $0.place) }
    for field in note.frontMatter.fields {
      for place in Self.texts(in: field.value).compactMap({ notes.place(ofPath: $0) }) {
        names.append(Name(field: field.name, line: field.line, place: place))
      }
    }
    var seen: Set<[Int]> = []
    self.names = names.sorted { $0.line < $1.line }.filter { seen.insert([$0.line, $0.place]).inserted }
  }

  /// The scalars of a value, with those of lists and maps in it.
  private static func texts(in value: FieldValue) -> [String] {
    switch value {
    case .empty: []
    case .text(let text): [text]
    case .list(let elements): elements.flatMap(texts)
    case .map(let entries): entries.flatMap { texts(in: $0.value) }
    }
  }

  /// The note with fields, title and aliases that name no hidden note by its id or path; nil if that is the note itself.
  ///
  /// - Parameter heading: the text of the title's heading if it names hidden notes.
  func presented(_ note: Note, heading: String?) -> Note? {
    let hasComments = note.frontMatter.fields.contains { FieldComments.areIn($0.value) }
    guard !names.isEmpty || !hidden.isEmpty || heading != nil || hasComments else { return nil }
    return note.presenting(note.frontMatter.fields.map(shown), heading: heading)
  }

  private func shown(_ field: FrontMatterField) -> FrontMatterField {
    let hidden = hidden.filter { $0.field.hasSameBytes(as: field.name) }.map(\.text)
    let isNaming = names.contains { $0.field.hasSameBytes(as: field.name) }
    guard !hidden.isEmpty || isNaming || FieldComments.areIn(field.value) else { return field }
    return field.holding(value(field.value, hidden))
  }

  private func value(_ value: FieldValue, _ hidden: [String]) -> FieldValue {
    switch value {
    case .empty: return .empty
    case .text(let written):
      let text = FieldComments.removed(from: written)
      return isHidden(text, hidden) ? .empty : .text(words(of: text, hidden))
    case .list(let elements):
      let left = elements.map { self.value($0, hidden) }.filter { $0 != .empty }
      return left.isEmpty ? .empty : .list(left)
    case .map(let entries):
      return .map(entries.map { MapEntry(key: $0.key, value: self.value($0.value, hidden)) })
    }
  }

  /// Whether a value is the name or the path of a hidden note, alone or as a wiki link.
  private func isHidden(_ value: String, _ hidden: [String]) -> Bool {
    if notes.place(ofPath: value) != nil { return true }
    let name = Field.bareReference(value)
    return hidden.contains { $0.hasSameBytes(as: name) || isLink(value, to: $0) }
  }

  private func isLink(_ value: String, to target: String) -> Bool {
    value.hasPrefix("[[") && value.firstRange(of: "]]")?.upperBound == value.endIndex
      && WikiLabel(Array(value.utf8)[...]).target.hasSameBytes(as: target)
  }

  /// A value with the words of each link to a hidden note in the place of the link.
  private func words(of value: String, _ hidden: [String]) -> String {
    let bytes = Array(value.utf8)
    var edits: [(range: Range<Int>, text: [UInt8])] = []
    for link in FieldLinks.links(in: value) where hidden.contains(where: link.target.hasSameBytes) {
      switch link.form {
      case .wiki, .embed:
        let label = WikiLabel(bytes[link.range])
        let words = label.text ?? (NoteMarks.namesByPlace(label.target) ? NoteMarks.unnamed : label.target)
        edits.append((link.range, Array(words.utf8)))
      case .markdown, .image, .reference:
        let label = bytes[link.range].drop { $0 != UInt8(ascii: "[") }.dropFirst()
        edits.append((link.range, Array(label.prefix { $0 != UInt8(ascii: "]") })))
      case .html, .path:
        if let place = LinkPlace(link, in: bytes) { edits.append((place.target, [])) }
      }
    }
    var text = bytes
    for edit in edits.reversed() { text.replaceSubrange(edit.range, with: edit.text) }
    return String(decoding: text, as: UTF8.self)
  }
}

/// A note of a site as readers see it: without the contents of its comments, and without the names of hidden notes in its
/// fields, its title and its aliases.
struct PublishedNote: Sendable {
  /// An entry by itself: hardly a note has one, and each would need the room.
  private final class Changed: Sendable {
    let entry: Entry

    init(_ entry: Entry) { self.entry = entry }
  }

  private let changed: Changed?
  /// The note; nil if it is shown as it is.
  var entry: Entry? { changed?.entry }
  let hidden: HiddenNames
  /// The title as the note has it.
  let writtenTitle: String

  /// - Parameters:
  ///   - uncommented: the note without its comments; nil if it has none.
  ///   - connections: those of the body and of fields.
  init(
    _ entry: Entry, uncommented: Entry?, _ targets: [FieldTarget], _ connections: [Connection],
    _ notes: HiddenNotes
  ) {
    let note = (uncommented ?? entry).note
    let files = connections.filter { connection in
      switch connection.target {
      case .file, .broken: connection.field != nil && notes.hides(connection.target)
      case .note, .ambiguous, .url: false
      }
    }
    hidden = HiddenNames(note, targets, files: files, notes)
    writtenTitle = note.title
    let presented = hidden.presented(note, heading: Self.heading(note, connections, notes))
    changed = (presented.map { Entry(note: $0, created: entry.created, kind: entry.kind) } ?? uncommented)
      .map { Changed($0) }
  }

  /// The heading that is the title of a note, without links to hidden notes; nil if it has none.
  private static func heading(_ note: Note, _ connections: [Connection], _ notes: HiddenNotes) -> String? {
    let isLinking = connections.contains { $0.field == nil && notes.hides($0.target) }
    guard isLinking, note.titleSource == .heading else { return nil }
    let title = Note(path: note.path, text: PublicText(note, connections, notes).text).title
    return title.hasSameBytes(as: note.title) ? nil : title
  }
}

/// A note's text without the hidden parts of links to notes and files that are not on the site: targets behind
/// labels, titles of links, names in embeds, ids and paths.
struct PublicText {
  let text: NoteText
  /// The removed ranges, each with the number of bytes that replace it, in order.
  private let cuts: [(range: Range<Int>, count: Int)]

  init(_ note: Note, _ connections: [Connection], _ notes: HiddenNotes) {
    let hidden = Set(
      connections.compactMap { connection -> Int? in
        connection.field == nil && notes.hides(connection.target) ? connection.range.lowerBound : nil
      })
    let links = hidden.isEmpty ? [] : note.links.filter { hidden.contains($0.range.lowerBound) }
    let edits = links.flatMap { Self.edits(of: $0, in: note.textOrEmpty.bytes) }
      .sorted { $0.range.lowerBound < $1.range.lowerBound }
    var bytes = note.textOrEmpty.bytes
    for edit in edits.reversed() { bytes.replaceSubrange(edit.range, with: edit.text.utf8) }
    text = edits.isEmpty ? note.textOrEmpty : NoteText(bytes)
    cuts = edits.map { ($0.range, $0.text.utf8.count) }
  }

  /// Whether something was taken out.
  var isShortened: Bool { !cuts.isEmpty }

  /// The range in this text of a range of the whole text.
  func place(_ range: Range<Int>) -> Range<Int> {
    let shift = cuts.reduce(0) { sum, cut in
      cut.range.upperBound <= range.lowerBound ? sum + cut.count - cut.range.count : sum
    }
    return range.lowerBound + shift..<range.upperBound + shift
  }

  private static func edits(of link: BodyScan.Link, in bytes: [UInt8]) -> [(range: Range<Int>, text: String)]
  {
    guard let place = LinkPlace(link, in: bytes) else { return [] }
    let start = place.target.lowerBound - (place.isBracketed ? 1 : 0)
    switch link.form {
    case .wiki, .embed: break
    case .markdown, .image: return [(start..<link.range.upperBound - 1, "")]
    // Without its definition a label would be text.
    case .reference: return [(start..<link.range.upperBound, "#")]
    case .html, .path: return [(place.target, "")]
    }
    if place.hasLabel {
      let start = link.range.lowerBound + (link.form == .embed ? 3 : 2)
      let inner = bytes[start..<link.range.upperBound - 2]
      guard let label = WikiLabels.parts(of: inner, isEmbed: link.form == .embed).label else { return [] }
      return [
        (link.range.lowerBound..<label.startIndex, ""), (label.endIndex..<link.range.upperBound, ""),
      ]
    }
    let isNamed = link.form == .wiki && !NoteMarks.namesByPlace(link.target)
    return isNamed ? [] : [(link.range, NoteMarks.unnamed)]
  }
}

extension NoteMarks {
  /// The text for a note that is not on the site, if a link has no words but its id or path.
  static let unnamed = "…"

  /// Whether a link names a note by its id or path.
  static func namesByPlace(_ target: String) -> Bool {
    NoteID(target) != nil || target.hasSuffix(".md") || target.contains("/")
  }
}

/// The contents of baked blocks that a site does not show, since they may contain notes that are not on it.
///
/// A block is shown if its answer is up to date and comes from notes of the site alone. Text below a begin line that opens
/// no block is left out up to the next such line or to an end line.
struct WithheldBlocks: Sendable {
  /// The bytes of the contents, by the paths of the notes.
  private var ranges: [[UInt8]: [Range<Int>]] = [:]
  /// The paths of the notes with such blocks.
  private var baked: Set<[UInt8]> = []

  /// Whether a note has a block whose contents may be withheld, because some notes are not on the site.
  var hasBakedBlocks: Bool { !baked.isEmpty }

  /// Whether one note has a block whose contents may be withheld, because some notes are not on the site.
  func mayBeBaked(_ path: [UInt8]) -> Bool { baked.contains(path) }

  /// Works out the answer of each block on the site; none if all notes are on it.
  ///
  /// - Complexity: that of the commands of the blocks.
  init(_ snapshot: BoxSnapshot, _ entries: Entries, shown: [Int]) throws(SlipboxError) {
    // A block may contain a note that this clone can't read.
    let isLocked = try snapshot.unreadableNotes().contains(where: \.isStoredForm)
    guard shown.count < entries.count || isLocked else { return }
    let paths = Set(shown.map { entries.path(at: $0) })
    let lists = BakedLists(in: snapshot)
    var places: [String] = []
    for entry in try BakeLists(in: snapshot).entries() where paths.contains(entry.note.path) {
      baked.insert(entry.note.path)
      for block in BakedBlock.all(in: entry.note.textOrEmpty) {
        guard !Self.isPublic(block, of: entry.note, lists, paths) else { continue }
        ranges[entry.note.path, default: []].append(block.content)
        places.append("\(entry.note.shownName):\(block.line)")
      }
      let text = entry.note.textOrEmpty
      for fault in BakedBlock.faults(in: text) where text.bytes[fault.content].contains(where: { $0 > 0x20 })
      {
        ranges[entry.note.path, default: []].append(fault.content)
        places.append("\(entry.note.shownName):\(fault.line)")
      }
    }
    guard let first = places.first else { return }
    let others = places.count == 1 ? "" : " and \(places.count - 1) more"
    snapshot.reporter.warnOnce(
      "the list at \(first)\(others) is left out: it is damaged or out of date, or comes from notes that are left out"
    )
  }

  private static func isPublic(
    _ block: BakedBlock, of note: Note, _ lists: BakedLists, _ paths: Set<[UInt8]>
  ) -> Bool {
    guard let view = try? View(line: block.command, forms: View.Form.ofBlocks),
      let lines = try? lists.lines(of: view, in: note.path).lines,
      let entries = try? lists.sources(of: view, in: note.path)
    else { return false }
    let content = Baking.content(ofBlock: lines, lineEnd: note.textOrEmpty.lineEnd)
    guard note.textOrEmpty.bytes[block.content].elementsEqual(content) else { return false }
    return entries.allSatisfy { paths.contains($0.note.path) }
  }

  /// The text of a note with these contents replaced by blanks.
  ///
  /// - Parameter text: the text, or one with the same offsets.
  func blanked(_ text: NoteText, of note: Note) -> NoteText {
    text.blanking(ranges[note.path] ?? [])
  }
}
