/// A colour that every terminal has, in the shade that its owner chose.
package enum TerminalColour: Int, Sendable {
  case red = 31
  case green = 32
  case yellow = 33
  case blue = 34
  case magenta = 35
  case cyan = 36
  case silver = 37
  case grey = 90
  case brightYellow = 93
  case brightBlue = 94

  /// The parameter of SGR for text.
  var foreground: String { String(rawValue) }

  /// The parameter of SGR for what is behind text.
  var background: String { String(rawValue + 10) }
}
