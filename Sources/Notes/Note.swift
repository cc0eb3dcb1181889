/// A note as it is understood: what its bytes and its path say, with nothing from clocks, history or other notes.
package struct Note: Sendable {
  /// The path inside of the box.
  package let path: [UInt8]
  package let text: NoteText
  package let frontMatter: FrontMatter
  /// The value of `id` where it has slip's form.
  package let id: NoteID?
  /// A name that another tool gave: the value of `id` in another form, or of `identifier`.
  package let foreignID: String?
  /// The title to show, never empty and on one line.
  ///
  /// The field `title`, else the first heading, else the name of a file that slip did not name, else "Untitled".
  package let title: String
  /// Whether the title stands in the front-matter.
  package let hasOwnTitle: Bool
  /// The kind of record; "note" where the front-matter has none.
  package let kind: String
  /// When the note was made, by its front-matter, else by its file name; nil where neither says.
  package let created: Timestamp?
  /// The tags of the front-matter and of the text, each once without regard to case, in the spelling found first.
  package let tags: [String]
  /// The tags of the front-matter alone, each once without regard to case.
  package let frontMatterTags: [String]
  /// The name, as it is written, of the field that holds this note's tags; nil where there is none.
  package let tagsField: String?
  /// The tags of the text, where each stands.
  package let inlineTags: [BodyScan.InlineTag]
  /// Further titles.
  package let aliases: [String]
  /// The links of the text.
  package let links: [BodyScan.Link]

  /// Reads a note.
  ///
  /// - Complexity: O(n) in the length of the text.
  package init(path: [UInt8], text: NoteText) {
    let frontMatter = FrontMatter(text)
    let scan = BodyScan(text)
    let id = Self.id(in: frontMatter)
    let ownTitle = Self.ownTitle(in: frontMatter)
    let tagsField = Self.tagsField(in: frontMatter)
    let fieldTags = tagsField.map(Self.tags(in:)) ?? []
    self.path = path
    self.text = text
    self.frontMatter = frontMatter
    self.id = id
    foreignID = Self.foreignID(in: frontMatter)
    title = ownTitle ?? scan.firstHeading ?? Self.title(ofFile: path, id: id) ?? "Untitled"
    hasOwnTitle = ownTitle != nil
    kind = Self.kind(in: frontMatter)
    created = Self.created(in: frontMatter) ?? Timestamp.fromFileName(path[...])
    self.tagsField = tagsField?.name
    frontMatterTags = Self.withoutCaseDuplicates(fieldTags)
    inlineTags = scan.tags
    tags = Self.withoutCaseDuplicates(fieldTags + scan.tags.map(\.name))
    aliases = Self.aliases(in: frontMatter)
    links = scan.links
  }
}
