import Notes
import Text

/// New tags that are likely a slip of the finger.
extension BoxSnapshot {
  /// The tag of the box that a new one almost equals; nil where there is none, or where the tag is not new.
  ///
  /// Case and diacritics do not count, nor does a difference in numbers alone: `2026` is not meant to be `2025`. Of
  /// nested tags the parts below common parents are compared.
  package func nearDuplicate(of tag: String) throws(SlipboxError) -> String? {
    let tag = TagPath.bare(tag)
    // Most tags are old ones, which is known without a look at the notes.
    if let kept = keptCatalogue(), kept.mayKnow(tag: tag) { return nil }
    return Self.nearDuplicate(of: tag, in: try tagTable().names)
  }

  /// The spelling of a tag in the box if it differs in case from a new one; nil if the tag is new or spelled alike.
  func otherSpelling(of tag: String) throws(SlipboxError) -> String? {
    let tag = TagPath.bare(tag)
    guard tag.contains(where: \.isUppercase) || keptCatalogue()?.mayHaveCapitals(tag: tag) == true,
      let known = try tagTable().spelling(of: tag), known != tag
    else { return nil }
    return known
  }

  /// Says that a new tag almost equals an old one.
  func warnOfNearDuplicate(of tag: String, in names: [String]) {
    guard let near = Self.nearDuplicate(of: tag, in: names) else { return }
    reporter.warnOnce("\(Visible.escape(tag)) is a new tag; did you mean \(Visible.escape(near))?")
  }

  static func nearDuplicate(of tag: String, in names: [String]) -> String? {
    let key = TagPath.key(tag)
    if names.contains(where: { TagPath.key($0) == key }) { return nil }
    let folded = Folding.fold(tag)
    var near: [String] = []
    for name in names {
      let other = Folding.fold(name)
      if other == folded { return name }
      if abs(other.utf8.count - folded.utf8.count) <= 8, almostEqual(folded, other) { near.append(name) }
    }
    return Spelling.nearest(to: tag, among: near) ?? near.first
  }

  /// Fewer letters than these have too many neighbours.
  private static let shortest = 4

  private static func almostEqual(_ new: String, _ old: String) -> Bool {
    var (new, old) = (
      new.utf8.split(separator: UInt8(ascii: "/")), old.utf8.split(separator: UInt8(ascii: "/"))
    )
    while let first = new.first, let other = old.first, first.elementsEqual(other) {
      new.removeFirst()
      old.removeFirst()
    }
    let (mine, theirs) = (joined(new), joined(old))
    let (length, otherLength) = (mine.unicodeScalars.count, theirs.unicodeScalars.count)
    guard min(length, otherLength) >= shortest, abs(length - otherLength) <= (length > 4 ? 2 : 1) else {
      return false
    }
    if withoutDigits(mine) == withoutDigits(theirs) { return false }
    return Spelling.nearest(to: mine, among: [theirs]) != nil
  }

  private static func joined(_ parts: [Substring.UTF8View]) -> String {
    String(decoding: Array(parts.joined(separator: [UInt8(ascii: "/")])), as: UTF8.self)
  }

  private static func withoutDigits(_ text: String) -> [UInt8] {
    text.utf8.filter { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
