import NoteIndex
import Notes
import SlipboxCore
import Text

/// The pages that list notes: all of them, those of a tag, those of a kind, and the tags.
struct ListPages {
  let site: Site
  let marks: NoteMarks

  private var contents: SiteContents { marks.contents }
  private var item: NoteItem { NoteItem(contents: contents, marks: marks) }

  /// A tag as a link, with its number of notes.
  static func writeTag(_ tag: TagPages.Tag, _ marks: NoteMarks, _ out: inout MarkupWriter) {
    LinkHTML.writeTag(tag.name, marks.address(ofTag: tag.name), &out)
    out.add(" <small>")
    out.add(number: tag.notes.count)
    out.add("</small>")
  }

  func writeAll(page: Int, _ out: inout MarkupWriter) {
    out.add("<h1>Notes</h1>\n")
    write(Array(contents.notes.indices), page: page, &out) { SiteNames.all(number: $0) }
  }

  func writeTags(_ out: inout MarkupWriter) {
    out.add("<h1>Tags</h1>\n<ul class=\"tags\">\n")
    for tag in site.tags.tags {
      out.add("<li>")
      Self.writeTag(tag, marks, &out)
      out.add("</li>\n")
    }
    out.add("</ul>\n")
  }

  func write(_ tag: TagPages.Tag, page: Int, _ out: inout MarkupWriter) {
    out.add("<h1 dir=\"auto\">#")
    out.text(tag.name)
    out.add("</h1>\n")
    let children = site.tags.children(of: tag)
    if !children.isEmpty {
      out.add("<p class=\"tags\">")
      for child in children {
        Self.writeTag(child, marks, &out)
        out.add(" ")
      }
      out.add("</p>\n")
    }
    write(tag.notes, page: page, &out) { SiteNames.tag(tag.name, number: $0) }
  }

  /// The notes that changed last, by days.
  func writeChanges(_ out: inout MarkupWriter) {
    out.add("<h1>Recent changes</h1>\n")
    let notes = contents.notes
    var day = ""
    for number in Self.newest(notes) {
      let changed = notes[number].modified.civilDate.description
      if changed != day {
        out.add(day.isEmpty ? "<h2>" : "</ul>\n<h2>")
        out.text(changed)
        out.add("</h2>\n<ul class=\"notes changes\">\n")
        day = changed
      }
      item.write(number, showsDay: false, &out)
    }
    if !day.isEmpty { out.add("</ul>\n") }
  }

  /// The numbers of the notes that changed last, the latest first.
  static func newest(_ notes: [SiteNote]) -> ArraySlice<Int> {
    let times = notes.indices.map { notes[$0].modified.seconds }
    let latest = times.sorted(by: >).prefix(mostChanges).last ?? 0
    let newest = times.indices.filter { times[$0] >= latest }.sorted { left, right in
      times[left] == times[right] ? left < right : times[left] > times[right]
    }
    return newest.prefix(mostChanges)
  }

  private static let mostChanges = 200

  /// A kind's records by its row, or as a list if it declares none.
  ///
  /// - Parameter titles: those of the records that a table of records shows.
  func write(_ kind: KindPages.Kind, page: Int, _ titles: RecordTitles, _ out: inout MarkupWriter) {
    out.add("<h1 dir=\"auto\">")
    out.text(kind.name)
    out.add("</h1>\n")
    let declared = contents.schema.kind(named: kind.name)
    if let comment = declared?.comment {
      out.add("<p>")
      out.text(comment)
      out.add("</p>\n")
    }
    guard let declared, contents.isTable(kind.name) else {
      return write(kind.notes, page: page, &out) { SiteNames.kind(kind.name, number: $0) }
    }
    let table = RecordsHTML(kind: declared, contents: contents, marks: marks, titles: titles)
    table.write(kind.notes[PagedList.rows(page, of: kind.notes.count)], &out)
    PagedList.write(
      page, of: kind.notes.count, from: marks.root, path: { SiteNames.kind(kind.name, number: $0) },
      &out)
  }

  private func write(
    _ notes: [Int], page: Int, _ out: inout MarkupWriter, path: (Int) -> [UInt8]
  ) {
    out.add("<ul class=\"notes\">\n")
    for number in notes[PagedList.rows(page, of: notes.count)] { item.write(number, &out) }
    out.add("</ul>\n")
    PagedList.write(page, of: notes.count, from: marks.root, path: path, &out)
  }
}

/// A note as an item of a list: day, title, kind and tags.
struct NoteItem {
  let contents: SiteContents
  let marks: NoteMarks

  func write(_ number: Int, showsDay: Bool = true, _ out: inout MarkupWriter) {
    let note = contents.notes[number]
    out.add(note.isOpen ? "<li>" : "<li class=\"done\">")
    if showsDay {
      out.add("<time>")
      out.text(note.day)
      out.add("</time> ")
    }
    writeLink(number, &out)
    if note.kind != "note" {
      out.add(" <span class=\"kind\">")
      out.text(note.kind)
      out.add("</span>")
    }
    for tag in note.tags.prefix(Self.mostTags) {
      out.add(" ")
      LinkHTML.writeTag(tag, marks.address(ofTag: tag), &out)
    }
    if note.tags.count > Self.mostTags { out.add(" \u{2026}") }
    out.add("</li>\n")
  }

  /// So many tags of a note are on the pages of others: a note of n tags is on the pages of all of them.
  static let mostTags = 8

  /// The title of a note as a link to its page.
  func writeLink(_ number: Int, _ out: inout MarkupWriter) {
    out.add("<a dir=\"auto\"")
    out.attribute("href", marks.address(of: number))
    out.add(">")
    out.text(contents.notes[number].title)
    out.add("</a>")
  }
}

/// Lists that are too long for one page.
///
/// Pages are cut from the oldest row on, so that a new row changes only the first page, which has the newest ones: one
/// page's rows and the remainder. The addresses of the others count from the oldest.
enum PagedList {
  /// The rows of a page; the first has fewer than twice as many.
  static let length = 500

  /// How many pages a number of rows takes, one at least.
  static func pages(of count: Int) -> Int { max(1, count / length) }

  /// The rows on a page.
  ///
  /// - Parameter page: 0 for the first.
  static func rows(_ page: Int, of count: Int) -> Range<Int> {
    let end = count - (pages(of: count) - 1 - page) * length
    return (page == 0 ? 0 : end - length)..<end
  }

  /// The number in the address of a page: 0 for the first, 1 for the oldest.
  static func number(_ page: Int, of count: Int) -> Int { page == 0 ? 0 : pages(of: count) - page }

  /// Writes the way to the other pages, if there are any.
  ///
  /// - Parameter path: the path of a page by the number in its address.
  static func write(
    _ page: Int, of count: Int, from root: String, path: (Int) -> [UInt8], _ out: inout MarkupWriter
  ) {
    let pages = pages(of: count)
    guard pages > 1 else { return }
    out.add("<nav class=\"pages\" aria-label=\"Pages\">")
    for other in 0..<pages {
      if other == page {
        out.add("<span aria-current=\"page\">")
        out.add(number: other + 1)
        out.add("</span> ")
      } else {
        out.add("<a")
        out.attribute("href", root + SafeAddress.path(path(number(other, of: count))))
        out.add(">")
        out.add(number: other + 1)
        out.add("</a> ")
      }
    }
    out.add("</nav>\n")
  }
}

/// The tags of a site's notes, nested ones below their parents.
struct TagPages: Sendable {
  struct Tag: Sendable {
    /// The tag in the spelling of the newest note that has it, or as its children spell it.
    let name: String
    /// The notes that have it or a tag nested in it, newest first.
    let notes: [Int]
  }

  /// In alphabetical order.
  let tags: [Tag]
  /// The places of tags in `tags`, by the key of the tag above them.
  private let below: [String: [Int]]

  /// - Complexity: O(n log n) in the tags of all notes.
  init(_ notes: [SiteNote]) {
    var found: [(name: String, notes: [Int])] = []
    var places: [String: Int] = [:]
    // The places of each spelling and of the tags above it.
    var lineages: [String: [Int]] = [:]
    for number in notes.indices {
      for tag in notes[number].tags {
        if lineages[tag] == nil {
          lineages[tag] = TagName.lineage(of: tag).map { name in
            let key = TagName.key(name)
            if let place = places[key] { return place }
            places[key] = found.count
            found.append((name, []))
            return found.count - 1
          }
        }
        // Changed in its place: a copy of the notes each time would take quadratic time.
        for place in lineages[tag] ?? [] where found[place].notes.last != number {
          found[place].notes.append(number)
        }
      }
    }
    tags = found.map { (Collation.key($0.name), Tag(name: $0.name, notes: $0.notes)) }
      .sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
    below = Dictionary(grouping: tags.indices) { [tags] place in
      String(TagName.key(tags[place].name).reversed().drop { $0 != "/" }.dropFirst().reversed())
    }
  }

  /// The tags directly below one.
  func children(of tag: Tag) -> [Tag] { (below[TagName.key(tag.name)] ?? []).map { tags[$0] } }
}

/// The kinds of a site's notes, each with its records in the order that the kind declares.
struct KindPages: Sendable {
  struct Kind: Sendable {
    let name: String
    /// The records by their numbers.
    let notes: [Int]
  }

  /// Those of plain notes last, the others in the order of the schema.
  let kinds: [Kind]

  init(_ contents: SiteContents, in snapshot: BoxSnapshot) throws(SlipboxError) {
    let numbers = Dictionary(grouping: contents.notes.indices) { contents.notes[$0].kind }
    let declared = contents.schema.kinds.map(\.name)
    let order =
      declared.filter { $0 != "note" } + numbers.keys.filter { !declared.contains($0) }.sorted() + [
        "note"
      ]
    var kinds: [Kind] = []
    for name in order {
      guard let notes = numbers[name] else { continue }
      kinds.append(Kind(name: name, notes: try Self.ordered(notes, name, contents, snapshot)))
    }
    self.kinds = kinds
  }

  /// The records of a kind as a list of the kind has them.
  private static func ordered(
    _ notes: [Int], _ name: String, _ contents: SiteContents, _ snapshot: BoxSnapshot
  ) throws(SlipboxError) -> [Int] {
    // A list of one kind has the kind's own order; a name that no query can say keeps the newest first.
    guard contents.schema.kind(named: name)?.sort != nil,
      let query = try? snapshot.query(["kind:\"\(name)\""])
    else {
      return notes
    }
    let wanted = Set(notes)
    let ordered = try snapshot.matches(query).compactMap { contents.map.number(ofPlace: $0.place) }
    return ordered.filter(wanted.contains).count == notes.count
      ? ordered.filter(wanted.contains) : notes
  }
}
