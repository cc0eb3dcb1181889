import Bytes
import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// Links.
extension Completion {
  func wikiNames(_ range: Range<Int>) throws -> [CompletionItem] {
    guard let box = place.box else { return [] }
    let (folder, name) = Self.parted(text(range))
    let setting = folder.isEmpty ? Self.style(of: box) : LinkWriting.Name.path.rawValue
    let writing = LinkWriting(in: place.note, box.names, setting: setting) { Self.path(ofLink: $0, box) }
    let rest = LinkRest(of: bytes, at: cursor, closing: "]]", marks: "|#")
    let isInTable = CompletionPlace.isInTable(range.lowerBound, place.document.text)
    return matches(name, box, in: folder).compactMap { match in
      let target = writing.wikiTarget(match)
      guard Self.isWritable(target) else { return nil }
      // A label or heading that is there stays.
      var written = rest.isMarked ? String(target.prefix { $0 != "|" }) : target
      if isInTable {
        written = written.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
      }
      return noteItem(
        match, range.lowerBound..<rest.end, written + (rest.isClosed ? "" : "]]"), box, typed: text(range))
    }
  }

  /// The path of the note that a link with a name leads to; nil if it leads to none or to several.
  private static func path(ofLink name: String, _ box: BoxView) -> [UInt8]? {
    guard case .found(let entry)? = try? box.snapshot.catalogue().resolve(name, .link, suggests: false) else {
      return nil
    }
    return entry.note.path
  }

  /// Whole Markdown links in the place of a bracket and the words after it, in layouts with such links.
  func markdownLinks(_ range: Range<Int>) -> [CompletionItem] {
    guard let box = place.box, let style = try? box.snapshot.layout().links, !style.isWiki else { return [] }
    let rest = LinkRest(of: bytes, at: cursor, closing: "]", marks: "")
    let end = rest.isClosed ? rest.end + 1 : rest.end
    // A link that has an address keeps it.
    if end < bytes.count, rest.isClosed, "([:".utf8.contains(bytes[end]) { return [] }
    let typed = text(range)
    return matches(typed, box).map { match in
      let label = MarkdownText.escaped(match.use == .alias ? match.name : match.note.title)
      let written = "\(String(decoding: label, as: UTF8.self))](\(address(of: match.note, style, box)))"
      return noteItem(match, range.lowerBound..<end, written, box, typed: typed)
    }
  }

  private func address(of note: NamedNote, _ style: LinkStyle, _ box: BoxView) -> String {
    style.markdownTarget(of: note.path, identifier: note.id, from: place.note.path) {
      Self.path(ofLink: $0, box)
    }
  }

  /// The form of names in links: by the setting, otherwise by the layout of the box.
  private static func style(of box: BoxView) -> String? {
    if let setting = box.snapshot.settings["lsp.links"] { return setting }
    switch (try? box.snapshot.layout())?.links {
    case .path, .relative: return LinkWriting.Name.path.rawValue
    case .title, nil: return nil
    default: return LinkWriting.Name.file.rawValue
    }
  }

  /// Whether a target, with its label after a bar, can be written between double brackets. A name with link syntax would
  /// mean something else there.
  private static func isWritable(_ target: String) -> Bool {
    let parts = target.split(separator: "|", omittingEmptySubsequences: false)
    return parts.count < 3 && !parts[0].contains { "#[]".contains($0) }
  }

  func paths(_ range: Range<Int>) -> [CompletionItem] {
    guard let box = place.box else { return [] }
    let typed = text(range)
    let decoded = String(
      decoding: PercentEncoding.decoded(Array(typed.utf8.drop { $0 == UInt8(ascii: "<") })), as: UTF8.self
    )
    let (folder, name) = Self.parted(decoded)
    let style = (try? box.snapshot.layout())?.links ?? .markdown
    let rest = LinkRest(of: bytes, at: cursor, closing: ")", marks: "#")
    return matches(name, box, in: folder).map { match in
      noteItem(
        match, range.lowerBound..<rest.end, address(of: match.note, style, box) + (rest.isClosed ? "" : ")"),
        box, typed: typed)
    }
  }

  /// The texts before and after the last slash; relative folders of dots are left out, because they are no part of a name.
  private static func parted(_ typed: String) -> (folder: String, name: String) {
    var parts = typed.split(separator: "/", omittingEmptySubsequences: false)
    let name = parts.popLast().map(String.init) ?? ""
    return (parts.filter { !$0.isEmpty && $0 != "." && $0 != ".." }.joined(separator: "/"), name)
  }

  /// The notes that fit, those that are open with the names that they have in the editor.
  func matches(_ typed: String, _ box: BoxView, ofKind kind: String? = nil, in folder: String = "")
    -> [NameMatch]
  {
    box.matches(typed, ofKind: kind, in: NameFolder(folder), most: Self.most + 1).filter {
      $0.note.path != place.path
    }
  }

  func noteItem(
    _ match: NameMatch, _ range: Range<Int>, _ newText: String, _ box: BoxView, typed: String? = nil
  ) -> CompletionItem {
    let kind = match.note.kind == "note" ? "" : match.note.kind
    let path = String(decoding: match.note.path, as: UTF8.self)
    let isTitle = match.use == .title
    let detail = [isTitle ? "" : match.note.title, kind, isTitle || match.use == .id ? path : ""].filter {
      !$0.isEmpty
    }
    var item = item(
      match.name, .reference, range, newText, typed: typed, detail: detail.joined(separator: " · "))
    item.data = CompletionItem.Subject(uri: box.uri(of: match.note.path))
    return item
  }

  /// The note that a link's name means; the note itself for none.
  private func note(named name: String, isWiki: Bool) throws -> Note? {
    if name.isEmpty { return place.note }
    guard let box = place.box else { return nil }
    let text = isWiki ? "[[\(name)]]" : "[](\(name))"
    let probe = Note(path: place.path, text: NoteText(Array(text.utf8)))
    guard let target = try NoteWeb(box.snapshot).links(of: probe).first?.target,
      case .note(let place) = target
    else {
      return nil
    }
    return try box.snapshot.catalogue().entries[place].note
  }

  func headings(ofNote name: String, _ range: Range<Int>, isWiki: Bool) throws -> [CompletionItem] {
    guard let note = try note(named: name, isWiki: isWiki) else { return [] }
    let anchors = HeadingAnchors(try note.text)
    let closing = isWiki ? "]]" : ")"
    let isClosed = bytes[cursor...].starts(with: closing.utf8)
    let typed = text(range)
    return anchors.headings.indices.compactMap { number in
      let title = anchors.texts[number]
      guard !title.isEmpty, Self.begins(title, typed) || NamePattern(title).holds(NamePattern(typed)) else {
        return nil
      }
      let anchor =
        isWiki ? anchors.linkText(of: number) : String(decoding: anchors.anchor(of: number), as: UTF8.self)
      let mark = String(repeating: "#", count: anchors.headings[number].level)
      return item(title, .reference, range, anchor + (isClosed ? "" : closing), detail: mark)
    }
  }

  func blocks(ofNote name: String, _ range: Range<Int>) throws -> [CompletionItem] {
    guard let note = try note(named: name, isWiki: true) else { return [] }
    let text = try note.text
    let isClosed = bytes[cursor...].starts(with: "]]".utf8)
    let typed = self.text(range)
    return BlockNames.all(in: text).compactMap { block in
      let name = String(block.name.dropFirst())
      guard Self.begins(name, typed) else { return nil }
      var start = block.range.lowerBound
      while start > 0, text.bytes[start - 1] != 0x0A { start -= 1 }
      let line = String(decoding: text.bytes[start..<block.range.lowerBound].prefix(120), as: UTF8.self)
      return item(name, .reference, range, name + (isClosed ? "" : "]]"), detail: line)
    }
  }
}

extension NamePattern {
  /// Whether this pattern contains the letters of another one in their order.
  func holds(_ other: NamePattern) -> Bool { folded.withUnsafeBufferPointer { other.fits($0, .letters) } }
}

/// How links to notes are written in a note: as those that it has.
struct LinkWriting {
  /// The kind of name that a wiki link uses for a note.
  enum Name: String {
    case title, id, path
    /// The name of the file, or its path if several files have the name.
    case file
  }

  private let note: Note
  private let names: NoteNameIndex
  private let preferred: Name
  /// The path of the note that a link with a name leads to.
  private let leads: (String) -> [UInt8]?

  /// - Parameters:
  ///   - setting: the kind of name in the settings; nil for that of most links of the note.
  ///   - leads: returns the path of the note that a link with a name leads to.
  init(
    in note: Note, _ names: NoteNameIndex, setting: String?,
    leads: @escaping (String) -> [UInt8]? = { _ in nil }
  ) {
    self.leads = leads
    self.note = note
    self.names = names
    if let name = setting.flatMap(Name.init) {
      preferred = name
    } else {
      let wiki = note.links.filter { $0.form == .wiki }
      let byID = wiki.count { NoteID($0.target) != nil }
      preferred = byID > 0 && 2 * byID > wiki.count ? .id : .title
    }
  }

  /// The inside of a wiki link to a note.
  ///
  /// - Parameter match: the name that was found; another title stays as the label.
  func wikiTarget(_ match: NameMatch) -> String {
    let target = match.note
    let label = match.use == .alias ? match.name : target.title
    switch preferred {
    case .id:
      if let id = target.id, NoteID(id) != nil { return labelled(id, label) }
    case .path: return labelled(path(of: target), label)
    case .file:
      let name = String(decoding: FileName.stem(of: target.path), as: UTF8.self)
      return labelled(leads(name) == target.path ? name : path(of: target), label)
    case .title: break
    }
    if match.use == .file, names.count(named: match.name) == 0, Self.isPlain(match.name) { return match.name }
    if Self.isPlain(target.title), names.count(named: target.title) < 2 {
      return match.use == .alias ? labelled(target.title, label) : target.title
    }
    if let id = target.id, NoteID(id) != nil { return labelled(id, label) }
    return labelled(path(of: target), label)
  }

  private func labelled(_ name: String, _ label: String) -> String {
    let label = label.filter { !"[]|\n".contains($0) }
    return label.isEmpty || label == name ? name : "\(name)|\(label)"
  }

  private func path(of target: NamedNote) -> String {
    String(decoding: target.path.dropLast(FileName.ending(of: target.path).count), as: UTF8.self)
  }

  /// Whether a name can be written in a wiki link as it is.
  private static func isPlain(_ name: String) -> Bool {
    !name.utf8.contains { "[]|#^".utf8.contains($0) || $0 < 0x20 } && name.utf8.first != UInt8(ascii: " ")
  }
}

/// The rest of a link after the cursor in its line.
struct LinkRest {
  /// The end of the name that a completion replaces.
  let end: Int
  /// Whether the link is closed there.
  let isClosed: Bool
  /// Whether a label or a heading follows the name.
  let isMarked: Bool

  /// - Parameters:
  ///   - closing: the text that closes the link.
  ///   - marks: the marks that end the name before that.
  init(of bytes: [UInt8], at cursor: Int, closing: String, marks: String) {
    var place = cursor
    var mark: Int?
    while place < bytes.count, bytes[place] != 0x0A, bytes[place] != 0x0D {
      if bytes[place...].starts(with: closing.utf8) {
        end = mark ?? place
        isClosed = true
        isMarked = mark != nil
        return
      }
      // Another link begins: this one was never closed.
      if bytes[place] == UInt8(ascii: "[") { break }
      if mark == nil, marks.utf8.contains(bytes[place]) {
        // In a table a backslash precedes the bar.
        mark = place > cursor && bytes[place - 1] == UInt8(ascii: "\\") ? place - 1 : place
      }
      place += 1
    }
    end = cursor
    isClosed = false
    isMarked = false
  }
}
