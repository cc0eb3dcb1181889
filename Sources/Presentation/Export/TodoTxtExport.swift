package import NoteIndex
import Notes
package import SlipboxCore

/// Records as lines of todo.txt.
package struct TodoTxtExport {
  private let lines: [String]
  /// How many of the notes are no records that can be done.
  package let leftOut: Int
  /// The titles of the records of which a line gives another title, priority, project or tag when it is read.
  package let inexact: [String]

  /// Reads the records among some notes.
  package init(_ snapshot: BoxSnapshot, _ notes: [Match]) throws(SlipboxError) {
    let tasks = try TodoTxtLines(snapshot)
    let found = notes.compactMap { match in tasks.line(of: match.entry).map { (match.entry.note.title, $0) } }
    lines = found.map(\.1.text)
    inexact = found.filter { !$0.1.isExact }.map(\.0)
    leftOut = notes.count - lines.count
  }

  /// How many records there are.
  package var count: Int { lines.count }

  /// Writes a line for each record.
  package func write(to sink: ByteSink) {
    for line in lines { sink(Array("\(line)\n".utf8)) }
  }
}
