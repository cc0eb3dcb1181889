import Bytes
import Synchronization

/// The stored summary of a note: the bytes up to its body, and the results of scanning the body.
///
/// All of it follows from the bytes of the note; names, dates of files and other notes have no part in it.
package struct NoteSummary: Sendable {
  /// The beginning of the file up to the body; of front-matter that nothing closes, the whole file.
  let head: [UInt8]
  let heading: TitleHeading?
  let tags: [BodyScan.InlineTag]
  let body: Body
  let inlineFields: [InlineField]

  /// The links and check boxes of a record, decoded at their first use, and the length of the body that holds them.
  struct Body: Sendable {
    let length: Int
    fileprivate let linkBytes: [UInt8]
    fileprivate let boxBytes: [UInt8]
  }

  /// Returns the record of a note in bytes.
  ///
  /// - Parameter note: a note that was parsed from its text.
  /// - Complexity: O(n) in the length of the front-matter and of the elements found in the body.
  package static func bytes(of note: Note) -> [UInt8] {
    let text = note.wholeText
    var packer = BytePacker()
    packer.append(text.bytes[..<(text.isUnclosed ? text.bytes.count : text.body.lowerBound)])
    packer.append(LinkKeys.bytes(names: note.ownNameKeys, links: note.linkKeys))
    packer.append(PackedFacts.bytes(of: NoteFacts(note)))
    packer.append(text.body.count)
    packer.append(note.heading == nil ? 0 : 1)
    if let heading = note.heading { packer.append(heading.text.utf8) }
    packer.append(note.inlineTags.count)
    for tag in note.inlineTags {
      packer.append(tag.offset)
      packer.append(tag.name.utf8)
    }
    packer.append(Body.bytes(of: note.links))
    packer.append(Body.bytes(of: note.boxes))
    if !note.inlineFields.isEmpty { packer.append(bytes(of: note.inlineFields)) }
    return packer.bytes
  }

  private static func bytes(of fields: [InlineField]) -> [UInt8] {
    var packer = BytePacker()
    for field in fields {
      packer.append(field.name.utf8)
      packer.append(field.written.utf8)
      packer.append(field.range.lowerBound)
      packer.append(field.range.count)
      packer.append(field.line)
      packer.append(field.isOfPage ? 1 : 0)
    }
    return packer.bytes
  }

  private static func inlineFields(in bytes: RawSpan) -> [InlineField]? {
    var unpacker = ByteUnpacker(bytes)
    var fields: [InlineField] = []
    while !unpacker.isAtEnd {
      guard let name = unpacker.text(), let written = unpacker.text(), let start = unpacker.number(),
        let count = unpacker.number(), let line = unpacker.number(), let isOfPage = unpacker.number(),
        count <= Int.max - start
      else { return nil }
      fields.append(
        InlineField(
          name: name, written: written, range: start..<start + count, line: line, isOfPage: isOfPage != 0))
    }
    return fields
  }

  /// Reads a record; nil if the bytes are not a record.
  package init?(_ bytes: RawSpan) {
    var unpacker = ByteUnpacker(bytes)
    guard let head = unpacker.bytes(), unpacker.bytes() != nil, unpacker.bytes() != nil,
      let length = unpacker.number(), let hasHeading = unpacker.number()
    else { return nil }
    var heading: TitleHeading?
    if hasHeading != 0 {
      guard let text = unpacker.text() else { return nil }
      heading = TitleHeading(text: text)
    }
    guard let tags = Self.inlineTags(&unpacker, most: bytes.byteCount), let links = unpacker.bytes(),
      let boxes = unpacker.bytes()
    else { return nil }
    var inline: [InlineField] = []
    if !unpacker.isAtEnd {
      guard let run = unpacker.bytes(), let fields = Self.inlineFields(in: run), unpacker.isAtEnd else {
        return nil
      }
      inline = fields
    }
    inlineFields = inline
    self.head = Array(head)
    self.heading = heading
    self.tags = tags
    body = Body(length: length, linkBytes: Array(links), boxBytes: Array(boxes))
  }

  /// Calls the body with the front-matter, each tag and all fields of the text, in place, until it says to stop.
  ///
  /// - Returns: whether the bytes are those of a record, as far as they were looked at.
  package static func forEachName(
    in bytes: RawSpan, _ body: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    var unpacker = ByteUnpacker(bytes)
    guard let head = unpacker.bytes(), unpacker.bytes() != nil, unpacker.bytes() != nil,
      unpacker.number() != nil, let hasHeading = unpacker.number()
    else { return false }
    if !head.withUnsafeBytes(body) { return true }
    if hasHeading != 0, unpacker.bytes() == nil { return false }
    guard let count = unpacker.number(), count <= bytes.byteCount else { return false }
    for _ in 0..<count {
      guard unpacker.number() != nil, let name = unpacker.bytes() else { return false }
      if !name.withUnsafeBytes(body) { return true }
    }
    guard unpacker.bytes() != nil, unpacker.bytes() != nil else { return false }
    if let inline = unpacker.bytes() { _ = inline.withUnsafeBytes(body) }
    return true
  }

  /// The keys of the note's own names and of its links, in place; nil if the bytes are no record.
  @_lifetime(copy bytes)
  package static func linkKeys(in bytes: RawSpan) -> LinkKeys? {
    var unpacker = ByteUnpacker(bytes)
    guard unpacker.bytes() != nil, let keys = unpacker.bytes() else { return nil }
    return LinkKeys(run: keys)
  }

  /// The facts of the note, in place; nil if the bytes are no record.
  @_lifetime(copy bytes)
  package static func facts(in bytes: RawSpan) -> PackedFacts? {
    var unpacker = ByteUnpacker(bytes)
    guard unpacker.bytes() != nil, unpacker.bytes() != nil, let facts = unpacker.bytes() else { return nil }
    return PackedFacts(run: facts)
  }

  /// The start of the body of the note; nil if the bytes are no record. Front-matter without a closing fence is body.
  package static func bodyStart(in bytes: RawSpan) -> Int? {
    var unpacker = ByteUnpacker(bytes)
    return unpacker.bytes()?.byteCount
  }

  /// The links of the note, without making it; nil if the bytes are no record.
  package static func links(in bytes: RawSpan) -> [BodyScan.Link]? {
    guard var unpacker = unpackerAtTags(of: bytes), let count = unpacker.number(), count <= bytes.byteCount
    else { return nil }
    for _ in 0..<count {
      guard unpacker.number() != nil, unpacker.bytes() != nil else { return nil }
    }
    guard let links = unpacker.bytes() else { return nil }
    return Body.links(in: links)
  }

  /// The check boxes of the note and the tags of its text, without making it; nil if the bytes are no record.
  package static func boxes(
    in bytes: RawSpan
  ) -> (boxes: [CheckBoxFacts], inlineTags: [BodyScan.InlineTag])? {
    guard var unpacker = unpackerAtTags(of: bytes), let tags = inlineTags(&unpacker, most: bytes.byteCount),
      unpacker.bytes() != nil, let boxes = unpacker.bytes()
    else { return nil }
    return (Body.boxes(in: boxes), tags)
  }

  /// The part of a record after its header: the tags of the text, its links and its check boxes.
  @_lifetime(copy bytes)
  private static func unpackerAtTags(of bytes: RawSpan) -> ByteUnpacker? {
    var unpacker = ByteUnpacker(bytes)
    guard unpacker.bytes() != nil, unpacker.bytes() != nil, unpacker.bytes() != nil,
      unpacker.number() != nil, let hasHeading = unpacker.number()
    else { return nil }
    if hasHeading != 0, unpacker.bytes() == nil { return nil }
    return unpacker
  }

  private static func inlineTags(_ unpacker: inout ByteUnpacker, most: Int) -> [BodyScan.InlineTag]? {
    guard let count = unpacker.number(), count <= most else { return nil }
    var tags: [BodyScan.InlineTag] = []
    for _ in 0..<count {
      guard let offset = unpacker.number(), let name = unpacker.text() else { return nil }
      tags.append(BodyScan.InlineTag(name: name, offset: offset))
    }
    return tags
  }

  /// The note at a path; its body is read from the source at its first use.
  ///
  /// - Parameter created: the creation date that the note or the name of its file gives, if it is known already.
  package func note(at path: [UInt8], created: Timestamp? = nil, text: TextSource) -> Note {
    Note(path: path, self, created: created, text: text)
  }

  /// A note of which nothing is known but its path.
  package static func unknownNote(at path: [UInt8], text: TextSource) -> Note {
    let body = Body(length: 0, linkBytes: [], boxBytes: [])
    let summary = NoteSummary(head: [], heading: nil, tags: [], body: body, inlineFields: [])
    return summary.note(at: path, text: text)
  }

  private init(
    head: [UInt8], heading: TitleHeading?, tags: [BodyScan.InlineTag], body: Body, inlineFields: [InlineField]
  ) {
    self.head = head
    self.heading = heading
    self.tags = tags
    self.body = body
    self.inlineFields = inlineFields
  }
}

extension NoteSummary.Body {
  fileprivate static func bytes(of links: [BodyScan.Link]) -> [UInt8] {
    var packer = BytePacker()
    packer.append(links.count)
    for link in links {
      packer.append(link.form.code + (link.isPageReference ? BodyScan.Link.Form.count : 0))
      packer.append(link.range.lowerBound)
      packer.append(link.range.count)
      packer.append(link.line)
      packer.append(link.target.utf8)
    }
    return packer.bytes
  }

  /// All links, as far as the bytes are sound.
  var links: [BodyScan.Link] {
    Self.links(in: linkBytes.span.bytes)
  }

  fileprivate static func links(in bytes: RawSpan) -> [BodyScan.Link] {
    var unpacker = ByteUnpacker(bytes)
    var links: [BodyScan.Link] = []
    for _ in 0..<min(unpacker.number() ?? 0, bytes.byteCount) {
      guard let code = unpacker.number(),
        let form = BodyScan.Link.Form(code: code % BodyScan.Link.Form.count),
        let start = unpacker.number(), let length = unpacker.number(), let line = unpacker.number(),
        let target = unpacker.text()
      else { break }
      let (end, overflows) = start.addingReportingOverflow(length)
      guard !overflows else { break }
      links.append(
        BodyScan.Link(
          form: form, target: target, range: start..<end, line: line,
          isPageReference: code >= BodyScan.Link.Form.count))
    }
    return links
  }
}

extension NoteSummary.Body {
  private static let states: [CheckBox.State] = [.open, .done, .other]

  fileprivate static func bytes(of boxes: [CheckBoxFacts]) -> [UInt8] {
    var packer = BytePacker()
    for box in boxes {
      packer.append(states.firstIndex(of: box.state) ?? 0)
      packer.append(box.line)
      packer.append(box.range.lowerBound)
      packer.append(box.range.count)
      packer.append(box.due?.description.utf8 ?? "".utf8)
      packer.append(box.text.utf8)
    }
    return packer.bytes
  }

  /// All check boxes, as far as the bytes are sound.
  var boxes: [CheckBoxFacts] {
    Self.boxes(in: boxBytes.span.bytes)
  }

  fileprivate static func boxes(in bytes: RawSpan) -> [CheckBoxFacts] {
    var unpacker = ByteUnpacker(bytes)
    var boxes: [CheckBoxFacts] = []
    while !unpacker.isAtEnd {
      guard let state = unpacker.number(), states.indices.contains(state),
        let line = unpacker.number(),
        let start = unpacker.number(), let count = unpacker.number(), count <= Int.max - start,
        let due = unpacker.text(), let text = unpacker.text()
      else { break }
      boxes.append(
        CheckBoxFacts(
          range: start..<start + count, line: line, state: states[state], text: text,
          due: due.isEmpty ? nil : CivilDate(due)))
    }
    return boxes
  }
}

extension BodyScan.Link.Form {
  private static let all: [BodyScan.Link.Form] = [.wiki, .embed, .markdown, .image, .reference, .html, .path]

  fileprivate static var count: Int { all.count }

  fileprivate var code: Int { Self.all.firstIndex(of: self) ?? 0 }

  fileprivate init?(code: Int) {
    guard Self.all.indices.contains(code) else { return nil }
    self = Self.all[code]
  }
}

/// The text of a note can't be read.
package struct UnreadText: Error {
  /// The failure of the reader.
  package let reason: any Error

  package init(_ reason: any Error) { self.reason = reason }
}

/// The source of the text of a note. The text is cached, a failure is not.
package final class TextSource: Sendable {
  private let read: @Sendable () throws(UnreadText) -> [UInt8]
  private let known = Mutex<[UInt8]?>(nil)

  /// - Parameter read: returns the bytes of the file.
  package init(_ read: @escaping @Sendable () throws(UnreadText) -> [UInt8]) { self.read = read }

  func bytes() throws(UnreadText) -> [UInt8] {
    try known.withLock { (known) throws(UnreadText) in
      if let known { return known }
      let bytes = try read()
      known = bytes
      return bytes
    }
  }
}
