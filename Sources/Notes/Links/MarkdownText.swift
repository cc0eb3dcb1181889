/// Escapes, entities and percent-encoding in the target of a Markdown link.
package enum MarkdownText {
  /// Returns a target without backslash escapes and entities.
  ///
  /// Of the named entities only those are known that `NamedEntity` lists.
  /// Source: CommonMark 0.31, sections 2.4 and 2.5.
  /// - Parameter hasEscapes: whether a backslash escapes punctuation; in HTML it does not.
  static func decoded(_ bytes: [UInt8], hasEscapes: Bool = true) -> [UInt8] {
    guard bytes.contains(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "&") }) else { return bytes }
    var result: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let (decoded, length) = unit(at: rest, hasEscapes)
      result += decoded
      rest = rest.dropFirst(length)
    }
    return result
  }

  /// Where a byte stands in a target, as it is or as an escape or an entity; nil where it stands nowhere.
  static func offset(of mark: Unicode.Scalar, in bytes: [UInt8], hasEscapes: Bool = true) -> Int? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let (decoded, length) = unit(at: rest, hasEscapes)
      if decoded == [UInt8(ascii: mark)] { return rest.startIndex }
      rest = rest.dropFirst(length)
    }
    return nil
  }

  /// What the first bytes stand for, and how many they are: a byte, an escape or an entity.
  private static func unit(
    at bytes: ArraySlice<UInt8>, _ hasEscapes: Bool
  ) -> (decoded: [UInt8], length: Int) {
    guard let byte = bytes.first else { return ([], 0) }
    let rest = bytes.dropFirst()
    if hasEscapes, byte == UInt8(ascii: "\\"), let next = rest.first, isPunctuationByte(next) {
      return ([next], 2)
    }
    if byte == UInt8(ascii: "&"), let (scalar, length) = entity(rest.prefix(32)) {
      return (Array(String(Character(scalar)).utf8), length + 1)
    }
    return ([byte], 1)
  }

  /// The character that `&` and what follows it stand for, and how many bytes follow.
  private static func entity(_ bytes: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, length: Int)? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: bytes[..<end], as: UTF8.self)
    let length = end - bytes.startIndex + 1
    if let scalar = NamedEntity.scalar(name) { return (scalar, length) }
    guard name.hasPrefix("#") else { return nil }
    let isHexadecimal = name.dropFirst().lowercased().hasPrefix("x")
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
      let number = UInt32(digits, radix: isHexadecimal ? 16 : 10)
    else { return nil }
    return (number == 0 ? "\u{FFFD}" : Unicode.Scalar(number) ?? "\u{FFFD}", length)
  }
}
