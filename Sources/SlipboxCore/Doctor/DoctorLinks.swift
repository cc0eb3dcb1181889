import NoteIndex
import Notes
import Text

/// Links that lead nowhere.
extension BoxSnapshot {
  /// The links to names and paths that no note and no file of the box has.
  ///
  /// References of records are looked at as such.
  /// - Complexity: O(n) in all links; only the texts of notes with such a link are read.
  func linkFindings(_ entries: Entries) throws(SlipboxError) -> [Finding] {
    let web = try NoteWeb(self)
    let broken = try web.brokenLinks()
    return broken.flatMap { place, links in
      let note = entries[place].note
      let positions = note.text.positions(of: links.map(\.range.lowerBound))
      return zip(links, positions).map { Self.finding($0, at: $1, in: note) }
    }
  }

  private static func finding(
    _ link: Connection, at position: (line: Int, column: Int), in note: Note
  ) -> Finding {
    let target = Visible.escape(link.text)
    let shown =
      switch link.form {
      case .wiki: "[[\(target)]]"
      case .embed: "![[\(target)]]"
      default: "the link to \(target)"
      }
    return Finding(
      .links, note.path, line: position.line, column: position.column,
      link.missing.map {
        "\(shown): there is no \($0.isBlock ? "block" : "heading") \(Visible.escape($0.name))"
      }
        ?? "\(shown) leads to no note and no file",
      remedy: "slip edit \(note.shellName)")
  }
}
