package import NoteIndex
import Notes
import Platform
import Text

/// Finds the title, alias or file name that a broken link almost names.
package struct NearNames: Sendable {
  fileprivate struct Name: Sendable {
    let text: String
    /// A bit for each letter that it contains.
    let letters: UInt64
    /// The number of its letters.
    let length: Int
    /// The place of its note.
    let place: Int
  }

  /// The maximum length of names that are compared.
  private static let longest = 64

  private let names: [Name]
  /// The folded names in order, each with its number.
  private let sorted: [(folded: String, number: Int)]

  /// - Complexity: O(n log n) in the names of all notes.
  package init(_ entries: Entries) {
    let found = entries.flatMapChunks(executor: Processors.all) { places in
      places.flatMap { Self.names(of: entries, at: $0) }
    }
    names = found.map(\.name)
    sorted = found.enumerated().map { ($0.element.folded, $0.offset) }.sorted {
      $0.folded == $1.folded ? $0.number < $1.number : $0.folded < $1.folded
    }
  }

  private static func names(of entries: Entries, at place: Int) -> [(folded: String, name: Name)] {
    let note = entries.names(at: place)
    let file = String(decoding: FileName.stem(of: note.path), as: UTF8.self)
    let titles = [note.title] + note.aliases + (note.id == nil ? [file] : [])
    return titles.compactMap { title in
      let folded = Folding.fold(title)
      let length = folded.unicodeScalars.count
      guard length > 0, length <= longest else { return nil }
      return (folded, Name(text: title, letters: letters(of: folded), length: length, place: place))
    }
  }

  /// Returns the name that is nearest to the target of a link; nil if none is near.
  ///
  /// - Parameter source: the place of the note that has the link, which is excluded; nil if it is not in the catalogue.
  /// - Complexity: O(n); a spelling is compared only if the letters are nearly the same.
  package func nearest(to target: String, from source: Int? = nil) -> String? {
    name(near: target, from: source)?.text
  }

  fileprivate func name(near target: String, from source: Int?) -> Name? {
    let path = target.split(separator: "#", maxSplits: 1).first.map(String.init) ?? target
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let bare = String(decoding: FileName.stem(of: Array(name.utf8)), as: UTF8.self)
    let folded = Folding.fold(bare)
    let length = folded.unicodeScalars.count
    guard length > 2, length <= Self.longest else { return nil }
    let letters = Self.letters(of: folded)
    let near = names.filter { other in
      other.place != source && abs(other.length - length) <= 2
        && (other.letters ^ letters).nonzeroBitCount <= 4
    }
    guard let text = Spelling.nearest(to: bare, among: near.map(\.text)) else {
      return beginning(folded, source)
    }
    return near.first { $0.text.hasSameBytes(as: text) }
  }

  /// Returns the first name, in their order, that begins with a text of four letters or more.
  private func beginning(_ folded: String, _ source: Int?) -> Name? {
    guard folded.unicodeScalars.count > 3 else { return nil }
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].folded < folded { low = middle + 1 } else { high = middle }
    }
    while low < sorted.count, sorted[low].folded.hasPrefix(folded) {
      let name = names[sorted[low].number]
      if name.place != source { return name }
      low += 1
    }
    return nil
  }

  private static func letters(of text: String) -> UInt64 {
    text.unicodeScalars.reduce(0) { $0 | 1 << UInt64($1.value & 63) }
  }
}

extension NoteWeb {
  /// Returns broken and ambiguous links, each with the name that it almost has.
  ///
  /// - Complexity: O(n) in the names of all notes for each target that differs from the others, on several threads.
  package func nearNames(of links: [Connection]) -> [(link: Connection, near: String?)] {
    let broken = links.filter { if case .broken = $0.target { true } else { false } }
    let targets = Set(broken.map(\.text)).sorted()
    guard !targets.isEmpty else { return links.map { ($0, nil) } }
    let names = NearNames(entries)
    let found = concurrentMap(targets) { names.name(near: $0, from: nil) }
    let near = Dictionary(zip(targets, found), uniquingKeysWith: { first, _ in first })
    return links.map { link in
      guard let name = near[link.text] ?? nil else { return (link, nil) }
      // The link does not mean the note that has it; few links are nearest to their own note.
      return (link, name.place == link.source ? names.nearest(to: link.text, from: link.source) : name.text)
    }
  }
}
