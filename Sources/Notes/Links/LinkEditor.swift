import Bytes

/// Changes targets of links in a note, and makes sure that nothing else changed.
package struct LinkEditor {
  private var text: NoteText
  private var links: [BodyScan.Link]
  private let edits: [LinkEdit]

  /// Returns a note with other targets of some of its links; every other byte stays.
  ///
  /// The result is read again: it has the same links, those that were to change with their new targets.
  /// - Parameter links: those of the text, front-matter first.
  /// - Throws: `LinkEditError` with the link that can't be changed.
  /// - Complexity: O(n), two or three readings of the note.
  package static func text(
    of text: NoteText, links: [BodyScan.Link], _ edits: [LinkEdit]
  ) throws(LinkEditError) -> NoteText {
    guard !edits.isEmpty else { return text }
    var editor = LinkEditor(text, links, edits)
    try editor.changeFields()
    try editor.changeBody()
    return editor.text
  }

  /// The links of a text, front-matter first.
  package static func links(of text: NoteText) -> [BodyScan.Link] {
    FieldLinks.links(in: FrontMatter(text), of: text) + BodyScan(text).links
  }

  private init(_ text: NoteText, _ links: [BodyScan.Link], _ edits: [LinkEdit]) {
    self.text = text
    self.links = links
    self.edits = edits.sorted { $0.number < $1.number }
  }

  private func isInBody(_ edit: LinkEdit) -> Bool {
    links.indices.contains(edit.number) && links[edit.number].range.lowerBound >= text.body.lowerBound
  }

  private mutating func changeBody() throws(LinkEditError) {
    let edits = edits.filter { isInBody($0) }
    guard let first = edits.first else { return }
    var (written, position) = ([UInt8](), 0)
    var targets: [Int: [UInt8]] = [:]
    for (edit, place) in try places(of: edits) {
      let (bytes, target) = edit.written(at: place, isInTable: isInTable(place.target.lowerBound))
      written += text.bytes[position..<place.target.lowerBound] + bytes
      position = place.target.upperBound
      targets[edit.number] = target
    }
    let result = NoteText(written + text.bytes[position...])
    let after = Self.links(of: result)
    let differs = links.indices.first { number in
      let wanted = targets[number] ?? Array(links[number].target.utf8)
      return number >= after.count || after[number].form != links[number].form
        || !after[number].target.utf8.elementsEqual(wanted)
    }
    guard differs == nil, after.count == links.count else {
      let fault = differs.map { targets[$0] == nil ? first.number : $0 } ?? first.number
      throw LinkEditError(
        fault, links[fault], reason: "the new target would change how Markdown reads the text")
    }
    (text, links) = (result, after)
  }

  /// The edits with their places in the order of the text.
  private func places(of edits: [LinkEdit]) throws(LinkEditError) -> [(edit: LinkEdit, place: LinkPlace)] {
    var places: [(edit: LinkEdit, place: LinkPlace)] = []
    for edit in edits {
      let link = links[edit.number]
      guard let place = LinkPlace(link, in: text.bytes) else {
        throw LinkEditError(edit.number, link, reason: "its target is not plain text")
      }
      places.append((edit, place))
    }
    // The target of an image in a label comes before that of the link.
    return places.sorted { $0.place.target.lowerBound < $1.place.target.lowerBound }
  }

  /// Whether a line begins as the row of a table.
  private func isInTable(_ offset: Int) -> Bool {
    let start = text.bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let first = text.bytes[start..<offset].first { $0 != 0x20 && $0 != 0x09 && $0 != UInt8(ascii: ">") }
    return first == UInt8(ascii: "|")
  }
}

extension LinkEditor {
  private mutating func changeFields() throws(LinkEditError) {
    let own = edits.filter { links.indices.contains($0.number) && !isInBody($0) }
    guard !own.isEmpty else { return }
    let frontMatter = FrontMatter(text)
    var number = 0
    for field in frontMatter.fields {
      let count = FieldLinks.count(in: field)
      let numbers = number..<(number + count)
      let edits = own.filter { numbers.contains($0.number) }
      if let first = edits.first {
        guard frontMatter.isWritable, text.format == .yaml else {
          throw LinkEditError(
            first.number, links[first.number], reason: "the front matter can't be rewritten")
        }
        try change(field, edits, from: number)
      }
      number += count
    }
  }

  /// - Parameter start: the number of the field's first link.
  private mutating func change(
    _ field: FrontMatterField, _ edits: [LinkEdit], from start: Int
  ) throws(LinkEditError) {
    let targets = Dictionary(
      edits.map { ($0.number - start, $0.target(isBracketed: false)) }, uniquingKeysWith: { $1 })
    let value = FieldLinks.replacing(targets, in: field)
    if let spliced = splicing(edits), Self.hasFields(spliced, of: text, except: field.name, value) {
      (text, links) = (spliced, Self.links(of: spliced))
      return
    }
    do throws(EditError) {
      text = try text.setting(field.name, to: value)
      links = Self.links(of: text)
    } catch {
      throw LinkEditError(
        edits[0].number, links[edits[0].number], reason: "the field \(field.name) can't be rewritten")
    }
  }

  /// The text with replaced targets; nil if one is not in the text as it was read.
  private func splicing(_ edits: [LinkEdit]) -> NoteText? {
    guard let places = try? places(of: edits) else { return nil }
    var (written, position) = ([UInt8](), 0)
    for (edit, place) in places {
      guard position <= place.target.lowerBound else { return nil }
      written += text.bytes[position..<place.target.lowerBound] + edit.target(isBracketed: place.isBracketed)
      position = place.target.upperBound
    }
    return NoteText(written + text.bytes[position...])
  }

  /// Whether a text has the fields of another one, but for the value of one of them.
  private static func hasFields(
    _ text: NoteText, of other: NoteText, except name: String, _ value: FieldValue
  ) -> Bool {
    let (after, before) = (FrontMatter(text), FrontMatter(other))
    return after.isWritable && after.fields.count == before.fields.count
      && zip(after.fields, before.fields).allSatisfy { new, old in
        new.name.hasSameBytes(as: old.name)
          && new.value == (old.name.hasSameBytes(as: name) ? value : old.value)
      }
  }
}

/// Another target for one link of a note.
package struct LinkEdit: Sendable {
  /// The number of the link among those of the note, front-matter first.
  package let number: Int
  package let spelling: LinkSpelling
  /// The new name as it is meant.
  package let name: [UInt8]
  /// The new heading with its mark, as it is written; nil for that of the link.
  package let suffix: [UInt8]?
  /// The label that a wiki link needs if it had none and its new target reads differently; nil for the target.
  package let label: String?
  /// Whether the link would break without the edit.
  package let isNeeded: Bool

  package init(
    number: Int, spelling: LinkSpelling, name: [UInt8], suffix: [UInt8]? = nil, label: String? = nil,
    isNeeded: Bool = true
  ) {
    self.number = number
    self.spelling = spelling
    self.name = name
    self.suffix = suffix
    self.label = label
    self.isNeeded = isNeeded
  }

  /// The new target as it is written.
  func target(isBracketed: Bool) -> [UInt8] {
    spelling.target(name, suffix: suffix, isBracketed: isBracketed)
  }

  /// The bytes in the place of the target, and the target alone.
  ///
  /// - Parameter isInTable: whether a bar would end a cell.
  func written(at place: LinkPlace, isInTable: Bool) -> (bytes: [UInt8], target: [UInt8]) {
    let target = target(isBracketed: place.isBracketed)
    guard let label, !place.hasLabel else { return (target, target) }
    return (WikiLabels.joined(target, Array(label.utf8), isInTable: isInTable), target)
  }
}

/// A link whose target can't be written so that it is read as it is meant.
package struct LinkEditError: Error, Sendable {
  /// The number of the link among those of the note; nil if it is not a link.
  package let number: Int?
  /// The line of the file, from 1.
  package let line: Int
  package let target: String
  package let reason: String

  package init(number: Int? = nil, line: Int, target: String, reason: String) {
    self.number = number
    self.line = line
    self.target = target
    self.reason = reason
  }

  init(_ number: Int, _ link: BodyScan.Link, reason: String) {
    self.init(number: number, line: link.line, target: link.target, reason: reason)
  }
}

/// Relative Markdown links, rewritten for a note in another folder.
package struct RelativeLinks {
  private let old: [UInt8]
  /// The way from the new folder to the old one: `../../a/b/`, percent-encoded; empty if it is the same.
  private let way: [UInt8]

  /// - Parameters:
  ///   - old: the folder of the note so far, empty for the root of the box.
  ///   - new: its folder then.
  package init(from old: [UInt8], to new: [UInt8]) {
    self.old = old
    let slash = UInt8(ascii: "/")
    let (from, to) = (new.split(separator: slash), old.split(separator: slash))
    let common = zip(from, to).prefix { $0.elementsEqual($1) }.count
    let up = Array(repeating: Array("..".utf8), count: from.count - common)
    let down = to[common...].map { PercentEncoding.encoded($0) }
    way = (up + down).flatMap { $0 + [slash] }
  }

  /// The path of the file that a link leads to from the old folder; nil if it does not begin there.
  package func file(of link: BodyScan.Link) -> [UInt8]? {
    guard [.markdown, .image, .reference, .html].contains(link.form),
      case .name(let name) = LinkAddress(link),
      name.base != .box, let reading = name.readings.last
    else { return nil }
    return BytePath.normalised(BytePath.join(old, reading))
  }

  /// The bytes of a link's target in the note, and the target from the new folder; nil if the link is written in a way
  /// in which its target is not found for certain.
  package func change(of link: BodyScan.Link, in bytes: [UInt8]) -> (range: Range<Int>, target: [UInt8])? {
    guard !link.target.isEmpty, let place = LinkPlace(link, in: bytes) else { return nil }
    return (place.target, Self.shortened(way + Array(link.target.utf8)))
  }

  /// A path with `..` resolved; the suffix after `#` or `?` stays as it is.
  private static func shortened(_ target: [UInt8]) -> [UInt8] {
    let end = target.firstIndex { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "?") } ?? target.count
    let up = Array("..".utf8)
    var parts: [ArraySlice<UInt8>] = []
    for part in target[..<end].split(separator: UInt8(ascii: "/")) where !part.elementsEqual(".".utf8) {
      if part.elementsEqual(up), let last = parts.last, !last.elementsEqual(up) {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return Array(parts.joined(separator: [UInt8(ascii: "/")])) + target[end...]
  }
}
