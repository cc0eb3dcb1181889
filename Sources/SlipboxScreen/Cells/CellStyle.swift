/// The weight and the colours of one cell.
struct CellStyle: Hashable, Sendable {
  struct Attributes: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    static let bold = Attributes(rawValue: 1)
    static let dim = Attributes(rawValue: 2)
    static let italic = Attributes(rawValue: 4)
    static let underline = Attributes(rawValue: 8)
    static let reverse = Attributes(rawValue: 16)
  }

  var attributes: Attributes = []
  /// The parameter of SGR for text; 0 for the terminal's own.
  var foreground: UInt8 = 0
  /// The parameter of SGR for what is behind text; 0 for the terminal's own.
  var background: UInt8 = 0

  static let plain = CellStyle()
  static let bold = CellStyle(attributes: .bold)
  static let dim = CellStyle(attributes: .dim)
  static let reverse = CellStyle(attributes: .reverse)

  /// The attributes with the parameters of SGR that set and clear them.
  private static let parameters: [(attribute: Attributes, on: UInt8)] = [
    (.bold, 1), (.dim, 2), (.italic, 3), (.underline, 4), (.reverse, 7),
  ]

  /// Takes one parameter of SGR; of those that are not known nothing comes.
  mutating func apply(_ parameter: UInt8) {
    switch parameter {
    case 0: self = .plain
    case 22: attributes.subtract([.bold, .dim])
    case 23: attributes.remove(.italic)
    case 24: attributes.remove(.underline)
    case 27: attributes.remove(.reverse)
    case 30...37, 90...97: foreground = parameter
    case 39: foreground = 0
    case 40...47, 100...107: background = parameter
    case 49: background = 0
    default:
      if let (attribute, _) = Self.parameters.first(where: { $0.on == parameter }) {
        attributes.insert(attribute)
      }
    }
  }

  /// The sequence that sets this style, whatever was set before.
  var sequence: String {
    var parameters = ["0"]
    for (attribute, on) in Self.parameters where attributes.contains(attribute) {
      parameters.append(String(on))
    }
    if foreground != 0 { parameters.append(String(foreground)) }
    if background != 0 { parameters.append(String(background)) }
    return "\u{1B}[\(parameters.joined(separator: ";"))m"
  }

  /// This style with more attributes.
  func adding(_ more: Attributes) -> CellStyle {
    var style = self
    style.attributes.formUnion(more)
    return style
  }
}
