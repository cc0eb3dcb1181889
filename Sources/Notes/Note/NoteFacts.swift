import Bytes
import Text

/// The facts that queries need of all notes at once: kind, tags, names of fields, and the checks that concern the note.
///
/// They depend on the bytes of the note alone and are stored in its record, from which a catalogue takes its columns.
package struct NoteFacts: Sendable, Equatable {
  /// Properties of a note that are either there or not.
  package struct Flags: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The field `kind` holds a text that is not blank.
    package static let hasOwnKind = Flags(rawValue: 1)
    /// The front-matter has problems or a field that the text has too, or the file is not UTF-8 text.
    package static let hasProblems = Flags(rawValue: 2)
    /// The file has a marker of an unfinished merge, or several versions of lines.
    package static let hasMergeMarkers = Flags(rawValue: 4)
    /// The body has check boxes; one of them is open.
    package static let hasBoxes = Flags(rawValue: 8)
    package static let hasOpenBox = Flags(rawValue: 16)
    /// The body has lists that slip writes, or a begin line that opens none.
    package static let hasBakedBlocks = Flags(rawValue: 32)
  }

  package let flags: Flags
  /// The kind by the field `kind`; "note" if there is none.
  package let kind: String
  /// The tags of the front-matter and of the text, as `Note.tags` has them.
  package let tags: [String]
  /// The names of the fields in the order of the file.
  package let fields: [String]
  /// The values of the fields.
  package let values: [FieldValue]
  /// The title by the field or the heading that opens the body; nil if neither gives one.
  package let title: String?
  /// Another tool's name for the note, and its further titles, as `Note` has them.
  package let foreignID: String?
  package let aliases: [String]

  /// The facts of a note that was made of its text.
  ///
  /// - Complexity: O(n) in the length of the text.
  package init(_ note: Note) {
    var flags: Flags = []
    if let text = note.value(named: "kind")?.text, !Note.oneLine(text).isEmpty { flags.insert(.hasOwnKind) }
    if !note.shadowedInlineFields.isEmpty || !note.frontMatter.problems.isEmpty
      || note.wholeText.unreadable != nil
    {
      flags.insert(.hasProblems)
    }
    if note.wholeText.hasSeveralVersions { flags.insert(.hasMergeMarkers) }
    let boxes = note.boxes
    if !boxes.isEmpty { flags.insert(.hasBoxes) }
    if boxes.contains(where: { $0.state == .open }) { flags.insert(.hasOpenBox) }
    if BakedBlock.isIn(note.wholeText) { flags.insert(.hasBakedBlocks) }
    self.flags = flags
    kind = note.kind
    tags = note.tags
    fields = note.frontMatter.fields.map(\.name)
    values = note.frontMatter.fields.map(\.value)
    title = note.hasOwnTitle ? note.title : note.heading?.text
    foreignID = note.foreignID
    aliases = note.aliases
  }
}

/// The facts in a record, in place.
package struct PackedFacts: ~Escapable {
  package let flags: NoteFacts.Flags
  package let kind: RawSpan
  /// The names of the tags and of the fields, each a run that `names(in:)` reads.
  package let tags: RawSpan
  package let fields: RawSpan
  private let names: RawSpan
  private let values: RawSpan

  @_lifetime(copy run)
  init?(run: RawSpan) {
    var unpacker = ByteUnpacker(run)
    guard let flags = unpacker.number().flatMap({ UInt8(exactly: $0) }), let kind = unpacker.bytes(),
      let tags = unpacker.bytes(), let fields = unpacker.bytes(), let names = unpacker.bytes(),
      let values = unpacker.bytes(), unpacker.isAtEnd
    else { return nil }
    self.flags = NoteFacts.Flags(rawValue: flags)
    self.kind = kind
    self.tags = tags
    self.fields = fields
    self.names = names
    self.values = values
  }

  static func bytes(of facts: NoteFacts) -> [UInt8] {
    var packer = BytePacker()
    packer.append(Int(facts.flags.rawValue))
    packer.append(facts.kind.utf8)
    packer.append(packed(facts.tags))
    packer.append(packed(facts.fields))
    // Neither of the two is ever empty.
    packer.append(packed([facts.title ?? "", facts.foreignID ?? ""] + facts.aliases))
    packer.append(PackedValues.bytes(of: facts.values, named: facts.fields))
    return packer.bytes
  }

  private static func packed(_ names: [String]) -> [UInt8] {
    var packer = BytePacker()
    for name in names { packer.append(name.utf8) }
    return packer.bytes
  }

  /// The names in a run of tags or fields.
  package static func names(in run: RawSpan) -> [String] {
    var unpacker = ByteUnpacker(run)
    var names: [String] = []
    while let name = unpacker.text() { names.append(name) }
    return names
  }

  /// Appends the values of some fields in the form of `FieldValue.pack`, each after other bytes.
  ///
  /// - Parameter fields: the places of the fields in the order of the file, ascending.
  /// - Returns: false if one of the values is not kept.
  package func appendValues(of fields: [(place: Int, before: [UInt8])], to bytes: inout [UInt8]) -> Bool {
    var unpacker = ByteUnpacker(values)
    var place = 0
    for field in fields {
      var run = unpacker.bytes()
      while place < field.place, run != nil {
        run = unpacker.bytes()
        place += 1
      }
      place += 1
      guard let run, !run.isEmpty else { return false }
      bytes += field.before
      run.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }
    return true
  }

  /// The names of the note at a path, as `Note` has them.
  package func names(at path: [UInt8], id: NoteID?) -> NamesOfNote? {
    let texts = Self.names(in: names)
    guard texts.count >= 2 else { return nil }
    let heading = texts[0].isEmpty ? nil : TitleHeading(text: texts[0])
    return NamesOfNote(
      path: path, id: id, foreignID: texts[1].isEmpty ? nil : texts[1],
      title: Note.title(heading, path: path, id: id), aliases: Array(texts[2...]))
  }
}

/// The names by which references and links may call a note.
package struct NamesOfNote: Sendable, Equatable {
  package let path: [UInt8]
  package let id: NoteID?
  package let foreignID: String?
  package let title: String
  package let aliases: [String]

  init(path: [UInt8], id: NoteID?, foreignID: String?, title: String, aliases: [String]) {
    self.path = path
    self.id = id
    self.foreignID = foreignID
    self.title = title
    self.aliases = aliases
  }

  package init(_ note: Note) {
    self.init(
      path: note.path, id: note.id, foreignID: note.foreignID, title: note.title, aliases: note.aliases)
  }
}

extension Note {
  /// The keys of the names that the note has beside its path.
  var ownNameKeys: [LinkKey] {
    let names = [id?.description, foreignID].compactMap { $0 }
    // A title that comes from the name of the file has the key of the path. A heading counts even if the file's name goes
    // before it, since the keys are those of the text alone.
    let titles = [hasOwnTitle ? title : heading?.text ?? Note.untitled] + aliases
    return names.compactMap { LinkKey(Array($0.utf8)) } + titles.flatMap { LinkKey.keys(ofTitle: $0) }
  }

  /// The keys of the names of the note.
  package var nameKeys: [LinkKey] {
    ownNameKeys + [LinkKey(path)].compactMap { $0 } + LinkKey.keys(ofOtherNamesOf: path)
  }

  /// The keys of the note's link targets.
  package var linkKeys: [LinkKey] {
    links.flatMap { link -> [LinkKey] in
      if case .name(let name) = LinkAddress(link) { name.keys } else { [] }
    }
  }
}

extension LinkKey {
  /// The keys of the names that a path gives beside that of the file: of the folder that a site serves a note as, or of
  /// the titles of a page of Logseq; empty if it gives no such name.
  package static func keys(ofOtherNamesOf path: [UInt8]) -> [LinkKey] {
    if let folder = FileName.bundle(of: path) { return [LinkKey(Array(folder))].compactMap { $0 } }
    guard let names = PageNames.current else { return [] }
    return ([FileName.title(of: path)] + names.otherTitles(of: path)).compactMap { LinkKey(Array($0.utf8)) }
  }

  /// Whether paths may give names beside those of files.
  package static var pathsHaveOtherNames: Bool {
    !TextConventions.current.isDisjoint(with: [.shortcodes, .pageNames])
  }

  /// The keys of a title: that of the title, and that of its slug if the two may differ.
  package static func keys(ofTitle title: String) -> [LinkKey] {
    let bytes = Array(title.utf8)
    let key = LinkKey(bytes)
    // The slug of a plain title has the letters and digits of the title.
    if bytes.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "/") }), !FileName.isNote(bytes) {
      return [key].compactMap { $0 }
    }
    let slug = LinkKey(Array(Slug.make(title).utf8))
    return [key, slug == key ? nil : slug].compactMap { $0 }
  }

  /// The keys of the slugs that a path gives, beside that of the path: of the slug in a name that slip made, and of a
  /// title that comes from the name.
  package static func slugKeys(ofPath path: [UInt8]) -> [LinkKey] {
    if let slug = FileName.slug(of: path) { return [LinkKey(Array(slug))].compactMap { $0 } }
    let stem = FileName.stem(of: path)
    if stem.allSatisfy({ $0 < 0x80 }), !FileName.isNote(stem) { return [] }
    return LinkKey.keys(ofTitle: String(decoding: stem, as: UTF8.self))
  }
}

/// The values of fields as the record of a note stores them: a run for each field, in the order of the file.
///
/// The run is empty if the value is long or stored in another form: then only the note has it.
enum PackedValues {
  /// Longer values are not kept: hardly two notes have the same.
  private static let mostBytes = 64
  /// Fields whose values follow from other parts of the record, or are those of one note alone.
  private static let left = ["id", "title", "kind", "created", "tags", "aliases"]

  static func bytes(of values: [FieldValue], named names: [String]) -> [UInt8] {
    var packer = BytePacker()
    for (name, value) in zip(names, values) {
      var run = BytePacker()
      if !left.contains(where: { $0.isSameName(as: name) }) { value.pack(into: &run) }
      packer.append(run.bytes.count > mostBytes ? [] : run.bytes)
    }
    return packer.bytes
  }
}
