import Bytes
import Notes
import Text

/// The sitemap and the feeds of tags after edits of some notes, for a site whose address is known.
struct EditedFeeds {
  private let notes: [EditedNote]
  private let contents: SiteContents
  private let address: String
  private let read: @Sendable (_ path: [UInt8]) -> [UInt8]?

  /// - Parameters:
  ///   - address: that of the site.
  ///   - read: reads a file of the site.
  init(
    _ notes: [EditedNote], _ contents: SiteContents, address: String,
    _ read: @escaping @Sendable (_ path: [UInt8]) -> [UInt8]?
  ) {
    (self.notes, self.contents, self.address, self.read) = (notes, contents, address, read)
  }

  /// The files that differ; nil if an old file can't be read.
  func pages() -> [SitePage]? {
    guard let sitemap = sitemap(), let feeds = feeds() else { return nil }
    return sitemap + feeds
  }

  // MARK: Sitemap

  /// A line of the sitemap up to the time of a change, and this time.
  private struct Line {
    let start: [UInt8]
    let time: [UInt8]
  }

  private func sitemap() -> [SitePage]? {
    let retimed = notes.filter { $0.facts.modified.rfc3339 != $0.old.note.modified.rfc3339 }
    if retimed.isEmpty { return [] }
    let lines = retimed.map { note in
      let page = address + SafeAddress.path(PageFrame.canonical(contents.map.pages[note.number]))
      return Line(
        start: Array("<url><loc>".utf8) + MarkupWriter.escaped(page) + Array("</loc><lastmod>".utf8),
        time: MarkupWriter.escaped(note.facts.modified.rfc3339))
    }
    var paths = [Array("sitemap.xml".utf8)]
    guard let first = read(paths[0]) else { return nil }
    var files = [first]
    var part = 0
    while let next = read(Array(Sitemap.path(part).utf8)) {
      paths.append(Array(Sitemap.path(part).utf8))
      files.append(next)
      part += 1
    }
    var pages: [SitePage] = []
    var found = 0
    for (path, old) in zip(paths, files) {
      guard let edited = Self.edited(old, lines) else { return nil }
      found += edited.found
      if edited.found > 0 { pages.append(SitePage(path, .bytes(edited.bytes))) }
    }
    return found == lines.count ? pages : nil
  }

  /// A file of the sitemap with other times in some lines, and the number of these; nil if such a line is damaged.
  private static func edited(_ old: [UInt8], _ lines: [Line]) -> (bytes: [UInt8], found: Int)? {
    // The last bytes of the starts differ the most.
    let tails = lines.map { line in line.start.withUnsafeBytes { $0.little64(at: line.start.count - 24) } }
    var (new, done, found) = ([UInt8](), 0, 0)
    let isSound = old.withUnsafeBytes { bytes in
      var start = 0
      while start < bytes.count {
        let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
        for (line, tail) in zip(lines, tails) {
          let count = line.start.count
          guard end - start > count, bytes.little64(at: start + count - 24) == tail,
            bytes[start..<start + count].elementsEqual(line.start)
          else { continue }
          let time = start + count
          guard let close = bytes[time..<end].firstIndex(of: UInt8(ascii: "<")) else { return false }
          new.append(contentsOf: bytes[done..<time])
          new += line.time
          done = close
          found += 1
        }
        start = end + 1
      }
      new.append(contentsOf: bytes[done...])
      return true
    }
    return isSound ? (new, found) : nil
  }

  // MARK: Feeds of tags

  private func feeds() -> [SitePage]? {
    var tags: [String: String] = [:]
    for note in notes {
      for tag in note.facts.tags {
        for name in TagName.lineage(of: tag) { tags[TagName.key(name)] = name }
      }
    }
    var pages: [SitePage] = []
    for (key, name) in tags.sorted(by: { $0.key < $1.key }) {
      let path = SiteNames.feed(ofTag: name)
      guard let old = read(path) else { return nil }
      if notes.contains(where: { holds(old, $0) }) {
        pages.append(SitePage(path, .feed(newest(ofKey: key, name))))
      }
    }
    return pages
  }

  /// Whether a feed has an entry of a note.
  private func holds(_ feed: [UInt8], _ note: EditedNote) -> Bool {
    let page = address + SafeAddress.path(contents.map.pages[note.number])
    let link = Array(" href=\"".utf8) + MarkupWriter.escaped(page) + Array("\"/>\n".utf8)
    let line = Array("<link rel=\"alternate\" type=\"text/html\"".utf8) + link
    return feed.split(separator: 0x0A).contains { $0.count + 1 == line.count && line.starts(with: $0) }
  }

  /// A tag with the newest of its notes.
  private func newest(ofKey key: String, _ name: String) -> TagPages.Tag {
    var spelling: String?
    var numbers: [Int] = []
    for number in contents.notes.indices {
      for tag in contents.notes[number].tags {
        guard let own = TagName.lineage(of: tag).first(where: { TagName.key($0) == key }) else { continue }
        spelling = spelling ?? own
        if numbers.last != number { numbers.append(number) }
      }
      if numbers.count == AtomFeed.newest { break }
    }
    return TagPages.Tag(name: spelling ?? name, notes: numbers)
  }
}
