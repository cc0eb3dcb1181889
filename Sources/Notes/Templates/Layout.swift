/// The conventions of the folder that a box is in: where a new note goes, what it holds, and how links are written.
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

  /// Where the title of a new note is stored.
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
    }
  }

  /// Whether another title renames the file, if the old title named it.
  package var renamesFiles: Bool { title == .file || name == .denote }

  /// What stands for a slash of a title in the name of a file.
  package var slash: String { name == .logseq ? FileName.slash : " " }

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
