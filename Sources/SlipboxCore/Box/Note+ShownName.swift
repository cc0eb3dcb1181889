import Bytes
package import Notes
import Text

extension Note {
  /// The name of the note in messages: its id, else its path, safe to show.
  package var shownName: String {
    if path.isEmpty { return "the new note" }
    return id?.description ?? Visible.escape(path)
  }

  /// The name of the note as programs get it: its id, else its path as it is.
  package var name: [UInt8] { id.map { Array($0.description.utf8) } ?? path }

  /// The name of the note as it is typed in a shell: its id, else its path, quoted where that is needed.
  package var shellName: String { id?.description ?? ShellWord.quoted(path) }
}
