import Bytes
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
