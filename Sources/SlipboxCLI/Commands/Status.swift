import ArgumentParser
import Git
import Notes
import Rendering
import SlipboxCore
import Text

struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "What is not committed, and how the branch stands to its remote.",
    discussion: """
      Examples:
        slip status
        slip status --json
      """)

  @Flag(name: .long, help: "As JSON.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let session = Session(global)
    let box = try session.openBox()
    let status = try box.status()
    if json {
      try printJSON(status, box)
    } else {
      for line in lines(status, session.style) { Console.write(line + "\n") }
      try Console.flush()
    }
  }

  private func lines(_ status: BoxStatus, _ style: Style) -> [String] {
    var lines: [String] = []
    let branch = status.branch.map { "on \(Visible.escape($0))" } ?? "HEAD is detached"
    lines.append("\(Count.notes(status.noteCount)), \(branch)\(follows(status.upstream))")
    if let operation = status.operation { lines.append(style.yellow("a \(operation.rawValue) is under way")) }
    for change in status.changes {
      let title = change.note.map { "  " + Visible.escape($0.title) } ?? ""
      let mark = CellWidth.pad(change.difference.rawValue, to: 10)
      lines.append("  \(style.yellow(mark)) \(Visible.escape(change.path))\(style.dim(title))")
    }
    for path in status.settingsFiles {
      lines.append("  \(style.yellow(CellWidth.pad("settings", to: 10))) \(Visible.escape(path))")
    }
    for path in status.linkedFiles {
      lines.append("  \(style.yellow(CellWidth.pad("linked", to: 10))) \(Visible.escape(path))")
    }
    for (path, reason) in status.unreadable {
      lines.append(
        "  \(style.red(CellWidth.pad("unreadable", to: 10))) \(Visible.escape(path)): \(Visible.escape(reason))"
      )
    }
    if status.changes.isEmpty && status.settingsFiles.isEmpty && status.linkedFiles.isEmpty {
      lines.append("everything is committed")
    } else {
      lines.append("slip commit commits this")
    }
    if status.otherFileCount > 0 {
      let files = status.otherFileCount == 1 ? "1 other file is" : "\(status.otherFileCount) other files are"
      lines.append("\(files) left to git")
    }
    return lines
  }

  private func follows(_ upstream: Repository.Upstream?) -> String {
    guard let upstream else { return "" }
    let name = Visible.escape(upstream.name)
    switch (upstream.ahead, upstream.behind) {
    case (0, 0): return ", level with \(name)"
    case (let ahead, 0): return ", \(ahead) ahead of \(name)"
    case (0, let behind): return ", \(behind) behind \(name)"
    case (let ahead, let behind): return ", \(ahead) ahead of and \(behind) behind \(name)"
    }
  }

  private func printJSON(_ status: BoxStatus, _ box: Slipbox) throws {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("schema")
    writer.integer(NoteJSON.schema)
    writer.key("notes")
    writer.integer(status.noteCount)
    if let branch = status.branch {
      writer.key("branch")
      writer.string(branch)
    }
    if let upstream = status.upstream {
      writer.key("upstream")
      writer.string(upstream.name)
      writer.key("ahead")
      writer.integer(upstream.ahead)
      writer.key("behind")
      writer.integer(upstream.behind)
    }
    if let operation = status.operation {
      writer.key("operation")
      writer.string(operation.rawValue)
    }
    writer.key("changes")
    writer.beginArray()
    for change in status.changes {
      writer.beginObject()
      writer.key("path")
      writer.string(bytes: change.path)
      writer.key("state")
      writer.string(change.difference.rawValue)
      writer.endObject()
    }
    writer.endArray()
    writer.key("settingsFiles")
    writer.beginArray()
    for path in status.settingsFiles { writer.string(bytes: path) }
    writer.endArray()
    writer.key("linkedFiles")
    writer.beginArray()
    for path in status.linkedFiles { writer.string(bytes: path) }
    writer.endArray()
    writer.key("otherFiles")
    writer.integer(status.otherFileCount)
    writer.endObject()
    Console.write(writer.takeBytes())
    try Console.print("\n")
  }
}
