/// Pages for `man`, in the macros of man(7).
extension ManualPage {
  /// The file of the page, below a folder of manual pages: `man1/slip-list.1`.
  var file: [UInt8] { Array("man\(section)/\(name).\(section)".utf8) }

  /// The page as the source of `man`.
  var roff: String {
    var lines = [
      ".TH \(Roff.word(name.uppercased())) \(section) \"\" \(Roff.word(Version.line)) Slipbox", ".SH NAME",
      "\(Roff.text(name)) \\- \(Roff.text(Self.line(summary)))",
    ]
    if !synopsis.isEmpty { lines += [".SH SYNOPSIS", Roff.text(synopsis)] }
    if !blocks.isEmpty { lines.append(".SH DESCRIPTION") }
    for block in blocks { lines += Self.lines(block) }
    for table in tables {
      lines.append(".SH \(Roff.word(table.heading))")
      if !table.text.isEmpty { lines.append(Roff.text(table.text)) }
      for term in table.terms { lines += [".TP", ".B \(Roff.text(term.name))", Roff.text(term.meaning)] }
    }
    lines += [".SH SEE ALSO", Roff.text(Self.others(than: name))]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(_ block: HelpBlock) -> [String] {
    switch block {
    case .heading(let name): [".SS \(Roff.word(name))"]
    case .paragraph(let text): [".PP", Roff.text(text)]
    case .lines(let lines): [".PP", ".RS 4", ".nf"] + lines.map(Roff.text) + [".fi", ".RE"]
    }
  }

  /// A summary without the stop at its end.
  private static func line(_ summary: String) -> String {
    summary.hasSuffix(".") ? String(summary.dropLast()) : summary
  }

  private static func others(than name: String) -> String {
    let pages = [("slip", 1)] + HelpTopic.all.map { ("slip-\($0.name)", 7) } + [("git", 1)]
    return pages.filter { $0.0 != name }.map { "\($0.0)(\($0.1))" }.joined(separator: ", ")
  }
}

/// Text for roff.
enum Roff {
  /// A line of text: nothing in it is an escape or a request.
  static func text(_ text: String) -> String {
    var result = ""
    for letter in text {
      switch letter {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      default: result.append(letter)
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }

  /// An argument of a request.
  static func word(_ text: String) -> String {
    "\"" + Roff.text(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\(dq")
      + "\""
  }
}
