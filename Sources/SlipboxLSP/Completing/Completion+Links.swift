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
    let setting = folder.isEmpty ? box.snapshot.settings["lsp.links"] : LinkWriting.Name.path.rawValue
    let writing = LinkWriting(in: place.note, box.names, setting: setting)
    let rest = LinkRest(of: bytes, at: cursor, closing: "]]", marks: "|#")
    let isInTable = CompletionPlace.isInTable(range.lowerBound, place.document.text)
    return matches(name, box, in: folder).map { match in
      let target = writing.wikiTarget(match)
      // A label or heading that is there stays.
      var written = rest.isMarked ? String(target.prefix { $0 != "|" }) : target
      if isInTable {
        written = written.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
      }
      return noteItem(
        match, range.lowerBound..<rest.end, written + (rest.isClosed ? "" : "]]"), box, typed: text(range))
    }
  }

  func paths(_ range: Range<Int>) -> [CompletionItem] {
    guard let box = place.box else { return [] }
    let typed = text(range)
    let decoded = String(
      decoding: PercentEncoding.decoded(Array(typed.utf8.drop { $0 == UInt8(ascii: "<") })), as: UTF8.self
    )
    let (folder, name) = Self.parted(decoded)
    let writing = LinkWriting(in: place.note, box.names, setting: nil)
    let rest = LinkRest(of: bytes, at: cursor, closing: ")", marks: "#")
    return matches(name, box, in: folder).map { match in
      noteItem(
        match, range.lowerBound..<rest.end, writing.address(of: match.note) + (rest.isClosed ? "" : ")"), box,
        typed: typed)
    }
  }

  /// What stands before the last slash, and behind it; dots that lead to folders say nothing of their names.
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
    let anchors = HeadingAnchors(note.text)
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
    let text = note.text
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
  /// Whether the letters of another pattern stand in this one in their order.
  func holds(_ other: NamePattern) -> Bool { folded.withUnsafeBufferPointer { other.fits($0, .letters) } }
}
