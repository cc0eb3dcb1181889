import Git
import Notes
package import SlipboxCore
import Text

extension HistoryEntry {
  /// The commit on one line: on a terminal short id, minute, subject and author; elsewhere whole id, time, subject and
  /// author with tabs between them.
  package func line(_ display: Display) -> String {
    let (time, style) = (operation.time, display.style)
    let (subject, author) = (Visible.escape(commit.subject), Visible.escape(commit.author.name))
    guard display.isTerminal else {
      let cells = [style.bold(commit.id.hex), style.dim(time.rfc3339), subject, style.dim(author)]
      return cells.map { $0.split(separator: "\t", omittingEmptySubsequences: false).joined(separator: " ") }
        .joined(separator: "\t")
    }
    let day = time.civilDate.description + " " + String(time.rfc3339.dropFirst(11).prefix(5))
    return
      "\(style.bold(String(commit.id.hex.prefix(8)))) \(style.dim(day)) \(subject) \(style.dim(author))"
  }
}
