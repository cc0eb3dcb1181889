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

  /// The files that links lead to, each once, in order; without those that git ignores, which it reports.
  static func linked(_ connections: [[Connection]], in snapshot: BoxSnapshot) throws(SlipboxError) -> [SiteMap
    .File]
  {
    var paths: Set<[UInt8]> = []
    for connection in connections.joined() {
      if case .file(let path) = connection.target { paths.insert(path) }
    }
    let found = paths.filter(snapshot.isOtherFile).sorted { ByteOrder.precedes($0, $1) }
    let ignored = try snapshot.ignoredFiles(among: found)
    if !ignored.isEmpty {
      let names = found.filter(ignored.contains).map { Visible.escape($0) }
      let rest = names.count > 10 ? " and \(names.count - 10) more" : ""
      snapshot.reporter.warn(
        "not exported, because git ignores \(names.count == 1 ? "it" : "them"): "
          + "\(names.prefix(10).joined(separator: ", "))\(rest)")
    }
    var files: [SiteMap.File] = []
    for path in found where !ignored.contains(path) { files.append(try file(path, in: snapshot)) }
    return files
  }

  private static func file(_ path: [UInt8], in snapshot: BoxSnapshot) throws(SlipboxError) -> SiteMap.File {
    let ending = ending(of: path)
    var isText = active.contains(ending)
    if ending == "svg", let bytes = try snapshot.bytes(at: path) { isText = !isHarmlessSVG(bytes) }
    return SiteMap.File(
      path: path, copy: SiteNames.file(path, asText: isText), media: isText ? .other : media(ending))
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
