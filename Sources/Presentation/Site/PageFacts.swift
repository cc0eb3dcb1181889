import NoteIndex
import Notes
import SlipboxCore

/// The facts in the head of a page, for search engines, messengers and readers of feeds.
struct PageFacts {
  var description = ""
  /// The address of a picture, from the root of the site.
  var image: String?
  /// The times of a note.
  var created: Timestamp?
  var modified: Timestamp?
  /// Whether it is the page for addresses that have none.
  var isMissing = false
  /// The feed of the page beside that of the site, from the root of the site.
  var feed: String?
  /// The way from the front page to the page: texts and addresses from the root of the site.
  var crumbs: [(text: String, address: String)] = []

  private static let longest = 200

  init() {}

  /// The facts of a note's page.
  init(_ contents: SiteContents, _ number: Int) {
    let note = contents.notes[number]
    let entry = contents.entry(number)
    created = entry.created
    modified = note.modified
    description = Self.description(of: number, in: contents)
    for connection in note.connections {
      guard case .file(let path) = connection.target, let file = contents.map.files[path],
        file.media == .image
      else { continue }
      image = SafeAddress.path(file.copy)
      break
    }
    crumbs = [("Notes", SafeAddress.path(SiteNames.all()))]
    if note.kind != "note" {
      crumbs.append((note.kind, SafeAddress.path(SiteNames.kind(note.kind))))
    }
  }

  /// The first lines of a note as its page shows them.
  static func description(of number: Int, in contents: SiteContents) -> String {
    description(
      PublicText(contents.entry(number).note, contents.notes[number].connections, contents.hidden).text)
  }

  /// The first paragraph of a text without markup, cut behind a word.
  static func description(_ text: NoteText) -> String {
    var paragraph: [UInt8] = []
    var isCode = false
    for line in text.bytes[text.body].split(separator: 0x0A, omittingEmptySubsequences: false)
      .prefix(200)
    {
      let line = line.drop { $0 <= 0x20 }
      if line.starts(with: "```".utf8) || line.starts(with: "~~~".utf8) { isCode.toggle() }
      let isText =
        !isCode
        && line.first.map { !"#>|`~<!-=$[^".utf8.contains($0) || line.starts(with: "[[".utf8) }
          ?? false
      if isText { paragraph += line + [0x20] } else if !paragraph.isEmpty { break }
      if paragraph.count > 4 * longest { break }
    }
    let plain = PlainText.of(paragraph)
    guard plain.count > longest else { return plain }
    let start = plain.prefix(longest)
    let end = start.lastIndex(of: " ") ?? start.endIndex
    return start[..<end] + "\u{2026}"
  }
}
