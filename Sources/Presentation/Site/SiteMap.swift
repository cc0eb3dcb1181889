import Bytes
import NoteIndex
import Notes
import SlipboxCore
import Synchronization
import Text

/// The notes of a site, their pages, and the files that come with them.
///
/// A note that is not exported is not in here: no page can say more of it than a note that links to it says itself.
struct SiteMap: Sendable {
  /// A file beside the notes.
  struct File: Sendable {
    let path: [UInt8]
    /// Its path in the site.
    let copy: [UInt8]
    let media: PageTarget.Media
  }

  /// The places of the notes in the catalogue, newest first; numbers of notes are places in here.
  let places: [Int]
  /// The paths of the notes' pages, by their numbers.
  let pages: [[UInt8]]
  /// The numbers of the notes whose own address another page has.
  let refused: [Int]
  /// The linked files by their paths in the box.
  let files: [[UInt8]: File]
  /// The number of a note by its place in the catalogue; -1 for one that is not exported.
  private let numbers: [Int]

  /// - Parameters:
  ///   - exported: the places of the notes, ascending.
  ///   - addresses: the paths of pages that notes set themselves, by numbers; nil for the usual one.
  ///   - known: the paths of the pages if the last export had the same notes with the same addresses.
  init(
    _ entries: Entries, exported: [Int], addresses: [[UInt8]?], files: [File], known: [[UInt8]]? = nil
  ) {
    places = exported
    var numbers = [Int](repeating: -1, count: entries.count)
    for (number, place) in places.enumerated() { numbers[place] = number }
    self.numbers = numbers
    if let known {
      pages = known
      refused = known.indices.filter { number in addresses[number].map { $0 != known[number] } ?? false }
    } else {
      (pages, refused) = Self.pages(
        of: places.map { (entries.path(at: $0), entries.created(at: $0).millisecondsSince1970) }, addresses)
    }
    self.files = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The number of the note at a place of the catalogue; nil if it is not exported.
  func number(ofPlace place: Int) -> Int? { numbers[place] < 0 ? nil : numbers[place] }

  /// The order in which notes choose their pages: those in `.md` first, then the older one, so that a new note takes no page
  /// of another one.
  private static func precedes(
    _ left: (path: [UInt8], created: Int64), _ right: (path: [UInt8], created: Int64)
  ) -> Bool {
    let usual = Array(".md".utf8)
    let areUsual = (left.path.suffix(3).elementsEqual(usual), right.path.suffix(3).elementsEqual(usual))
    if areUsual.0 != areUsual.1 { return areUsual.0 }
    return left.created == right.created
      ? ByteOrder.precedes(left.path, right.path) : left.created < right.created
  }

  private static func pages(
    of notes: [(path: [UInt8], created: Int64)], _ addresses: [[UInt8]?]
  ) -> (pages: [[UInt8]], refused: [Int]) {
    let paths = notes.map(\.path)
    var folders: Set<String> = []
    var last: [UInt8] = []
    for page in paths.map({ SiteNames.note($0) }) + addresses.compactMap({ $0 }) {
      var folder = BytePath.folder(of: page)
      // Notes that were made one after another are mostly in one folder.
      if folder == last { continue }
      last = folder
      while !folder.isEmpty, folders.insert(SiteNames.key(folder)).inserted {
        folder = BytePath.folder(of: folder)
      }
    }
    var taken = folders
    var pages = [[UInt8]](repeating: [], count: paths.count)
    var refused: [Int] = []
    let order = notes.indices.sorted { Self.precedes(notes[$0], notes[$1]) }
    for number in order {
      guard let page = addresses[number] else { continue }
      if taken.insert(SiteNames.key(page)).inserted { pages[number] = page } else { refused.append(number) }
    }
    for number in order where pages[number].isEmpty {
      var page = SiteNames.note(paths[number])
      if taken.contains(SiteNames.key(page)) { page = SiteNames.note(paths[number], isWhole: true) }
      while !taken.insert(SiteNames.key(page)).inserted { page = page.dropLast(5) + Array("_.html".utf8) }
      pages[number] = page
    }
    return (pages, refused)
  }
}

/// The paths of a site's pages: they depend on the note, the tag or the kind alone, so that addresses are stable.
enum SiteNames {
  /// The longest name of a file that is made, in bytes.
  private static let longestName = 200

  /// The path of a note's page: its own path below `notes/` with another ending.
  ///
  /// - Parameter isWhole: keeps the old ending too, where another note has the same path without it.
  static func note(_ path: [UInt8], isWhole: Bool = false) -> [UInt8] {
    let folder = BytePath.folder(of: path)
    var name = isWhole ? BytePath.name(of: path) : Array(FileName.stem(of: path))
    if name.count > longestName {
      name = Array(name.prefix(longestName - 12)) + Array("-\(mark(path))".utf8)
    }
    return Array("notes/".utf8) + BytePath.path(of: name + Array(".html".utf8), in: folder)
  }

  /// The path of a copied file. What a browser would run gets an ending by which it is shown as text.
  ///
  /// - Parameter isMarked: adds a mark to the name, so that it differs from another one in more than case.
  static func file(_ path: [UInt8], asText: Bool, isMarked: Bool = false) -> [UInt8] {
    var path = path
    if isMarked {
      let name = BytePath.name(of: path)
      let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
      let marked = name[..<dot] + Array("-\(mark(path))".utf8) + name[dot...]
      path = BytePath.path(of: Array(marked), in: BytePath.folder(of: path))
    }
    return Array("files/".utf8) + path + (asText ? Array(".txt".utf8) : [])
  }

  /// A path as file systems compare it that ignore case and the form of accents.
  static func key(_ path: [UInt8]) -> String {
    let text = String(decoding: path, as: UTF8.self)
    // Most paths are in small ASCII letters.
    return path.allSatisfy { $0 < 0x80 && !(0x41...0x5A).contains($0) } ? text : text.lowercased()
  }

  /// The path of the page of a tag; nested ones are in folders.
  ///
  /// - Parameter number: that of the page of its list, see ``PagedList``.
  static func tag(_ name: String, number: Int = 0) -> [UInt8] {
    let parts = TagName.key(name).split(separator: "/").map { part(String($0)) }
    let path = parts.isEmpty ? part(name) : parts.joined(separator: "/")
    return Array("tags/\(path)\(ending(number))".utf8)
  }

  /// The path of the feed of a tag, beside its page.
  static func feed(ofTag name: String) -> [UInt8] { tag(name).dropLast(5) + Array(".xml".utf8) }

  /// The path of the page of a kind.
  static func kind(_ name: String, number: Int = 0) -> [UInt8] {
    Array("kinds/\(part(name.lowercased()))\(ending(number))".utf8)
  }

  /// The path of the list of all notes.
  static func all(number: Int = 0) -> [UInt8] { Array("notes\(ending(number))".utf8) }

  private static func ending(_ number: Int) -> String { number == 0 ? ".html" : ".\(number).html" }

  /// A name as a part of a path; one that loses something by it gets a mark of its own.
  private static func part(_ name: String) -> String {
    let slug = Slug.make(name)
    if slug.hasSameBytes(as: name), !slug.isEmpty { return slug }
    return slug.isEmpty ? mark(Array(name.utf8)) : "\(slug)-\(mark(Array(name.utf8)))"
  }

  /// Eight digits that differ for different texts.
  private static func mark(_ bytes: [UInt8]) -> String {
    Hexadecimal.text(SHA256.digest(of: bytes).prefix(4))
  }

  /// The way from the page at a path to the root of the site: `../` for each folder.
  static func root(from page: [UInt8]) -> String {
    String(repeating: "../", count: page.count { $0 == UInt8(ascii: "/") })
  }
}

/// The headings and anchors of notes by which links lead into them; each note is read once, when the first such link asks.
final class SiteAnchors: Sendable {
  private let text: @Sendable (_ place: Int) -> NoteText
  private let shown: @Sendable (_ place: Int, HeadingAnchors) -> HeadingAnchors
  private let known = Mutex<[Int: NoteParts]>([:])

  /// - Parameter shown: the anchors of the headings of a note as its page has them.
  init(
    text: @escaping @Sendable (_ place: Int) -> NoteText,
    shown: @escaping @Sendable (_ place: Int, HeadingAnchors) -> HeadingAnchors
  ) {
    self.text = text
    self.shown = shown
  }

  private func parts(ofNote place: Int) -> NoteParts {
    if let parts = known.withLock({ $0[place] }) { return parts }
    let parts = NoteParts(text(place))
    known.withLock { $0[place] = parts }
    return parts
  }

  /// The place in a note that a link leads to, as a fragment; nil for the whole note.
  func fragment(of link: BodyScan.Link, inNote place: Int) -> String? {
    guard link.target.utf8.contains(UInt8(ascii: "#")) else { return nil }
    let spelling = LinkSpelling(link, reading: 1)
    guard let mark = spelling.suffix.firstIndex(of: UInt8(ascii: "#")) else { return nil }
    let name = spelling.decodedHeading(spelling.suffix[(mark + 1)...])
    let parts = parts(ofNote: place)
    if name.first == UInt8(ascii: "^") {
      let block = parts.blocks.first { $0.name.utf8.elementsEqual(name) }
      return block.map { "#" + SafeAddress.fragment(Array($0.name.utf8)) }
    }
    if let number = parts.headings.number(of: spelling.suffix, spelling) {
      return "#" + SafeAddress.fragment(shown(place, parts.headings).anchor(of: number))
    }
    let isAnchor = parts.anchors.contains { $0.name.utf8.elementsEqual(name) }
    return isAnchor ? "#" + SafeAddress.fragment(name) : nil
  }
}

/// The address that a note sets for its page, in the field `permalink` or `slug`.
///
/// Source: `permalink` of Jekyll and Obsidian Publish, `slug` of Hugo.
struct NoteAddress: Sendable, Equatable {
  /// The path of the page; nil for the usual one.
  let page: [UInt8]?
  /// Whether the note has a permalink that no page can have.
  let isRefused: Bool
  /// Whether the permalink is the address of the front page.
  var isHome = false

  /// Paths that the site itself has, and its folders.
  private static let reserved: Set<String> = [
    "index.html", "site.css", "site.js", "theme.css", "feed.xml", "notes.html", "tags.html",
    "graph.html",
    "changes.html", "404.html", "robots.txt", "sitemap.xml", "search", "files", "tags", "kinds",
  ]

  /// Whether the note has a field for it, even an empty one.
  let isSet: Bool

  init(page: [UInt8]?, isRefused: Bool, isHome: Bool, isSet: Bool) {
    (self.page, self.isRefused, self.isHome, self.isSet) = (page, isRefused, isHome, isSet)
  }

  init(_ note: Note) {
    isSet = note.frontMatter["permalink"] != nil || note.frontMatter["slug"] != nil
    if let permalink = note.frontMatter["permalink"]?.text, !permalink.isEmpty {
      if ["/", "index.html", "/index.html"].contains(permalink) {
        (page, isRefused, isHome) = (nil, false, true)
        return
      }
      page = Self.page(permalink)
      isRefused = page == nil
      return
    }
    let slug = note.frontMatter["slug"]?.text.map { Slug.make($0) } ?? ""
    let folder = BytePath.folder(of: SiteNames.note(note.path))
    page = slug.isEmpty ? nil : BytePath.path(of: Array("\(slug).html".utf8), in: folder)
    isRefused = false
  }

  /// The path of a page for an address from the root of the site; nil if it can't be one.
  static func page(_ address: String) -> [UInt8]? {
    var path = Array(address.utf8)[...].drop { $0 == UInt8(ascii: "/") }
    if path.last == UInt8(ascii: "/") { path += "index.html".utf8 }
    if ![".html", ".htm"].contains(where: { path.suffix($0.utf8.count).elementsEqual($0.utf8) }) {
      path += ".html".utf8
    }
    let parts = path.split(separator: UInt8(ascii: "/"))
    guard FileName.problem(in: Array(path)) == nil,
      !path.contains(where: { ":?#\\".utf8.contains($0) }),
      !parts.contains(where: { $0.first == UInt8(ascii: ".") }), let first = parts.first
    else { return nil }
    let name = String(decoding: first, as: UTF8.self).lowercased()
    let isOwn = reserved.contains(name) || name.hasPrefix("notes.") || name.hasPrefix("sitemap-")
    return isOwn ? nil : Array(path)
  }
}
