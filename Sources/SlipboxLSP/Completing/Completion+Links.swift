import Bytes
import NoteIndex
import Notes
import SlipboxCore

/// Links.
extension Completion {
  func wikiNames(_ range: Range<Int>) throws -> [CompletionItem] {
    guard let box = place.box else { return [] }
    let writing = LinkWriting(in: place.note, box.names, setting: box.snapshot.settings["lsp.links"])
    let closing = bytes[cursor...].starts(with: "]]".utf8) ? "" : "]]"
    return matches(text(range), box).map { match in
      noteItem(match, range, writing.wikiTarget(match) + closing, box)
    }
  }

  func paths(_ range: Range<Int>) -> [CompletionItem] {
    guard let box = place.box else { return [] }
    let typed = text(range)
    let writing = LinkWriting(in: place.note, box.names, setting: nil)
    let isClosed = bytes[cursor...].first == UInt8(ascii: ")")
    let name = typed.split(separator: "/").last.map(String.init) ?? ""
    return matches(typed.hasSuffix("/") ? "" : name, box).map { match in
      noteItem(match, range, writing.address(of: match.note) + (isClosed ? "" : ")"), box)
    }
  }

  /// The notes that fit, those that are open with the names that they have in the editor.
  func matches(_ typed: String, _ box: BoxView, ofKind kind: String? = nil) -> [NameMatch] {
    box.matches(typed, ofKind: kind, most: Self.most + 1).filter { $0.note.path != place.path }
  }

  func noteItem(_ match: NameMatch, _ range: Range<Int>, _ newText: String, _ box: BoxView) -> CompletionItem
  {
    let kind = match.note.kind == "note" ? "" : match.note.kind
    let path = String(decoding: match.note.path, as: UTF8.self)
    let isTitle = match.use == .title
    let detail = [isTitle ? "" : match.note.title, kind, isTitle || match.use == .id ? path : ""].filter {
      !$0.isEmpty
    }
    var item = item(match.name, .reference, range, newText, detail: detail.joined(separator: " · "))
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
