/// The settings of zk, `.zk/config.toml`, as far as slip follows them.
///
/// Source: zk's documentation, config-note.md: `ignore` and later `exclude` of the section `[note]` are lists of globs.
package struct ZkSettings {
  /// The globs of files that zk does not index.
  package let excluded: [String]

  package init(_ bytes: [UInt8]) {
    var excluded: [String] = []
    var (section, isInList) = ("", false)
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let line = line.drop { $0 == " " || $0 == "\t" }
      if isInList {
        isInList = Self.read(line, into: &excluded)
      } else if line.first == "[" {
        section = String(line.prefix { $0 != "#" }.filter { !$0.isWhitespace })
      } else if section == "[note]", let sign = line.firstIndex(of: "="),
        ["exclude", "ignore"].contains(line[..<sign].filter { !$0.isWhitespace })
      {
        let value = line[line.index(after: sign)...].drop { $0.isWhitespace }
        guard value.first == "[" else { continue }
        isInList = Self.read(value.dropFirst(), into: &excluded)
      }
    }
    self.excluded = excluded
  }

  /// Reads the strings of a line of a list.
  /// - Returns: whether the list goes on.
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
