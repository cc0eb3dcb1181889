import ArgumentParser
import Bytes
import NoteIndex
import Notes
import Platform
import Presentation
import SlipboxCore
import Text

/// Makes the site of a box, and writes it into a folder or commits it to a branch.
struct SiteExport {
  let export: Export
  let session: Session
  let snapshot: BoxSnapshot
  /// The programs that render markup. They cache their output for the next export.
  private let programs: MarkupPrograms
  /// Whether it is a later export of a preview, which repeats no counts.
  private let isRenewed: Bool
  /// The end of the preview that the site is for; nil for any other site.
  var end: PreviewEnd?

  /// - Throws: `.unavailable` if a wanted program is not installed.
  init(_ export: Export, _ session: Session, _ snapshot: BoxSnapshot) throws(SlipboxError) {
    self.export = export
    self.session = session
    self.snapshot = snapshot
    isRenewed = false
    programs =
      export.site.check
      ? MarkupPrograms() : try MarkupPrograms(code: export.site.highlight, session.context.reporter)
  }

  private init(_ other: SiteExport, _ session: Session, _ snapshot: BoxSnapshot) {
    (export, programs, end) = (other.export, other.programs, other.end)
    isRenewed = true
    self.session = session
    self.snapshot = snapshot
  }

  /// The same export of the box as it is later.
  func renewed(_ session: Session, _ snapshot: BoxSnapshot) -> SiteExport {
    SiteExport(self, session, snapshot)
  }

  func run(_ notes: [Match]) throws {
    if export.site.check { return try check(notes) }
    if let branch = export.site.commit { return try commit(notes, to: branch.text) }
    guard let path = try outputPath() else { return }
    let (result, count) = try write(notes, to: path)
    if export.json { return try session.console.print(bytes: ExportSummary.site(result, path, count: count)) }
    session.say(ExportSummary.line(result, count: count))
  }

  /// The folder that is to be written; nil if none is named.
  func outputPath() throws(SlipboxError) -> [UInt8]? {
    guard let output = export.output else { return nil }
    let typed = BytePath.join(session.context.workingDirectory, output.bytes)
    let path = BytePath.normalised(typed) ?? typed
    try OutputPath.refuseGitFolder(path)
    try refuseInBox(path)
    return path
  }

  /// Writes the site into a folder.
  ///
  /// - Returns: the written files, and the number of notes.
  func write(_ notes: [Match], to path: [UInt8]) throws -> (result: ExportResult, count: Int) {
    let isThere = ((try? Files.status(path)) ?? nil) != nil
    let known = isThere ? try ExportFolder(opening: path) : nil
    let cache = ExportCache(of: path, in: snapshot.box)
    let draft = try draft(of: notes)
    let record = isThere && export.past.asOf == nil ? cache.bytes().flatMap { SiteRecordFile($0) } : nil
    let areIntact = record?.areIntact(in: path)
    if let record, let areIntact, areIntact.allSatisfy({ $0 }), let lines = record.report.lines,
      record.report.list != 0, known?.listSum == record.report.list, end == nil, !export.site.strict,
      try draft.isSame(as: record)
    {
      for line in lines { session.say(line) }
      return (ExportResult(unchanged: record.report.fileCount), record.report.noteCount)
    }
    let (site, lines) = try site(draft, since: earlier(in: path, record, areIntact))
    // A preview of an empty box waits for its first note.
    let mayBeEmpty = end != nil && export.query.isEmpty && site.withheldLine == nil
    if !mayBeEmpty || ExportFolder.isExport(path) {
      try refuseEmpty(site, kept: isThere ? Visible.escape(path) : nil)
    }
    let plan = try site.plan()
    let fill = {
      try (known ?? ExportFolder(opening: path)).fill(with: plan.files) { done in
        session.context.reporter.report(.writing, done, of: plan.pages.count)
      }
    }
    let result = try end?.writing(fill) ?? fill()
    let report = SiteReport(
      lines: lines, list: result.stamps.contains(nil) ? 0 : result.listSum, noteCount: site.noteCount,
      fileCount: plan.pages.count)
    if !site.isRecorded(plan, result.stamps, report) {
      keep(site.record(plan, result.stamps, report), in: cache)
    }
    return (result, site.noteCount)
  }

  /// The site as the last export left it in a folder; nil if that is not known.
  private func earlier(
    in path: [UInt8], _ record: SiteRecordFile?, _ areIntact: [Bool]?
  ) -> EarlierSite? {
    guard let areIntact, let record, record.commit.isEmpty, !export.site.strict else { return nil }
    return record.record().map { record in
      EarlierSite(record, areIntact: areIntact) { try? Files.read(BytePath.join(path, $0)) }
    }
  }

  private func keep(_ record: SiteRecordBytes?, in cache: ExportCache) {
    if let record, export.past.asOf == nil { cache.write(record) } else { cache.remove() }
  }

  private func commit(_ notes: [Match], to branch: String) throws {
    let target = try ExportBranch(branch, of: snapshot.box)
    let cache = ExportCache(of: Array("refs/heads/\(branch)".utf8), in: snapshot.box)
    let draft = try draft(of: notes)
    var record: SiteRecordFile?
    if export.past.asOf == nil, !target.commit.isEmpty, !export.site.strict {
      record = cache.bytes().flatMap { SiteRecordFile($0) }.flatMap { $0.commit == target.commit ? $0 : nil }
    }
    if let record, let lines = record.report.lines, try draft.isSame(as: record) {
      for line in lines { session.say(line) }
      let result = ExportResult(unchanged: record.report.fileCount)
      return try tell(result, branch, commit: nil, count: record.report.noteCount)
    }
    let earlier = record?.record().map { record in
      EarlierSite(record) { _, _ in
        true
      } bytes: {
        target.bytes(at: $0)
      }
    }
    let (site, lines) = try site(draft, since: earlier)
    try refuseEmpty(site, kept: Visible.escape(branch))
    let plan = try site.plan()
    let (result, commit) = try target.commit(
      plan.files, message: "Publish \(Count.notes(site.noteCount))", at: session.context.clock.now
    ) { done in
      session.context.reporter.report(.writing, done, of: plan.pages.count)
    }
    let inCommit = [FileStamp?](
      repeating: FileStamp(size: 0, modified: 0, changed: 0, inode: 0), count: plan.pages.count)
    let report = SiteReport(lines: lines, noteCount: site.noteCount, fileCount: plan.pages.count)
    keep(site.record(plan, inCommit, commit: commit ?? target.commit, report), in: cache)
    try tell(result, branch, commit: commit, count: site.noteCount)
  }

  /// - Parameter commit: the new commit; nil if the branch has the site already.
  private func tell(_ result: ExportResult, _ branch: String, commit: String?, count: Int) throws {
    if export.json {
      return try session.console.print(
        bytes: ExportSummary.site(result, branch: branch, commit, count: count))
    }
    session.say(ExportSummary.line(result, count: count))
    session.say(
      commit.map { "\(Visible.escape(branch)) is at \($0.prefix(8))" }
        ?? "\(Visible.escape(branch)) has this site already")
  }

  // MARK: Refusals

  /// Refuses a site without notes: a typing error in a query empties no site.
  private func refuseEmpty(_ site: Site, kept name: String?) throws(SlipboxError) {
    guard site.noteCount == 0 else { return }
    throw SlipboxError(
      .cannotCreate, "no notes to write; \(name.map { "\($0) was left as it is" } ?? "nothing was written")",
      hints: name == nil || export.site.commit != nil ? [] : ["to replace it, remove it first"])
  }

  /// Refuses a folder of the box whose files would be part of it.
  private func refuseInBox(_ path: [UInt8]) throws(SlipboxError) {
    guard let inside = OutputPath.inBox(path, snapshot.box), !inside.isEmpty, !ExportFolder.isExport(path)
    else { return }
    let now = export.past.asOf == nil ? snapshot : try session.openBox()
    let page = BytePath.join(inside, Array("index.html".utf8))
    if try !LinkedFiles(in: now).ignored(among: [page]).isEmpty { return }
    let name = Visible.escape(inside)
    throw SlipboxError(
      .cannotCreate, "\(name) is in the box; nothing was written",
      hints: ["use a folder outside of the box, such as ../site, or add \(name)/ to .gitignore"])
  }

  // MARK: The site

  /// The site before its notes are read.
  private func draft(of notes: [Match]) throws -> SiteDraft {
    let name = BytePath.name(of: snapshot.box.root)
    let declared = snapshot.settings
    for name in ["publish.title", "publish.url", "publish.author"] {
      try declared.refuseBad(name, in: snapshot.box)
    }
    // A preview is at another address.
    let address = export.site.serve ? nil : declared["publish.url"]
    let settings = SiteSettings(
      title: export.site.title?.text ?? declared["publish.title"] ?? String(decoding: name, as: UTF8.self),
      address: export.site.url?.text ?? address,
      author: export.site.author?.text ?? declared["publish.author"],
      css: try file(export.site.css), template: try template(), programs: programs)
    let rule = try PublicationRule(snapshot, includesDrafts: export.site.drafts)
    return try SiteDraft(snapshot, notes, settings, rule, skipsEmbeds: export.site.skip)
  }

  /// Reads the notes of the site.
  ///
  /// - Returns: the site, and the lines that were said of it; nil if they may be others for the same site.
  /// - Throws: `.badData` if a note embeds a withheld one, or, with `--strict`, names one in a field.
  private func site(
    _ draft: SiteDraft, since earlier: EarlierSite?
  ) throws -> (site: Site, lines: [String]?) {
    let site = try Site(draft, since: earlier)
    var lines: [String]? = isRenewed ? nil : []
    if !isRenewed {
      if let line = site.withheldLine {
        session.say(line)
        lines?.append(line)
      }
      for line in try site.cloneLines() {
        session.say(line)
        lines?.append(line)
      }
      for line in [try site.embedsLine(), try site.conflictsLine()].compactMap({ $0 }) {
        session.say(line)
        lines = nil
      }
    }
    try sayHiddenNow(site)
    if export.site.check { return (site, nil) }
    let problems = try site.problems(embeds: !export.site.skip, fields: export.site.strict)
    guard let first = problems.first else {
      if !isRenewed, let line = try site.titlesLine() {
        session.say(line)
        lines?.append(line)
      }
      return (site, lines)
    }
    let others = problems.dropFirst().prefix(9).map(\.message)
    let more = problems.count > 10 ? ["and \(problems.count - 10) more"] : []
    let skip =
      problems.contains(where: \.isEmbed)
      ? ["\(OptionName.skip.typed) leaves such embeds out of the pages"] : []
    throw SlipboxError(
      .badData, "\(first.message); nothing was written", lines: others + more + skip)
  }

  /// Says how many notes of a site of the past would be left out today.
  private func sayHiddenNow(_ site: Site) throws {
    guard export.past.asOf != nil else { return }
    let now = try session.openBox()
    let rule = try PublicationRule(now, includesDrafts: export.site.drafts)
    if let line = try site.hiddenNowLine(now, rule) { session.say(line) }
  }

  private static let longestFile = 1 << 20

  /// The bytes of a file that an option names.
  private func file(_ name: Word?) throws(SlipboxError) -> [UInt8]? {
    guard let name else { return nil }
    do throws(SystemError) {
      let path = BytePath.join(session.context.workingDirectory, name.bytes)
      return try Files.read(path, limit: Self.longestFile)
    } catch {
      throw SlipboxError(.notFound, "\(Visible.escape(name.bytes)) can't be read: \(error.reason)")
    }
  }

  private func template() throws(SlipboxError) -> SiteTemplate? {
    guard let name = export.site.template, let bytes = try file(name) else { return nil }
    return try SiteTemplate(bytes, name: Visible.escape(name.bytes))
  }

  /// Lists the words by which readers of the site learn of notes that are not on it.
  private func check(_ notes: [Match]) throws {
    let site = try site(draft(of: notes), since: nil).site
    let exposures = try site.exposures()
    let rows = ExposureRows(site, exposures)
    if export.json {
      try session.console.print(bytes: rows.json())
    } else if session.display.isTerminal {
      try session.page(rows.table(session.display))
    } else {
      for row in rows.rows() { session.console.write(Array(row.utf8) + [UInt8(ascii: "\n")]) }
      try session.console.flush()
    }
    guard exposures.isEmpty else { throw EarlyExit(code: SlipboxError.Kind.badData.exitCode) }
    session.say("checked \(Count.notes(site.noteCount)): no words about notes that are not on the site")
  }
}

/// The options of `slip export html`.
struct SiteOptions: ParsableArguments {
  @Option(
    name: .option(.title), parsing: .unconditional,
    help: ArgumentHelp(
      "The title of the site; by default the setting publish.title, else the name of the box's folder.",
      valueName: "text"))
  var title: Word?

  @Option(
    name: .option(.url), parsing: .unconditional,
    help: ArgumentHelp(
      "The address of the site, for feeds, sitemap and canonical links: https://...; by default publish.url.",
      valueName: "address"))
  var url: Word?

  @Option(
    name: .option(.author), parsing: .unconditional,
    help: ArgumentHelp("The author of the site, for its feed; by default publish.author.", valueName: "name"))
  var author: Word?

  @Option(
    name: .option(.css), parsing: .unconditional,
    help: ArgumentHelp("A style sheet to load after that of the site.", valueName: "file"))
  var css: Word?

  @Option(
    name: .option(.template), parsing: .unconditional,
    help: ArgumentHelp("The HTML around the pages, with {{head}} and {{content}}.", valueName: "file"))
  var template: Word?

  @Flag(name: .option(.drafts), help: "Include drafts.")
  var drafts = false

  @Flag(name: .option(.skip), help: "Leave out embeds of private notes.")
  var skip = false

  @Flag(name: .option(.strict), help: "Refuse fields that name a note which is not on the site.")
  var strict = false

  @Flag(
    name: .option(.check),
    help: "List the words about notes that are not on the site, and write nothing.")
  var check = false

  @Flag(name: .option(.highlight), help: "Highlight code, with Pygments.")
  var highlight = false

  @Flag(name: .option(.serve), help: "Show the site at 127.0.0.1 until Ctrl-C; pages follow the box.")
  var serve = false

  @Option(
    name: .option(.port), parsing: .unconditional,
    help: ArgumentHelp("The port of the preview; by default any free port.", valueName: "n"))
  var port: Int?

  @Flag(name: .option(.noOpen), help: "Don't open a browser.")
  var noOpen = false

  @Option(
    name: .option(.commit), parsing: .unconditional,
    help: ArgumentHelp("Commit the site to a branch, such as gh-pages.", valueName: "branch"))
  var commit: Word?

  /// The first option that is set; nil if none is.
  var first: OptionName? {
    let set: [(OptionName, Bool)] = [
      (.title, title != nil), (.url, url != nil), (.author, author != nil),
      (.css, css != nil), (.template, template != nil), (.drafts, drafts), (.skip, skip),
      (.strict, strict), (.check, check), (.highlight, highlight), (.serve, serve), (.port, port != nil),
      (.noOpen, noOpen), (.commit, commit != nil),
    ]
    return set.first(where: \.1)?.0
  }

  func validate() throws {
    guard (1...65_535).contains(port ?? 1) else {
      throw ValidationError("\(OptionName.port.typed) takes a number from 1 to 65535.")
    }
    if !serve, let option = [(OptionName.port, port != nil), (.noOpen, noOpen)].first(where: \.1)?.0 {
      throw ValidationError("\(option.typed) needs \(OptionName.serve.typed).")
    }
    let ways = [(OptionName.serve, serve), (.commit, commit != nil), (.check, check)].filter(\.1).map(
      \.0.typed)
    guard ways.count < 2 else { throw ValidationError("\(ways[0]) and \(ways[1]) can't be combined.") }
    if commit?.text.isEmpty == true { throw ValidationError("\(OptionName.commit.typed) takes a branch.") }
    if let url, !Settings.isWebAddress(url.text) {
      throw ValidationError("\(OptionName.url.typed) takes an address such as https://example.org/notes/.")
    }
  }
}
