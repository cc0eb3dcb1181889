internal import Text

/// A field of a template in whose value placeholders stand.
struct TemplateField: Sendable {
  private enum Piece: Sendable {
    case text(String)
    case placeholder(Placeholder)
  }

  let name: String
  private let line: Int
  /// The texts of the value in pieces: one where it is no list.
  private let texts: [[Piece]]
  private let isList: Bool

  /// Reads the value of a field; nil where it asks for nothing.
  ///
  /// - Parameter used: gets the numbers of the words that the field holds.
  /// - Throws: a problem with its line, as `TemplateFields.init`.
  init?(_ field: FrontMatterField, _ words: TemplateWords, used: inout Set<Int>) throws(Problem) {
    name = field.name
    line = field.line
    var found: Set<Int> = []
    let refusal = { (place: String) in
      Problem(
        severity: .error, line: field.line, column: 1,
        message: "\(Visible.escape(field.name)): a placeholder can't be used in \(place)")
    }
    guard words.parts(of: field.name).allSatisfy({ $0.word == nil }) else { throw refusal("a field's name") }
    let elements: [FieldValue]
    if case .list(let all) = field.value {
      (elements, isList) = (all, true)
    } else {
      (elements, isList) = ([field.value], false)
    }
    var texts: [[Piece]] = []
    var isPlain = true
    for element in elements {
      guard let text = element.text else {
        isPlain = false
        guard !words.occur(in: element) else { throw refusal("a map, or in a list inside a list") }
        continue
      }
      var pieces: [Piece] = []
      for part in words.parts(of: text) {
        pieces.append(.text(part.text))
        guard let word = part.word else { continue }
        found.insert(word)
        pieces.append(try Self.piece(words, word))
      }
      texts.append(pieces)
    }
    guard !found.isEmpty else { return nil }
    guard isPlain else { throw refusal("a list that holds maps or lists") }
    used.formUnion(found)
    self.texts = texts
  }

  private static func piece(_ words: TemplateWords, _ word: Int) throws(Problem) -> Piece {
    try words.placeholder(word).map { .placeholder($0) } ?? .text("{{")
  }

  func holds(_ isWanted: (Placeholder) -> Bool) -> Bool {
    texts.joined().contains { piece in
      if case .placeholder(let placeholder) = piece { isWanted(placeholder) } else { false }
    }
  }

  /// The value with its placeholders filled, a list without the elements that are empty; nil where nothing is left.
  func filled(_ values: TemplateValues) -> FieldValue? {
    let filled = texts.map { pieces in
      let bytes = pieces.flatMap { piece in
        switch piece {
        case .text(let text): Array(text.utf8)
        case .placeholder(let placeholder): values.bytes(of: placeholder)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }.filter { !$0.isEmpty }
    guard let first = filled.first else { return nil }
    return isList ? .list(filled.map(FieldValue.text)) : .text(first)
  }

  func problem(_ error: EditError) -> Problem {
    Problem(severity: .error, line: line, column: 1, message: "\(Visible.escape(name)): \(error.reason)")
  }
}
