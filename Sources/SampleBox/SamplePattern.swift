/// A sentence with `{names}` in it.
enum SamplePattern {
  /// Puts values in the place of names; `{Name}` takes the value of `{name}` with a capital letter.
  static func fill(_ pattern: String, _ values: [String: String]) -> String {
    var result = ""
    for (index, part) in pattern.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
      guard index > 0, let end = part.firstIndex(of: "}") else {
        result += part
        continue
      }
      let name = String(part[..<end])
      result += values[name] ?? capitalised(values[lowered(name)] ?? name)
      result += part[part.index(after: end)...]
    }
    return result
  }

  /// The text with a capital letter first.
  static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  private static func lowered(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }
}
