import Bytes
import Text

/// What a character allows where lines are broken.
///
/// Source: UAX 14, cut down to what matters on a terminal.
enum BreakClass {
  case blank, lineEnd, letter, wide
  /// Must not end a line: opening brackets of wide scripts.
  case opening
  /// Must not begin a line: closing punctuation.
  case closing

  /// Finds the class of the character at `offset`.
  init(_ bytes: Span<UInt8>, _ offset: Int, _ cluster: GraphemeCluster) {
    let byte = bytes[offset]
    if byte < 0x80 {
      switch byte {
      case 0x20: self = .blank
      case 0x0A: self = .lineEnd
      case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: ":"),
        UInt8(ascii: ";"), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "\""):
        self = .closing
      default: self = .letter
      }
    } else {
      self = BreakClass(scalar: DecodedScalar(in: bytes, at: offset).value, isWide: cluster.cells > 1)
    }
  }

  private init(scalar: UInt32, isWide: Bool) {
    switch scalar {
    case 0x3001, 0x3002, 0x3005, 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0x3019, 0x301B,
      0x30FB,
      0x30FC, 0xFF01, 0xFF09, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0xFF3D, 0xFF5D, 0x2019, 0x201D, 0x2026:
      self = .closing
    case 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x308E,
      0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30C3, 0x30E3, 0x30E5, 0x30E7, 0x30EE, 0x30F5, 0x30F6:
      self = .closing
    case 0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0x3016, 0x3018, 0x301A, 0xFF08, 0xFF3B, 0xFF5B:
      self = .opening
    default:
      self = isWide ? .wide : .letter
    }
  }

  /// Whether a line may break between this character and the next, where no blank is.
  func allowsBreak(before next: BreakClass) -> Bool {
    switch (self, next) {
    case (.opening, _), (_, .closing), (_, .blank), (_, .lineEnd): false
    case (.wide, _), (_, .wide), (.closing, .opening), (.letter, .opening): true
    default: false
    }
  }
}
