import Notes
import Platform
import SlipboxCore

/// Formulas and code of notes as markup that other programs have made and that has only known elements and attributes.
struct RenderedMarkup: Sendable {
  private let formulas: [MarkupSource: MarkupWriter]
  private let code: [MarkupSource: MarkupWriter]

  /// No markup: formulas and code are shown as they are written.
  init() {
    formulas = [:]
    code = [:]
  }

  /// Has the formulas and the code of some notes made.
  ///
  /// - Parameter text: reads the note of a number; called on several threads.
  init(_ programs: MarkupPrograms, _ numbers: [Int], text: @escaping @Sendable (_ number: Int) -> NoteText) {
    let formulas = programs.formulas.map { program in
      program.markup(of: Set(concurrentMap(numbers) { Self.formulas(in: text($0)) }.joined()))
    }
    let code = programs.code.map { program in
      program.markup(of: Set(concurrentMap(numbers) { Self.code(in: text($0)) }.joined()))
    }
    self.formulas = (formulas ?? [:]).compactMapValues { CheckedMarkup.math($0) }
    self.code = (code ?? [:]).compactMapValues { CheckedMarkup.code($0) }
  }

  /// The markup of a formula, given with its signs; nil if it is shown as it is written.
  func formula(_ source: [UInt8], isBlock: Bool) -> MarkupWriter? {
    formulas.isEmpty ? nil : formulas[Self.formula(source, isBlock: isBlock)]
  }

  /// The markup of a block of code; nil if it is shown as it is written.
  func code(_ source: [UInt8], _ language: [UInt8]) -> MarkupWriter? {
    self.code.isEmpty ? nil : self.code[MarkupSource(language, source)]
  }

  // MARK: Texts

  private static func formulas(in text: NoteText) -> [MarkupSource] {
    guard text.bytes[text.body].contains(UInt8(ascii: "$")) else { return [] }
    return BodySyntax(text).marks.compactMap { mark in
      guard case .math(let isBlock) = mark.content else { return nil }
      return formula(Array(String(decoding: text.bytes[mark.range], as: UTF8.self).utf8), isBlock: isBlock)
    }
  }

  /// A formula without its signs, and without the signs of a quote before its lines.
  private static func formula(_ source: [UInt8], isBlock: Bool) -> MarkupSource {
    let signs = isBlock ? 2 : 1
    var lines = source.dropFirst(signs).dropLast(signs).split(
      separator: 0x0A, omittingEmptySubsequences: false)
    let rest = lines.dropFirst().map { $0.drop { $0 <= 0x20 } }
    if !rest.isEmpty, rest.allSatisfy({ $0.first == UInt8(ascii: ">") || $0.isEmpty }) {
      lines = lines.prefix(1) + rest.map { $0.drop { $0 == UInt8(ascii: ">") || $0 <= 0x20 } }
    }
    return MarkupSource(
      isBlock ? MarkupSource.block : MarkupSource.inline, Array(lines.joined(separator: [0x0A])))
  }

  private static func code(in text: NoteText) -> [MarkupSource] {
    let mayHaveCode = text.bytes[text.body].contains { $0 == UInt8(ascii: "`") || $0 == UInt8(ascii: "~") }
    guard mayHaveCode else { return [] }
    let body = MarkedBody(text, marks: [])
    return MarkdownHTML.codeBlocks(of: body).map { MarkupSource($0.language, $0.code) }
  }
}

/// Markup of another program, taken only if it has nothing but known elements and attributes.
enum CheckedMarkup {
  private static let mathElements: Set<String> = [
    "math", "semantics", "annotation", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "mfrac", "msqrt",
    "mroot",
    "mstyle", "mpadded", "mphantom", "menclose", "msub", "msup", "msubsup", "munder", "mover", "munderover",
    "mmultiscripts", "mprescripts", "mtable", "mtr", "mtd", "mlabeledtr", "span",
  ]

  private static let mathAttributes: Set<String> = [
    "accent", "accentunder", "class", "columnalign", "columnlines", "columnspacing", "depth", "display",
    "displaystyle",
    "encoding", "fence", "form", "height", "largeop", "linebreak", "linethickness", "lspace",
    "mathbackground", "mathcolor",
    "mathsize", "mathvariant", "maxsize", "minsize", "movablelimits", "notation", "rowalign", "rowlines",
    "rowspacing",
    "rspace", "scriptlevel", "separator", "side", "stretchy", "symmetric", "voffset", "width", "xmlns",
  ]

  /// A formula; nil if it has anything else.
  static func math(_ bytes: [UInt8]) -> MarkupWriter? {
    isMade(of: mathElements, mathAttributes, bytes) ? MarkupWriter(checked: bytes) : nil
  }

  /// Code in which words have classes; nil if it has anything else.
  static func code(_ bytes: [UInt8]) -> MarkupWriter? {
    isMade(of: ["span"], ["class"], bytes) ? MarkupWriter(checked: bytes) : nil
  }

  private static func isMade(of elements: Set<String>, _ attributes: Set<String>, _ bytes: [UInt8]) -> Bool {
    guard !bytes.isEmpty else { return false }
    var (position, open) = (0, [String]())
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      guard let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) else { return false }
      var inner = bytes[(start + 1)..<end]
      let isClosing = inner.first == UInt8(ascii: "/")
      let isEmpty = inner.last == UInt8(ascii: "/")
      if isClosing { inner.removeFirst() }
      if isEmpty { inner.removeLast() }
      let name = String(decoding: inner.prefix { isLetter($0) }, as: UTF8.self)
      guard elements.contains(name), hasOnly(attributes, inner.dropFirst(name.utf8.count)) else {
        return false
      }
      if isClosing {
        guard open.popLast() == name else { return false }
      } else if !isEmpty {
        open.append(name)
      }
      position = end + 1
    }
    return open.isEmpty
  }

  /// Whether the rest of a tag has some attributes alone, with values between double quotes.
  private static func hasOnly(_ attributes: Set<String>, _ rest: ArraySlice<UInt8>) -> Bool {
    var rest = rest.drop { $0 == 0x20 }
    while !rest.isEmpty {
      let name = rest.prefix { isLetter($0) }
      rest = rest[name.endIndex...]
      guard attributes.contains(String(decoding: name, as: UTF8.self)), rest.starts(with: "=\"".utf8),
        let end = rest.dropFirst(2).firstIndex(of: UInt8(ascii: "\""))
      else { return false }
      rest = rest[(end + 1)...].drop { $0 == 0x20 }
    }
    return true
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
}
