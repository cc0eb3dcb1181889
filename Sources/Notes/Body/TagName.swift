import Bytes
import Text

/// The names of tags: letters and digits of any script, `_`, `-`, `/` and emoji; compared without case, nested at slashes.
package enum TagName {
  /// Slashes beyond this many nest no deeper.
  package static let deepest = 32

  /// The same text for all spellings of a tag.
  package static func key(_ name: String) -> String { name.lowercased() }

  /// The parents of a tag, the highest first, and the tag itself.
  package static func lineage(of name: String) -> [String] {
    let bytes = name.utf8
    guard bytes.contains(UInt8(ascii: "/")) else { return [name] }
    var names: [String] = []
    var before: UInt8 = UInt8(ascii: "/")
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "/"), before != UInt8(ascii: "/"), names.count < deepest {
        names.append(String(decoding: bytes[..<index], as: UTF8.self))
      }
      before = bytes[index]
    }
    return names + [name]
  }

  /// A tag as it was typed, without blanks around it and without `#`.
  package static func bare(_ typed: String) -> String {
    var name = Substring(typed).utf8
    while let first = name.first, isBlank(first) { name.removeFirst() }
    while let last = name.last, isBlank(last) { name.removeLast() }
    if name.first == UInt8(ascii: "#") { name.removeFirst() }
    return String(decoding: name, as: UTF8.self)
  }

  /// Whether a byte is a blank or a line end around a tag.
  package static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  // MARK: Tags in a text

  /// Longer names are taken for something else, in bytes.
  static let longest = 256

  /// The end of the name that begins at an offset; slashes at its end are not part of it.
  static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int {
    var position = start
    while position < end, position - start <= longest {
      let length = step(in: bytes, at: position, to: end)
      if length == 0 { break }
      position += length
    }
    while position > start, bytes[position - 1] == UInt8(ascii: "/") { position -= 1 }
    return position
  }

  /// Whether the name begins as one may and is not a mere number, or numbers with slashes between them.
  static func isTag(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard bytes[start] != UInt8(ascii: "/"), !isMark(DecodedScalar(in: bytes.span, at: start)) else {
      return false
    }
    var last = end
    while last > start, bytes[last - 1] == UInt8(ascii: "-") { last -= 1 }
    return (start..<last).contains { !(UInt8(ascii: "/")...UInt8(ascii: "9")).contains(bytes[$0]) }
  }

  /// Whether the character before an offset is a blank or opens a bracket or a quotation, in any script.
  static func opens(scalarBefore position: Int, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool
  {
    var first = position - 1
    while first > start, position - first < 4, bytes[first] & 0xC0 == 0x80 { first -= 1 }
    let scalar = DecodedScalar(in: bytes.span, at: first)
    guard scalar.isValid, first + scalar.length == position, let value = Unicode.Scalar(scalar.value) else {
      return false
    }
    switch value.properties.generalCategory {
    case .spaceSeparator, .openPunctuation, .initialPunctuation: return true
    default: return false
    }
  }

  /// The length of the character at an offset if a tag name may contain it, else 0.
  private static func step(in bytes: UnsafeBufferPointer<UInt8>, at position: Int, to end: Int) -> Int {
    switch bytes[position] {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "/"):
      return 1
    case 0x80...:
      let scalar = DecodedScalar(in: bytes.span, at: position)
      guard scalar.isValid, position + scalar.length <= end, let value = Unicode.Scalar(scalar.value) else {
        return 0
      }
      return isName(value) ? scalar.length : 0
    default: return 0
    }
  }

  /// Whether a scalar only changes the one before it, as in the emoji of a number sign.
  private static func isMark(_ scalar: DecodedScalar) -> Bool {
    guard scalar.value >= 0x300, let value = Unicode.Scalar(scalar.value) else { return false }
    switch value.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .format: return true
    default: return false
    }
  }

  private static func isName(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      return true
    case .otherSymbol, .modifierSymbol, .mathSymbol, .otherPunctuation: return properties.isEmoji
    case .format:
      return scalar.value == 0x200C || scalar.value == 0x200D || (0xE0020...0xE007F).contains(scalar.value)
    default: return false
    }
  }
}

extension BodyInline {
  /// Takes a tag, unless its content or the text before it makes it plain text.
  mutating func takeTag(_ position: Int) -> Int {
    guard mayFollow(position) else { return position + 1 }
    let last = TagName.end(in: bytes, from: position + 1, to: end)
    if last > position + 1, last - position <= TagName.longest, TagName.isTag(bytes, position + 1, last) {
      found.tags.append(BodyScan.InlineTag(name: text((position + 1)..<last), offset: position))
    }
    return max(last, position + 1)
  }

  /// Tags between colons, with blanks around them all. The colon before a tag is its sign.
  mutating func takeColonTags(_ position: Int) -> Int {
    guard position == start || isSpaceByte(bytes[position - 1]) else { return position + 1 }
    var tags: [BodyScan.InlineTag] = []
    var colon = position
    while true {
      let last = TagName.end(in: bytes, from: colon + 1, to: end)
      guard last > colon + 1, last < end, bytes[last] == UInt8(ascii: ":"), last - colon <= TagName.longest,
        TagName.isTag(bytes, colon + 1, last)
      else { break }
      tags.append(BodyScan.InlineTag(name: text((colon + 1)..<last), offset: colon))
      colon = last
    }
    guard !tags.isEmpty, colon + 1 == end || isSpaceByte(bytes[colon + 1]) else { return position + 1 }
    found.tags += tags
    return colon + 1
  }

  /// Whether a tag may begin here: at the beginning, after a blank, after an opening bracket or mark of emphasis.
  private func mayFollow(_ position: Int) -> Bool {
    guard position > start else { return true }
    let before = bytes[position - 1]
    switch before {
    case 0x09...0x0D, 0x20, UInt8(ascii: "["), UInt8(ascii: "*"), UInt8(ascii: "~"), UInt8(ascii: "|"),
      UInt8(ascii: ">"):
      return true
    case UInt8(ascii: "("): return position - 2 < start || bytes[position - 2] != UInt8(ascii: "]")
    case 0x80...: return TagName.opens(scalarBefore: position, in: bytes, from: start)
    default: return false
    }
  }
}
