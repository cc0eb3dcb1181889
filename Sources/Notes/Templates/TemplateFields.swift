import Text

/// The front-matter of a template, in which placeholders may be unquoted: `title: {{title}}`.
///
/// In YAML two braces begin a map. The block is therefore read with a word of letters in the place of each placeholder.
/// Values are filled in after decoding, so that no inserted value can be read as YAML.
struct TemplateFields: Sendable {
  /// The template with words for the placeholders in values; those in comments stay as they were written.
  private let text: NoteText
  private let asking: [TemplateField]

  /// - Throws: a problem with its line for front-matter that can't be written, and for a placeholder that is unknown, is
  ///   part of a name or is in a map.
  init(_ template: NoteText) throws(Problem) {
    if let problem = template.unreadable { throw problem }
    guard !template.isUnclosed else {
      throw template.problem(at: 0, "front matter begins here without a closing line of dashes")
    }
    guard let block = template.frontMatter else {
      (text, asking) = (template, [])
      return
    }
    let words = TemplateWords(for: TemplateText.spans(in: template.bytes, block), in: template)
    let read = FrontMatter(NoteText(words.standing(in: template) { _ in true }))
    if let problem = read.firstError { throw problem }
    var used: Set<Int> = []
    var asking: [TemplateField] = []
    for field in read.fields {
      guard let value = try TemplateField(field, words, used: &used) else { continue }
      asking.append(value)
    }
    let asked = used
    text = NoteText(words.standing(in: template) { asked.contains($0) })
    self.asking = asking
  }

  /// Whether a field uses the value of another one.
  var asksFields: Bool { asking.contains { $0.holds { $0.isField } } }

  var holdsSelection: Bool { asking.contains { $0.holds { $0 == .selection } } }

  /// The template with its fields filled, and its text as it is. A field whose value is empty then is left out.
  ///
  /// - Throws: a problem with its line for a value that can't be written.
  func filled(_ values: TemplateValues) throws(Problem) -> NoteText {
    var text = text
    for field in asking {
      do throws(EditError) {
        if let value = field.filled(values) {
          text = try text.setting(field.name, to: value)
        } else {
          text = try text.clearing(field.name)
        }
      } catch {
        throw field.problem(error)
      }
    }
    return text
  }
}

extension EditError {
  /// Why the edit was refused, without the place.
  var reason: String {
    switch self {
    case .unreadable(let problem): problem.message
    case .opaque(_, _, let reason), .unsettable(_, let reason): reason
    }
  }
}

/// A field of a template with placeholders in its value.
struct TemplateField: Sendable {
  private enum Piece: Sendable {
    case text(String)
    case placeholder(Placeholder)
  }

  let name: String
  private let line: Int
  /// The texts of the value in pieces: one if it is not a list.
  private let texts: [[Piece]]
  private let isList: Bool

  /// Reads the value of a field; nil if it has no placeholders.
  ///
  /// - Parameter used: gets the numbers of the words that the field contains.
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

  /// The value with its placeholders filled, a list without the elements that are empty; nil if nothing is left.
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

/// Words of letters that replace the placeholders of front-matter while it is read as YAML.
///
/// They begin alike, with letters that occur nowhere in the template.
struct TemplateWords {
  private let template: NoteText
  private let spans: [(range: Range<Int>, mark: TemplateText.Mark)]
  private let stem: [UInt8]

  init(for spans: [(range: Range<Int>, mark: TemplateText.Mark)], in template: NoteText) {
    self.template = template
    self.spans = spans
    var stem = Array("placeholder".utf8)
    // A run of the last letter ends somewhere, so this does too.
    while Self.occurs(stem, in: template.bytes) { stem.append(UInt8(ascii: "x")) }
    self.stem = stem
  }

  /// The bytes of the template with words in the place of some placeholders, by their numbers.
  func standing(in template: NoteText, for isWord: (Int) -> Bool) -> [UInt8] {
    var result: [UInt8] = []
    var start = 0
    for (number, span) in spans.enumerated() where isWord(number) {
      result += template.bytes[start..<span.range.lowerBound] + word(number)
      start = span.range.upperBound
    }
    return result + template.bytes[start...]
  }

  private func word(_ number: Int) -> [UInt8] { stem + Array("n\(number)e".utf8) }

  /// A decoded text parted at the words: each part with the number of the word after it.
  func parts(of text: String) -> [(text: String, word: Int?)] {
    let bytes = Array(text.utf8)
    var parts: [(text: String, word: Int?)] = []
    var (start, position) = (0, 0)
    while position + stem.count < bytes.count {
      guard let (number, end) = word(at: position, in: bytes) else {
        position += 1
        continue
      }
      parts.append((String(decoding: bytes[start..<position], as: UTF8.self), number))
      (start, position) = (end, end)
    }
    return parts + [(String(decoding: bytes[start...], as: UTF8.self), nil)]
  }

  /// Whether a word occurs anywhere in a value.
  func occur(in value: FieldValue) -> Bool {
    switch value {
    case .text(let text): parts(of: text).count > 1
    case .list(let elements): elements.contains { occur(in: $0) }
    case .map(let entries): entries.contains { parts(of: $0.key).count > 1 || occur(in: $0.value) }
    case .empty: false
    }
  }

  /// The placeholder of a word; nil for escaped braces.
  ///
  /// - Throws: a problem with line and column if the placeholder is unknown.
  func placeholder(_ number: Int) throws(Problem) -> Placeholder? {
    let span = spans[number]
    do throws(PlaceholderFault) {
      switch span.mark {
      case .placeholder(let inside): return try Placeholder(template.bytes[inside])
      case .escape: return nil
      case .unclosed: throw PlaceholderFault.unclosed
      }
    } catch {
      throw template.problem(at: span.range.lowerBound, error)
    }
  }

  private func word(at position: Int, in bytes: [UInt8]) -> (number: Int, end: Int)? {
    guard bytes[position] == stem[0], bytes[position...].starts(with: stem + [UInt8(ascii: "n")]) else {
      return nil
    }
    let digits = bytes[(position + stem.count + 1)...].prefix { $0 >= 0x30 && $0 <= 0x39 }
    guard let number = CivilDate.number(digits), spans.indices.contains(number) else { return nil }
    // The letter after the digits.
    return (number, digits.endIndex + 1)
  }

  private static func occurs(_ word: [UInt8], in bytes: [UInt8]) -> Bool {
    bytes.indices.contains { bytes[$0] == word[0] && bytes[$0...].starts(with: word) }
  }
}
