import Notes

/// Tags that stand in one text.
enum TagList {
  /// The tags between commas or semicolons; without these, the words where each begins with `#`, else one tag.
  static func tags(in text: String) -> [String] {
    let parts = text.split { $0 == "," || $0 == ";" }.map { trimmed($0) }
    if parts.count == 1, parts[0].hasPrefix("#") {
      return parts[0].split(separator: " ").map(trimmed).map(bare).filter { !$0.isEmpty }
    }
    return parts.map(bare).filter { !$0.isEmpty }
  }

  private static func bare(_ tag: String) -> String { tag.hasPrefix("#") ? String(tag.dropFirst()) : tag }

  private static func trimmed(_ text: some StringProtocol) -> String {
    Note.titleOnOneLine(String(text))
  }
}
