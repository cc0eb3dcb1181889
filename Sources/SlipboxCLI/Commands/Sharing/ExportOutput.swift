import Bytes
import NoteIndex
import Notes
import Platform
import Presentation
import SlipboxCore
import Text

/// Writes exported notes to the target of its options.
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

  /// Writes the notes in the requested format, and returns their number.
  private func write(_ notes: [Match], isFile: Bool, to sink: ByteOutput) throws -> Int {
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
      try tasks.write(to: sink)
      return tasks.count
    case .todotxt:
      let tasks = try TodoTxtExport(snapshot, notes)
      sayLeftOut(tasks.leftOut, "no tasks or similar records")
      if let first = tasks.inexact.first {
        let more = tasks.inexact.count > 1 ? " and \(tasks.inexact.count - 1) more" : ""
        session.say(
          "todo.txt reads parts of titles as projects, tags or a priority: \(Visible.escape(first))\(more)"
        )
      }
      try tasks.write(to: sink)
      return tasks.count
    case .ical:
      let field = export.date?.text ?? "due"
      let calendar = CalendarExport(snapshot, notes, fields: [field])
      sayLeftOut(calendar.leftOut, "without a date in \(Visible.escape(field))")
      try calendar.write(to: sink)
      return calendar.count
    // A site is written by `SiteExport`.
    case .html: return 0
    }
  }

  private func writeList(_ notes: [Match], _ form: ListForm, _ isFile: Bool, _ sink: ByteOutput) throws -> Int
  {
    let presenter = NotePresenter(snapshot, json: export.schema.schema)
    let display = isFile ? Display(style: .plain, width: nil) : session.display
    let list = NoteList(presenter, form, parts: [.body], display: display)
    try list.write(notes, kind: kind.flatMap { presenter.schema.kind(named: $0) }, to: sink)
    return notes.count
  }

  private func sayLeftOut(_ count: Int, _ reason: String) {
    if count > 0 { session.say("left out: \(Count.notes(count)), \(reason)") }
  }

  // MARK: The box

  /// An export never replaces a file that belongs to the box.
  private func refuseFileOfBox(_ path: [UInt8]) throws(SlipboxError) {
    guard let inside = OutputPath.inBox(path, snapshot.box), snapshot.box.isThere(inside) else { return }
    let now = export.past.asOf == nil ? snapshot : try session.openBox()
    var isPart = FileName.isNote(inside)
    if !isPart { isPart = try now.committedFiles().isTracked(inside) }
    guard isPart else { return }
    throw SlipboxError(
      .cannotCreate, "\(Visible.escape(inside)) is part of the box; nothing was written",
      hints: ["use another name, or a folder outside the box"])
  }

  /// Says so if a text becomes a note of the box.
  private func sayIfInBox(_ path: [UInt8]) {
    guard export.format == .markdown, FileName.isNote(path),
      let inside = OutputPath.inBox(path, snapshot.box),
      !OutputPath.isHidden(inside)
    else { return }
    session.say("\(Visible.escape(inside)) is in the box and becomes a note")
  }
}
