internal import Text

/// Words of letters that stand for the placeholders of front-matter while it is read as YAML.
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
  /// - Throws: a problem with line and column where it is none that is known.
  func placeholder(_ number: Int) throws(Problem) -> Placeholder? {
    let span = spans[number]
    do throws(PlaceholderFault) {
      switch span.mark {
      case .placeholder(let inside): return try Placeholder(template.bytes[inside])
      case .escape: return nil
      case .unclosed: throw PlaceholderFault.unclosed
      }
    } catch {
      throw template.problem(at: span.range.lowerBound, Visible.escape(error.message))
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
