import Text

/// Text in HTML and XML.
enum MarkupText {
  /// A text as it stands in HTML and XML: on one line, with no character that XML does not know.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in Visible.escape(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t": result += " "
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
