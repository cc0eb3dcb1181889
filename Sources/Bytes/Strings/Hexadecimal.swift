/// Numbers as digits of base 16, two a byte.
package enum Hexadecimal {
  /// What a digit of either case stands for; nil where it is none.
  @inlinable
  package static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The lower-case digits of bytes.
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digit(byte >> 4))
      text.append(digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes that digits of either case stand for; nil where there are others, or half a byte.
  package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text.utf8 {
      guard let digit = value(of: character) else { return nil }
      if let upper = high {
        bytes.append(upper << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return high == nil ? bytes : nil
  }

  /// The lower-case digit of a number below 16.
  private static func digit(_ number: UInt8) -> UInt8 {
    number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
  }
}
