/// The settings of a graph of Logseq, `logseq/config.edn`, as far as slip follows them.
///
/// Source: Logseq, the comments of the `config.edn` that it makes for a new graph.
package struct LogseqSettings: Sendable {
  /// The values of the keywords of the map: texts, and keywords with their colon.
  private var values: [String: String] = [:]

  /// Whether names of files hold titles in the older way: it holds if the setting is missing.
  package var hasLegacyNames: Bool { values[":file/name-format"] != ":triple-lowbar" }
  /// The folder of pages; nil for Logseq's own.
  package var pages: String? { values[":pages-directory"] }
  /// The folder of journals; nil for Logseq's own.
  package var journals: String? { values[":journals-directory"] }
  /// The form of the names of journals' files in the words of moment.js; nil for Logseq's own.
  package var journalName: String? { values[":journal/file-name-format"].flatMap(Self.format) }
  /// The form of the titles of journals in the words of moment.js; nil for Logseq's own.
  package var journalTitle: String? { values[":journal/page-title-format"].flatMap(Self.format) }

  package init(_ bytes: [UInt8]) {
    var depth = 0
    var key: String?
    for token in Self.tokens(String(decoding: bytes, as: UTF8.self)) {
      switch token {
      case "{", "[", "(": (depth, key) = (depth + 1, nil)
      case "}", "]", ")": (depth, key) = (depth - 1, nil)
      default:
        guard depth == 1 else { continue }
        if let known = key {
          values[known] = token.first == "\"" ? String(token.dropFirst()) : token
          key = nil
        } else if token.first == ":" {
          key = token
        }
      }
    }
  }

  /// The brackets, words and texts of EDN; a text begins with a quotation mark and has no other.
  private static func tokens(_ text: String) -> [String] {
    var tokens: [String] = []
    var rest = text[...]
    while let first = rest.popFirst() {
      switch first {
      case ";": rest = rest.drop { !$0.isNewline }
      case "\"":
        var value = "\""
        while let next = rest.popFirst(), next != "\"" {
          value.append(next == "\\" ? rest.popFirst() ?? next : next)
        }
        tokens.append(value)
      case "{", "}", "[", "]", "(", ")": tokens.append(String(first))
      case _ where first.isWhitespace || first == ",": continue
      default:
        let word = rest.prefix { !$0.isWhitespace && !",;\"{}[]()".contains($0) }
        tokens.append(String(first) + word)
        rest = rest.dropFirst(word.count)
      }
    }
    return tokens
  }

  /// A date format of Logseq in the words of moment.js; nil if it has other words.
  ///
  /// Source: cljs-time, `cljs-time.format`, and the `do` that Logseq adds.
  private static func format(_ format: String) -> String? {
    let words = [
      "yyyy": "YYYY", "yy": "YY", "MMMM": "MMMM", "MMM": "MMM", "MM": "MM", "M": "M", "dd": "DD", "d": "D",
      "do": "Do", "EEEE": "dddd", "EEE": "ddd", "EE": "ddd", "E": "ddd",
    ]
    var result = ""
    var rest = format[...]
    while let first = rest.first {
      if first == "'" {
        let text = rest.dropFirst().prefix { $0 != "'" }
        result += "[\(text)]"
        rest = rest.dropFirst(text.count + 2)
      } else if first.isASCII, first.isLetter {
        let word = rest.hasPrefix("do") ? "do" : String(rest.prefix { $0 == first })
        guard let known = words[word] else { return nil }
        result += known
        rest = rest.dropFirst(word.count)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return result.isEmpty ? nil : result
  }
}
