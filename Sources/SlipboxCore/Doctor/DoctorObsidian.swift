import NoteIndex
import Notes
import Text

/// Links that slip resolves and Obsidian does not.
extension BoxSnapshot {
  /// The links of an Obsidian vault by titles, aliases and ids; none in other layouts.
  ///
  /// Obsidian resolves the names of files alone. It offers titles and aliases only while a link is typed, and writes
  /// `[[file|alias]]` then.
  /// Source: Obsidian Help, "Aliases": "Obsidian creates the link with the alias as its custom display text".
  /// - Complexity: O(n) in all links.
  func findingsOfObsidian(_ entries: Entries) -> [Finding] {
    guard settings.sameNames == .obsidian else { return [] }
    let graph = LinkGraph(entries, executor: Self.executor)
    return graph.linksByTitle().flatMap { place, links in
      let note = entries[place].note
      let positions = note.text.positions(of: links.map(\.link.range.lowerBound))
      return zip(links, positions).map { found, position in
        let spelling = LinkSpelling(found.link, reading: found.reading)
        return Finding(
          .links, note.path, line: position.line, column: position.column,
          "Obsidian does not find the note of \(Self.shown(found.link)): no file has that name",
          way: .automatic, remedy: "writes the name of its file, \(Visible.escape(found.name))",
          repair: .relink(
            form: found.link.form, target: found.link.target, name: found.name, reading: found.reading,
            label: found.link.form == .wiki ? String(decoding: spelling.name, as: UTF8.self) : nil))
      }
    }
  }

  private static func shown(_ link: BodyScan.Link) -> String {
    let target = Visible.escape(link.target)
    return switch link.form {
    case .wiki: "[[\(target)]]"
    case .embed: "![[\(target)]]"
    default: "the link to \(target)"
    }
  }
}
