/// The settings of zk, `.zk/config.toml`, as far as slip follows them.
///
/// Source: zk's documentation, config-note.md: `ignore` and later `exclude` of the section `[note]` are lists of globs.
package struct ZkSettings {
  /// The globs of files that zk does not index.
  package let excluded: [String]
  /// The template of the names of new notes; nil for zk's random ids.
  package let fileName: String?
  /// `markdown`, `wiki` or a template; nil for Markdown.
  package let linkFormat: String?
  /// Whether Markdown links omit the ending of the file.
  package let dropsEnding: Bool
  /// Whether words between colons are tags.
  package let hasColonTags: Bool
  /// The folder of the group `daily`, and the template of its names.
  package let dailyFolder: String?
  package let dailyFileName: String?

  package init(_ bytes: [UInt8]) {
    var excluded: [String] = []
    var values: [String: String] = [:]
    var (section, isInList) = ("", false)
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let line = line.drop { $0 == " " || $0 == "\t" }
      if isInList {
        isInList = Self.read(line, into: &excluded)
      } else if line.first == "[" {
        section = String(line.prefix { $0 != "#" }.filter { !$0.isWhitespace })
      } else if let (key, value) = Self.scalar(line) {
        values[section + key] = value
      } else if section == "[note]", let sign = line.firstIndex(of: "="),
        ["exclude", "ignore"].contains(line[..<sign].filter { !$0.isWhitespace })
      {
        let value = line[line.index(after: sign)...].drop { $0.isWhitespace }
        guard value.first == "[" else { continue }
        isInList = Self.read(value.dropFirst(), into: &excluded)
      }
    }
    self.excluded = excluded
    fileName = values["[note]filename"]
    linkFormat = values["[format.markdown]link-format"]
    dropsEnding = values["[format.markdown]link-drop-extension"] != "false"
    hasColonTags = values["[format.markdown]colon-tags"] == "true"
    dailyFolder = values["[group.daily]paths"]
    dailyFileName = values["[group.daily.note]filename"]
  }

  /// The key and the value of a line `key = "text"`, `key = true` or `key = ["text"]`; nil for any other line.
  private static func scalar(_ line: Substring) -> (key: String, value: String)? {
    guard let sign = line.firstIndex(of: "="), line.first != "#" else { return nil }
    let key = line[..<sign].filter { !$0.isWhitespace }
    var value = line[line.index(after: sign)...].drop { $0.isWhitespace }
    let known = ["filename", "link-format", "link-drop-extension", "colon-tags", "paths"]
    guard known.contains(key) else { return nil }
    if value.first == "[" { value = value.dropFirst().drop { $0.isWhitespace } }
    guard let quote = value.first, quote == "\"" || quote == "'" else {
      return (key, String(value.prefix { $0.isLetter }))
    }
    let rest = value.dropFirst()
    return rest.firstIndex(of: quote).map { (key, String(rest[..<$0])) }
  }

  /// A template of zk's file names as a pattern of slip; nil if it has a part that slip does not know.
  ///
  /// Source: zk's documentation, template.md and template-format-date.md: `{{id}}`, `{{title}}`, `{{slug title}}` and
  /// `{{format-date now 'FORMAT'}}` with the forms of strftime.
  package static func pattern(of template: String) -> String? {
    var pattern = ""
    var rest = template[...]
    while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
      pattern += rest[..<open.lowerBound]
      let inside = rest[open.upperBound..<close.lowerBound].split(separator: " ").joined(separator: " ")
      switch inside {
      case "id": pattern += "{id}"
      case "title": pattern += "{title}"
      case "slug title": pattern += "{slug}"
      default:
        guard let date = date(inside) else { return nil }
        pattern += date
      }
      rest = rest[close.upperBound...]
    }
    return pattern + rest
  }

  private static func date(_ inside: String) -> String? {
    let start = ["format-date now", "date now"].first { inside.hasPrefix($0) }
    guard let start else { return nil }
    let format = inside.dropFirst(start.count).filter { !"'\" ".contains($0) }
    switch format {
    case "": return "{date:YYYY-MM-DD}"
    case "timestamp": return "{date:YYYYMMDDHHmm}"
    case "year": return "{date:YYYY}"
    default: break
    }
    guard format.contains("%") else { return nil }
    let words = [
      "Y": "YYYY", "m": "MM", "d": "DD", "H": "HH", "M": "mm", "S": "ss", "y": "YY", "F": "YYYY-MM-DD",
    ]
    var (result, isMark) = ("", false)
    for character in format {
      if isMark {
        guard let word = words[String(character)] else { return nil }
        result += word
      } else if character != "%" {
        result += character.isLetter ? "[\(character)]" : String(character)
      }
      isMark = !isMark && character == "%"
    }
    return "{date:\(result)}"
  }

  /// Reads the strings of a line of a list.
  /// - Returns: whether the list continues.
  private static func read(_ line: Substring, into strings: inout [String]) -> Bool {
    var rest = line
    while let next = rest.popFirst() {
      switch next {
      case "#": return true
      case "]": return false
      case "\"", "'":
        guard let end = rest.firstIndex(of: next) else { return true }
        if end > rest.startIndex { strings.append(String(rest[..<end])) }
        rest = rest[rest.index(after: end)...]
      default: continue
      }
    }
    return true
  }
}
