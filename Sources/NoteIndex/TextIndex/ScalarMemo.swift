import Bytes
import Text

/// A cache of the roles of single characters beyond ASCII in words, and of their folded forms.
///
/// Characters that may combine with the character before them are left to `Folding`. The rules are those of `Folding` and
/// `Words`, which compute each entry.
final class ScalarMemo {
  enum Kind: UInt32 {
    case unknown, word, ideograph, separator
    /// Belongs to the letter before it, and begins no word.
    case mark
    /// Folded to nothing.
    case dropped
    /// An apostrophe, or a character that joins letters as an apostrophe does.
    case joiner
    /// The surrounding text decides.
    case special
  }

  struct Form {
    fileprivate let bits: UInt32

    @inline(__always)
    var kind: Kind { Kind(rawValue: bits & 7) ?? .special }
    /// The number of bytes of the folded form.
    @inline(__always)
    var count: Int { Int(bits >> 3 & 31) }
    /// The start of the folded form in `forms`.
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

  /// The ASCII apostrophe, to which the typographic one is folded.
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

  /// Finds the role of a folded character by a test between letters.
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

/// The terms of symbols beyond ASCII outside words; each begins with a byte that no word begins with.
///
/// The index stores each once a document, without its real place, so they only identify candidates.
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

  /// Returns the terms of all signs in a folded text; a document that contains the text has all of them.
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
