import NoteIndex
import Notes
import SlipboxCore
import Synchronization

/// The links, tags and blocks of a note as a page shows them.
struct NoteMarks {
  let contents: SiteContents
  let anchors: SiteAnchors
  /// The way from the page to the root of the site.
  let root: String
  /// The address before the fragments of the note's own anchors: that of its page in a feed, else empty.
  var anchorBase = ""
  /// The notes around an embedded one; empty for the note of a page.
  var embedding = Embedding()

  /// The marks of a body.
  ///
  /// - Parameter shift: how far the text is moved from its place in the note.
  func marks(of note: Note, _ text: NoteText, number: Int, shift: Int = 0) -> [BodyMark] {
    let links = note.links.filter { $0.range.lowerBound >= text.body.lowerBound }
    let found = contents.connections(of: number).map { ($0.range.lowerBound + shift, $0.target) }
    let targets = Dictionary(found, uniquingKeysWith: { first, _ in first })
    let place = contents.map.places[number]
    var marks = links.compactMap { link in
      mark(
        link, targets[link.range.lowerBound] ?? .note(place),
        isOwn: targets[link.range.lowerBound] == nil,
        text)
    }
    for tag in note.inlineTags {
      marks.append(
        BodyMark(range: tag.range, content: .tag(tag.name, address: address(ofTag: tag.name))))
    }
    // The ids of an embedded note are those of its own page.
    if !embedding.trail.isEmpty {
      return marks + BlockNames.all(in: text).map { BodyMark(range: $0.range, content: .block("")) }
    }
    let parts = NoteParts(text)
    marks += parts.blocks.map { BodyMark(range: $0.range, content: .block($0.name)) }
    marks += parts.headings.attributes.map { BodyMark(range: $0, content: .block("")) }
    let anchors = parts.anchors.filter(\.isInvisible)
    return anchors.map { BodyMark(range: $0.range, content: .block($0.name)) }
      + anchors.compactMap { $0.closing.map { BodyMark(range: $0, content: .block("")) } } + marks
  }

  /// The address of the page of a tag.
  func address(ofTag name: String) -> String { root + contents.address(ofTag: name) }

  /// The address of the page of the note of a number.
  func address(of number: Int) -> String { root + SafeAddress.path(contents.map.pages[number]) }

  // MARK: Links

  private func mark(
    _ link: BodyScan.Link, _ target: Connection.Target, isOwn: Bool, _ text: NoteText
  )
    -> BodyMark?
  {
    let leads = page(of: link, target, isOwn: isOwn)
    switch link.form {
    case .wiki:
      let label = WikiLabel(text.bytes[link.range])
      return BodyMark(range: link.range, content: .link(shown(label, target), leads))
    case .embed:
      let label = WikiLabel(text.bytes[link.range])
      let parts = label.imageParts
      if case .note(let place) = target, let number = contents.map.number(ofPlace: place),
        let content = embedded(number, link)
      {
        let title = contents.notes[number].title
        return BodyMark(
          range: link.range, content: .transclusion(label.text ?? title, leads, content))
      }
      // The name of a hidden target is not shown; a label is text of the author.
      let isHidden = if case .text = leads { true } else { false }
      let shown = parts.text ?? (isHidden ? Self.unnamed : name(label, target))
      return BodyMark(range: link.range, content: .embed(shown, leads, size: parts.size))
    case .markdown, .image, .reference:
      guard let place = LinkPlace(link, in: text.bytes) else { return nil }
      return BodyMark(range: place.target, content: .target(leads))
    case .html:
      // The tag is shown as text; its target is not shown if that is not on the site.
      guard case .text = leads, let place = LinkPlace(link, in: text.bytes) else { return nil }
      return BodyMark(range: place.target, content: .hidden)
    case .path: return nil
    }
  }

  /// The text of a wiki link: its label, the title of a note named by its id or path, else the target as written.
  private func shown(_ label: WikiLabel, _ target: Connection.Target) -> String {
    label.text ?? name(label, target)
  }

  /// The name in a wiki link without a label.
  private func name(_ label: WikiLabel, _ target: Connection.Target) -> String {
    if case .file = target, contents.hidden.hides(target) {
      return Self.namesByPlace(label.target) ? Self.unnamed : label.target
    }
    guard case .note(let place) = target else { return label.target }
    guard let number = contents.map.number(ofPlace: place) else {
      return Self.namesByPlace(label.target) ? Self.unnamed : label.target
    }
    let note = contents.entry(number).note
    let parts = label.target.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
    let isID = note.id.map { parts[0].hasSameBytes(as: $0.description) } ?? false
    guard isID || parts[0].hasSuffix(".md") || parts[0].contains("/") else { return label.target }
    return ([note.title] + parts.dropFirst().filter { !$0.isEmpty && !$0.hasPrefix("^") }).joined(
      separator: " > ")
  }

  /// The target of a link on this site.
  func page(of link: BodyScan.Link, _ target: Connection.Target, isOwn: Bool = false) -> PageTarget {
    switch target {
    case .note(let place):
      guard let number = contents.map.number(ofPlace: place) else { return .text }
      let fragment = anchors.fragment(of: link, inNote: place)
      if isOwn { return fragment.map { .page(anchorBase + $0) } ?? .text }
      return .page(address(of: number) + (fragment ?? ""))
    case .file(let path):
      guard let file = contents.map.files[path] else { return .text }
      return .file(root + SafeAddress.path(file.copy) + Self.suffix(of: link, path), file.media)
    case .url(let address): return .url(address)
    case .ambiguous, .broken: return .broken
    }
  }

  /// The query and the place in a file that a link has, such as `?v=2#page=12`.
  private static func suffix(of link: BodyScan.Link, _ file: [UInt8]) -> String {
    let suffix = LinkSpelling.suffix(of: link, leadingTo: file)
    let mark = suffix.firstIndex(of: UInt8(ascii: "#")) ?? suffix.endIndex
    let query = MarkdownText.decoded(Array(suffix[..<mark]), hasEscapes: link.form != .html)
    guard mark < suffix.endIndex else { return SafeAddress.query(query) }
    let name = LinkSpelling(link, reading: 1).decodedHeading(suffix[(mark + 1)...])
    return SafeAddress.query(query) + "#" + SafeAddress.fragment(name)
  }

  /// The target of a connection on this site, whatever its place.
  func page(of connection: Connection) -> PageTarget {
    page(of: .wiki(connection.text), connection.target)
  }
}

/// The notes around an embedded one, and how much a page may still embed.
struct Embedding: Sendable {
  /// The note of the page; nil if none is shown.
  var host: Int?
  /// The numbers of the embedded notes, the outermost first.
  var trail: [Int] = []
  let budget = EmbedBudget()

  /// Notes are embedded in each other so deep.
  static let deepest = 4
}

/// The bytes of embedded notes that a page may still have.
final class EmbedBudget: Sendable {
  private let left = Mutex(1 << 20)
  private let counts = Mutex<[String: Int]>([:])

  /// How often a note was embedded at a place before; ids of one page differ by this.
  func count(_ trail: String) -> Int {
    counts.withLock { counts in
      counts[trail, default: 0] += 1
      return counts[trail, default: 1] - 1
    }
  }

  var isUsedUp: Bool { left.withLock { $0 <= 0 } }

  func use(_ count: Int) { left.withLock { $0 -= count } }
}

extension NoteMarks {
  /// A note, or the part of it that a link names, as it is shown inside of another note; nil if a link to it is shown.
  ///
  /// That is so if the note is around itself, deeper than `Embedding.deepest`, or if the page has enough of such notes.
  func embedded(_ number: Int, _ link: BodyScan.Link) -> MarkupWriter? {
    guard embedding.trail.count < Embedding.deepest, !embedding.trail.contains(number),
      embedding.host != number, !embedding.budget.isUsedUp
    else { return nil }
    let note = contents.entry(number).note
    let spelling = LinkSpelling(link, reading: 1)
    var whole = note.textOrEmpty
    var shift = 0
    if let mark = spelling.suffix.firstIndex(of: UInt8(ascii: "#")) {
      let name = String(
        decoding: spelling.decodedHeading(spelling.suffix[(mark + 1)...]), as: UTF8.self)
      let part: NotePart = name.hasPrefix("^") ? .block(name) : .heading(name)
      guard let span = try? whole.span(of: part, takesFirst: true) else { return nil }
      // A line end before the part keeps it from being front-matter.
      shift = 1 - span.whole.lowerBound
      whole = NoteText([0x0A] + whole.bytes[span.whole])
    }
    let shown = shift == 0 ? note : Note(path: note.path, text: whole)
    var inner = self
    inner.embedding.trail.append(number)
    var out = MarkupWriter()
    NoteBody(embedding: shown, whole, inner, number: number, shift: shift).write(&out)
    embedding.budget.use(out.bytes.count + 100)
    return out
  }
}
