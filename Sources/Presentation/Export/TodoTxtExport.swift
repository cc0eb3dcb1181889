package import NoteIndex
package import SlipboxCore

/// Records as lines of todo.txt.
package struct TodoTxtExport {
  private let lines: [String]
  /// How many of the notes are no records that can be done.
  package let leftOut: Int

  /// Reads the records among some notes.
  package init(_ snapshot: BoxSnapshot, _ notes: [Match]) throws(SlipboxError) {
    let tasks = try TodoTxtLines(snapshot)
    lines = notes.compactMap { tasks.line(of: $0.entry) }
    leftOut = notes.count - lines.count
  }

  /// How many records there are.
  package var count: Int { lines.count }

  /// Writes a line for each record.
  package func write(to sink: ByteSink) {
    for line in lines { sink(Array("\(line)\n".utf8)) }
  }
}
