import Bytes
import NoteIndex
import Notes
import Platform
import Presentation
import SlipboxCore
import Text

/// Writes exported notes to where its options say.
struct ExportOutput {
  let export: Export
  let session: Session
  let snapshot: BoxSnapshot
  /// The kind that the query names.
  let kind: String?

  func write(_ notes: [Match]) throws {
    guard let output = export.output, output.text != "-" else {
      // JSON and CSV escape control characters themselves.
      let isRaw = [.markdown, .todotxt, .ical].contains(export.format) && session.console.outputIsTerminal
      _ = try write(notes, isFile: false) { bytes in
        if isRaw {
          session.console.write(Visible.escape(bytes, keepingLines: true))
        } else {
          session.console.write(bytes)
        }
      }
      return try session.console.flush()
    }
    let typed = BytePath.join(session.context.workingDirectory, output.bytes)
    let path = BytePath.normalised(typed) ?? typed
    try OutputPath.refuseGitFolder(path)
    if export.format == .html { return try writeSite(notes, to: path) }
    try refuseFileOfBox(path)
    // A query that matches nothing, for example because of a typing error, empties no file.
    if notes.isEmpty, ((try? Files.status(path)) ?? nil)?.size ?? 0 > 0 {
      throw SlipboxError(
        .cannotCreate, "no notes to write; \(Visible.escape(output.bytes)) was left as it is",
        hints: ["to replace it, remove it first"])
    }
    try writeFile(notes, to: path)
  }

  // MARK: One file

  private func writeFile(_ notes: [Match], to path: [UInt8]) throws {
    let file = try call { () throws(SystemError) in try StreamedFile(path) }
    let count = try write(notes, isFile: true) { file.write($0) }
    try snapshot.refuseUnreadTexts()
    try call { () throws(SystemError) in try file.finish() }
    sayIfInBox(path)
    if export.json {
      return try session.console.print(bytes: ExportSummary.file(export.format.rawValue, path, count: count))
    }
    session.say("\(Count.notes(count)) written to \(Visible.escape(export.output?.bytes ?? []))")
  }

  private func call<Result>(_ body: () throws(SystemError) -> Result) throws(SlipboxError) -> Result {
    do throws(SystemError) {
      return try body()
    } catch {
      let name = Visible.escape(export.output?.bytes ?? [])
      throw SlipboxError(.cannotCreate, "\(name) can't be written: \(error.reason)")
    }
  }

  /// Writes the notes in the form that was asked for, and returns how many there are.
  private func write(_ notes: [Match], isFile: Bool, to sink: ByteSink) throws -> Int {
    switch export.format {
    case .json: return try writeList(notes, .json, isFile, sink)
    case .jsonl: return try writeList(notes, .jsonLines, isFile, sink)
    case .csv: return try writeList(notes, .csv, isFile, sink)
    case .markdown:
      try MarkdownExport(snapshot, notes).write(to: sink)
      return notes.count
    case .taskwarrior:
      let tasks = try TaskwarriorExport(snapshot, notes)
      sayLeftOut(tasks.leftOut, "no tasks or similar records")
      tasks.write(to: sink)
      return tasks.count
    case .todotxt:
      let tasks = try TodoTxtExport(snapshot, notes)
      sayLeftOut(tasks.leftOut, "no tasks or similar records")
      tasks.write(to: sink)
      return tasks.count
    case .ical:
      let field = export.date?.text ?? "due"
      let calendar = CalendarExport(snapshot, notes, field: field)
      sayLeftOut(calendar.leftOut, "without a date in \(Visible.escape(field))")
      calendar.write(to: sink)
      return calendar.count
    // Its folder is asked for before.
    case .html: return 0
    }
  }

  private func writeList(_ notes: [Match], _ form: ListForm, _ isFile: Bool, _ sink: ByteSink) throws -> Int {
    let presenter = NotePresenter(snapshot, json: export.schema.schema)
    let display = isFile ? Display(style: .plain, width: nil) : session.display
    let list = NoteList(presenter, form, parts: [.body], display: display)
    try list.write(notes, kind: kind.flatMap { presenter.schema.kind(named: $0) }, to: sink)
    return notes.count
  }

  private func sayLeftOut(_ count: Int, _ reason: String) {
    if count > 0 { session.say("left out: \(Count.notes(count)), \(reason)") }
  }

  // MARK: A site

  /// Reads the notes of the site.
  ///
  /// - Throws: `.badData` if a note embeds a withheld one, or, with `--strict`, names one in a field.
  private func site(of notes: [Match]) throws -> Site {
    let name = BytePath.name(of: snapshot.box.root)
    let settings = SiteSettings(
      title: export.site.title?.text ?? String(decoding: name, as: UTF8.self),
      address: export.site.url?.text, author: export.site.author?.text, css: try file(export.site.css),
      template: try template())
    let rule = try PublicationRule(snapshot, includesDrafts: export.site.drafts)
    let site = try Site(snapshot, notes, settings, rule)
    let counts = site.withheldCounts
    if !counts.isEmpty {
      let total = counts.reduce(0) { $0 + $1.count }
      let reasons = counts.map { $0.reason.words($0.count) }.joined(separator: ", ")
      session.say("left out: \(Count.notes(total)): \(reasons)")
    }
    if export.site.check { return site }
    let problems = site.problems(embeds: !export.site.skip, fields: export.site.strict)
    guard let first = problems.first else { return site }
    let others = problems.dropFirst().prefix(9).map(\.message)
    let more = problems.count > 10 ? ["and \(problems.count - 10) more"] : []
    let skip =
      problems.contains(where: \.isEmbed)
      ? ["\(OptionName.skip.typed) leaves such embeds out of the pages"] : []
    throw SlipboxError(
      .badData, "\(first.message); nothing was written", hints: others + more + skip)
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

  /// Lists what readers of the site see of notes that are not on it.
  func check(_ notes: [Match]) throws {
    let site = try site(of: notes)
    let exposures = site.exposures()
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
    session.say("\(Count.notes(site.noteCount)): no words about notes that are not on the site")
  }

  private func writeSite(_ notes: [Match], to path: [UInt8]) throws {
    let site = try site(of: notes)
    let folder = try ExportFolder(opening: path)
    // A query that matches nothing, for example because of a typing error, empties no site.
    if notes.isEmpty, folder.holdsExport {
      throw SlipboxError(
        .cannotCreate, "no notes to write; \(Visible.escape(path)) was left as it is",
        hints: ["to replace it, remove it first"])
    }
    sayIfInBox(path)
    let pages = site.pages()
    let files = ExportedFiles(pages.map(\.path)) { number throws(SlipboxError) in
      try site.bytes(of: pages[number])
    }
    let result = try folder.fill(with: files) { done in
      session.context.reporter.report(.writing, done, of: pages.count)
    }
    if export.json {
      return try session.console.print(bytes: ExportSummary.site(result, path, count: site.noteCount))
    }
    session.say(ExportSummary.line(result, count: site.noteCount))
  }

  // MARK: The box

  /// Where a path leads inside of the box; nil where it does not.
  private func pathInBox(_ path: [UInt8]) -> [UInt8]? {
    let folder = Files.realPath(BytePath.folder(of: path)) ?? BytePath.folder(of: path)
    let real = Files.realPath(path) ?? BytePath.join(folder, BytePath.name(of: path))
    let root = Files.realPath(snapshot.box.root) ?? snapshot.box.root
    return BytePath.relative(real, to: root)
  }

  /// An export never replaces a file that belongs to the box.
  private func refuseFileOfBox(_ path: [UInt8]) throws(SlipboxError) {
    guard let inside = pathInBox(path), snapshot.box.isThere(inside) else { return }
    let now = export.past.asOf == nil ? snapshot : try session.openBox()
    var isPart = FileName.isNote(inside)
    if !isPart { isPart = try now.committedFiles().isTracked(inside) }
    guard isPart else { return }
    throw SlipboxError(
      .cannotCreate, "\(Visible.escape(inside)) is part of the box; nothing was written",
      hints: ["use another name, or a folder outside the box"])
  }

  /// Says so where pages, or a new note, come to stand in the box.
  private func sayIfInBox(_ path: [UInt8]) {
    let isNote = export.format == .markdown && FileName.isNote(path)
    guard isNote || export.format == .html, let inside = pathInBox(path), !inside.isEmpty,
      !inside.split(separator: UInt8(ascii: "/")).contains(where: { $0.first == UInt8(ascii: ".") })
    else { return }
    session.say(
      isNote
        ? "\(Visible.escape(inside)) is in the box and becomes a note"
        : "\(Visible.escape(inside)) is in the box; use a folder outside the box, or add it to .gitignore"
    )
  }
}
