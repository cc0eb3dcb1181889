/// A note as it is understood: what its bytes and its path say, with nothing from clocks, history or other notes.
package struct Note: Sendable {
  /// The path inside of the box.
  package let path: [UInt8]
  /// The note as far as its body, with the offsets that it has in the file; perhaps more.
  package let head: NoteText
  package let frontMatter: FrontMatter
  /// The value of `id` where it has slip's form.
  package let id: NoteID?
  /// A name that another tool gave: the value of `id` in another form, or of `identifier`.
  package let foreignID: String?
  /// The title to show, never empty and on one line.
  ///
  /// The field `title`, else the heading that opens the body, else the name of a file that slip did not name, else
  /// "Untitled".
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
  let heading: TitleHeading?
  private let rest: Rest

  /// Where a note's body and its links are.
  private enum Rest: Sendable {
    /// In `head`.
    case known(links: [BodyScan.Link])
    /// In a file that is read when it is asked for, and in a record.
    case elsewhere(text: TextSource, links: NoteSummary.Links)
  }

  /// Reads a note.
  ///
  /// - Complexity: O(n) in the length of the text.
  package init(path: [UInt8], text: NoteText) {
    let scan = BodyScan(text)
    self.init(
      path: path, head: text, heading: scan.heading, inlineTags: scan.tags,
      rest: .known(links: scan.links))
  }

  /// Makes a note of what a record keeps of it.
  init(path: [UInt8], _ record: NoteSummary, created: Timestamp?, text: TextSource) {
    self.init(
      path: path, head: NoteText(record.head), heading: record.heading, inlineTags: record.tags,
      created: created, rest: .elsewhere(text: text, links: record.links))
  }

  private init(
    path: [UInt8], head: NoteText, heading: TitleHeading?, inlineTags: [BodyScan.InlineTag],
    created: Timestamp? = nil, rest: Rest
  ) {
    let frontMatter = FrontMatter(head)
    let named = NamedFields(frontMatter.fields)
    let id = Self.id(in: frontMatter, named)
    let ownTitle = Self.ownTitle(in: frontMatter, named)
    let tagsField = Self.tagsField(in: frontMatter, named)
    let fieldTags = tagsField.map(Self.tags(in:)) ?? []
    self.path = path
    self.head = head
    self.heading = heading
    if case .known(let links) = rest {
      self.rest = .known(links: FieldLinks.links(in: frontMatter, of: head) + links)
    } else {
      self.rest = rest
    }
    self.frontMatter = frontMatter
    self.id = id
    foreignID = Self.foreignID(in: frontMatter, named)
    title = ownTitle ?? Self.title(heading, path: path, id: id)
    hasOwnTitle = ownTitle != nil
    kind = Self.kind(in: frontMatter, named)
    self.created = created ?? Self.created(in: frontMatter) ?? Timestamp.fromFileName(path[...])
    self.tagsField = tagsField?.name
    frontMatterTags = Self.withoutCaseDuplicates(fieldTags)
    self.inlineTags = inlineTags
    tags =
      inlineTags.isEmpty
      ? frontMatterTags : Self.withoutCaseDuplicates(fieldTags + inlineTags.map(\.name))
    aliases = Self.aliases(in: frontMatter, named)
  }
}

extension Note {
  /// The whole text; where the note came from a record, its file is read when this is first asked for.
  package var text: NoteText {
    switch rest {
    case .known: head
    case .elsewhere(let source, _): NoteText(source.bytes())
    }
  }

  /// The links of the front-matter, then those of the body.
  package var links: [BodyScan.Link] {
    switch rest {
    case .known(let links): links
    case .elsewhere(_, let links): links.all
    }
  }

  /// The length of the body in bytes.
  package var bodyLength: Int {
    switch rest {
    case .known: head.body.count
    case .elsewhere(_, let links): links.bodyLength
    }
  }
}
