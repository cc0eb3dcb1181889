import Bytes
import NoteIndex
import Synchronization
import Text
package import Git
package import Notes

/// The fields of a note that say whether it may be published. A flag that keeps the note off the site has the text of its
/// field.
struct PublicationFlags {
  private(set) var isDraft: String?
  private(set) var isPrivate: String?
  private(set) var isUnpublished: String?
  private(set) var isPublished = false

  /// Source: YAML, "Merge Key Language-Independent Type".
  private static let mergeKey = "<<"
  private static let names: Set<String> = ["draft", "private", "publish", "published", "public"]
  private static let longest = 40
  /// Flags are looked for in as many lines of a block.
  private static let mostLines = 1_000
  private static let no: Set<String> = ["false", "no", "off", "n", "0"]
  private static let yes: Set<String> = ["true", "yes", "on", "y", "1"]

  init(_ name: String, _ value: FieldValue) { add(name, value) }

  /// The first flag that keeps the note off the site; nil without one.
  func withheld(includesDrafts: Bool) -> WithheldNote? {
    if let isPrivate { return WithheldNote(reason: .private, written: isPrivate) }
    if let isUnpublished { return WithheldNote(reason: .unpublished, written: isUnpublished) }
    if let isDraft, !includesDrafts { return WithheldNote(reason: .draft, written: isDraft) }
    return nil
  }

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
    if note.frontMatter["conflicts"] != nil {
      for entry in note.head.conflictEntries { entry.value?.text.map { add(entry.field, $0) } }
    }
    // The flag may be on one side of a conflict of git.
    if text.hasConflictMarkers {
      addLines(text.bytes[...], most: .max)
      isPublished = false
    }
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
    // A field without a value is unfinished.
    case .empty: if name != "published", name != "public" { add(name, "") }
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
    case "publish" where text.isEmpty || Self.no.contains(text.lowercased()):
      isUnpublished = isUnpublished ?? written
    default: break
    }
  }

  /// A draft or private note needs an explicit `false` to appear. `publish` needs a word for true or a date if it has a value;
  /// `published` often holds a date or a place and keeps a note off the site only with a word for false.
  private mutating func add(_ name: String, _ text: String) {
    let written = text.isEmpty ? "\(name):" : "\(name): \(text.prefix(Self.longest))"
    let text = text.lowercased()
    let isYes = Self.yes.contains(text)
    let isNo = Self.no.contains(text) || text.isEmpty && !["draft", "private"].contains(name)
    switch name {
    // Source: Logseq, "Public pages".
    case "public": if isNo, !text.isEmpty { isUnpublished = isUnpublished ?? written }
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

  private mutating func addLines(_ block: ArraySlice<UInt8>, most: Int = mostLines) {
    for line in block.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).prefix(most) {
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

extension NoteText {
  /// Whether the text has the markers of a conflict of git.
  ///
  /// - Complexity: O(n).
  var hasConflictMarkers: Bool {
    let (open, close) = (Array("<<<<<<<".utf8), Array(">>>>>>>".utf8))
    func hasLine(_ mark: [UInt8]) -> Bool {
      var place = bytes.startIndex
      while let found = bytes[place...].firstIndex(of: mark[0]) {
        let isFirst = found == 0 || bytes[found - 1] == 0x0A || bytes[found - 1] == 0x0D
        if isFirst, bytes[found...].starts(with: mark) { return true }
        place = found + 1
      }
      return false
    }
    return hasLine(open) && hasLine(close)
  }
}

/// Whether notes of earlier commits would have been on a site then: by the settings and the git attributes of those commits.
package final class PastPublication: Sendable {
  private struct Rules: Sendable {
    let requiresMark: Bool
    let excluded: ExcludedPaths
  }

  private let box: Box
  private let rule: PublicationRule
  /// The rules by the blobs of the settings.
  private let known = Mutex<[ObjectID: Rules]>([:])

  package init(_ snapshot: BoxSnapshot, _ rule: PublicationRule) {
    (box, self.rule) = (snapshot.box, rule)
  }

  /// Whether a version of a note was hidden at a commit. The flags of the version are not read.
  package func hides(_ note: Note, at commit: ObjectID) -> Bool {
    do throws(SlipboxError) {
      let rules = try rules(at: commit)
      if rules.excluded.covers(note.path) { return true }
      if rules.requiresMark, try !rule.isMarked(note) { return true }
      let path = box.repositoryPath(note.path)
      return try box.git { repository throws(GitError) in
        try repository.committedAttributes.filter(
          of: path, at: commit, except: Box.filtersForLargeFiles)
      } != nil
    } catch {
      // Settings and attributes that can't be read may hide it.
      return true
    }
  }

  /// Whether the version that a path had before a commit was hidden.
  package func hides(_ note: Note, before commit: ObjectID) -> Bool {
    do throws(SlipboxError) {
      let parents = try box.git { repository throws(GitError) in try repository.read(commit).parents }
      return parents.first.map { hides(note, at: $0) } ?? false
    } catch {
      return true
    }
  }

  private func rules(at commit: ObjectID) throws(SlipboxError) -> Rules {
    let file = box.repositoryPath(Settings.boxFile)
    let found = try box.git { repository throws(GitError) in try repository.file(file, at: commit) }
    guard let found else { return Rules(requiresMark: false, excluded: ExcludedPaths([])) }
    if let rules = known.withLock({ $0[found.id] }) { return rules }
    let settings = try Settings.ofBox(try box.content(of: found.id, at: Settings.boxFile), isLenient: false)
    let patterns = settings.exclude?.map { ExcludedPaths.Pattern($0, source: "") } ?? []
    let isUnclear =
      settings.unknownNames.contains { $0.near?.hasPrefix("publish") == true }
      || ["publish", "exclude"].contains { settings.formProblem(of: $0) != nil }
    let rules = Rules(
      requiresMark: settings["publish"] == "required" || isUnclear, excluded: ExcludedPaths(patterns))
    known.withLock { $0[found.id] = rules }
    return rules
  }
}
