import Bytes
package import NoteIndex
import Notes

/// The reason why a site leaves out a note that the query selects.
package enum WithheldReason: String, CaseIterable, Sendable {
  /// `private: true`
  case `private`
  /// `publish: false`
  case unpublished
  /// `draft: true`
  case draft
  /// The box has the setting `publish: required`, and the note has no `publish: true`.
  case unmarked

  /// The words of a count, as in `2 notes: 1 draft, 1 private`.
  package func words(_ count: Int) -> String {
    switch self {
    case .private: "\(count) private"
    case .unpublished: "\(count) with publish: false"
    case .draft: count == 1 ? "1 draft" : "\(count) drafts"
    case .unmarked: "\(count) without publish: true"
    }
  }

  /// The words that follow the name of a note and "which".
  package var predicate: String {
    switch self {
    case .private: "is private"
    case .unpublished: "has publish: false"
    case .draft: "is a draft"
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

  /// - Throws: `.configuration` if the setting `publish` has an unknown value.
  package init(_ snapshot: BoxSnapshot, includesDrafts: Bool) throws(SlipboxError) {
    try snapshot.settings.refuseBad("publish")
    self.includesDrafts = includesDrafts
    requiresMark = snapshot.settings["publish"] == "required"
    fields = snapshot.settings.values(ofList: "publish.fields") ?? []
    schema = snapshot.schema()
  }

  /// Whether a field of a note appears on a site: its kind declares it, or the setting `publish.fields` names it.
  package func shows(_ field: String, ofKind kind: String) -> Bool {
    let declared = schema.kind(named: kind)?.fields ?? []
    return declared.contains { $0.name.isSameName(as: field) } || fields.contains { $0.isSameName(as: field) }
  }

  /// The reason why a note does not appear on a site; nil if it may appear.
  package func reason(for entry: Entry) -> WithheldReason? {
    let flags = PublicationFlags(entry.note, schema.kind(named: entry.kind))
    if flags.isPrivate { return .private }
    if flags.isUnpublished { return .unpublished }
    if flags.isDraft, !includesDrafts { return .draft }
    return requiresMark && !flags.isPublished ? .unmarked : nil
  }
}

/// The fields of a note that say whether it may be published.
private struct PublicationFlags {
  private(set) var isDraft = false
  private(set) var isPrivate = false
  private(set) var isUnpublished = false
  private(set) var isPublished = false

  private static let names: Set<String> = ["draft", "private", "publish", "published"]
  private static let no: Set<String> = ["false", "no", "off", "n", "0", ""]
  private static let yes: Set<String> = ["true", "yes", "on", "y", "1"]

  init(_ note: Note, _ kind: Kind?) {
    for field in note.frontMatter.fields { add(field.name, field.value) }
    if let kind, kind.fields.contains(where: { Self.names.contains($0.name.lowercased()) }) {
      for field in kind.missingDefaults(in: note) { add(field.name, field.value) }
    }
    // A block that can't be parsed whole may hide the flag behind its fault.
    if !note.frontMatter.isWritable { addLines(of: note.head) }
  }

  private mutating func add(_ name: String, _ value: FieldValue) {
    let name = name.lowercased()
    guard Self.names.contains(name) else { return }
    if let text = value.text { add(name, text) } else { for text in value.strings { add(name, text) } }
  }

  /// A draft or private note needs an explicit `false` to appear.
  private mutating func add(_ name: String, _ text: String) {
    let text = text.lowercased()
    switch name {
    case "draft": if !Self.no.contains(text) { isDraft = true }
    case "private": if !Self.no.contains(text) { isPrivate = true }
    case "publish", "published":
      if Self.yes.contains(text) { isPublished = true }
      if Self.no.contains(text) { isUnpublished = true }
    default: break
    }
  }

  private mutating func addLines(of head: NoteText) {
    guard let block = head.frontMatter else { return }
    for line in head.bytes[block].split(separator: 0x0A) {
      guard let mark = line.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "=") }) else {
        continue
      }
      let name = Self.word(line[..<mark]).lowercased()
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
