import Text

/// How many links a change of names rewrites.
package struct LinkReport: Sendable, Equatable {
  package var links = 0
  package var notes = 0
  /// Links that led nowhere and lead to a note now.
  package var gained = 0
  /// Links whose notes or parts are deleted.
  package var lost: [LostLink] = []

  /// So many lost links are named.
  private static let mostNamed = 5

  /// What becomes of the links to what is deleted, and where they are; empty if there are none.
  package var lostLines: [String] {
    guard !lost.isEmpty else { return [] }
    let title = lost.count == 1 ? "1 link to it breaks:" : "\(lost.count) links to it break:"
    let lines = lost.prefix(Self.mostNamed).map {
      "  \(Visible.escape($0.path)):\($0.line): \(Visible.escape($0.target))"
    }
    return [title] + lines
      + (lost.count > Self.mostNamed ? ["  and \(lost.count - Self.mostNamed) more"] : [])
  }

  /// A line for people; nil where no link changes.
  package var sentence: String? {
    var parts: [String] = []
    if links > 0 {
      let place = notes == 1 ? "1 note" : "\(notes) notes"
      parts.append("\(links == 1 ? "1 link" : "\(links) links") in \(place) rewritten")
    }
    if gained == 1 { parts.append("1 broken link now resolves to a note") }
    if gained > 1 { parts.append("\(gained) broken links now resolve to notes") }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}

/// A link whose note or part a command deletes.
package struct LostLink: Sendable, Equatable {
  /// The path of the note that has the link.
  package let path: [UInt8]
  /// Counted from 1.
  package let line: Int
  /// The target as it is written.
  package let target: String

  static func isBefore(_ one: LostLink, _ other: LostLink) -> Bool {
    one.path == other.path ? one.line < other.line : one.path.lexicographicallyPrecedes(other.path)
  }
}
