/// How a piece of running text looks.
struct Ink: OptionSet, Hashable {
  let rawValue: UInt16

  static let strong = Ink(rawValue: 1)
  static let emphasis = Ink(rawValue: 1 << 1)
  static let deleted = Ink(rawValue: 1 << 2)
  static let code = Ink(rawValue: 1 << 3)
  static let link = Ink(rawValue: 1 << 4)
  static let wikiLink = Ink(rawValue: 1 << 5)
  static let tag = Ink(rawValue: 1 << 6)
  /// What stands beside the text: addresses, raw HTML, code blocks, rules.
  static let aside = Ink(rawValue: 1 << 7)
  static let title = Ink(rawValue: 1 << 8)
  static let chapter = Ink(rawValue: 1 << 9)
  static let section = Ink(rawValue: 1 << 10)
  static let done = Ink(rawValue: 1 << 11)

  /// The look of each part, strongest last: where two set a colour, the later one shows.
  private static let codes: [(Ink, String)] = [
    (.strong, "1"), (.aside, "2"), (.emphasis, "3"), (.link, "4"), (.deleted, "9"), (.title, "1;35"),
    (.chapter, "1;34"), (.section, "1"), (.done, "32"), (.tag, "32"), (.code, "33"), (.wikiLink, "36"),
  ]

  /// The SGR sequence that sets exactly this look.
  var sequence: String {
    var sequence = "\u{1B}[0"
    for (part, code) in Ink.codes where contains(part) { sequence += ";" + code }
    return sequence + "m"
  }

  /// Returns text in this look, where the style has colours.
  func on(_ text: String, _ style: Style) -> [UInt8] {
    style.colour && !isEmpty ? Array((sequence + text + Ink([]).sequence).utf8) : Array(text.utf8)
  }

  /// The look of a heading.
  static func heading(level: Int) -> Ink {
    switch level {
    case 1: .title
    case 2: .chapter
    default: .section
    }
  }
}
