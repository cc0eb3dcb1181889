import Notes
import Text

/// The names by which a link may call a note, those most like the one that it has first.
struct LinkNames {
  struct Name: Equatable {
    let bytes: [UInt8]
    /// The text that a wiki link without a label shows instead of the name; nil for the name.
    let label: String?
  }

  private(set) var all: [Name] = []
  private let spelling: LinkSpelling
  private let way: LinkWay
  private let note: NamesOfNote
  /// The folder of the note with the link.
  private let folder: ArraySlice<UInt8>
  private let label: String?
  /// A slash at the end of paths without an ending, as sites serve pages.
  private var slash: [UInt8] = []

  /// - Parameters:
  ///   - old: the note that the link leads to, as it was.
  ///   - note: the same note as it is to be.
  ///   - before: the path of the note with the link, as it was.
  ///   - after: the same path as it is to be.
  init(
    _ spelling: LinkSpelling, _ way: LinkWay, old: NamesOfNote, to note: NamesOfNote, from before: [UInt8],
    _ after: [UInt8]
  ) {
    self.spelling = spelling
    self.way = way
    self.note = note
    folder = LinkPath.folder(of: after)
    switch way {
    case .title: label = note.title
    case .alias: label = String(decoding: spelling.name, as: UTF8.self)
    case .id, .path: label = nil
    }
    // Links of Denote hold nothing but the identifier.
    let scheme = Array("denote:".utf8)
    if !spelling.isWiki, spelling.name.starts(with: scheme), let id = note.foreignID {
      add(scheme + Array(id.utf8), label: nil)
    }
    switch way {
    case .title: add(Self.cased(note.title, like: spelling.name, of: old.title), label: nil)
    case .id: if let id = note.id { add(id.bytes, label: nil) }
    case .alias: add(Array(note.title.utf8), label: label)
    case .path: break
    }
    addPaths(old.path, from: LinkPath.folder(of: before))
    if spelling.isWiki, let id = note.id { add(id.bytes, label: label ?? note.title) }
  }

  private mutating func add(_ bytes: [UInt8], label: String?) {
    // A label ends at these marks.
    let shown = label.map { $0.utf8.filter { !"[]|".utf8.contains($0) } }
    let isRead = shown.map { $0.isEmpty || $0 == bytes } ?? true
    let name = Name(bytes: bytes, label: isRead ? nil : shown.map { String(decoding: $0, as: UTF8.self) })
    if !all.contains(name) { all.append(name) }
  }

  private mutating func addPath(_ path: [UInt8]) {
    add(FileName.isNote(path) ? path : path + slash, label: label)
  }

  private mutating func addPaths(_ old: [UInt8], from before: ArraySlice<UInt8>) {
    let whole = LinkWay.bare(spelling.name)
    let isFromRoot = whole.count < spelling.name.count
    let hasSlash = !spelling.isWiki && whole.last == UInt8(ascii: "/")
    let written = hasSlash ? Array(whole.dropLast()) : whole
    slash = hasSlash ? [UInt8(ascii: "/")] : []
    let small = written.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    let hasEnding = way == .path && (FileName.isNote(small) || written.isEmpty && !spelling.isWiki)
    // A link with the name of the file retains it.
    let isIndex = FileName.isIndex(FileName.lastPart(of: written))
    let bare = (isIndex ? nil : FileName.bundle(of: note.path)) ?? LinkPath.withoutEnding(note.path)
    let forms = hasEnding ? [note.path] : [Array(bare), note.path]
    let isRelative = [[UInt8]("./".utf8), Array("../".utf8)].contains { written.starts(with: $0) }
    let isInFolder =
      !isFromRoot && (written.isEmpty || LinkStanding.isPath(written, of: old, from: before))
    for path in spelling.isWiki || hasEnding || way == .path ? forms : forms.reversed() {
      if isRelative || !spelling.isWiki && way == .path && isInFolder { addRelative(path, like: written) }
      if isFromRoot {
        if let served = LinkPath.served(path, as: written, of: old) { addPath(served) }
        addPath([UInt8(ascii: "/")] + path)
      }
      let parts = way == .path ? max(1, written.split(separator: UInt8(ascii: "/")).count) : 1
      let isWhole =
        way == .path && (parts > 1 || !spelling.isWiki) && LinkStanding.isPath(written, of: old, from: [])
      if isWhole { addPath(path) }
      let ends = LinkPath.ends(of: path[...]).reversed()
      if spelling.isWiki || way == .path && !isInFolder {
        for end in ends.dropFirst(parts - 1) { addPath(Array(end)) }
      }
      if !spelling.isWiki { addRelative(path, like: written) }
      addPath([UInt8(ascii: "/")] + path)
    }
  }

  private mutating func addRelative(_ path: [UInt8], like written: [UInt8]) {
    let relative = LinkPath.relative(path, from: folder)
    let here = Array("./".utf8)
    let isAbove = relative.starts(with: Array("../".utf8))
    if !isAbove, written.starts(with: here) {
      addPath(here + relative)
    } else {
      addPath(relative)
      // Else a colon in the first part would be read as the end of a scheme.
      if !isAbove { addPath(here + relative) }
    }
  }

  /// A title in the case in which the old one was written.
  private static func cased(_ title: String, like written: [UInt8], of old: String) -> [UInt8] {
    let plain = Array(title.utf8)
    if written == Array(old.utf8) { return plain }
    let text = String(decoding: written, as: UTF8.self)
    if text.utf8.elementsEqual(old.lowercased().utf8) { return Array(title.lowercased().utf8) }
    if text.utf8.elementsEqual(old.uppercased().utf8) { return Array(title.uppercased().utf8) }
    let small = { (title: String) in title.prefix(1).lowercased() + title.dropFirst() }
    return text.utf8.elementsEqual(small(old).utf8) ? Array(small(title).utf8) : plain
  }
}

extension LinkNames {
  /// The targets of a new link to a note, in the order in which a style prefers them.
  static func targets(of note: Note, _ style: LinkStyle, from path: [UInt8]) -> [[UInt8]] {
    let whole = note.path
    let bare = Array(LinkPath.withoutEnding(whole))
    let folder = LinkPath.folder(of: path)
    let ends = { (path: [UInt8]) in LinkPath.ends(of: path[...]).reversed().map { Array($0) } }
    let relative = { (path: [UInt8]) in LinkPath.relative(path, from: folder) }
    switch style {
    case .title, .name:
      // Logseq names a page by its title, in which the file has another sign for a slash.
      let stem = String(decoding: FileName.stem(of: whole), as: UTF8.self)
      let title = FileName.title(of: whole)
      return (title == stem || title != note.title ? [] : [Array(title.utf8)]) + ends(bare) + [whole]
    case .relative: return [relative(bare), bare, whole]
    case .path: return [bare, whole]
    case .markdown: return [relative(whole)]
    case .markdownWithoutEnding: return [relative(bare), relative(whole)]
    case .markdownName: return ends(whole) + [relative(whole)]
    case .markdownPath: return [whole, relative(whole)]
    case .denote:
      let id = note.foreignID.map { [Array("denote:\($0)".utf8)] } ?? []
      return id + [relative(whole)]
    }
  }
}

extension LinkStyle {
  /// The target of a new Markdown link to a note, encoded; the relative path for styles of wiki links.
  ///
  /// - Parameters:
  ///   - identifier: the note's identifier, by which Denote links to it.
  ///   - note: the path of the note with the link.
  ///   - leads: returns the path of the note that a link with a name leads to.
  package func markdownTarget(
    of path: [UInt8], identifier: String?, from note: [UInt8], leads: (String) -> [UInt8]?
  ) -> String {
    let relative = LinkPath.relative(path, from: LinkPath.folder(of: note))
    var target = relative
    switch self {
    case .markdownWithoutEnding: target = Array(LinkPath.withoutEnding(relative))
    case .markdownName:
      let name = FileName.lastPart(of: path)
      if leads(String(decoding: name, as: UTF8.self)) == path { target = Array(name) }
    case .markdownPath: target = path
    case .denote: if let identifier { target = Array("denote:\(identifier)".utf8) }
    case .title, .name, .relative, .path, .markdown: break
    }
    return BodyScan.Link.written(target, isWiki: false).target
  }
}

/// By which of its names a link calls a note.
enum LinkWay: Sendable, Equatable {
  case id
  case title
  case alias
  /// The path, or the end of one.
  case path

  /// - Parameter folder: that of the note with the link.
  init(_ spelling: LinkSpelling, to note: NamesOfNote, from folder: ArraySlice<UInt8>) {
    let name = Self.bare(spelling.name)
    if !spelling.isWiki,
      LinkStanding.isPath(name, of: note.path, from: folder)
        || LinkStanding.isPath(name, of: note.path, from: [])
    {
      self = .path
    } else if note.id?.bytes == name || note.foreignID.map({ Array($0.utf8) == name }) == true {
      self = .id
    } else if spelling.isWiki || TextConventions.has(.shortcodes), LinkStanding.isEnd(name, of: note.path) {
      self = .path
    } else if Self.fits(name, note.title) {
      self = .title
    } else if note.aliases.contains(where: { Self.fits(name, $0) }) {
      self = .alias
    } else {
      self = .path
    }
  }

  /// A name without the slashes before it.
  static func bare(_ name: [UInt8]) -> [UInt8] { Array(name.drop { $0 == UInt8(ascii: "/") }) }

  static func fits(_ name: [UInt8], _ title: String) -> Bool {
    Folding.fold(name[...]) == Folding.fold(Array(title.utf8)[...])
  }
}

/// The start of the path in a link, for readers that do not resolve titles.
enum LinkStanding {
  case folder
  case root
  /// The end of the path, as other tools read wiki links.
  case end
  /// It is no such path: a title, an id, or in a Markdown link the end of a path.
  case none

  /// - Parameters:
  ///   - target: the path of the file.
  ///   - path: that of the note with the link.
  ///   - ignoresCase: whether a wiki link may differ from the end of the path in case and diacritics.
  init(_ spelling: LinkSpelling, to target: [UInt8], from path: [UInt8], ignoresCase: Bool = false) {
    let name = LinkWay.bare(spelling.name)
    let isFromRoot = name.count < spelling.name.count
    if spelling.isWiki {
      let isEnd =
        Self.isEnd(name, of: target)
        || ignoresCase && Self.isEnd(Folding.fold(name[...]), of: Folding.fold(target[...]))
      self = isEnd ? .end : .none
    } else if !isFromRoot, Self.isPath(name, of: target, from: LinkPath.folder(of: path)) {
      self = .folder
    } else {
      // Sites find a page by the end of its path, never by its title.
      let other: LinkStanding =
        TextConventions.has(.shortcodes) && Self.isEnd(name, of: target) ? .end : .none
      self = Self.isPath(name, of: target, from: []) ? .root : other
    }
  }

  /// Whether a link that had this base of its path still has it with another name.
  func isKept(by other: LinkStanding) -> Bool { self == .none || self == other }

  /// Whether a path ends with a name as it is written, with the ending of a note or without.
  static func isEnd(_ written: [UInt8], of path: [UInt8]) -> Bool {
    guard let name = LinkPath.normalised(written) else { return false }
    return LinkPath.hasEnd(path[...], name)
      || LinkPath.withoutEndings(path).contains { LinkPath.hasEnd($0, name) }
  }

  /// Whether a path from a folder on, with the ending of a note or without, is that of a file; case and diacritics do not
  /// count.
  static func isPath(_ written: [UInt8], of path: [UInt8], from folder: ArraySlice<UInt8>) -> Bool {
    guard let place = LinkPath.normalised(written, from: folder) else { return false }
    return LinkPath.isAlike(place, path)
      || LinkPath.withoutEndings(path).contains { LinkPath.isAlike(place, $0) }
  }
}
