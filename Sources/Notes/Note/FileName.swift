import Text

/// The names of notes' files: how slip makes them, which it made, and which it refuses.
package enum FileName {
  /// The replacement of a slash of a title. Source: Logseq, `:file/name-format :triple-lowbar`.
  static let slash = "___"

  /// The title that the name of a file gives: `food___bread.md` gives `food/bread`.
  package static func title(of path: [UInt8]) -> String {
    let stem = String(decoding: stem(of: path), as: UTF8.self)
    if TextConventions.has(.pageNames), let names = PageNames.current {
      return names.title(of: path, stem: stem)
    }
    return stem.contains(slash) ? stem.replacing(slash, with: "/") : stem
  }

  /// The pattern of new files; a folder a month keeps commits cheap.
  package static let defaultPattern = "{year}/{month}/{slug}-{id}.md"

  /// The most bytes of a part of a new path that contains a slug.
  package static let longestPart = 200

  /// Makes the path of a new note from `{year}`, `{month}`, `{day}` (of creation, in its own offset), `{slug}`, `{id}`.
  ///
  /// A slug is cut at a character if its part of the path would exceed 200 bytes. If a title leaves no slug, the
  /// separator beside it is dropped too, and a file without any name is named by the id. `.md` is added if the pattern
  /// does not end like a note.
  package static func path(
    for title: String, id: NoteID, created: Timestamp, pattern: String = defaultPattern
  ) -> [UInt8] {
    let parts = pattern.utf8.split(separator: UInt8(ascii: "/"))
    var path: [UInt8] = []
    for (index, part) in parts.enumerated() {
      var pieces = Piece.all(in: part).map { $0.dated(created.civilDate, id: id) }
      Piece.fillSlugs(in: &pieces, title: title)
      let name = pieces.flatMap { $0.bytes }
      if name.isEmpty && index < parts.count - 1 { continue }
      path.append(contentsOf: name)
      if index < parts.count - 1 { path.append(UInt8(ascii: "/")) }
    }
    return asNote(path, id: id)
  }

  /// The path with a name and the ending of a note.
  private static func asNote(_ path: [UInt8], id: NoteID) -> [UInt8] {
    if isNote(path) { return path }
    let start = (path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
    let isNamed = !path[start...].isEmpty && path[start] != UInt8(ascii: ".")
    return (isNamed ? path : path[..<start] + id.bytes) + Array(".md".utf8)
  }

  /// Says whether slip named a file: its name without the ending has the id as a word of its own.
  package static func named(by id: NoteID, path: [UInt8]) -> Bool {
    let name = stem(of: path)
    let letters = id.bytes
    guard name.count >= letters.count else { return false }
    for start in name.startIndex...(name.endIndex - letters.count) {
      let end = start + letters.count
      guard name[start] == letters[0], name[start..<end].elementsEqual(letters) else { continue }
      let isBegun = start == name.startIndex || !isWordByte(name[start - 1])
      if isBegun, end == name.endIndex || !isWordByte(name[end]) { return true }
    }
    return false
  }

  /// Says whether a path ends as notes do, in `.md` or `.markdown`, and its last part is not hidden.
  package static func isNote(_ path: [UInt8]) -> Bool { isNote(path[...]) }

  /// As for a whole path.
  package static func isNote(_ path: ArraySlice<UInt8>) -> Bool {
    let name = path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex)...]
    guard name.first != UInt8(ascii: "."), let ending = endings.first(where: { hasSuffix(name, $0) }) else {
      return false
    }
    return name.count > ending.utf8.count
  }

  /// Says whether a part of a path begins with a dot: the box does not have such files.
  package static func isHidden(_ path: [UInt8]) -> Bool {
    let (slash, dot) = (UInt8(ascii: "/"), UInt8(ascii: "."))
    return path.first == dot || path.indices.dropFirst().contains { path[$0] == dot && path[$0 - 1] == slash }
  }

  /// The last part of a path without `.md` or `.markdown`.
  package static func stem(of path: [UInt8]) -> ArraySlice<UInt8> {
    let name = lastPart(of: path)
    guard let ending = endings.first(where: { hasSuffix(name, $0) }) else { return name }
    return name.dropLast(ending.utf8.count)
  }

  /// The folder that a site serves a note as, without its ending slash: `posts/b` for `posts/b/index.md`; nil for other
  /// notes.
  ///
  /// Source: Hugo, "Page bundles": `index.md` is the page of its folder, `_index.md` that of a section. Jekyll serves
  /// `index.md` in the same way.
  package static func bundle(of path: [UInt8]) -> ArraySlice<UInt8>? {
    guard TextConventions.has(.shortcodes), isIndex(stem(of: path)) else { return nil }
    let folder = path.dropLast(lastPart(of: path).count + 1)
    return folder.isEmpty ? nil : folder
  }

  /// Whether a name without ending is that of the page of a folder.
  package static func isIndex(_ stem: some Collection<UInt8>) -> Bool {
    stem.elementsEqual("index".utf8) || stem.elementsEqual("_index".utf8)
  }

  /// The slug in the name of a file that slip named: the part before `-` and the id; nil if the name has another
  /// form.
  ///
  /// - Parameter id: the id that the name must have; nil for any.
  package static func slug(of path: [UInt8], id: NoteID? = nil) -> ArraySlice<UInt8>? {
    let name = stem(of: path)
    let (slug, ending) = (name.dropLast(NoteID.length + 1), name.suffix(NoteID.length))
    guard !slug.isEmpty, name[slug.endIndex] == UInt8(ascii: "-") else { return nil }
    let isID = id.map { ending.elementsEqual($0.bytes) } ?? ending.allSatisfy(NoteID.isLetter)
    return isID ? slug : nil
  }

  /// The last part of a path.
  package static func lastPart(of path: [UInt8]) -> ArraySlice<UInt8> {
    path[((path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...]
  }

  /// The ending of a note's path with its dot; empty if it has none.
  package static func ending(of path: [UInt8]) -> ArraySlice<UInt8> {
    path.suffix(lastPart(of: path).count - stem(of: path).count)
  }

  private static let endings = [".md", ".markdown"]

  private static func hasSuffix(_ name: ArraySlice<UInt8>, _ ending: String) -> Bool {
    name.suffix(ending.utf8.count).elementsEqual(ending.utf8)
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...0xFF:
      true
    default: false
    }
  }
}

extension FileName {
  /// A piece of one part of a pattern.
  private enum Piece {
    case text([UInt8])
    case placeholder(String)
    case slug([UInt8])

    var bytes: [UInt8] {
      switch self {
      case .text(let bytes), .slug(let bytes): bytes
      case .placeholder(let name): Array("{\(name)}".utf8)
      }
    }

    static func all(in part: Substring.UTF8View) -> [Piece] {
      var pieces: [Piece] = []
      var rest = Array(part)[...]
      while let open = rest.firstIndex(of: UInt8(ascii: "{")),
        let close = rest[open...].firstIndex(of: UInt8(ascii: "}"))
      {
        if open > rest.startIndex { pieces.append(.text(Array(rest[..<open]))) }
        pieces.append(.placeholder(String(decoding: rest[(open + 1)..<close], as: UTF8.self)))
        rest = rest[(close + 1)...]
      }
      if !rest.isEmpty { pieces.append(.text(Array(rest))) }
      return pieces
    }

    /// The piece with everything but a slug filled in; other text stays as it is written.
    func dated(_ date: CivilDate, id: NoteID) -> Piece {
      guard case .placeholder(let name) = self else { return self }
      switch name {
      case "year": return .text(Array(CivilDate.padded(date.year, to: 4).utf8))
      case "month": return .text(Array(CivilDate.padded(date.month, to: 2).utf8))
      case "day": return .text(Array(CivilDate.padded(date.day, to: 2).utf8))
      case "id": return .text(id.bytes)
      case "slug": return .slug([])
      default: return .text(bytes)
      }
    }

    var isSlug: Bool {
      if case .slug = self { true } else { false }
    }

    static func fillSlugs(in pieces: inout [Piece], title: String) {
      let count = pieces.filter(\.isSlug).count
      guard count > 0 else { return }
      let taken = pieces.reduce(0) { $0 + $1.bytes.count }
      let slug = Array(Slug.make(title, maxBytes: max(1, (longestPart - taken) / count)).utf8)
      for index in pieces.indices where pieces[index].isSlug {
        pieces[index] = .slug(slug)
        if slug.isEmpty { dropSeparator(beside: index, in: &pieces) }
      }
    }

    /// Drops the separators after an empty slug, or before it if none follow.
    private static func dropSeparator(beside index: Int, in pieces: inout [Piece]) {
      let isSeparator: (UInt8) -> Bool = { "-_ ".utf8.contains($0) }
      if index + 1 < pieces.count, case .text(let next) = pieces[index + 1],
        next.first.map(isSeparator) == true
      {
        pieces[index + 1] = .text(Array(next.drop(while: isSeparator)))
      } else if index > 0, case .text(var previous) = pieces[index - 1] {
        while let last = previous.last, isSeparator(last) { previous.removeLast() }
        pieces[index - 1] = .text(previous)
      }
    }
  }
}

extension FileName {
  /// Says why a path can't name a file of a box; nil if it can.
  ///
  /// Refused are absolute paths, `..` and `.`, empty parts, git's own folder in every spelling that some file system
  /// takes for it, control characters, and parts over 255 bytes.
  package static func problem(in path: [UInt8]) -> String? {
    if path.isEmpty { return "the path is empty" }
    if path.first == UInt8(ascii: "/") { return "the path is absolute" }
    if path.contains(0) { return "the path has a NUL byte" }
    if path.count > 4095 { return "the path is over 4095 bytes long" }
    for part in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      if let problem = problem(inPart: part) { return problem }
    }
    return nil
  }

  private static func problem(inPart part: ArraySlice<UInt8>) -> String? {
    if part.isEmpty { return "a part of the path is empty" }
    if part.elementsEqual("..".utf8) { return "the path has '..'" }
    if part.elementsEqual(".".utf8) { return "the path has '.'" }
    if part.count > 255 { return "a part of the path is over 255 bytes long" }
    if part.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "the path has a control character" }
    if isGitFolder(part) { return "the path leads into git's own folder" }
    return nil
  }

  /// Whether some file system opens `.git` by this name.
  ///
  /// Windows drops blanks and dots at the end and knows `git~1` and streams (`.git::$INDEX_ALLOCATION`); macOS drops
  /// characters that can't be seen.
  private static func isGitFolder(_ part: ArraySlice<UInt8>) -> Bool {
    // Most names begin with another letter, and those of all files go through here.
    guard let first = part.first,
      first >= 0x80 || first == UInt8(ascii: ".") || first | 0x20 == UInt8(ascii: "g")
    else { return false }
    let text = String(decoding: part, as: UTF8.self)
    var name: [UInt8] = []
    for scalar in text.unicodeScalars where !isIgnored(scalar) {
      guard scalar.isASCII else { return false }
      if scalar == ":" { break }
      name.append(scalar >= "A" && scalar <= "Z" ? UInt8(scalar.value) | 0x20 : UInt8(scalar.value))
    }
    while let last = name.last, last == UInt8(ascii: " ") || last == UInt8(ascii: ".") { name.removeLast() }
    return name.elementsEqual(".git".utf8) || name.elementsEqual("git~1".utf8)
  }

  private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200C...0x200F, 0x202A...0x202E, 0x206A...0x206F, 0xFEFF: true
    default: false
    }
  }
}
