import Bytes
package import Notes
import Text

extension Note {
  /// The whole text for code that can't throw: empty if it can't be read.
  ///
  /// The reader that a catalogue was given knows of the failure. The caller of a question asks it and refuses the answer.
  package var textOrEmpty: NoteText { (try? readText()) ?? NoteText([]) }

  /// The bytes of the body.
  var bodyBytes: ArraySlice<UInt8> {
    let text = textOrEmpty
    return text.bytes[text.body]
  }

  /// Fields whose values are not searched for words: they are not text.
  private static let fieldsWithoutText = ["created", "id", "kind"]

  /// Calls `body` with each searchable text of the front matter, until `body` returns false.
  ///
  /// If the front matter can't be parsed, a search reads all its bytes besides the fields that could be parsed.
  func forEachFieldText(_ body: (FrontMatterField, String) -> Bool) {
    for field in frontMatter.fields where !Self.fieldsWithoutText.contains(where: field.name.hasSameBytes) {
      switch field.value {
      case .text(let text): if !body(field, text) { return }
      case .list(let elements):
        for case .text(let text) in elements where !body(field, text) { return }
      case .map, .empty: break
      }
    }
  }

  /// The bytes of front matter that can't be parsed completely; nil otherwise.
  ///
  /// Bytes below the front matter that are not text do not count. A note decoded from its record does not know of them,
  /// and both must have the same words.
  var unreadFrontMatter: ArraySlice<UInt8>? {
    guard !frontMatter.isWritable else { return nil }
    let text = textOrEmpty
    guard let range = text.frontMatter else { return nil }
    let fence = text.position(of: range.upperBound).line
    let isUnread = frontMatter.problems.contains { $0.severity == .error && $0.line <= fence }
    return isUnread ? text.bytes[range] : nil
  }

  /// Whether words occur in the title, the aliases, the tags, a text field or the body.
  func mentions(_ pattern: TextPattern) -> Bool {
    if pattern.occurs(in: title) { return true }
    var isFound = false
    forEachFieldText { _, text in
      isFound = pattern.occurs(in: text)
      return !isFound
    }
    if isFound || pattern.occurs(in: bodyBytes) { return true }
    return unreadFrontMatter.map(pattern.occurs) ?? false
  }

  func passesTitle(_ test: ValueTest) -> Bool {
    if case .present = test { return hasOwnTitle }
    return test.passes(title)
  }

  /// Whether a pattern covers the id or the name that another tool assigned.
  func isNamed(_ glob: Glob) -> Bool {
    if let id, glob.covers(id.bytes) { return true }
    guard let foreignID else { return false }
    return glob.covers(Folding.fold(Array(foreignID.utf8)[...]))
  }
}

extension Note {
  /// Returns the texts of a field: of the exact name, else of the first name that equals it but for case and diacritics.
  ///
  /// - Returns: nil if the note has no such field.
  package func value(of name: String) -> [String]? {
    if let field = frontMatter.field(name) { return field.value.strings }
    return frontMatter.fields.first { $0.name.hasSameLetters(as: name) }?.value.strings
  }

  /// Whether a field is absent or contains only blanks.
  ///
  /// `title`, `body`, `tag` and `id` are the note's own; `created` is its own date.
  func lacks(_ name: String) -> Bool {
    switch name {
    case "title": return !hasOwnTitle
    case "body": return bodyBytes.allSatisfy(ASCII.isBlank)
    case "tag", "tags": return tags.isEmpty
    case "id": return id == nil && foreignID == nil
    case "created": return created == nil
    case "path", "modified": return false
    default:
      guard let field = frontMatter.field(name), case .map(let entries) = field.value else {
        return value(of: name)?.allSatisfy { $0.utf8.allSatisfy(ASCII.isBlank) } ?? true
      }
      return entries.isEmpty
    }
  }
}
