/// A parsed note: facts from its bytes and its path only, with nothing from clocks, history or other notes.
package struct Note: Sendable {
  /// The path inside of the box.
  package let path: [UInt8]
  /// The whole text of a note that was made of it; else the note as far as its body, with the offsets that it has in the
  /// file.
  package let head: NoteText
  /// The fields of the front-matter, then those of the text that it does not have.
  package let frontMatter: FrontMatter
  /// The fields in the text, if they are read.
  package let inlineFields: [InlineField]
  /// The value of `id` if it has slip's form.
  package let id: NoteID?
  /// A name that another tool gave: the value of `id` in another form, or of `identifier`.
  package let foreignID: String?
  /// The title to show, never empty and on one line.
  ///
  /// The field `title`, else the heading that opens the body, else the name of a file that slip did not name, else
  /// "Untitled".
  package let title: String
  /// Whether the title is in the front-matter.
  package let hasOwnTitle: Bool
  /// The kind of record; "note" if the front-matter has none.
  package let kind: String
  /// When the note was made, by its front-matter, else by its file name; nil if neither says.
  package let created: Timestamp?
  /// The tags of the front-matter and of the text, each once without regard to case, in the spelling found first.
  package let tags: [String]
  /// The tags of the front-matter alone, each once without regard to case.
  package let frontMatterTags: [String]
  /// The name, as it is written, of the field that holds this note's tags; nil if there is none.
  package let tagsField: String?
  /// The tags of the text, each with its place.
  package let inlineTags: [BodyScan.InlineTag]
  /// Further titles.
  package let aliases: [String]
  let heading: TitleHeading?
  private let rest: Rest

  /// The source of a note's body and its links.
  private enum Rest: Sendable {
    /// In `head`.
    case known(links: [BodyScan.Link])
    /// In a file that is read at its first use, and in a record.
    case elsewhere(text: TextSource, body: NoteSummary.Body)
  }

  /// Reads a note.
  ///
  /// - Complexity: O(n) in the length of the text.
  package init(path: [UInt8], text: NoteText) {
    self.init(path: path, text: text, inlineFields: InlineFields.all(in: text))
  }

  /// Reads a note whose fields in the text are known.
  init(path: [UInt8], text: NoteText, inlineFields: [InlineField]) {
    let scan = BodyScan(text)
    let frontMatter = FrontMatter(text)
    let links = FieldLinks.links(in: frontMatter, of: text) + scan.links
    self.init(
      path: path, head: text, frontMatter, heading: scan.heading, inlineTags: scan.tags,
      inlineFields: inlineFields, rest: .known(links: links))
  }

  /// Makes a note from its record.
  init(path: [UInt8], _ record: NoteSummary, created: Timestamp?, text: TextSource) {
    let head = NoteText(record.head)
    self.init(
      path: path, head: head, FrontMatter(head), heading: record.heading, inlineTags: record.tags,
      inlineFields: record.inlineFields, created: created, rest: .elsewhere(text: text, body: record.body))
  }

  /// Makes a note with other fields, or with another heading as its title, than its text has.
  private init(_ note: Note, _ fields: [FrontMatterField], heading: TitleHeading?) {
    self.init(
      path: note.path, head: note.head,
      FrontMatter(fields: fields, problems: note.frontMatter.problems),
      heading: heading, inlineTags: note.inlineTags, inlineFields: [], created: note.created, rest: note.rest)
  }

  /// Returns the note with other values of fields, and with another text of the heading that is its title. The text of the
  /// note and its links stay.
  package func presenting(_ fields: [FrontMatterField], heading: String?) -> Note {
    Note(self, fields, heading: heading.map { TitleHeading(text: $0) } ?? self.heading)
  }

  private init(
    path: [UInt8], head: NoteText, _ frontMatter: FrontMatter, heading: TitleHeading?,
    inlineTags: [BodyScan.InlineTag], inlineFields: [InlineField], created: Timestamp? = nil, rest: Rest
  ) {
    let properties = inlineFields.filter(\.isOfPage)
    let header = frontMatter
    let frontMatter = properties.isEmpty ? header : Self.joined(header, properties)
    let named = NamedFields(frontMatter.fields)
    let id = Self.id(in: frontMatter, named)
    let ownTitle = Self.ownTitle(in: frontMatter, named)
    let tagsField = Self.tagsField(in: frontMatter, named)
    let fieldTags = tagsField.map(Self.tags(in:)) ?? []
    self.path = path
    self.head = head
    self.heading = heading
    self.rest = rest
    self.inlineFields = inlineFields
    self.frontMatter = inlineFields.isEmpty ? header : Self.joined(header, inlineFields)
    self.id = id
    foreignID = Self.foreignID(in: frontMatter, named)
    title = ownTitle ?? Self.title(heading, path: path, id: id)
    hasOwnTitle = ownTitle != nil
    kind = Self.kind(in: frontMatter, named) ?? Self.inlineKind(in: self.frontMatter) ?? "note"
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
  /// The whole text. If the note came from a record, the first call reads its file.
  package func readText() throws(UnreadText) -> NoteText {
    switch rest {
    case .known: head
    case .elsewhere(let source, _): NoteText(try source.bytes())
    }
  }

  /// The whole text of a note that was made of it, as writers have it: a note of a record stops the program, because what
  /// is written from it would lose its body.
  package var wholeText: NoteText {
    guard case .known = rest else { preconditionFailure("the text of the note was not read") }
    return head
  }

  /// The links of the front-matter, then those of the body.
  package var links: [BodyScan.Link] {
    switch rest {
    case .known(let links): links
    case .elsewhere(_, let body): body.links
    }
  }

  /// The check boxes of the body, in their order.
  ///
  /// - Complexity: that of `CheckBox.all(in:)`, or linear in the boxes if the note came from a record.
  package var boxes: [CheckBoxFacts] {
    switch rest {
    case .known: CheckBoxFacts.all(in: head)
    case .elsewhere(_, let body): body.boxes
    }
  }

  /// The length of the text in bytes.
  package var byteCount: Int { head.body.lowerBound + bodyLength }

  /// The length of the body in bytes.
  package var bodyLength: Int {
    switch rest {
    case .known: head.body.count
    case .elsewhere(_, let body): body.length
    }
  }
}

extension Note {
  /// The fields that may say when a note was made; of several, the first in this order that holds a date.
  package static let createdFields = [
    "created", "date", "created_at", "created-at", "createdat", "creation date", "creation-date",
    "creation_date",
    "creationdate", "date created", "date-created", "date_created", "datecreated", "published", "publishdate",
    "publish-date", "publish_date", "pubdate",
  ]

  /// The title of a note that nothing gives one to.
  package static let untitled = "Untitled"

  static func id(in frontMatter: FrontMatter, _ named: NamedFields) -> NoteID? {
    text(named.id, frontMatter).flatMap { NoteID($0) }
  }

  static func foreignID(in frontMatter: FrontMatter, _ named: NamedFields) -> String? {
    if let value = text(named.anyID, frontMatter), NoteID(value) == nil {
      let text = oneLine(value)
      if !text.isEmpty { return text }
    }
    return text(named.identifier, frontMatter).map(oneLine).flatMap { $0.isEmpty ? nil : $0 }
  }

  static func ownTitle(in frontMatter: FrontMatter, _ named: NamedFields) -> String? {
    text(named.title, frontMatter).map(oneLine).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The text of the field at a place.
  private static func text(_ place: Int?, _ frontMatter: FrontMatter) -> String? {
    place.flatMap { frontMatter.fields[$0].value.text }
  }

  /// The title of a note without a field for it.
  static func title(_ heading: TitleHeading?, path: [UInt8], id: NoteID?) -> String {
    heading?.text ?? title(ofFile: path, id: id) ?? untitled
  }

  static func title(ofFile path: [UInt8], id: NoteID?) -> String? {
    if let id, FileName.named(by: id, path: path) { return nil }
    let title = oneLine(FileName.title(of: path))
    return title.isEmpty ? nil : title
  }

  static func kind(in frontMatter: FrontMatter, _ named: NamedFields) -> String? {
    text(named.kind, frontMatter).map(oneLine).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The kind that a field of the text gives.
  private static func inlineKind(in frontMatter: FrontMatter) -> String? {
    let field = frontMatter.fields.first { $0.isInline && $0.name.isSameName(as: "kind") }
    return field?.value.text.map(oneLine).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The fields of the front-matter and those of the text that it does not have; several of one name are a list.
  private static func joined(_ frontMatter: FrontMatter, _ inline: [InlineField]) -> FrontMatter {
    var fields: [FrontMatterField] = []
    for field in inline where !frontMatter.fields.contains(where: { $0.name.isSameName(as: field.name) }) {
      let same = inline.filter { $0.name.isSameName(as: field.name) }
      guard same[0] == field else { continue }
      let values = same.flatMap { one in
        if case .list(let elements) = one.value { elements } else { [one.value] }
      }
      let value = same.count == 1 ? field.value : .list(values)
      fields.append(
        FrontMatterField(
          name: field.name, value: value, line: field.line, span: 0..<0, isEditable: true, isInline: true))
    }
    return FrontMatter(frontMatter, adding: fields)
  }

  /// The fields of the text that the front-matter has too, which precedes them.
  package var shadowedInlineFields: [InlineField] {
    inlineFields.filter { field in
      frontMatter.fields.contains { !$0.isInline && $0.name.isSameName(as: field.name) }
    }
  }

  static func created(in frontMatter: FrontMatter) -> Timestamp? {
    var best: (rank: Int, stamp: Timestamp)?
    for field in frontMatter.fields {
      guard let rank = createdRanks[lowerCased(field.name)], rank < best?.rank ?? .max,
        let text = field.value.strings.first, let stamp = Timestamp.adopted(text, isLocal: true)
      else { continue }
      best = (rank, stamp)
    }
    return best?.stamp
  }

  private static let createdRanks = Dictionary(
    uniqueKeysWithValues: createdFields.enumerated().map { ($0.element, $0.offset) })

  /// The aliases that the note lists itself, without the titles that a merge did not take.
  package var listedAliases: [String] { Self.listedAliases(in: frontMatter, NamedFields(frontMatter.fields)) }

  static func aliases(in frontMatter: FrontMatter, _ named: NamedFields) -> [String] {
    let aliases = listedAliases(in: frontMatter, named)
    guard let place = named.conflicts else { return aliases }
    return aliases + conflictingTitles(in: frontMatter.fields[place].value).filter { !aliases.contains($0) }
  }

  private static func listedAliases(in frontMatter: FrontMatter, _ named: NamedFields) -> [String] {
    var aliases: [String] = []
    if let place = named.aliases ?? named.alias {
      let field = frontMatter.fields[place]
      let names =
        field.isInline
        ? field.value.strings.compactMap { tagName($0[...].utf8) }
        : field.value.strings
      aliases = names.map(oneLine).filter {
        !$0.isEmpty && !$0.utf8.starts(with: "/".utf8)
      }
    }
    return aliases
  }

  /// The titles that a merge did not take: links by them lead to the note until the conflict is resolved.
  private static func conflictingTitles(in value: FieldValue) -> [String] {
    value.strings.compactMap { ConflictEntry($0) }.filter { $0.field == "title" }
      .compactMap { $0.value?.text }.map(oneLine).filter { !$0.isEmpty }
  }

  private static func lowerCased(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  private static func lowerCased(_ name: String) -> String {
    let isLower = name.utf8.allSatisfy { $0 < UInt8(ascii: "A") || $0 > UInt8(ascii: "Z") }
    return isLower ? name : String(decoding: name.utf8.map(lowerCased), as: UTF8.self)
  }

  /// A text without blanks around it, and with one blank for every break of line in it.
  static func oneLine(_ text: String) -> String {
    let isPlain = !text.hasControls && text.utf8.first != 0x20 && text.utf8.last != 0x20
    if isPlain { return text }
    let lines = text.utf8.split { (0x09...0x0D).contains($0) }.map(trimmed).filter { !$0.isEmpty }
    return String(decoding: Array(lines.joined(separator: [0x20])), as: UTF8.self)
  }

  static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
    var text = text.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    while let last = text.last, last == 0x20 || (0x09...0x0D).contains(last) { text.removeLast() }
    return text
  }
}

extension Note {
  /// The fields that may hold tags. One of them does: the first in this order that has any, else the first there is.
  package static let tagsFields = ["tags", "tag", "keywords", "categories"]

  static func tagsField(in frontMatter: FrontMatter, _ named: NamedFields) -> FrontMatterField? {
    let places = named.mayHoldTags.filter { !areLinks(in: frontMatter.fields[$0]) }
    let place = places.first { !frontMatter.fields[$0].value.strings.isEmpty } ?? places.first
    return place.map { frontMatter.fields[$0] }
  }

  /// Whether a field holds links to notes, as people of Obsidian write `categories`: those are no tags.
  private static func areLinks(in field: FrontMatterField) -> Bool {
    let isOfTags = field.name.utf8.first.map { $0 | 0x20 } == UInt8(ascii: "t")
    return !isOfTags && field.value.strings.contains { $0.utf8.starts(with: "[[".utf8) }
  }

  /// The tags of a field: of a list its elements, of a scalar its parts between commas.
  ///
  /// A scalar without commas is split at blanks, as Jekyll writes it, except for keywords: they may be phrases.
  static func tags(in field: FrontMatterField) -> [String] {
    if field.isInline {
      return field.value.strings.compactMap { tagName($0[...].utf8) }
    }
    guard let text = field.value.text else { return field.value.strings.compactMap { tagName($0[...].utf8) } }
    // The brackets of a list that is not valid YAML belong to no tag.
    let isList = text.utf8.first == UInt8(ascii: "[") && !text.utf8.starts(with: "[[".utf8)
    if isList {
      return text.utf8.split { ",[]".utf8.contains($0) }.compactMap(tagName)
    }
    if text.utf8.contains(UInt8(ascii: ",")) {
      return text.utf8.split(separator: UInt8(ascii: ",")).compactMap(tagName)
    }
    if field.name.utf8.first.map({ $0 | 0x20 }) == UInt8(ascii: "k") || text.utf8.starts(with: "[[".utf8) {
      return [tagName(text[...].utf8)].compactMap { $0 }
    }
    return text.utf8.split { $0 == 0x20 || (0x09...0x0D).contains($0) }.compactMap(tagName)
  }

  /// The name of a tag as it was written, without blanks around it, without `#` before it and without `[[ ]]`.
  private static func tagName(_ written: Substring.UTF8View) -> String? {
    let name = InlineField.bareName(trimmed(written))
    return name.isEmpty ? nil : oneLine(String(decoding: name, as: UTF8.self))
  }

  /// The tags with those left out that an earlier one equals but for case.
  static func withoutCaseDuplicates(_ tags: [String]) -> [String] {
    if tags.count < 2 { return tags }
    if tags.count <= 8 {
      var kept: [String] = []
      kept.reserveCapacity(tags.count)
      for tag in tags where !kept.contains(where: { $0.isSameName(as: tag) }) { kept.append(tag) }
      return kept
    }
    var seen: Set<String> = []
    return tags.filter { seen.insert(TagName.key($0)).inserted }
  }
}

extension Note {
  /// The source of the title of a note.
  package enum TitleSource: Sendable {
    case field
    /// The heading that opens the body.
    case heading
    /// The name of the file.
    case file
    case none
  }

  package var titleSource: TitleSource {
    if hasOwnTitle { return .field }
    if heading != nil { return .heading }
    return Note.title(ofFile: path, id: id) == nil ? .none : .file
  }

  /// The titles that somebody gave the note.
  package var givenTitles: [String] { (titleSource == .none ? [] : [title]) + aliases }

  /// The title as it would be shown: on one line, without blanks around it.
  package static func titleOnOneLine(_ text: String) -> String { oneLine(text) }
}
