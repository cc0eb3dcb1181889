import Bytes
import NoteIndex
import Notes
import SlipboxCore
import Text

/// The address that a note sets for its page, in the field `permalink` or `slug`.
///
/// Source: `permalink` of Jekyll and Obsidian Publish, `slug` of Hugo.
struct NoteAddress {
  /// The path of the page; nil for the usual one.
  let page: [UInt8]?
  /// Whether the note has a permalink that no page can have.
  let isRefused: Bool

  /// Paths that the site itself has, and its folders.
  private static let reserved: Set<String> = [
    "index.html", "site.css", "site.js", "theme.css", "feed.xml", "notes.html", "tags.html",
    "graph.html",
    "changes.html", "404.html", "robots.txt", "sitemap.xml", "search", "files", "tags", "kinds",
  ]

  init(_ note: Note) {
    if let permalink = note.frontMatter["permalink"]?.text, !permalink.isEmpty {
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

/// A page that leads from an address which a note had, or that an alias names, to the page of the note.
struct Redirect: Sendable {
  let path: [UInt8]
  let number: Int
}

extension SiteContents {
  /// The redirects of a site: from the usual address of a note with one of its own, from its earlier paths, and from its
  /// aliases. The address of a page never redirects, and one for several notes leads to the first of them.
  func redirects(in snapshot: BoxSnapshot) throws(SlipboxError) -> [Redirect] {
    let rule = rule
    let present = Set(entries.indices.map { entries.path(at: $0) })
    let notes = map.places.map { (path: entries.path(at: $0), id: entries.key(at: $0).id) }
    let earlier = try EarlierPaths.all(of: notes, present: present, in: snapshot) { note in
      let created = note.created ?? snapshot.clock.now
      return rule.reason(for: Entry(note: note, created: created, kind: note.kind)) == nil
    }
    var free = FreePaths(map.pages)
    var redirects: [Redirect] = []
    func add(_ path: [UInt8], _ number: Int) {
      if free.take(path) { redirects.append(Redirect(path: path, number: number)) }
    }
    for number in map.places.indices { add(SiteNames.note(notes[number].path), number) }
    for number in map.places.indices {
      for path in (earlier[notes[number].path] ?? []).sorted(by: { ByteOrder.precedes($0, $1) }) {
        add(SiteNames.note(path), number)
      }
    }
    for number in map.places.indices {
      for alias in entry(number).note.aliases {
        let slug = Slug.make(alias)
        let page = alias.contains("/") ? NoteAddress.page(alias) : Array("notes/\(slug).html".utf8)
        if let page, !slug.isEmpty { add(page, number) }
      }
    }
    return redirects
  }
}

/// Paths of files that no page has, and that are in no place of a folder.
private struct FreePaths {
  private var taken: Set<[UInt8]> = []
  private var folders: Set<[UInt8]> = []

  init(_ pages: [[UInt8]]) { for page in pages { add(page) } }

  private mutating func add(_ path: [UInt8]) {
    taken.insert(path)
    var folder = BytePath.folder(of: path)
    while !folder.isEmpty, folders.insert(folder).inserted { folder = BytePath.folder(of: folder) }
  }

  /// Takes a path; false if a page or a folder has it.
  mutating func take(_ path: [UInt8]) -> Bool {
    var folder = BytePath.folder(of: path)
    while !folder.isEmpty {
      if taken.contains(folder) { return false }
      folder = BytePath.folder(of: folder)
    }
    guard !taken.contains(path), !folders.contains(path) else { return false }
    add(path)
    return true
  }
}
