import Rendering
import SlipboxCore
import Text

/// Writes tags with their numbers: a table on a terminal, rows with tabs in a pipe, or JSON.
struct TagOutput {
  let session: Session
  let isJSON: Bool

  func write(list tags: [TagCount]) throws {
    if isJSON { return try writeJSON(tags) { tag, writer in Self.write(tag, to: &writer) } }
    if tags.isEmpty { return sayThatThereAreNone() }
    try writeRows(tags.map { (label: $0.name, tag: $0) })
  }

  func write(tree branches: [TagBranch]) throws {
    if isJSON { return try writeJSON(branches, Self.write) }
    if branches.isEmpty { return sayThatThereAreNone() }
    var rows: [(label: String, tag: TagCount)] = []
    Self.collect(branches, depth: 0, into: &rows)
    try writeRows(rows)
  }

  func write(missing tags: [TagCount]) throws {
    if isJSON { return try writeJSON(tags) { tag, writer in Self.write(tag, to: &writer) } }
    if tags.isEmpty { session.say("it bears every tag") }
    for tag in tags { Console.write(Visible.escape(tag.name) + "\n") }
    try Console.flush()
  }

  private func sayThatThereAreNone() {
    session.say(
      "no tags yet; give a note the first with: slip set REF +tag, or keep one with: slip tags declare NAME")
  }

  /// In a pipe every row has the whole name, so that each line means the same by itself.
  private func writeRows(_ rows: [(label: String, tag: TagCount)]) throws {
    guard let width = session.width else {
      for row in rows {
        Console.write("\(Visible.escape(row.tag.name))\t\(row.tag.active)\t\(row.tag.all)\n")
      }
      return try Console.flush()
    }
    let style = session.style
    var table = Table(
      columns: [
        .init(isFlexible: true, minimumWidth: 10), .init(alignment: .trailing, paint: style.bold),
        .init(alignment: .trailing),
      ], style: style, width: width)
    table.add(["TAG", "ACTIVE", "ALL"])
    for row in rows { table.add([row.label, String(row.tag.active), String(row.tag.all)]) }
    try Pager.show(table.lines(), session)
    try Console.flush()
  }

  private static func collect(
    _ branches: [TagBranch], depth: Int, into rows: inout [(label: String, tag: TagCount)]
  ) {
    for branch in branches {
      rows.append((String(repeating: "  ", count: depth) + branch.label, branch.tag))
      collect(branch.children, depth: depth + 1, into: &rows)
    }
  }

  private func writeJSON<T>(_ elements: [T], _ write: (T, inout JSONWriter) -> Void) throws {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("schema")
    writer.integer(NoteJSON.schema)
    writer.key("tags")
    writer.beginArray()
    for element in elements { write(element, &writer) }
    writer.endArray()
    writer.endObject()
    Console.write(writer.takeBytes())
    try Console.print("\n")
  }

  private static func write(_ tag: TagCount, to writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(of: tag, to: &writer)
    writer.endObject()
  }

  private static func write(_ branch: TagBranch, to writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(of: branch.tag, to: &writer)
    if !branch.children.isEmpty {
      writer.key("children")
      writer.beginArray()
      for child in branch.children { write(child, to: &writer) }
      writer.endArray()
    }
    writer.endObject()
  }

  private static func writeMembers(of tag: TagCount, to writer: inout JSONWriter) {
    writer.key("tag")
    writer.string(tag.name)
    writer.key("active")
    writer.integer(tag.active)
    writer.key("all")
    writer.integer(tag.all)
    if tag.isDeclared {
      writer.key("declared")
      writer.boolean(true)
    }
  }
}
