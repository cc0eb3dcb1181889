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
    // None of the three is ever empty.
    packer.append(packed([facts.title ?? "", facts.section ?? "", facts.foreignID ?? ""] + facts.aliases))
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

  /// What stands for the title, if anything.
  private static func heading(_ texts: [String]) -> TitleHeading? {
    if !texts[0].isEmpty { return TitleHeading(text: texts[0], isTop: true) }
    return texts[1].isEmpty ? nil : TitleHeading(text: texts[1], isTop: false)
  }

  /// The names that the note at a path goes by, as `Note` has them.
  package func names(at path: [UInt8], id: NoteID?) -> NamesOfNote? {
    let texts = Self.names(in: names)
    guard texts.count >= 3 else { return nil }
    return NamesOfNote(
      path: path, id: id, foreignID: texts[2].isEmpty ? nil : texts[2],
      title: Note.title(Self.heading(texts), path: path, id: id), aliases: Array(texts[3...]))
  }
}
