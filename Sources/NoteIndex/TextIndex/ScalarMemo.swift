import Bytes
import Text

/// What single characters beyond ASCII are in words, and their folded forms: found out once and then looked
/// up.
///
/// Those that may join what stands before them are left to `Folding`. The rules are those of `Folding` and
/// `Words`, which are asked.
final class ScalarMemo {
  enum Kind: UInt32 {
    case unknown, word, ideograph, separator
    /// Belongs to the letter before it, and begins no word.
    case mark
    /// Folded to nothing.
    case dropped
    /// An apostrophe, or what joins letters as it does.
    case joiner
    /// Only the text around it can tell.
    case special
  }

  struct Form {
    fileprivate let bits: UInt32

    @inline(__always)
    var kind: Kind { Kind(rawValue: bits & 7) ?? .special }
    /// How many bytes the folded form has.
    @inline(__always)
    var count: Int { Int(bits >> 3 & 31) }
    /// Where the folded form begins in `forms`.
    @inline(__always)
    fileprivate var start: Int { Int(bits >> 8) }
  }

  /// Enough for all scripts in use, and emoji.
  private static let count = 0x20000
  private let entries: UnsafeMutablePointer<UInt32>
  private let forms = ByteSink(capacity: 1024)

  init() {
    // Zeroed by the system page by page as they are touched.
    var memory: UnsafeMutablePointer<UInt32>?
    CLibrary.allocateZeros(&memory, count: Self.count)
    guard let memory else { preconditionFailure("allocated memory exists") }
    entries = memory
  }

  deinit { CLibrary.release(entries) }

  @inline(__always)
  subscript(value: UInt32) -> Form {
    guard value < Self.count else { return Form(bits: Kind.special.rawValue) }
    let bits = entries[Int(value)]
    return bits != 0 ? Form(bits: bits) : ask(value)
  }

  /// The apostrophe of ASCII: what the typographic one is folded to.
  var apostrophe: Form { self[0x2019] }

  /// The folded form of a character.
  @inline(__always)
  func form(_ entry: Form) -> UnsafePointer<UInt8> { UnsafePointer(forms.bytes + entry.start) }

  @inline(never)
  private func ask(_ value: UInt32) -> Form {
    var entry = Form(bits: Kind.special.rawValue)
    if Folding.isIndependent(value) {
      var scalar: [UInt8] = []
      scalar.append(scalar: value)
      let folded = Folding.fold(scalar[...])
      let kind = Self.kind(folded)
      if folded.count < 32, forms.count < 1 << 24 - 32 {
        entry = Form(bits: kind.rawValue | UInt32(folded.count) << 3 | UInt32(forms.count) << 8)
        folded.withUnsafeBytes { forms.append($0) }
      }
    }
    entries[Int(value)] = entry.bits
    return entry
  }

  /// Finds out what a folded character is by putting it between letters.
  private static func kind(_ folded: [UInt8]) -> Kind {
    guard !folded.isEmpty else { return .dropped }
    let letter = [UInt8(ascii: "a")]
    let alone = Words.ranges(in: folded[...])
    let within = Words.ranges(in: (letter + folded + letter)[...])
    switch (alone, within.count) {
    case ([folded.indices], 1): return .word
    case ([folded.indices], 3): return .ideograph
    case ([], 2): return .separator
    case ([], 1):
      // A mark goes with a letter though none follows.
      return Words.ranges(in: (letter + folded)[...]).first?.count == 1 ? .joiner : .mark
    default: return .special
    }
  }
}

/// How signs beyond ASCII that are in no word stand among the terms: behind a byte that no word begins with.
///
/// They are kept once a document, with no true place, so that they tell candidates only.
enum SignTerm {
  private static let mark: UInt8 = 1

  /// The term of a character in UTF-8.
  static func word(_ character: some Sequence<UInt8>) -> ScannedWord {
    var low = UInt64(mark)
    var count = 1
    for byte in character {
      low |= UInt64(byte) << UInt64(8 * count)
      count += 1
    }
    return ScannedWord(low: low, high: 0, count: count)
  }

  /// The terms of all signs in a folded text that a document must have where the text occurs in it.
  static func terms(in text: [UInt8]) -> [[UInt8]] {
    let memo = ScalarMemo()
    var terms: [[UInt8]] = []
    var offset = 0
    while offset < text.count {
      let scalar = DecodedScalar(in: text.span, at: offset)
      let end = offset + scalar.length
      if scalar.isValid, scalar.value >= 0x80, memo[scalar.value].kind == .separator {
        terms.append([mark] + text[offset..<end])
      }
      offset = end
    }
    return terms
  }
}
