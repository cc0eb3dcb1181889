import Text

/// The pattern of the paths of new notes: text with `{title}`, `{slug}`, `{id}`, `{tags}`, `{year}`, `{month}`, `{day}`
/// and `{date:FORMAT}`, such as `{date:YYYYMMDDHHmm}-{slug}.md`.
package struct PathPattern: Sendable {
  private enum Piece {
    case text(String)
    case title, slug, id, tags
    case date(DateFormat)
  }

  private let source: String
  private let naming: FileNaming
  private let pieces: [Piece]
  /// Whether it has a placeholder that `FileName.path` does not know.
  private let hasNewPlaceholders: Bool

  /// Reads a pattern.
  ///
  /// - Parameter naming: how the name of a file contains a title.
  /// - Throws: a problem for an unknown placeholder and for an invalid date format.
  package init(_ source: String, naming: FileNaming = .plain) throws(Problem) {
    self.source = source
    self.naming = naming
    var pieces: [Piece] = []
    var names: [String] = []
    var rest = source.unicodeScalars[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      pieces.append(.text(String(rest[..<open])))
      names.append(String(rest[rest.index(after: open)..<close]))
      pieces.append(try Self.piece(names[names.count - 1]))
      rest = rest[rest.index(after: close)...]
    }
    self.pieces = pieces + [.text(String(rest))]
    hasNewPlaceholders = names.contains { $0 == "title" || $0 == "tags" || $0.hasPrefix("date") }
  }

  private static func piece(_ inside: String) throws(Problem) -> Piece {
    let format: String
    switch inside {
    case "title": return .title
    case "slug": return .slug
    case "id": return .id
    case "tags": return .tags
    case "year": format = "YYYY"
    case "month": format = "MM"
    case "day": format = "DD"
    case "date": format = "YYYY-MM-DD"
    default:
      guard inside.hasPrefix("date:") else {
        throw Problem(
          severity: .error, line: 1, column: 1, message: "unknown placeholder {\(Visible.escape(inside))}")
      }
      format = String(inside.dropFirst("date:".count))
    }
    do throws(PlaceholderFault) { return .date(try DateFormat(format)) } catch {
      throw Problem(severity: .error, line: 1, column: 1, message: Visible.escape(error.message))
    }
  }

  /// Whether the path of each note holds its id.
  package var holdsID: Bool { holds { if case .id = $0 { true } else { false } } }

  /// Whether the name of a file is the title of its note.
  package var holdsTitle: Bool { holds { if case .title = $0 { true } else { false } } }

  /// Whether the name has the tags, as those of Denote.
  private var holdsTags: Bool { holds { if case .tags = $0 { true } else { false } } }

  /// Whether the path depends on the title, the id or the date of the note.
  package var isVariable: Bool {
    holds { piece in
      switch piece {
      case .title, .slug, .id, .date: true
      case .text, .tags: false
      }
    }
  }

  private func holds(_ isWanted: (Piece) -> Bool) -> Bool { pieces.contains(where: isWanted) }

  /// The path of a note by the pattern; the note may not have that path yet.
  ///
  /// - Parameter created: the creation date; its parts are those of its own offset.
  package func path(title: String, id: NoteID, tags: [String] = [], created: Timestamp) -> [UInt8] {
    if !hasNewPlaceholders { return FileName.path(for: title, id: id, created: created, pattern: source) }
    let text = pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .title: NoteFileName.name(of: title, naming)
      case .slug: holdsTags ? NoteFileName.denoteSlug(of: title) : Self.slug(of: title)
      case .id: id.description
      case .tags: Self.suffix(of: tags)
      case .date(let format): format.text(of: created.civilDate, at: created)
      }
    }.joined()
    let path = Array(text.utf8)
    return FileName.isNote(path) ? path : path + Array(".md".utf8)
  }

  private static func slug(of title: String) -> String {
    let slug = Slug.make(title, maxBytes: FileName.longestPart / 2)
    return slug.isEmpty ? "untitled" : slug
  }

  /// The tags as Denote writes them at the end of a name: `__food_sour`.
  private static func suffix(of tags: [String]) -> String {
    let words = tags.map { Slug.make($0).replacing("-", with: "") }.filter { !$0.isEmpty }
    return words.isEmpty ? "" : "__" + words.sorted().joined(separator: "_")
  }

  /// A path with a number at the end of its name: `Name 2.md`, `name-2.md`.
  package func numbered(_ path: [UInt8], _ number: Int) -> [UInt8] {
    let ending = FileName.ending(of: path)
    return path.dropLast(ending.count) + Array("\(holdsTitle ? " " : "-")\(number)".utf8) + ending
  }
}

/// Names of files that are titles.
package enum NoteFileName {
  /// The name of the file of a note that is named by its title, without an ending.
  ///
  /// Characters that a file system or a link can't hold become a space. Spaces and dots at the ends are dropped, and
  /// several spaces become one.
  package static func name(of title: String, _ naming: FileNaming = .plain) -> String {
    let title = naming.encoded(title)
    let spaced = title.unicodeScalars.map { scalar in
      let isHeld = scalar.value >= 0x20 && scalar.value != 0x7F && !(0x80..<0xA0).contains(scalar.value)
      return isHeld && !refused.contains(scalar) ? Character(scalar) : " "
    }
    let words = String(String.UnicodeScalarView(spaced.flatMap(\.unicodeScalars))).split(separator: " ")
    var name = ""
    for word in words where name.utf8.count + word.utf8.count < FileName.longestPart {
      name += name.isEmpty ? String(word) : " \(word)"
    }
    if name.isEmpty, let first = words.first { name = cut(String(first)) }
    while let first = name.unicodeScalars.first, first == "." || first == " " {
      name.unicodeScalars.removeFirst()
    }
    while let last = name.unicodeScalars.last, last == "." || last == " " { name.unicodeScalars.removeLast() }
    return name.isEmpty ? Note.untitled : name
  }

  /// The characters of a title that no name of a file can contain, each once.
  package static func refused(in title: String) -> [String] {
    var seen: Set<Unicode.Scalar> = []
    return title.unicodeScalars.filter { refused.contains($0) && seen.insert($0).inserted }.map { String($0) }
  }

  /// A title in the name of a Denote file: `don't stop` gives `dont-stop`.
  ///
  /// Source: Denote, "The file-naming scheme": letters are small, punctuation is dropped, and blanks and underscores become
  /// hyphens.
  package static func denoteSlug(of title: String) -> String {
    let kept = title.lowercased().unicodeScalars.filter { !punctuation.contains($0) && $0.value >= 0x20 }
    let words = kept.split { $0 == " " || $0 == "_" || $0 == "-" || $0 == "=" }.map {
      String(String.UnicodeScalarView($0))
    }
    var slug = ""
    for word in words where slug.utf8.count + word.utf8.count < FileName.longestPart / 2 {
      slug += slug.isEmpty ? word : "-\(word)"
    }
    return slug.isEmpty ? "untitled" : slug
  }

  private static let punctuation = Set("[]{}!@#$%^&*()+'\"?,.\\|;:~`‘’“”/<>".unicodeScalars)

  private static let refused: Set<Unicode.Scalar> = [
    "\\", "/", ":", "*", "?", "\"", "<", ">", "|", "#", "^", "[", "]",
  ]

  private static func cut(_ word: String) -> String {
    var word = word
    while word.utf8.count >= FileName.longestPart { word.removeLast() }
    return word
  }
}
