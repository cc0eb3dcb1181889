/// The attributes of a run of text: weight, colour, underline.
struct TextAttributes: OptionSet, Hashable {
  let rawValue: UInt16

  static let strong = TextAttributes(rawValue: 1)
  static let emphasis = TextAttributes(rawValue: 1 << 1)
  static let deleted = TextAttributes(rawValue: 1 << 2)
  static let code = TextAttributes(rawValue: 1 << 3)
  static let link = TextAttributes(rawValue: 1 << 4)
  static let wikiLink = TextAttributes(rawValue: 1 << 5)
  static let tag = TextAttributes(rawValue: 1 << 6)
  /// Dimmed: addresses, raw HTML, code blocks, rules.
  static let aside = TextAttributes(rawValue: 1 << 7)
  static let title = TextAttributes(rawValue: 1 << 8)
  static let chapter = TextAttributes(rawValue: 1 << 9)
  static let section = TextAttributes(rawValue: 1 << 10)
  static let done = TextAttributes(rawValue: 1 << 11)

  /// The SGR code of each attribute; where two set a colour, the later one wins.
  ///
  /// Yellow and cyan can't be read on a white terminal, blue not on a black one.
  private static let codes: [(TextAttributes, String)] = [
    (.strong, "1"), (.aside, "2"), (.emphasis, "3"), (.link, "4"), (.deleted, "9"), (.title, "1;35"),
    (.chapter, "1;35"), (.section, "1"), (.done, "32"), (.tag, "32"), (.code, "35"), (.wikiLink, "4"),
  ]

  /// The SGR sequence that resets all attributes and sets these.
  var sequence: String {
    var sequence = "\u{1B}[0"
    for (part, code) in TextAttributes.codes where contains(part) { sequence += ";" + code }
    return sequence + "m"
  }

  /// Returns the text with these attributes, or unchanged where the style has no colours.
  func on(_ text: String, _ style: Style) -> [UInt8] {
    style.colour && !isEmpty ? Array((sequence + text + TextAttributes([]).sequence).utf8) : Array(text.utf8)
  }

  /// The attributes of a heading.
  static func heading(level: Int) -> TextAttributes {
    switch level {
    case 1: .title
    case 2: .chapter
    default: .section
    }
  }
}
