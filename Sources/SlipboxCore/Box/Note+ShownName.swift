import Bytes
package import Notes
import Text

extension Note {
  /// The name of the note in messages: its id, else its path, safe to show.
  package var shownName: String {
    if path.isEmpty { return "the new note" }
    return id?.description ?? Visible.escape(path)
  }

  /// The note in a message: its title with its id or path in brackets, safe to show; the path alone if it is the title.
  package var mention: String {
    let name = shownName
    let stem = BytePath.name(of: path).split(separator: UInt8(ascii: ".")).first.map(Array.init) ?? []
    guard !path.isEmpty, id != nil || !title.utf8.elementsEqual(stem) else { return name }
    let shown = title.count > Self.mostOfTitle ? title.prefix(Self.mostOfTitle - 3) + "..." : title[...]
    return "\(Visible.escape(String(shown))) (\(name))"
  }

  /// The most letters of a title in a message.
  private static let mostOfTitle = 40

  /// The name of the note as programs get it: its id, else its path as it is.
  package var name: [UInt8] { id.map { Array($0.description.utf8) } ?? path }

  /// The name of the note as it is typed in a shell: its id, else its path, quoted where that is needed.
  package var shellName: String { id?.description ?? ShellWord.quoted(path) }
}
