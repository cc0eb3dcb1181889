package import NoteIndex
import Notes
import Platform
package import SlipboxCore
import Text

/// Notes as a site of plain files: a page a note, lists by tag and by kind, a search that needs no server, a feed.
///
/// Pages contain no facts of a note that is not exported beyond the text of exported ones. They contain no time of
/// the export, so that only pages of changed notes change.
package struct Site: Sendable {
  let settings: SiteSettings
  let contents: SiteContents
  let tags: TagPages
  let kinds: KindPages
  /// The places of the notes that the query selects and the site leaves out, with the reasons.
  let withheld: [Int: WithheldNote]
  let snapshot: BoxSnapshot
  private let web: NoteWeb
  private let anchors: SiteAnchors
  let frame: PageFrame
  let redirects: [Redirect]
  let previews: LinkPreviews
  let draft: SiteDraft
  var conditions: SiteConditions { draft.conditions }
  let feedEntries = FeedEntries()
  /// The withheld notes whose titles are in texts, once somebody has looked for them.
  let mentions = TitleMentions()

  /// Reads the notes of a site.
  ///
  /// - Parameters:
  ///   - notes: the notes that it has, in any order; those that are not to be published are left out.
  ///   - earlier: the site as its last export left it; nil makes all pages.
  /// - Complexity: O(n) in the texts of the notes and in all links; with an earlier site in the changed notes and those
  ///   beside them, and O(n) in the facts of all notes.
  package init(
    _ snapshot: BoxSnapshot, _ notes: [Match], _ settings: SiteSettings, _ rule: PublicationRule,
    since earlier: EarlierSite? = nil
  ) throws(SlipboxError) {
    try self.init(SiteDraft(snapshot, notes, settings, rule), since: earlier)
  }

  /// Reads the notes of a draft; those that are not to be published are left out.
  ///
  /// - Parameter earlier: the site as its last export left it; nil makes all pages.
  package init(_ draft: SiteDraft, since earlier: EarlierSite?) throws(SlipboxError) {
    let (snapshot, settings, rule) = (draft.snapshot, draft.settings, draft.rule)
    self.snapshot = snapshot
    self.settings = settings
    self.draft = draft
    let web = try NoteWeb(snapshot)
    self.web = web
    let (places, conditions) = (draft.places, draft.conditions)
    let read: (contents: SiteContents, withheld: [Int: WithheldNote]) = try snapshot.asking {
      (_) throws(SlipboxError) in
      if let earlier, let found = try Self.changed(places, snapshot, web, rule, conditions, earlier) {
        return found
      }
      return try Self.whole(places, snapshot, web, rule)
    }
    withheld = read.withheld
    let contents = read.contents
    self.contents = contents
    previews = LinkPreviews(contents.map.pages)
    tags = TagPages(contents.notes)
    kinds = try KindPages(contents, in: snapshot)
    anchors = SiteAnchors { [contents] in
      contents.text(ofPlace: $0)
    } shown: { [contents] place, anchors in
      contents.map.number(ofPlace: place).map { contents.shownAnchors(anchors, of: $0) } ?? anchors
    }
    redirects =
      if let known = contents.changes?.redirects(contents, tip: conditions.tip) { known } else {
        try contents.redirects(PastNames(contents, in: snapshot), in: snapshot)
      }
    frame = PageFrame(
      settings: settings, hasTags: !tags.tags.isEmpty, hasGraph: !contents.notes.isEmpty,
      previews: previews.count)
  }

  private static func whole(
    _ places: [Int], _ snapshot: BoxSnapshot, _ web: NoteWeb, _ rule: PublicationRule
  ) throws(SlipboxError) -> (SiteContents, [Int: WithheldNote]) {
    let reasons = try concurrentMap(throwing: places) { (place) throws(SlipboxError) in
      try rule.withheld(web.entries[place])
    }
    var withheld: [Int: WithheldNote] = [:]
    for (place, reason) in zip(places, reasons) { withheld[place] = reason }
    let shown = places.filter { withheld[$0] == nil }
    let blocks = try WithheldBlocks(snapshot, web.entries, shown: shown)
    return (try SiteContents(snapshot, web, shown, rule, blocks), withheld)
  }

  /// The contents after few changes; nil if all notes have to be read.
  private static func changed(
    _ places: [Int], _ snapshot: BoxSnapshot, _ web: NoteWeb, _ rule: PublicationRule,
    _ conditions: SiteConditions, _ earlier: EarlierSite
  ) throws(SlipboxError) -> (SiteContents, [Int: WithheldNote])? {
    guard let changes = try SiteChanges(earlier, web.entries, places, snapshot, rule),
      conditions.hold(earlier.record, shown: changes.places)
    else { return nil }
    let blocks = try WithheldBlocks(snapshot, web.entries, shown: changes.places)
    let contents = try SiteContents(snapshot, web, rule, blocks, changes, others: conditions.others)
    return contents.map { ($0, changes.withheld) }
  }

  /// How many notes it has.
  package var noteCount: Int { contents.notes.count }

  /// The number of notes that the query selects and the site leaves out, with the number of each reason and the unusual
  /// values of fields that gave it; nil if there are none.
  package var withheldLine: String? {
    guard !withheld.isEmpty else { return nil }
    let reasons = WithheldReason.allCases.compactMap { reason -> String? in
      let notes = withheld.values.filter { $0.reason == reason }
      guard !notes.isEmpty else { return nil }
      let written = Set(notes.compactMap(\.unusual)).sorted()
      let shown =
        written.prefix(Self.mostValues).map { Visible.escape($0) }
        + (written.count > Self.mostValues ? ["..."] : [])
      let words = reason.words(notes.count)
      return shown.isEmpty ? words : "\(words) (\(shown.joined(separator: ", ")))"
    }
    return "left out: \(Count.notes(withheld.count)): \(reasons.joined(separator: ", "))"
  }

  private static let mostValues = 3

  /// The files of the site.
  func pages() -> [SitePage] {
    var pages = [
      SitePage("index.html", .front), SitePage("site.css", .bytes(Array(SiteStyle.css.utf8))),
      SitePage("site.js", .bytes(Array((SiteScript.javaScript + PreviewScript.javaScript).utf8))),
      SitePage("feed.xml", .feed(nil)),
      // By this file GitHub leaves out the program that hides names which begin with an underscore.
      SitePage(".nojekyll", .bytes([])),
      SitePage("search/notes.js", .search),
    ]
    if let css = settings.css { pages.append(SitePage("theme.css", .bytes(css))) }
    if !tags.tags.isEmpty { pages.append(SitePage("tags.html", .tags)) }
    if frame.hasGraph {
      pages += [
        SitePage("graph.html", .graph), SitePage("changes.html", .changes),
        SitePage("404.html", .missing),
      ]
    }
    let count = contents.notes.count
    for page in 0..<PagedList.pages(of: count) {
      pages.append(
        SitePage(SiteNames.all(number: PagedList.number(page, of: count)), .notes(page: page)))
    }
    for tag in tags.tags {
      for page in 0..<PagedList.pages(of: tag.notes.count) {
        let number = PagedList.number(page, of: tag.notes.count)
        pages.append(SitePage(SiteNames.tag(tag.name, number: number), .tag(tag, page: page)))
      }
      if settings.address != nil {
        pages.append(SitePage(SiteNames.feed(ofTag: tag.name), .feed(tag)))
      }
    }
    for kind in kinds.kinds {
      for page in 0..<PagedList.pages(of: kind.notes.count) {
        let number = PagedList.number(page, of: kind.notes.count)
        pages.append(SitePage(SiteNames.kind(kind.name, number: number), .kind(kind, page: page)))
      }
    }
    pages += contents.map.files.values.map { SitePage($0.copy, .copy($0.path)) }
    pages += contents.words.names.enumerated().map {
      SitePage(WordFiles.path($0.element), .words($0.offset))
    }
    pages += (0..<previews.count).map { SitePage("search/preview-\($0).js", .previews($0)) }
    pages.append(SitePage("robots.txt", .bytes(robots())))
    // The pages of notes have paths of their own.
    pages = Self.withoutDoubles(pages + redirects.map { SitePage($0.path, .redirect($0.number)) })
    pages += contents.map.pages.indices.map { SitePage(contents.map.pages[$0], .note($0)) }
    if let sitemap = sitemap(pages) {
      pages.append(SitePage("sitemap.xml", .bytes(sitemap.bytes())))
      pages += (0..<sitemap.parts).map {
        SitePage(Sitemap.path($0), .bytes(sitemap.bytes(part: $0)))
      }
    }
    return pages
  }

  private func robots() -> [UInt8] {
    let map = settings.address.map { "Sitemap: \($0)sitemap.xml\n" } ?? ""
    return Array("User-agent: *\nAllow: /\n\(map)".utf8)
  }

  /// The sitemap; nil if the address of the site is unknown.
  private func sitemap(_ pages: [SitePage]) -> Sitemap? {
    guard let address = settings.address else { return nil }
    return Sitemap(
      address: address,
      pages: pages.compactMap { page in
        switch page.content {
        // The front page has the text of the home note.
        case .note(let number): number == contents.home ? nil : (page.path, contents.notes[number].modified)
        case .front, .tags, .notes, .tag, .kind: (page.path, nil)
        default: nil
        }
      })
  }

  /// Two tags or kinds whose names give one path share the page of the first. Paths that differ only in case are one on
  /// some systems.
  private static func withoutDoubles(_ pages: [SitePage]) -> [SitePage] {
    var seen: Set<String> = []
    return pages.filter { seen.insert(SiteNames.key($0.path)).inserted }
  }

  /// The bytes of a file.
  package func bytes(of page: SitePage) throws(SlipboxError) -> [UInt8] {
    let bytes = try snapshot.asking { (_) throws(SlipboxError) in try written(page) }
    if let failure = contents.failure { throw failure }
    return bytes
  }

  private func written(_ page: SitePage) throws(SlipboxError) -> [UInt8] {
    // Readers of feeds do not take relative addresses for those of the site.
    let root =
      switch page.content {
      case .feed: settings.address ?? SiteNames.root(from: page.path)
      // A host shows this page at any address.
      case .missing: settings.rootPath
      default: SiteNames.root(from: page.path)
      }
    let marks = NoteMarks(contents: contents, anchors: anchors, root: root)
    switch page.content {
    case .bytes(let bytes): return bytes
    case .search: return SearchNotes(contents: contents, aliases: aliases).bytes()
    case .words(let number): return contents.words.bytes(number)
    case .previews(let number): return previews.bytes(number, contents)
    case .copy(let path): return try copied(path)
    case .feed(let tag): return AtomFeed(site: self, marks: marks, tag: tag).bytes()
    case .redirect(let number):
      return frame.redirect(
        page.path, to: contents.map.pages[number], title: contents.notes[number].title)
    case .changes:
      return framed(page, titled("Recent changes")) {
        ListPages(site: self, marks: marks).writeChanges(&$0)
      }
    case .missing:
      var facts = PageFacts()
      facts.isMissing = true
      return frame.page(page.path, title: titled("Page not found"), facts, root: root) { out in
        out.add(
          "<h1>Page not found</h1>\n<p>This address has no page. The search and the list of notes may help.</p>\n"
        )
      }
    case .graph: return try graph()
    case .front:
      var facts = contents.home.map { PageFacts(contents, $0) } ?? PageFacts()
      (facts.created, facts.modified, facts.crumbs) = (nil, nil, [])
      return framed(page, settings.title, facts) { FrontPage(site: self, marks: marks).write(&$0) }
    case .notes(let part):
      return framed(page, titled("Notes")) {
        ListPages(site: self, marks: marks).writeAll(page: part, &$0)
      }
    case .tags:
      return framed(page, titled("Tags")) { ListPages(site: self, marks: marks).writeTags(&$0) }
    case .tag(let tag, let part):
      var facts = PageFacts()
      facts.crumbs = [("Tags", "tags.html")]
      for parent in TagName.lineage(of: tag.name).dropLast() {
        facts.crumbs.append(("#" + parent, contents.address(ofTag: parent)))
      }
      if settings.address != nil { facts.feed = SafeAddress.path(SiteNames.feed(ofTag: tag.name)) }
      return framed(page, titled("#\(tag.name)"), facts) {
        ListPages(site: self, marks: marks).write(tag, page: part, &$0)
      }
    case .kind(let kind, let part):
      let titles =
        contents.isTable(kind.name) ? try contents.titles() : RecordTitles(Entries([]), contents.schema)
      return framed(page, titled(kind.name)) {
        ListPages(site: self, marks: marks).write(kind, page: part, titles, &$0)
      }
    case .note(let number):
      var facts = PageFacts(contents, number)
      if number == contents.home { facts.canonical = Array("index.html".utf8) }
      return framed(page, titled(contents.notes[number].title), facts) { out in
        NotePage(contents: contents, marks: marks, number: number).write(&out)
      }
    }
  }

  private func framed(
    _ page: SitePage, _ title: String, _ facts: PageFacts = PageFacts(),
    _ body: (inout MarkupWriter) -> Void
  ) -> [UInt8] {
    frame.page(page.path, title: title, facts, body)
  }

  private func titled(_ text: String) -> String { "\(text) - \(settings.title)" }

  /// The aliases of notes that have a page, by numbers: others may be titles of hidden notes.
  private var aliases: [Int: [String]] {
    let named = Dictionary(grouping: redirects.filter { contents.notes[$0.number].hasAliases }, by: \.number)
    return named.reduce(into: [:]) { aliases, item in
      let pages = Set(item.value.map { SiteNames.key($0.path) })
      aliases[item.key] = contents.entry(item.key).note.listedAliases.filter { alias in
        PastNames.page(ofAlias: alias).map { pages.contains(SiteNames.key($0)) } ?? false
      }
    }
  }

  private func copied(_ path: [UInt8]) throws(SlipboxError) -> [UInt8] {
    guard let bytes = try snapshot.bytes(at: path) else {
      throw SlipboxError(
        .busy, "\(String(decoding: path, as: UTF8.self)) was deleted during the export",
        retry: "try again")
    }
    return FileMetadata.removed(from: bytes)
  }

  private func graph() throws(SlipboxError) -> [UInt8] {
    let map = contents.map
    // Links in comments and in hidden fields are no edges.
    var (last, linked) = (-1, Set<Int>())
    let graph = web.graph(of: map.places).filtered { place, other, field in
      guard let source = map.number(ofPlace: place), let target = map.number(ofPlace: other) else {
        return false
      }
      if let field { return contents.rule.shows(field, ofKind: contents.notes[source].kind) }
      if source != last {
        let links = contents.notes[source].leads.links.filter { $0.field == 0 && !$0.isAmbiguous }
        (last, linked) = (source, Set(links.map(\.number)))
      }
      return linked.contains(target)
    }
    let aliases = aliases
    let frame = GraphPage.Frame(home: "index.html") { place in
      let number = map.number(ofPlace: place) ?? 0
      let note = contents.notes[number]
      return GraphPage.Node(
        title: note.title, kind: note.kind, day: note.day, tags: note.tags, aliases: aliases[number] ?? [])
    }
    return GraphPage(graph, title: settings.title, frame) { place in
      map.number(ofPlace: place).map { SafeAddress.path(map.pages[$0]) }
    }.bytes()
  }
}

/// A file of a site: its path, and its content.
package struct SitePage: Sendable {
  enum Content: Sendable {
    case front
    case note(Int)
    /// All notes, a stretch of them to a page.
    case notes(page: Int)
    case tags
    case tag(TagPages.Tag, page: Int)
    case kind(KindPages.Kind, page: Int)
    case graph
    /// The feed of a tag, or of the site.
    case feed(TagPages.Tag?)
    case changes
    /// The page for addresses without one.
    case missing
    /// A page that leads to the page of a note.
    case redirect(Int)
    /// A file of the box, copied.
    case copy([UInt8])
    /// Bytes that are known.
    case bytes([UInt8])
    /// The notes of the search.
    case search
    /// A file of the search, by its number.
    case words(Int)
    /// A file of the previews of links, by its number.
    case previews(Int)
  }

  package let path: [UInt8]
  let content: Content

  init(_ path: [UInt8], _ content: Content) {
    self.path = path
    self.content = content
  }

  init(_ path: String, _ content: Content) { self.init(Array(path.utf8), content) }
}
