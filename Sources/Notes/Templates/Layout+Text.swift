import Text

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
      guard NoteFileName.name(of: note.title, slash: slash).utf8.elementsEqual(stem) else { return nil }
      new = Array(NoteFileName.name(of: title, slash: slash).utf8)
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
  /// A text whose marks are read as they stand.
  package static func escaped(_ text: String) -> [UInt8] {
    text.utf8.flatMap { "\\`*_{}[]<>#~!".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
  }
}
