import Notes
import Text

/// What becomes of tags: some get another name, and those below them with them, or go.
package struct TagChange {
  enum Result: Equatable {
    case kept
    case renamed(String)
    case dropped
  }

  private struct Source {
    let key: String
    /// How many slashes the name has.
    let depth: Int
  }

  /// The deepest first: what is said of `work/clients` goes before what is said of `work`.
  private let sources: [Source]
  private let target: String?

  /// - Parameter target: the new name, or nil where the tags are to go.
  init(_ names: [String], to target: String?) {
    sources = names.map { Source(key: TagPath.key($0), depth: Self.slashes(in: $0).count) }
      .sorted { $0.depth > $1.depth }
    self.target = target
  }

  /// What becomes of one tag.
  func result(_ name: String) -> Result {
    let slashes = Self.slashes(in: name)
    for source in sources where source.depth <= slashes.count {
      let end = source.depth < slashes.count ? slashes[source.depth] : name.utf8.endIndex
      guard TagPath.key(String(name[..<end])) == source.key else { continue }
      guard let target else { return .dropped }
      let new = target + name[end...]
      return new.utf8.elementsEqual(name.utf8) ? .kept : .renamed(new)
    }
    return .kept
  }

  /// Whether the change concerns a tag, even where its name stays as it is.
  func covers(_ name: String) -> Bool {
    let slashes = Self.slashes(in: name)
    return sources.contains { source in
      guard source.depth <= slashes.count else { return false }
      let end = source.depth < slashes.count ? slashes[source.depth] : name.utf8.endIndex
      return TagPath.key(String(name[..<end])) == source.key
    }
  }

  /// Whether a note bears a tag that changes.
  func changes(_ note: Note) -> Bool {
    changesField(of: note) || note.inlineTags.contains { result($0.name) != .kept }
  }

  func changesField(of note: Note) -> Bool { note.frontMatterTags.contains { result($0) != .kept } }

  private static func slashes(in name: String) -> [String.Index] {
    name.utf8.indices.filter { name.utf8[$0] == UInt8(ascii: "/") }
  }
}

extension TagChange {
  /// A note's text with its tags changed, in the front-matter and in the text, and nothing else.
  ///
  /// - Throws: `.badData` where the front-matter can't be rewritten, or a tag in the text can't have the new name.
  func applied(to note: Note) throws(SlipboxError) -> NoteText {
    var note = note
    if let text = try changingBody(of: note) { note = Note(path: note.path, text: text) }
    // Where a field is left without tags another one may come to hold them.
    for _ in Note.tagsFields where changesField(of: note) {
      do throws(EditError) {
        note = Note(path: note.path, text: try changingField(of: note))
      } catch {
        throw SlipboxError(error, note: note.shownName, shellName: note.shellName)
      }
    }
    guard !changes(note) else {
      throw SlipboxError(
        .badData, "\(note.shownName): slip can't change its tags", hints: Self.unchanged)
    }
    return note.text
  }

  static let unchanged = ["nothing was changed; edit that note by hand first"]

  /// The text with its inline tags changed, or nil where none is.
  private func changingBody(of note: Note) throws(SlipboxError) -> NoteText? {
    let bytes = note.text.bytes
    let tags = note.inlineTags.sorted { $0.offset < $1.offset }
    var written: [UInt8] = []
    var position = 0
    var names: [String] = []
    var first: BodyScan.InlineTag?
    for tag in tags {
      let result = result(tag.name)
      if result == .kept {
        names.append(tag.name)
        continue
      }
      first = first ?? tag
      written += bytes[position..<tag.offset]
      position = tag.range.upperBound
      switch result {
      case .renamed(let name):
        written += [UInt8(ascii: "#")] + name.utf8
        names.append(name)
      case .dropped, .kept: written += bytes[tag.range].dropFirst()
      }
    }
    guard let first else { return nil }
    let text = NoteText(written + bytes[position...])
    let read = BodyScan(text).tags.sorted { $0.offset < $1.offset }.map(\.name)
    guard read.elementsEqual(names, by: { $0.hasSameBytes(as: $1) }) else { throw refusal(first, of: note) }
    return text
  }

  private func refusal(_ tag: BodyScan.InlineTag, of note: Note) -> SlipboxError {
    let place =
      "\(note.shownName): line \(note.text.position(of: tag.offset).line): #\(Visible.escape(tag.name))"
    guard case .renamed(let name) = result(tag.name) else {
      return SlipboxError(.badData, "\(place) can't lose its #", hints: Self.unchanged)
    }
    return SlipboxError(
      .badData,
      "\(place) can't become #\(Visible.escape(name)): a tag in the text has letters, digits, _, - and /",
      hints: Self.unchanged)
  }
}
