import NoteIndex
import Notes
import SlipboxCore
import Text

/// The words of the command: the kind, the title and the changes.
extension New {
  /// Whether a word is the name of a kind, also of one whose file has a mistake.
  private static func isKind(_ word: String, _ schema: Schema) -> Bool {
    schema.kind(named: word)?.name == word || schema.fault(ofKind: word)?.kind == word
  }

  /// Refuses a first word that almost is a kind where more words follow: it may be meant as either.
  private func refuseMistypedKind(_ word: String, _ schema: Schema) throws(SlipboxError) {
    guard words.count > 1, Change(words[1].text) == nil else { return }
    let names = schema.kinds.map(\.name) + schema.faults.map(\.kind)
    guard let kind = Spelling.slip(of: word, among: names) else { return }
    let (before, after) = (words.texts.prefix { Change($0) == nil }, words.texts.drop { Change($0) == nil })
    let rest = after.map(Self.word)
    let line = { (start: [String]) in "  " + (["slip new"] + start + rest).joined(separator: " ") }
    throw SlipboxError(
      .usage, "\(Visible.escape(word)) is not a kind, but resembles \(kind)",
      hints: [
        "for the kind \(kind):", line([kind] + before.dropFirst().map(Self.word)),
        "for a note with that title:", line([Self.word(before.joined(separator: " "))]),
      ])
  }

  /// Refuses a CHANGE that precedes the title: `due:friday "Call x"`. A single argument is always the title.
  private func refuseChangeAsTitle(_ words: ArraySlice<Word>, _ kind: String?) throws(SlipboxError) {
    guard let first = words.first, !first.isLiteral, let change = Change(first.text), !change.isClearing,
      let start = words.firstIndex(where: { $0.isLiteral || Change($0.text) == nil })
    else { return }
    let changes = words[..<start]
    let title = words[start...].prefix { $0.isLiteral || Change($0.text) == nil }
    let rest = words[(start + title.count)...]
    let line = { (parts: [String]) in
      "  " + (["slip new"] + [kind].compactMap { $0 } + parts).joined(separator: " ")
    }
    let text = title.map(\.text).joined(separator: " ")
    throw SlipboxError(
      .usage, "\(Visible.escape(first.text)) before the title is ambiguous",
      hints: [
        "as a CHANGE:", line([Self.word(text)] + (changes + rest).map { Self.word($0.text) }),
        "as part of the title:",
        line(
          [Self.word((changes.map(\.text) + [text]).joined(separator: " "))] + rest.map { Self.word($0.text) }
        ),
      ])
  }

  /// A text as one word of a command that is shown.
  private static func word(_ text: String) -> String {
    let shown = Visible.escape(text)
    return shown.utf8.contains(0x20) ? "\"\(shown)\"" : shown
  }

  /// A kind's name alone opens the editor.
  private var isKindAlone: Bool { words.count == 1 && body == nil }

  /// The title and the changes that were typed, with the text.
  func draft(_ text: [UInt8], _ snapshot: BoxSnapshot) throws -> Draft {
    var rest = words[...]
    var kind: String?
    if let first = rest.first?.text, rest.count > 1 || isKindAlone {
      if Self.isKind(first, snapshot.schema()) {
        kind = first
        rest = rest.dropFirst()
      } else {
        try refuseMistypedKind(first, snapshot.schema())
      }
    }
    try refuseChangeAsTitle(rest, kind)
    var title = rest.popFirst()?.text ?? ""
    while let word = rest.first, word.isLiteral || Change(word.text) == nil {
      title += " " + word.text
      rest = rest.dropFirst()
    }
    let changeWords = rest.map(\.text)
    // Blanks alone are no title.
    if title.utf8.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) { title = "" }
    let typed = Array(words.texts[..<(words.count - rest.count)].dropFirst(kind == nil ? 1 : 2))
    let meant =
      MisreadChange(in: typed + changeWords, fields: MisreadChange.fields(of: snapshot))
      ?? MisreadChange(blankIn: typed, fields: MisreadChange.fields(of: snapshot))
    if let meant {
      throw SlipboxError(
        meant.error.kind, meant.error.message,
        hints: meant.error.hints + ["as part of the title, quote the whole title"])
    }
    let changes = try Changes.parse(changeWords)
    for case .removeTag(let tag) in changes {
      throw SlipboxError(
        .usage, "a new note has no tag to remove: -\(Visible.escape(tag))",
        hints: ["quote a title with a dash in it"])
    }
    return Draft(kind: kind, title: title, changes: changes, body: text, allowsNewFields: newField)
  }
}

extension Change {
  /// Whether it removes a value: `Idea:` is more likely the first word of a title.
  fileprivate var isClearing: Bool { if case .clear = self { true } else { false } }
}
