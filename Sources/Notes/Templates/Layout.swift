import Text

/// The conventions of the folder that a box is in: the path and content of a new note, and the form of links.
///
/// Each preset has the conventions of one program. The settings of a box, and those of the program, change single ones.
package struct Layout: Sendable, Equatable {
  /// The presets.
  package enum Name: String, Sendable, CaseIterable {
    case slipbox, obsidian, zk, hugo, jekyll, dendron, denote, logseq

    /// The program as a sentence calls its folder.
    package var folder: String {
      switch self {
      case .slipbox: "a box"
      case .obsidian: "an Obsidian vault"
      case .zk: "a zk notebook"
      case .hugo: "a Hugo site"
      case .jekyll: "a Jekyll site"
      case .dendron: "a Dendron vault"
      case .denote: "a folder of Denote"
      case .logseq: "a Logseq graph"
      }
    }
  }

  /// The place of a new note's title.
  package enum TitlePlace: String, Sendable, CaseIterable {
    /// `title:` in the front-matter.
    case field
    /// The heading that opens the body.
    case heading
    /// The name of the file; a title that no file can have is a heading too.
    case file
  }

  package let name: Name
  /// The pattern of the paths of new notes: see `PathPattern`.
  package var path: String
  package var title: TitlePlace
  /// The field that holds the id of a new note; nil if it has none.
  package var idField: String?
  /// The field that holds the creation date of a new note.
  package var createdField: String
  package var links: LinkStyle
  /// The pattern of the paths of daily notes.
  package var daily: String
  /// The template of daily notes, a path; nil for `daily.md` in the folder of templates.
  package var dailyTemplate: String?
  /// The folder of templates, beside `.slipbox/templates`; nil for none.
  package var templates: String?
  /// The folder of new attachments; one that begins with `./` is beside the note.
  package var attachments: String
  package var hasInlineFields: Bool
  /// Whether a line end inside a paragraph is shown as a line break.
  package var breaksLines = false
  /// How the names of files hold titles.
  package var naming = FileNaming.plain

  /// The preset of a name.
  package init(_ name: Name) {
    self.name = name
    path = FileName.defaultPattern
    title = .field
    idField = nil
    createdField = "created"
    links = .markdown
    daily = "daily/{year}-{month}-{day}.md"
    attachments = "./images"
    hasInlineFields = false
    switch name {
    case .slipbox: (idField, links) = ("id", .title)
    case .obsidian:
      (path, title, links) = ("{title}.md", .file, .name)
      (daily, attachments, hasInlineFields) = ("{year}-{month}-{day}.md", "", true)
      breaksLines = true
    case .zk:
      (path, title, links, createdField) =
        ("{date:YYYYMMDDHHmm}-{slug}.md", .heading, .markdownWithoutEnding, "date")
    case .hugo: (path, createdField, attachments) = ("content/posts/{slug}.md", "date", "static/images")
    case .jekyll:
      (path, createdField) = ("_posts/{date:YYYY-MM-DD}-{slug}.md", "date")
      (daily, attachments) = ("_posts/{year}-{month}-{day}-daily.md", "assets/images")
    case .dendron:
      (path, idField, links) = ("{slug}.md", "id", .name)
      (daily, attachments) = ("daily.journal.{year}.{month}.{day}.md", "assets/images")
    case .denote:
      (path, idField, createdField) = ("{date:YYYYMMDD[T]HHmmss}--{slug}{tags}.md", "identifier", "date")
      (links, daily) = (.denote, "{year}{month}{day}T000000--{year}-{month}-{day}__journal.md")
    case .logseq:
      (path, title, links) = ("pages/{title}.md", .file, .name)
      (daily, attachments, hasInlineFields) = ("journals/{year}_{month}_{day}.md", "assets", true)
      naming = .tripleLowbar
    }
  }

  /// Whether another title renames the file, if the old title named it.
  package var renamesFiles: Bool { title == .file || name == .denote }

  /// Whether former titles become aliases. Those of Hugo are addresses that lead to the page.
  package var keepsFormerTitles: Bool { name != .hugo }

  /// Whether names of files have to be unique in the whole box, because links use nothing else.
  package var needsUniqueNames: Bool { [.name, .markdownName].contains(links) }

  /// Which file a link means if it fits the names of several.
  package var sameNames: SameNameRule { name == .obsidian ? .obsidian : .ambiguous }

  /// The conventions in words that follow a colon.
  package var summary: String {
    let names =
      switch title {
      case .file: "new notes are named by their title"
      case .heading: "new notes go to \(path), with the title as a heading"
      case .field: "new notes go to \(path)"
      }
    return "\(names), and links are written \(links.example)"
  }
}

/// How links to notes are written.
package enum LinkStyle: String, Sendable, CaseIterable {
  /// `[[Title]]`
  case title
  /// `[[file-name]]`, with folders before it if several files have the name.
  case name
  /// `[[../folder/file-name]]`, from the folder of the note.
  case relative
  /// `[[folder/file-name]]`, from the root of the box.
  case path
  /// `[Title](../folder/file-name.md)`, from the folder of the note.
  case markdown
  /// `[Title](../folder/file-name)`, from the folder of the note.
  case markdownWithoutEnding = "markdown-without-ending"
  /// `[Title](file-name.md)`, with folders before it if several files have the name.
  case markdownName = "markdown-name"
  /// `[Title](folder/file-name.md)`, from the root of the box.
  case markdownPath = "markdown-path"
  /// `[Title](denote:20210319T202401)`
  case denote

  package var isWiki: Bool { [.title, .name, .relative, .path].contains(self) }

  /// A link as a sentence shows it.
  package var example: String {
    switch self {
    case .title: "[[Title]]"
    case .name: "[[Name]]"
    case .relative: "[[../Folder/Name]]"
    case .path: "[[Folder/Name]]"
    case .markdown: "[Title](../folder/name.md)"
    case .markdownWithoutEnding: "[Title](../folder/name)"
    case .markdownName: "[Title](name.md)"
    case .markdownPath: "[Title](folder/name.md)"
    case .denote: "[Title](denote:IDENTIFIER)"
    }
  }
}

// MARK: Text

extension Layout {
  /// A new note as it is written in this layout, from its text with `id`, `title` and `created` as slip writes them.
  ///
  /// A title that is not read back from its place stays in the front-matter.
  /// - Parameters:
  ///   - path: the path of the note.
  ///   - keepsTitleField: whether its kind requires the field `title`.
  ///   - keepsHeading: whether a heading that opens the body stays the only one, if the title is the name of the file.
  package func text(
    _ text: NoteText, at path: [UInt8], keepsTitleField: Bool = false, keepsHeading: Bool = false
  ) throws(EditError) -> NoteText {
    if name == .slipbox, self == Layout(.slipbox) { return text }
    let title = Note(path: [], text: text).title
    let dated = try identified(try dated(text), at: path)
    if self.title == .field || keepsTitleField { return dated }
    let bare = try dated.clearing("title")
    if keepsHeading, self.title == .file, Note(path: path, text: bare).titleSource == .heading { return bare }
    return holding(title, in: bare, at: path) ?? dated
  }

  /// A text at a path from which a title is read without the field `title`: the text as it is if the name of the file
  /// gives it, else with a first heading; nil if there is no such text.
  package func holding(_ title: String, in text: NoteText, at path: [UInt8]) -> NoteText? {
    titled(text, title).first { candidate in
      let note = Note(path: path, text: candidate)
      return note.title.hasSameBytes(as: title) && (note.titleSource == .heading || self.title == .file)
    }
  }

  /// The path of a note whose file is named by its title, for another title; nil if the name does not follow the title.
  package func renamedPath(of note: Note, titled title: String) -> [UInt8]? {
    let stem = Array(FileName.stem(of: note.path))
    let new: [UInt8]
    if self.title == .file {
      guard NoteFileName.name(of: note.title, naming).utf8.elementsEqual(stem) else { return nil }
      new = Array(NoteFileName.name(of: title, naming).utf8)
    } else if name == .denote {
      let parts = String(decoding: stem, as: UTF8.self).split(separator: "__", maxSplits: 1)
      // Earlier versions of slip wrote the other slug.
      let ends = [NoteFileName.denoteSlug(of: note.title), Slug.make(note.title)].map { "--\($0)" }
      let slug = NoteFileName.denoteSlug(of: title)
      guard let start = parts.first, let end = ends.first(where: { start.hasSuffix($0) }) else { return nil }
      let tags = parts.count > 1 ? "__\(parts[1])" : ""
      new = Array("\(start.dropLast(end.count))--\(slug)\(tags)".utf8)
    } else {
      return nil
    }
    let folder = note.path.dropLast(FileName.lastPart(of: note.path).count)
    let path = Array(folder) + new + Array(FileName.ending(of: note.path))
    return path == note.path ? nil : path
  }

  /// A text that is added to a note: a block of Logseq, whose further lines are indented; else as it is.
  ///
  /// Source: Logseq, "Markdown": a page is a list, and each block an item of it.
  package func block(_ text: [UInt8]) -> [UInt8] {
    let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
    let isItem = ["- ", "* ", "+ "].contains { text.starts(with: $0.utf8) }
    guard name == .logseq, !isItem, let first = lines.first, !first.isEmpty else { return text }
    let rest = lines.dropFirst().map { $0.isEmpty ? [] : Array("  ".utf8) + $0 }
    return Array(([Array("- ".utf8) + first] + rest).joined(separator: [0x0A]))
  }

  private func dated(_ text: NoteText) throws(EditError) -> NoteText {
    guard createdField != "created", let created = FrontMatter(text)["created"]?.text else { return text }
    let cleared = try text.clearing("created")
    guard FrontMatter(cleared).field(createdField) == nil else { return cleared }
    return try cleared.setting(createdField, to: .text(created), order: ["title", "date", "tags"])
  }

  private func identified(_ text: NoteText, at path: [UInt8]) throws(EditError) -> NoteText {
    guard idField != "id", let id = FrontMatter(text)["id"]?.text, NoteID(id) != nil else { return text }
    let cleared = try text.clearing("id")
    guard let idField, FrontMatter(cleared).field(idField) == nil else { return cleared }
    let value = name == .denote ? Self.denoteIdentifier(of: path) ?? id : id
    return try cleared.setting(idField, to: .text(value), order: ["title", "date", "tags", idField])
  }

  /// The identifier at the beginning of a file's name as Denote writes it: `20210319T202401`; nil for other names.
  package static func denoteIdentifier(of path: [UInt8]) -> String? {
    let name = Array(FileName.stem(of: path).prefix(15))
    let isDigits = name.indices.allSatisfy { $0 == 8 || (0x30...0x39).contains(name[$0]) }
    guard name.count == 15, isDigits, name[8] == UInt8(ascii: "T") else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  /// The text as it is, if the name of the file may be the title, then with the title as its first heading.
  private func titled(_ text: NoteText, _ title: String) -> [NoteText] {
    let headings = [Array(title.utf8), MarkdownText.escaped(title)].map { heading in
      let end = text.lineEnd
      let body = Array(text.bytes[text.body])
      let rest = body.isEmpty || body.first == 0x0A || body.first == 0x0D ? body : end + body
      return text.replacingBody(Array("# ".utf8) + heading + end + rest)
    }
    return [text] + headings
  }
}

extension MarkdownText {
  /// A text with its marks escaped, so that they are read literally.
  package static func escaped(_ text: String) -> [UInt8] {
    text.utf8.flatMap { "\\`*_{}[]<>#~!".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
  }
}
