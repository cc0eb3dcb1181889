/// How many links a change of names rewrites.
package struct LinkReport: Sendable, Equatable {
  package var links = 0
  package var notes = 0
  /// Links that led nowhere and lead to a note now.
  package var gained = 0

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
