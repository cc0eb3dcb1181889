import Bytes
import Git
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
  /// In a site of Hugo or Jekyll: its date of publication has not come, its `expiryDate` is over, or one of them can't be
  /// read.
  case scheduled
  /// In a Hugo site: it has no page of its own (`headless: true`, `build: {render: never}`).
  case headless
  /// The file is not UTF-8 text, so its flags can't be read.
  case unreadable
  /// A file from which the site program makes no page, such as an archetype of Hugo or an include of Jekyll.
  case support
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
    case .unreadable: "\(count) not UTF-8 text"
    case .support: count == 1 ? "1 file of the site program" : "\(count) files of the site program"
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
    case .unreadable: "is not UTF-8 text"
    case .support: "is a file of the site program"
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
  /// The files of a past state that its own attributes encrypt, from the root of the repository; none for the work tree.
  private let encrypted: Set<[UInt8]>
  /// The rules of Hugo; nil in other layouts.
  private let hugo: HugoPublication?
  /// The rules of Jekyll; nil in other layouts.
  private let jekyll: JekyllPublication?

  /// - Throws: `.configuration` if a setting that hides notes has an unknown value, or a misspelt name.
  package init(_ snapshot: BoxSnapshot, includesDrafts: Bool) throws(SlipboxError) {
    for name in ["publish", "publish.fields", "exclude"] {
      try snapshot.settings.refuseBad(name, in: snapshot.box)
    }
    // A misspelt name must not publish notes that the setting would withhold.
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
    encrypted = try Self.encrypted(in: snapshot)
    let layout = try snapshot.layout().name
    hugo = layout == .hugo ? try HugoPublication(snapshot) : nil
    jekyll = layout == .jekyll ? try JekyllPublication(snapshot) : nil
  }

  private static func encrypted(in snapshot: BoxSnapshot) throws(SlipboxError) -> Set<[UInt8]> {
    guard case .commit(let commit) = snapshot.source else { return [] }
    return try snapshot.box.git { repository throws(GitError) in
      Set(try repository.committedAttributes.filters(at: commit, except: Box.filtersForLargeFiles).keys)
    }
  }

  /// Whether a note has `publish: true`.
  func isMarked(_ note: Note) throws(SlipboxError) -> Bool {
    try PublicationFlags(note, schema.kind(named: note.kind)).isPublished
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
    if try entry.note.text.unreadable != nil { return WithheldNote(reason: .unreadable, written: "") }
    let flags = try PublicationFlags(entry.note, schema.kind(named: entry.kind))
    if let hidden = flags.withheld(includesDrafts: includesDrafts) { return hidden }
    let found = try hugo?.withheld(entry.note, schema, includesDrafts: includesDrafts)
    if let hidden = found ?? jekyll?.withheld(entry.note, includesDrafts: includesDrafts) { return hidden }
    if flags.isPublished { return nil }
    if isEncrypted(entry.note.path) { return WithheldNote(reason: .encrypted, written: "") }
    if entry.note.path.suffix(Self.drawing.count) == Self.drawing[...] {
      return WithheldNote(reason: .drawing, written: "")
    }
    return requiresMark ? WithheldNote(reason: .unmarked, written: "") : nil
  }

  /// The end of the paths of Excalidraw's files.
  private static let drawing = Array(".excalidraw.md".utf8)

  /// Whether a git filter encrypts a file of the box.
  ///
  /// Every filter counts but those for large files, also one that is not configured here: a clone without its settings has
  /// the texts too. Attributes that can't be read may name one.
  package func isEncrypted(_ path: [UInt8]) -> Bool {
    encrypted.contains(box.repositoryPath(path)) || box.encryption(of: path) != nil
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
    !encrypted.isEmpty || folders.contains { folder in (try? box.mayFilter(in: folder)) ?? true }
  }

  /// The options and settings of the rule, as a text.
  package var conditions: String { "\(includesDrafts) \(requiresMark) \(fields)" }

  /// The texts of the git attributes that hold for all files.
  package var attributes: [[UInt8]] {
    // Attributes that can't be read encrypt all files.
    (try? box.git { repository throws(GitError) in try repository.attributes.sharedTexts() }) ?? []
  }

  /// Whether notes appear and disappear with time, or by other notes and files, as in Hugo and Jekyll.
  package var dependsOnTime: Bool { hugo != nil || jekyll != nil }
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
