/// Bytes of addresses as `%` and two digits.
///
/// Source: RFC 3986, section 2.
package enum PercentEncoding {
  /// Whether a byte means the same in each part of an address, encoded or not.
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    ASCII.isWord(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "~")
  }

  /// Encodes all bytes but some.
  package static func encoded(
    _ bytes: some Collection<UInt8>, keeping isKept: (UInt8) -> Bool = isUnreserved
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      if isKept(byte) { result.append(byte) } else { result += escape(byte) }
    }
    return result
  }

  /// A byte as `%` and two digits.
  package static func escape(_ byte: UInt8) -> [UInt8] {
    [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
  }

  /// Decodes what is encoded; a `%` without two digits behind it stands for itself.
  package static func decoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
    // Most names have nothing to decode, and those of all links go through here.
    guard bytes.contains(sign) else { return Array(bytes) }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = Array(bytes)[...]
    while let byte = rest.popFirst() { result.append(byte == sign ? takeByte(&rest) ?? byte : byte) }
    return result
  }

  /// Decodes what is encoded; nil where two digits are missing behind a `%`.
  package static func strictlyDecoded(_ bytes: some Collection<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = Array(bytes)[...]
    while let byte = rest.popFirst() {
      guard let decoded = byte == sign ? takeByte(&rest) : byte else { return nil }
      result.append(decoded)
    }
    return result
  }

  private static let sign = UInt8(ascii: "%")

  /// Takes the byte that two digits name; takes nothing where they are missing.
  private static func takeByte(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
    let digits = rest.prefix(2).compactMap(Hexadecimal.value)
    guard digits.count == 2 else { return nil }
    rest = rest.dropFirst(2)
    return digits[0] << 4 | digits[1]
  }

  /// The upper-case digit of a number below 16.
  private static func digit(_ number: UInt8) -> UInt8 {
    number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "A") + number - 10
  }
}
