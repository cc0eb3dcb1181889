import NoteIndex
import Notes
import Text

/// Links that lead nowhere, or to several notes.
extension BoxSnapshot {
  /// The links to names and paths that no note and no file of the box has, and those to names that several notes have.
  ///
  /// References of records are looked at as such.
  /// - Complexity: O(n) in all links; only the texts of notes with such a link are read.
  func linkFindings(_ entries: Entries) throws(SlipboxError) -> [Finding] {
    let web = try NoteWeb(self)
    let broken = try web.unresolvedLinks()
    let written = broken.map { place, links in
      let own = entries[place].note.links
      return links.map { link in own.first { $0.range == link.range && $0.form == link.form } }
    }
    let lost = zip(broken, written).flatMap { note, own in
      zip(note.links, own).compactMap { $0.isLost ? $1 : nil }
    }
    var moved = lost.isEmpty || source != .workTree ? nil : try MovedFiles(of: lost, web)
    var findings: [Finding] = []
    for ((place, links), own) in zip(broken, written) {
      let note = entries[place].note
      let positions = note.text.positions(of: links.map(\.range.lowerBound))
      for ((link, position), own) in zip(zip(links, positions), own) {
        if link.isLost, let own, let move = try moved?.move(of: own, from: note.path),
          let repair = try moved?.name(of: move.new, for: own, in: note.path)
        {
          let place = Visible.escape(move.new)
          let what = move.old == move.new ? "its note moved, and the file is" : "the file moved to"
          findings.append(
            Finding(
              .links, note.path, line: position.line, column: position.column,
              "\(Self.shown(link)) is a broken link: \(what) \(place)", way: .automatic,
              remedy: "changes it to \(place)", repair: repair))
        } else if case .ambiguous(let places) = link.target {
          findings.append(
            Finding(
              .links, note.path, line: position.line, column: position.column,
              "\(Self.shown(link)) is ambiguous: it may be any of \(web.candidates(places))",
              remedy: "slip edit \(note.shellName)"))
        } else {
          findings.append(Self.finding(link, at: position, in: note))
        }
      }
    }
    return findings
  }

  private static func shown(_ link: Connection) -> String {
    let target = Visible.escape(link.text)
    return switch link.form {
    case .wiki: "[[\(target)]]"
    case .embed: "![[\(target)]]"
    default: "the link to \(target)"
    }
  }

  private static func finding(
    _ link: Connection, at position: (line: Int, column: Int), in note: Note
  ) -> Finding {
    let shown = shown(link)
    return Finding(
      .links, note.path, line: position.line, column: position.column,
      link.missing.map {
        "\(shown): there is no \($0.isBlock ? "block" : "heading") \(Visible.escape($0.name))"
      }
        ?? "\(shown) is a broken link",
      remedy: "slip edit \(note.shellName)")
  }
}

extension Connection {
  /// Whether the link leads to no note and no file.
  fileprivate var isLost: Bool { if case .broken = target { missing == nil } else { false } }
}
