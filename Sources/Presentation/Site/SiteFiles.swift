import Bytes
import NoteIndex
import SlipboxCore
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
          + names.prefix(10).joined(separator: ", ") + rest)
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
