import Bytes
package import NoteIndex
import Notes
import Text

/// The reason why a site leaves out a note that the query selects.
package enum WithheldReason: String, CaseIterable, Sendable {
  /// `private: true`
  case `private`
  /// `publish: false`
  case unpublished
  /// `draft: true`
  case draft
  /// A filter of git encrypts the note, and the note has no `publish: true`.
  case encrypted
  /// In a Hugo site: its `publishDate` has not come, or its `expiryDate` is over.
  case scheduled
  /// In a Hugo site: it has no page of its own (`headless: true`, `build: {render: never}`).
  case headless
  /// A file of Excalidraw, whose text is data, without `publish: true`.
  case drawing
  /// The box has the setting `publish: required`, and the note has no `publish: true`.
  case unmarked

  /// The words of a count, as in `2 notes: 1 draft, 1 private`.
  package func words(_ count: Int) -> String {
    switch self {
    case .private: "\(count) private"
    case .unpublished: "\(count) with publish: false"
    case .draft: count == 1 ? "1 draft" : "\(count) drafts"
    case .encrypted: "\(count) encrypted"
    case .scheduled: "\(count) outside of \(count == 1 ? "its" : "their") dates"
    case .headless: "\(count) without a page in Hugo"
    case .drawing: count == 1 ? "1 drawing" : "\(count) drawings"
    case .unmarked: "\(count) without publish: true"
    }
  }

  /// The words that follow the name of a note and "which".
  package var predicate: String {
    switch self {
    case .private: "is private"
    case .unpublished: "has publish: false"
    case .draft: "is a draft"
    case .encrypted: "is encrypted"
    case .scheduled: "is outside of its dates"
    case .headless: "has no page in Hugo"
    case .drawing: "is a drawing"
    case .unmarked: "has no publish: true"
    }
  }
}

/// The rule by which notes and their fields appear on a site.
///
/// Source: `draft` of Hugo, `published` of Jekyll, `publish` of Obsidian Publish.
package struct PublicationRule: Sendable {
  private let includesDrafts: Bool
  /// Whether only notes with `publish: true` appear.
  private let requiresMark: Bool
  /// The fields that appear beside those of the kind.
  private let fields: [String]
  private let schema: Schema
  private let box: Box
  /// The time that the dates of Hugo are compared with; nil in other layouts.
  private let hugoTime: Timestamp?
  /// The flags that sections of a Hugo site give to their pages.
  private let cascades: [HugoCascade]

  /// - Throws: `.configuration` if the setting `publish` has an unknown value, or a misspelt name.
  package init(_ snapshot: BoxSnapshot, includesDrafts: Bool) throws(SlipboxError) {
    try snapshot.settings.refuseBad("publish", in: snapshot.box)
    // A misspelt name must not publish what the setting would keep back.
    for case let (name, near?) in snapshot.settings.unknownNames where near.hasPrefix("publish") {
      throw SlipboxError(
        .configuration, about: ".slipbox/config.yaml", "\(name) is not a setting",
        hints: ["did you mean: \(near)"])
    }
    self.includesDrafts = includesDrafts
    requiresMark = snapshot.settings["publish"] == "required"
    fields = snapshot.settings.values(ofList: "publish.fields") ?? []
    schema = snapshot.schema()
    box = snapshot.box
    let isHugo = try snapshot.layout().name == .hugo
    hugoTime = isHugo ? snapshot.clock.now : nil
    cascades = isHugo ? HugoCascade.all(in: try snapshot.catalogue().entries) : []
  }

  /// Whether a field of a note appears on a site: its kind declares it, or the setting `publish.fields` names it.
  package func shows(_ field: String, ofKind kind: String) -> Bool {
    let declared = schema.kind(named: kind)?.fields ?? []
    return declared.contains { $0.name.isSameName(as: field) } || fields.contains { $0.isSameName(as: field) }
  }

  /// The reason why a note does not appear on a site; nil if it may appear.
  package func reason(for entry: Entry) throws(SlipboxError) -> WithheldReason? {
    try withheld(entry)?.reason
  }

  /// The reason why a note does not appear on a site, and the field that says so; nil if it may appear.
  package func withheld(_ entry: Entry) throws(SlipboxError) -> WithheldNote? {
    let flags = try PublicationFlags(entry.note, schema.kind(named: entry.kind))
    if let text = flags.isPrivate { return WithheldNote(reason: .private, written: text) }
    if let text = flags.isUnpublished { return WithheldNote(reason: .unpublished, written: text) }
    if let text = flags.isDraft, !includesDrafts { return WithheldNote(reason: .draft, written: text) }
    if let hugoTime, let hidden = Self.withheldByHugo(entry.note, at: hugoTime) { return hidden }
    if let hidden = withheldBySection(entry.note) { return hidden }
    if flags.isPublished { return nil }
    if isEncrypted(entry.note.path) { return WithheldNote(reason: .encrypted, written: "") }
    if entry.note.path.suffix(Self.drawing.count) == Self.drawing[...] {
      return WithheldNote(reason: .drawing, written: "")
    }
    return requiresMark ? WithheldNote(reason: .unmarked, written: "") : nil
  }

  /// The end of the paths of Excalidraw's files.
  private static let drawing = Array(".excalidraw.md".utf8)

  /// The reason that the section of a note gives, unless the note has the flag itself.
  private func withheldBySection(_ note: Note) -> WithheldNote? {
    for cascade in cascades where note.path.starts(with: cascade.folder) {
      for (name, hidden) in cascade.flags where note.frontMatter[name] == nil {
        if hidden.reason != .draft || !includesDrafts { return hidden }
      }
    }
    return nil
  }

  /// Source: Hugo, "Front matter" and "Build options".
  private static func withheldByHugo(_ note: Note, at now: Timestamp) -> WithheldNote? {
    let fields = note.frontMatter.fields
    func first(_ names: [String]) -> (written: String, text: String)? {
      for name in names {
        guard let field = fields.first(where: { $0.name.lowercased() == name }) else { continue }
        if let text = field.value.text { return ("\(field.name): \(text)", text) }
      }
      return nil
    }
    let begins = first(["publishdate", "pubdate", "published", "date"])
    if let begins, let time = Timestamp.adopted(begins.text), time > now {
      return WithheldNote(reason: .scheduled, written: begins.written)
    }
    let ends = first(["expirydate", "unpublishdate"])
    if let ends, let time = Timestamp.adopted(ends.text), time <= now {
      return WithheldNote(reason: .scheduled, written: ends.written)
    }
    return fields.lazy.compactMap { WithheldNote(build: $0.name, $0.value) }.first
  }

  /// Whether a git filter encrypts a file of the box.
  ///
  /// Every filter counts but those for large files, also one that is not configured here: a clone without its settings has
  /// the texts too. Attributes that can't be read may name one.
  package func isEncrypted(_ path: [UInt8]) -> Bool {
    do throws(SlipboxError) {
      return try box.namedFilter(of: path).map { !Self.filtersForLargeFiles.contains($0) } ?? false
    } catch {
      return true
    }
  }

  /// Whether files of attributes name a filter for files in the folder of one of some paths. Each path is asked by
  /// `isEncrypted(_:)` then.
  package func mayEncrypt(_ paths: [[UInt8]]) -> Bool {
    var folders: Set<[UInt8]> = []
    var last: [UInt8]?
    for path in paths {
      let folder = BytePath.folder(of: path)
      if folder != last { folders.insert(folder) }
      last = folder
    }
    return mayEncrypt(inFolders: folders)
  }

  /// Whether files of attributes name a filter for files in some folders.
  package func mayEncrypt(inFolders folders: some Sequence<[UInt8]>) -> Bool {
    folders.contains { folder in (try? box.mayFilter(in: folder)) ?? true }
  }

  /// The options and settings of the rule, as a text.
  package var conditions: String { "\(includesDrafts) \(requiresMark) \(fields)" }

  /// Whether notes appear and disappear with time, as in Hugo.
  package var dependsOnTime: Bool { hugoTime != nil }

  private static let filtersForLargeFiles: Set<String> = ["lfs", "annex"]
}

/// The flags that the `_index.md` of a section of a Hugo site gives to the pages below it.
///
/// Source: Hugo, "Cascade". A `target` is not read: the flags hold for all pages below.
private struct HugoCascade: Sendable {
  /// With a slash at its end.
  let folder: [UInt8]
  /// The reasons by the names of the fields.
  let flags: [(name: String, hidden: WithheldNote)]

  /// Those of all sections.
  ///
  /// - Complexity: O(n) in the paths.
  static func all(in entries: Entries) -> [HugoCascade] {
    let name = Array("_index.md".utf8)
    return entries.indices.compactMap { place in
      let path = entries.path(at: place)
      guard BytePath.name(of: path) == name else { return nil }
      let flags = flags(entries[place].note)
      return flags.isEmpty ? nil : HugoCascade(folder: path.dropLast(name.count), flags: flags)
    }
  }

  private static func flags(_ section: Note) -> [(name: String, hidden: WithheldNote)] {
    guard let value = section.frontMatter["cascade"] else { return [] }
    var maps: [[MapEntry]] = []
    switch value {
    case .map(let entries): maps = [entries]
    case .list(let elements):
      for case .map(let entries) in elements { maps.append(entries) }
    default: break
    }
    var flags: [(name: String, hidden: WithheldNote)] = []
    for entry in maps.joined() {
      let hidden = WithheldNote(flag: entry.key, entry.value) ?? WithheldNote(build: entry.key, entry.value)
      if let hidden { flags.append((entry.key, hidden)) }
    }
    return flags
  }
}

/// A note that a site leaves out.
package struct WithheldNote: Sendable {
  package let reason: WithheldReason
  /// The field that says so, as it is written: `private: y`. Empty if a field is missing.
  package let written: String

  /// The field if its value is not the usual one; nil for `private: true`, `draft: true` and `publish: false`.
  package var unusual: String? {
    let usual = ["private: true", "draft: true", "publish: false", ""]
    return usual.contains(written.lowercased()) ? nil : written
  }
}

extension WithheldNote {
  /// The reason of a field with which Hugo makes no page. Returns nil for other fields and values.
  fileprivate init?(build name: String, _ value: FieldValue) {
    let lower = name.lowercased()
    if lower == "headless", value.text?.lowercased() == "true" {
      self.init(reason: .headless, written: "\(name): true")
      return
    }
    guard ["build", "_build"].contains(lower), case .map(let entries) = value else { return nil }
    let render = entries.first { $0.key.lowercased() == "render" }?.value.text?.lowercased()
    guard let render, ["never", "false", "link"].contains(render) else { return nil }
    self.init(reason: .headless, written: "\(name): {render: \(render)}")
  }

  /// The reason of a flag. Returns nil for other fields, and for flags that allow publication.
  fileprivate init?(flag name: String, _ value: FieldValue) {
    let flags = PublicationFlags(name, value)
    if let text = flags.isPrivate {
      self.init(reason: .private, written: text)
    } else if let text = flags.isUnpublished {
      self.init(reason: .unpublished, written: text)
    } else if let text = flags.isDraft {
      self.init(reason: .draft, written: text)
    } else {
      return nil
    }
  }
}

/// The fields of a note that say whether it may be published. A flag that keeps the note off the site has the text of its
/// field.
private struct PublicationFlags {
  private(set) var isDraft: String?
  private(set) var isPrivate: String?
  private(set) var isUnpublished: String?
  private(set) var isPublished = false

  /// Source: YAML, "Merge Key Language-Independent Type".
  private static let mergeKey = "<<"
  private static let names: Set<String> = ["draft", "private", "publish", "published"]
  private static let longest = 40
  /// Flags are looked for in as many lines of a block.
  private static let mostLines = 1_000
  private static let no: Set<String> = ["false", "no", "off", "n", "0", ""]
  private static let yes: Set<String> = ["true", "yes", "on", "y", "1"]

  init(_ name: String, _ value: FieldValue) { add(name, value) }

  init(_ note: Note, _ kind: Kind?) throws(SlipboxError) {
    for field in note.frontMatter.fields {
      add(field.name, field.value)
      let isDeclared = kind?.fields.contains { $0.name.isSameName(as: field.name) } ?? false
      if !isDeclared { addMisspelt(field.name, field.value) }
    }
    if let kind, kind.fields.contains(where: { Self.names.contains($0.name.lowercased()) }) {
      for field in kind.missingDefaults(in: note) { add(field.name, field.value) }
    }
    // A block that can't be parsed whole may hide the flag behind its fault, as may one that nothing closes.
    let text = try note.text
    if note.head.frontMatter == nil { addBlock(of: text) }
    if !note.frontMatter.isWritable { addBlock(of: note.head) }
    // A conflict is open until somebody has chosen.
    for block in text.frontMatterInComments { addLines(block) }
    guard note.frontMatter["conflicts"] != nil else { return }
    for entry in note.head.conflictEntries { entry.value?.text.map { add(entry.field, $0) } }
  }

  private mutating func add(_ name: String, _ value: FieldValue) {
    let name = name.lowercased()
    // The fields of a merge key may hold any flag.
    if name == Self.mergeKey { isPrivate = isPrivate ?? "<<: ..." }
    guard Self.names.contains(name) else { return }
    switch value {
    case .text(let text): add(name, text)
    case .list: for text in value.strings { add(name, text) }
    case .map: add(name, "{...}")
    case .empty: break
    }
  }

  /// Adds a field whose name is one slip of the finger away from a flag, if its value says that the note stays off the site.
  private mutating func addMisspelt(_ name: String, _ value: FieldValue) {
    guard case .text(let text) = value, let flag = Field.publicationFlag(near: name),
      !Self.names.contains(name.lowercased())
    else { return }
    let written = "\(name): \(text.prefix(Self.longest))"
    switch flag {
    case "private" where Self.yes.contains(text.lowercased()): isPrivate = isPrivate ?? written
    case "draft" where Self.yes.contains(text.lowercased()): isDraft = isDraft ?? written
    case "publish" where Self.no.contains(text.lowercased()): isUnpublished = isUnpublished ?? written
    default: break
    }
  }

  /// A draft or private note needs an explicit `false` to appear. `publish` needs a word for true or a date if it has a value;
  /// `published` often holds a date or a place and keeps a note off the site only with a word for false.
  private mutating func add(_ name: String, _ text: String) {
    let written = "\(name): \(text.prefix(Self.longest))"
    let text = text.lowercased()
    let isYes = Self.yes.contains(text)
    let isNo = Self.no.contains(text)
    switch name {
    case "draft": if !isNo { isDraft = isDraft ?? written }
    case "private": if !isNo { isPrivate = isPrivate ?? written }
    case "publish", "published":
      isPublished = isPublished || isYes
      let isDate = text.utf8.prefix(4).allSatisfy { (0x30...0x39).contains($0) } && text.utf8.count >= 4
      if isNo || name == "publish" && !isYes && !isDate { isUnpublished = isUnpublished ?? written }
    default: break
    }
  }

  /// Adds the flags in front matter that can't be read whole, and that blank lines or comments of HTML precede.
  private mutating func addBlock(of head: NoteText) {
    var start = head.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    for comment in BodyComments.all(in: head) + [head.bytes.count..<head.bytes.count] {
      start += head.bytes[start...].prefix { $0 <= 0x20 }.count
      guard comment.lowerBound == start else { break }
      start = comment.upperBound
    }
    let isOpened = ["---", "+++"].contains { head.bytes[start...].starts(with: $0.utf8) }
    guard let block = head.frontMatter ?? (isOpened ? start..<head.bytes.count : nil) else { return }
    addLines(head.bytes[block])
  }

  private mutating func addLines(_ block: ArraySlice<UInt8>) {
    for line in block.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).prefix(Self.mostLines) {
      guard let mark = line.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "=") }) else {
        // A colon may be missing.
        let words = line.split { $0 <= 0x20 }
        let name = words.first.map { String(decoding: $0, as: UTF8.self).lowercased() } ?? ""
        if words.count == 2, Self.names.contains(name) { add(name, Self.word(words[1])) }
        continue
      }
      let name = Self.word(line[..<mark]).lowercased()
      if name == Self.mergeKey { isPrivate = isPrivate ?? "<<: ..." }
      if Self.names.contains(name) { add(name, Self.word(line[(mark + 1)...])) }
    }
  }

  /// A text without blanks and quotes around it, and without a comment.
  private static func word(_ bytes: ArraySlice<UInt8>) -> String {
    let isOutside = { (byte: UInt8) in byte <= 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }
    var bytes = bytes.prefix { $0 != UInt8(ascii: "#") }.drop(while: isOutside)
    while let last = bytes.last, isOutside(last) { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
