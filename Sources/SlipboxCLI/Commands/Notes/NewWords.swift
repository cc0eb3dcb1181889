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

  /// Refuses a first word that resembles a kind if more words follow: it may be a kind or part of a title.
  private func refuseMistypedKind(_ word: String, _ schema: Schema) throws(SlipboxError) {
    guard words.count > 1, words[1].isLiteral || Change(words[1].text) == nil else { return }
    let names = schema.kinds.map(\.name) + schema.faults.map(\.kind)
    guard let kind = Spelling.slip(of: word, among: names) else { return }
    let isTitle = { (word: Word) in word.isLiteral || Change(word.text).map { $0.isClearing } ?? true }
    let before = words.prefix(while: isTitle).map(\.text)
    let rest = words.drop(while: isTitle).map { Self.word($0.text) }
    let line = { (start: [String]) in "  " + (["slip new"] + start + rest).joined(separator: " ") }
    throw SlipboxError(
      .usage, "\(Visible.escape(word)) is not a kind, but resembles \(kind)",
      lines: [
        "for the kind \(kind):", line([kind] + before.dropFirst().map(Self.word)),
        "for a note with that title:", line([Self.titleWord(before.joined(separator: " "))]),
      ])
  }

  /// Refuses a CHANGE that precedes the title: `due:friday "Call x"`.
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
      lines: [
        "as a CHANGE:", line([Self.word(text)] + (changes + rest).map { Self.word($0.text) }),
        "as part of the title:",
        line(
          [Self.word((changes.map(\.text) + [text]).joined(separator: " "))] + rest.map { Self.word($0.text) }
        ),
      ])
  }

  /// Whether the words before the CHANGEs end in a dash of its own, as if it read the text.
  var endsInDash: Bool {
    let title = words.prefix { $0.isLiteral || Change($0.text) == nil }
    return title.last.map { $0.text == "-" && !$0.isLiteral } ?? false
  }

  /// Refuses a dash in the place of the title or after it: only `-b -` reads standard input.
  private func refuseDash(_ rest: ArraySlice<Word>, _ kind: String?) throws(SlipboxError) {
    guard endsInDash, !rest.isEmpty else { return }
    let title = rest.prefix { $0.isLiteral || Change($0.text) == nil }.dropLast().map(\.text)
    let shown = title.isEmpty ? "TITLE" : Self.titleWord(title.joined(separator: " "))
    let line = ["slip new"] + [kind].compactMap { $0 } + [shown, "\(OptionName.body.short) -"]
    throw SlipboxError(
      .usage, title.isEmpty ? "the title is missing" : "- after a title does not read standard input",
      hints: ["\(line.joined(separator: " ")) reads the text from standard input"])
  }

  /// Whether words are CHANGEs alone: tags, and fields that kinds declare. `Re:login` is a title.
  private static func areChanges(_ words: ArraySlice<Word>, _ fields: Set<String>) -> Bool {
    words.allSatisfy { word in
      guard !word.isLiteral, !word.text.utf8.contains(UInt8(ascii: " ")) else { return false }
      return switch Change(word.text) {
      case .addTag?: true
      case .set(let field, _)?, .add(_, let field)?: fields.contains(field.lowercased())
      case .removeTag?, .clear?, .remove?, nil: false
      }
    }
  }

  /// The refusal of CHANGEs without a title.
  private static func missingTitle(_ rest: ArraySlice<Word>, _ kind: String?) -> SlipboxError {
    let start = ["slip new"] + [kind].compactMap { $0 }
    let shown = rest.map { word($0.text) }
    return SlipboxError(
      .usage, "the title is missing",
      hints: [
        "put the title first: \((start + ["TITLE"] + shown).joined(separator: " "))",
        "as a title: \((start + ["--"] + shown).joined(separator: " "))",
      ])
  }

  /// Refuses the name of a kind after a title that is quoted, or before a field of that kind: `"Call Ada" task`.
  private func refuseKindAfterTitle(_ rest: ArraySlice<Word>, _ schema: Schema) throws(SlipboxError) {
    let title = rest.prefix { $0.isLiteral || Change($0.text) == nil }
    guard title.count > 1, let first = title.first, let last = title.last, !last.isLiteral,
      Self.isKind(last.text, schema)
    else { return }
    let changes = rest.dropFirst(title.count)
    let kind = schema.kindOrPlain(named: last.text)
    let hasItsField = changes.contains { word in
      guard !word.isLiteral, let field = Change(word.text)?.setField else { return false }
      return kind.field(field) != nil
    }
    let isQuoted = title.count == 2 && first.text.utf8.contains(UInt8(ascii: " "))
    guard isQuoted || hasItsField else { return }
    let text = title.map(\.text).joined(separator: " ")
    let line = { (parts: [String]) in
      "  " + (["slip new"] + parts + changes.map { Self.word($0.text) }).joined(separator: " ")
    }
    throw SlipboxError(
      .usage, "\(Visible.escape(last.text)) after the title is ambiguous",
      lines: [
        "for the kind \(Visible.escape(last.text)):",
        line([last.text, Self.titleWord(title.dropLast().map(\.text).joined(separator: " "))]),
        "for a note with that title:", line([Self.titleWord(text)]),
      ])
  }

  /// The words with each mark of a rank, such as `!!`, as a CHANGE behind the others.
  private static func readingRanks(_ words: ArraySlice<Word>, _ kind: Kind) -> ArraySlice<Word> {
    let ranks = words.map { $0.isLiteral ? nil : kind.change(ofRankMark: $0.text) }
    let others = zip(words, ranks).filter { $0.1 == nil }.map(\.0)
    return (others + ranks.compactMap { $0.map { Word($0.word) } })[...]
  }

  /// A text as one word of a command that is shown.
  private static func word(_ text: String) -> String {
    let shown = Visible.escape(text)
    return shown.utf8.contains(0x20) ? "\"\(shown)\"" : shown
  }

  /// A title as one word of a command that is shown; in quotes also if it could be a CHANGE.
  private static func titleWord(_ text: String) -> String {
    Change(text) == nil ? word(text) : "\"\(Visible.escape(text))\""
  }

  /// A kind's name alone opens the editor.
  var isKindAlone: Bool { words.count == 1 && body == nil }

  /// The title and the changes that were typed, with the text.
  func draft(_ text: [UInt8], _ snapshot: BoxSnapshot) throws -> Draft {
    var rest = words[...]
    var kind: String?
    if let first = rest.first, !first.isLiteral, rest.count > 1 || isKindAlone {
      if Self.isKind(first.text, snapshot.schema()) {
        kind = first.text
        rest = rest.dropFirst()
      } else {
        try refuseMistypedKind(first.text, snapshot.schema())
      }
    }
    rest = Self.readingRanks(rest, snapshot.schema().kindOrPlain(named: kind ?? "note"))
    let typed = rest
    try refuseDash(rest, kind)
    let fields = MisreadChange.fields(of: snapshot)
    // A copy has the title of its note if none is given.
    let lacksTitle = Self.areChanges(rest, fields)
    if lacksTitle, !rest.isEmpty, source == nil, !edit { throw Self.missingTitle(rest, kind) }
    try refuseChangeAsTitle(rest, kind)
    if kind == nil { try refuseKindAfterTitle(rest, snapshot.schema()) }
    var title = lacksTitle ? "" : rest.popFirst()?.text ?? ""
    while let word = rest.first, word.isLiteral || Change(word.text) == nil {
      title += " " + word.text
      rest = rest.dropFirst()
    }
    let changeWords = rest.map(\.text)
    // Blanks alone are no title.
    if title.utf8.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) { title = "" }
    let titleWords = typed.dropLast(rest.count).dropFirst().filter { !$0.isLiteral }.map(\.text)
    let meant =
      MisreadChange(in: titleWords + changeWords, fields: fields)
      ?? MisreadChange(blankIn: titleWords, fields: fields)
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

/// Going on with a draft that was kept.
