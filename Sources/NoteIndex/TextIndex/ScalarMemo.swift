import Glibc
import Text

/// What single characters beyond ASCII are in words, and their folded forms: found out once and then looked up.
///
/// It knows only characters whose folding depends on nothing around them: those of the Latin, Greek, Cyrillic
/// and Armenian scripts, punctuation, ideographs, kana and Hangul syllables. The rules are those of `Folding`
/// and `Words`, which are asked.
final class ScalarMemo {
  enum Kind: UInt32 {
    case unknown, word, ideograph, separator
    /// Folded to nothing.
    case dropped
    /// Folded to an apostrophe.
    case joiner
    /// Only the text around it can tell.
    case special
  }

  struct Entry {
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

  private static let count = 0x10000
  private let entries: UnsafeMutablePointer<UInt32>
  private let forms = ByteSink(capacity: 1024)

  init() {
    // Zeroed by the system page by page as they are touched.
    guard let memory = calloc(Self.count, MemoryLayout<UInt32>.stride) else {
      preconditionFailure("no memory for a quarter of a megabyte")
    }
    entries = memory.bindMemory(to: UInt32.self, capacity: Self.count)
  }

  deinit { free(entries) }

  @inline(__always)
  subscript(value: UInt32) -> Entry {
    guard value < Self.count else { return Entry(bits: Kind.special.rawValue) }
    let bits = entries[Int(value)]
    return bits != 0 ? Entry(bits: bits) : ask(value)
  }

  /// The folded form of a character.
  @inline(__always)
  func form(_ entry: Entry) -> UnsafePointer<UInt8> { UnsafePointer(forms.bytes + entry.start) }

  @inline(never)
  private func ask(_ value: UInt32) -> Entry {
    var entry = Entry(bits: Kind.special.rawValue)
    if Self.dependsOnNothing(value) {
      var scalar: [UInt8] = []
      scalar.append(scalar: value)
      let folded = Folding.fold(scalar[...])
      let kind = Self.kind(folded)
      if folded.count < 32, forms.count < 1 << 24 - 32 {
        entry = Entry(bits: kind.rawValue | UInt32(folded.count) << 3 | UInt32(forms.count) << 8)
        folded.withUnsafeBytes { forms.append($0) }
      }
    }
    entries[Int(value)] = entry.bits
    return entry
  }

  /// Whether a character folds and parts words alike whatever stands beside it, marks aside.
  private static func dependsOnNothing(_ value: UInt32) -> Bool {
    switch value {
    case 0x80..<0x590, 0x1E00..<0x20D0, 0x2100..<0x2C00, 0x3000..<0x3040, 0xFF01..<0xFF60: true
    case 0x3041...0x3096, 0x30A1...0x30FE, 0x3400..<0x4DC0, 0x4E00..<0xA000, 0xAC00...0xD7A3: true
    default: false
    }
  }

  /// Finds out what a folded character is by putting it between letters.
  private static func kind(_ folded: [UInt8]) -> Kind {
    guard !folded.isEmpty else { return .dropped }
    if folded == [UInt8(ascii: "'")] { return .joiner }
    let letter = [UInt8(ascii: "a")]
    let alone = Words.ranges(in: folded[...])
    let within = Words.ranges(in: (letter + folded + letter)[...])
    switch (alone, within.count) {
    case ([folded.indices], 1): return .word
    case ([folded.indices], 3): return .ideograph
    case ([], 2): return .separator
    default: return .special
    }
  }
}
