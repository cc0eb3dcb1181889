import Bytes

/// The facts that questions ask of all notes at once: kind, tags, names of fields, and which checks concern the note.
///
/// They follow from the bytes of the note alone and are kept in its record, from which a catalogue takes its columns.
package struct NoteFacts: Sendable, Equatable {
  /// Properties of a note that are either there or not.
  package struct Flags: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The field `kind` holds a text that is not blank.
    package static let hasOwnKind = Flags(rawValue: 1)
    /// The front-matter has problems or a field that the text has too, or the file is not UTF-8 text.
    package static let hasProblems = Flags(rawValue: 2)
    /// A marker of an unfinished merge stands in the file.
    package static let hasMergeMarkers = Flags(rawValue: 4)
    /// The body has check boxes; one of them is open.
    package static let hasBoxes = Flags(rawValue: 8)
    package static let hasOpenBox = Flags(rawValue: 16)
    /// The body has lists that slip writes, or a begin line that opens none.
    package static let hasBakedBlocks = Flags(rawValue: 32)
  }

  package let flags: Flags
  /// The kind by the field `kind`; "note" where there is none.
  package let kind: String
  /// The tags of the front-matter and of the text, as `Note.tags` has them.
  package let tags: [String]
  /// The names of the fields in the order of the file.
  package let fields: [String]
  /// The title by the field or the heading that opens the body; nil where neither gives one.
  package let title: String?
  /// Another tool's name for the note, and its further titles, as `Note` has them.
  package let foreignID: String?
  package let aliases: [String]

  /// The facts of a note whose whole text is known.
  ///
  /// - Complexity: O(n) in the length of the text.
  package init(_ note: Note) {
    var flags: Flags = []
    if let text = note.value(named: "kind")?.text, !Note.oneLine(text).isEmpty { flags.insert(.hasOwnKind) }
    if !note.shadowedInlineFields.isEmpty || !note.frontMatter.problems.isEmpty || note.text.unreadable != nil
    {
      flags.insert(.hasProblems)
    }
    if MergeMarkers.firstLine(in: note.text.bytes) != nil { flags.insert(.hasMergeMarkers) }
    let boxes = note.boxes
    if !boxes.isEmpty { flags.insert(.hasBoxes) }
    if boxes.contains(where: { $0.state == .open }) { flags.insert(.hasOpenBox) }
    if BakedBlock.isIn(note.text) { flags.insert(.hasBakedBlocks) }
    self.flags = flags
    kind = note.kind
    tags = note.tags
    fields = note.frontMatter.fields.map(\.name)
    title = note.hasOwnTitle ? note.title : note.heading?.text
    foreignID = note.foreignID
    aliases = note.aliases
  }
}

/// The facts in a record, in place.
package struct PackedFacts {
  package let flags: NoteFacts.Flags
  package let kind: UnsafeRawBufferPointer
  /// The names of the tags and of the fields, each a run that `names(in:)` reads.
  package let tags: UnsafeRawBufferPointer
  package let fields: UnsafeRawBufferPointer
  private let names: UnsafeRawBufferPointer

  /// - Parameter run: has to outlive the facts.
  init?(run: UnsafeRawBufferPointer) {
    var unpacker = ByteUnpacker(run)
    guard let flags = unpacker.number().flatMap({ UInt8(exactly: $0) }), let kind = unpacker.bytes(),
      let tags = unpacker.bytes(), let fields = unpacker.bytes(), let names = unpacker.bytes(),
      unpacker.isAtEnd
    else { return nil }
    self.flags = NoteFacts.Flags(rawValue: flags)
    self.kind = kind
    self.tags = tags
    self.fields = fields
    self.names = names
  }

  static func bytes(of facts: NoteFacts) -> [UInt8] {
    var packer = BytePacker()
    packer.append(Int(facts.flags.rawValue))
    packer.append(facts.kind.utf8)
    packer.append(packed(facts.tags))
    packer.append(packed(facts.fields))
    // Neither of the two is ever empty.
    packer.append(packed([facts.title ?? "", facts.foreignID ?? ""] + facts.aliases))
    return packer.bytes
  }

  private static func packed(_ names: [String]) -> [UInt8] {
    var packer = BytePacker()
    for name in names { packer.append(name.utf8) }
    return packer.bytes
  }

  /// The names in a run of tags or fields.
  package static func names(in run: UnsafeRawBufferPointer) -> [String] {
    var unpacker = ByteUnpacker(run)
    var names: [String] = []
    while let name = unpacker.text() { names.append(name) }
    return names
  }

  /// The names that the note at a path goes by, as `Note` has them.
  package func names(at path: [UInt8], id: NoteID?) -> NamesOfNote? {
    let texts = Self.names(in: names)
    guard texts.count >= 2 else { return nil }
    let heading = texts[0].isEmpty ? nil : TitleHeading(text: texts[0])
    return NamesOfNote(
      path: path, id: id, foreignID: texts[1].isEmpty ? nil : texts[1],
      title: Note.title(heading, path: path, id: id), aliases: Array(texts[2...]))
  }
}
