import Bytes
import NoteIndex
import Notes
package import SlipboxCore
import Synchronization
import Text

/// Which files come with the notes, and which of them a browser would run.
enum SiteFiles {
  private static let images: Set<String> = [
    "png", "jpg", "jpeg", "gif", "webp", "avif", "bmp", "ico", "apng", "svg",
  ]
  private static let audio: Set<String> = ["mp3", "ogg", "oga", "opus", "wav", "flac", "m4a", "aac"]
  private static let video: Set<String> = ["mp4", "webm", "ogv", "mov", "m4v", "mkv"]
  /// Documents in which a browser runs scripts.
  private static let active: Set<String> = [
    "html", "htm", "xhtml", "xht", "shtml", "shtm", "xml", "xsl", "xslt", "rdf", "rss", "atom", "svgz", "mht",
    "mhtml",
    "hta", "htc", "swf", "php", "phtml", "cgi", "jsp", "asp", "aspx", "mathml", "webarchive",
  ]

  /// Texts that may be notes; those of the box have pages.
  private static let texts: Set<String> = [
    "md", "markdown", "mdown", "mkdn", "mkd", "mdwn", "mdtxt", "mdtext", "mdx", "rmd", "qmd",
  ]
  /// Files with the paths and texts of notes, which programs of notes show.
  private static let views: Set<String> = ["canvas", "base", "excalidraw"]

  /// The paths of the files and folders that links lead to.
  static func paths(_ connections: [[Connection]]) -> Set<[UInt8]> {
    var paths: Set<[UInt8]> = []
    for connection in connections.joined() {
      if case .file(let path) = connection.target { paths.insert(path) }
    }
    return paths
  }

  /// The files that links lead to.
  struct Linked {
    /// Those that are copied, in order.
    let files: [SiteMap.File]
    /// Those that stay out, with the reasons.
    let withheld: [[UInt8]: WithheldFile]

    /// The paths of all of them, in order.
    var paths: [[UInt8]] {
      (files.map(\.path) + withheld.keys).sorted { ByteOrder.precedes($0, $1) }
    }

    /// Identifies the files that stay out.
    var key: UInt64 {
      var key = PageKey()
      for path in withheld.keys.sorted(by: { ByteOrder.precedes($0, $1) }) { key.add(path) }
      return key.value
    }
  }

  /// Tells the files that are copied from those that stay out.
  static func linked(
    _ paths: Set<[UInt8]>, in snapshot: BoxSnapshot, _ rule: PublicationRule
  ) throws(SlipboxError) -> Linked {
    let linked = LinkedFiles(in: snapshot)
    let found = paths.filter(linked.isFile).sorted { ByteOrder.precedes($0, $1) }
    let ignored = try linked.ignored(among: found)
    var withheld: [[UInt8]: WithheldFile] = [:]
    var files: [SiteMap.File] = []
    var copies: Set<String> = []
    for path in found {
      if ignored.contains(path) {
        withheld[path] = .ignored
      } else if texts.contains(ending(of: path)) {
        withheld[path] = .text
      } else if views.contains(ending(of: path)) {
        withheld[path] = .view
      } else if rule.isEncrypted(path) {
        withheld[path] = .encrypted
      } else {
        files.append(try file(path, in: snapshot, &copies))
      }
    }
    return Linked(files: files, withheld: withheld)
  }

  /// Warns of the files that stay out, with one line for each reason.
  static func report(_ withheld: [[UInt8]: WithheldFile], to reporter: Reporter) {
    for reason in WithheldFile.allCases {
      let paths = withheld.filter { $0.value == reason }.keys.sorted { ByteOrder.precedes($0, $1) }
      guard !paths.isEmpty else { continue }
      let more: Phrase = paths.count > mostNames ? " and \(paths.count - mostNames) more" : ""
      let names = paths.prefix(mostNames).map { Phrase($0) }.joined(separator: ", ")
      reporter.warn("not exported, because \(reason.words(paths.count)): \(names)\(more)")
    }
  }

  private static let mostNames = 10

  /// - Parameter copies: the paths of copies so far; those that differ only in case are one file on some systems.
  private static func file(
    _ path: [UInt8], in snapshot: BoxSnapshot, _ copies: inout Set<String>
  ) throws(SlipboxError) -> SiteMap.File {
    let ending = ending(of: path)
    var isText = active.contains(ending)
    if ending == "svg", let bytes = try snapshot.bytes(at: path) { isText = !isHarmlessSVG(bytes) }
    var copy = SiteNames.file(path, asText: isText)
    if !copies.insert(SiteNames.key(copy)).inserted {
      copy = SiteNames.file(path, asText: isText, isMarked: true)
      copies.insert(SiteNames.key(copy))
    }
    return SiteMap.File(path: path, copy: copy, media: isText ? .other : media(ending))
  }

  private static func media(_ ending: String) -> PageTarget.Media {
    if images.contains(ending) { return .image }
    if audio.contains(ending) { return .audio }
    return video.contains(ending) ? .video : .other
  }

  private static func ending(of path: [UInt8]) -> String {
    let name = BytePath.name(of: path)
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
  }

  /// Whether a picture has nothing that a browser could run, should somebody open it by itself.
  ///
  /// It refuses more than scripts: entities, which could hide one, and foreign elements.
  static func isHarmlessSVG(_ bytes: [UInt8]) -> Bool {
    if bytes.contains(0) { return false }
    let text = bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    let words = [
      "script", "<!entity", "foreignobject", "&#", "<iframe", "<embed", "<object", "<handler", "<xsl",
      "<?xml-s",
    ]
    for word in words where contains(Array(word.utf8), in: text) { return false }
    return !hasHandler(text)
  }

  private static func contains(_ word: [UInt8], in text: [UInt8]) -> Bool {
    var position = 0
    while let found = text[position...].firstIndex(of: word[0]) {
      if text[found...].starts(with: word) { return true }
      position = found + 1
    }
    return false
  }

  /// Whether an attribute begins with `on`.
  private static func hasHandler(_ text: [UInt8]) -> Bool {
    var position = 0
    while let found = text[position...].firstIndex(of: UInt8(ascii: "o")) {
      position = found + 1
      guard position < text.count, text[position] == UInt8(ascii: "n"),
        found == 0 || text[found - 1] <= 0x20 || "\"'/".utf8.contains(text[found - 1])
      else { continue }
      var end = position
      while end < text.count, (0x61...0x7A).contains(text[end]) { end += 1 }
      while end < text.count, text[end] <= 0x20 { end += 1 }
      if end < text.count, text[end] == UInt8(ascii: "=") { return true }
    }
    return false
  }
}

/// The reason why a site has no copy of a file that its notes link to.
enum WithheldFile: CaseIterable, Sendable {
  /// Git ignores it.
  case ignored
  /// It is Markdown and not a note of the box, such as an excluded one.
  case text
  /// It is a canvas or another view, which may hold paths and texts of notes that are not on the site.
  case view
  /// A filter of git encrypts it.
  case encrypted

  /// The words that follow "because".
  func words(_ count: Int) -> Phrase {
    switch self {
    case .ignored: count == 1 ? "git ignores it" : "git ignores them"
    case .text:
      count == 1 ? "it is Markdown and not a note of the box" : "they are Markdown and not notes of the box"
    case .view: count == 1 ? "it may show private notes" : "they may show private notes"
    case .encrypted: count == 1 ? "a git filter encrypts it" : "git filters encrypt them"
    }
  }
}

/// A page of HTML with places for the parts of a site's pages.
package struct SiteTemplate: Sendable {
  /// A place, written in two braces: `{{content}}`.
  enum Place: String, CaseIterable, Sendable {
    /// The title of the page.
    case title
    /// The name of the site.
    case site
    /// The way from the page to the root of the site, such as `../`.
    case root
    /// The elements of `<head>`: title, styles, scripts, description.
    case head
    /// The navigation and the search.
    case header
    /// The element `<main>`.
    case content
  }

  private enum Piece: Sendable {
    case markup([UInt8])
    case place(Place)
  }

  private let pieces: [Piece]
  /// The template as it is written.
  let bytes: [UInt8]

  /// Reads a template.
  ///
  /// - Parameter name: the name of the file in messages.
  /// - Throws: `.badData` if it has an unknown place, or no place for the head and the content.
  package init(_ bytes: [UInt8], name: String) throws(SlipboxError) {
    var pieces: [Piece] = []
    var rest = bytes[...]
    while let open = Self.offset(of: "{{", in: rest),
      let close = Self.offset(of: "}}", in: rest[open...])
    {
      let word = String(decoding: rest[(open + 2)..<close].filter { $0 > 0x20 }, as: UTF8.self)
      guard let place = Place(rawValue: word) else {
        let names = Place.allCases.map { "{{\($0.rawValue)}}" }
        throw SlipboxError(
          .badData, "\(name): {{\(Visible.escape(word))}} is not a placeholder of a template",
          hints: ["the placeholders are: \(names.joined(separator: " "))"])
      }
      pieces += [.markup(Array(rest[..<open])), .place(place)]
      rest = rest[(close + 2)...]
    }
    self.bytes = bytes
    self.pieces = pieces + [.markup(Array(rest))]
    for place in [Place.head, .content] where !has(place) {
      throw SlipboxError(.badData, "\(name) has no placeholder {{\(place.rawValue)}}")
    }
  }

  private func has(_ place: Place) -> Bool {
    pieces.contains { if case .place(place) = $0 { true } else { false } }
  }

  /// A page with the bytes of each place.
  func page(_ bytes: (Place) -> [UInt8]) -> [UInt8] {
    pieces.flatMap { piece in
      switch piece {
      case .markup(let markup): markup
      case .place(let place): bytes(place)
      }
    }
  }

  private static func offset(of mark: StaticString, in text: ArraySlice<UInt8>) -> Int? {
    let byte = mark.utf8Start[0]
    return text.indices.dropLast().first { text[$0] == byte && text[$0 + 1] == byte }
  }
}
