extension Note {
  /// The fields that may hold tags. One of them does: the first in this order that has any, else the first there is.
  package static let tagsFields = ["tags", "tag", "keywords", "categories"]

  static func tagsField(in frontMatter: FrontMatter, _ named: NamedFields) -> FrontMatterField? {
    let places = named.mayHoldTags.filter { !areLinks(in: frontMatter.fields[$0]) }
    let place = places.first { !frontMatter.fields[$0].value.strings.isEmpty } ?? places.first
    return place.map { frontMatter.fields[$0] }
  }

  /// Whether a field holds links to notes, as people of Obsidian write `categories`: those are no tags.
  private static func areLinks(in field: FrontMatterField) -> Bool {
    let isOfTags = field.name.utf8.first.map { $0 | 0x20 } == UInt8(ascii: "t")
    return !isOfTags && field.value.strings.contains { $0.utf8.starts(with: "[[".utf8) }
  }

  /// The tags that a field holds: of a list its elements, of a scalar what its commas part.
  ///
  /// A scalar without commas is parted by blanks, as Jekyll writes it, except for keywords: they may be phrases.
  static func tags(in field: FrontMatterField) -> [String] {
    guard let text = field.value.text else { return field.value.strings.compactMap { tagName($0[...].utf8) } }
    if text.utf8.contains(UInt8(ascii: ",")) {
      return text.utf8.split(separator: UInt8(ascii: ",")).compactMap(tagName)
    }
    if field.name.utf8.first.map({ $0 | 0x20 }) == UInt8(ascii: "k") || text.utf8.starts(with: "[[".utf8) {
      return [tagName(text[...].utf8)].compactMap { $0 }
    }
    return text.utf8.split { $0 == 0x20 || (0x09...0x0D).contains($0) }.compactMap(tagName)
  }

  /// The name of a tag as it was written, without blanks around it, without `#` before it and without `[[ ]]`.
  private static func tagName(_ written: Substring.UTF8View) -> String? {
    var name = trimmed(written)
    if name.starts(with: "[[".utf8), name.suffix(2).elementsEqual("]]".utf8), name.count > 4 {
      name = name.dropFirst(2).dropLast(2)
      name = name.prefix { $0 != UInt8(ascii: "|") }
    }
    if name.first == UInt8(ascii: "#") { name.removeFirst() }
    return name.isEmpty ? nil : oneLine(String(decoding: name, as: UTF8.self))
  }

  /// The tags with those left out that an earlier one equals but for case.
  static func withoutCaseDuplicates(_ tags: [String]) -> [String] {
    if tags.count < 2 { return tags }
    if tags.count <= 8 {
      var kept: [String] = []
      kept.reserveCapacity(tags.count)
      for tag in tags where !kept.contains(where: { $0.isSameName(as: tag) }) { kept.append(tag) }
      return kept
    }
    var seen: Set<String> = []
    return tags.filter { seen.insert(TagPath.key($0)).inserted }
  }
}
