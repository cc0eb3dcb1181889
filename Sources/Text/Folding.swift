import Bytes
import CUTF8Proc

/// Removes case and diacritics, so that texts that readers consider the same compare as equal.
///
/// `Żółw` gives `zolw`, `Straße` gives `strasse`, `ﬁ` gives `fi`. Accents, vowel points, invisible characters and
/// variation selectors are removed. Marks that make other letters (Japanese voicing, Indic vowels, Thai tones) stay.
///
/// The result is in NFC, and folding is idempotent. The result has the words of the original, folded: a character whose
/// compatibility form would join or split words is kept.
package enum Folding {
  /// Returns the text without case and diacritics.
  ///
  /// - Complexity: O(n).
  package static func fold(_ text: String) -> String {
    var text = text
    return text.withUTF8 { utf8 in
      var result: [UInt8] = []
      result.reserveCapacity(utf8.count)
      append(utf8.span, to: &result)
      return String(decoding: result, as: UTF8.self)
    }
  }

  /// Returns UTF-8 bytes without case and diacritics; invalid bytes are kept as they are.
  ///
  /// - Complexity: O(n).
  package static func fold(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    append(bytes.span, to: &result)
    return result
  }

  /// Appends folded UTF-8 bytes to `result`; invalid bytes are kept as they are.
  ///
  /// - Complexity: O(n).
  package static func append(_ bytes: ArraySlice<UInt8>, to result: inout [UInt8]) {
    append(bytes.span, to: &result)
  }

  /// Whether a scalar, given by its code point, folds to the same form regardless of the preceding text.
  ///
  /// Other scalars may compose with preceding scalars, or change places with them.
  package static func isIndependent(_ value: UInt32) -> Bool {
    guard let first = FoldedScalar.fold(value).first else { return true }
    return !Composition.joinsPrevious(first)
  }

  package static func append(_ bytes: Span<UInt8>, to result: inout [UInt8]) {
    var offset = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      guard byte < 0x80 else { break }
      result.append(lowerCased(byte))
      offset += 1
    }
    guard offset < bytes.count else { return }
    var run = FoldingRun()
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte < 0x80 {
        run.end(in: &result)
        result.append(lowerCased(byte))
        offset += 1
      } else {
        let scalar = DecodedScalar(in: bytes, at: offset)
        run.add(scalar, raw: bytes.extracting(offset..<offset + scalar.length), to: &result)
        offset += scalar.length
      }
    }
    run.end(in: &result)
  }

  @inline(__always)
  private static func lowerCased(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }
}

/// Folds the scalars beyond ASCII and buffers those that may still compose with later scalars.
struct FoldingRun {
  /// Folded scalars that are not written yet.
  private var pending: [Int32] = []
  /// Whether something in `pending` may compose or be out of canonical order.
  private var needsComposition = false
  /// Whether the last output was invalid UTF-8, which could become valid if the next scalar were omitted.
  private var isAfterInvalid = false

  /// Folds one step of the text; `raw` are its bytes.
  mutating func add(_ scalar: DecodedScalar, raw: Span<UInt8>, to result: inout [UInt8]) {
    guard scalar.isValid else {
      end(in: &result)
      result.append(raw)
      isAfterInvalid = true
      return
    }
    if let folded = FoldingTable.shared[scalar.value] {
      if folded.isEmpty {
        dropped(raw, in: &result)
      } else {
        end(in: &result)
        result.append(contentsOf: folded)
      }
    } else {
      addUncommon(scalar.value, raw: raw, to: &result)
    }
  }

  /// Writes the buffered scalars; called before a scalar that does not compose with preceding ones.
  mutating func end(in result: inout [UInt8]) {
    isAfterInvalid = false
    guard !pending.isEmpty else { return }
    if needsComposition { Composition.compose(&pending) }
    for value in pending { result.append(scalar: UInt32(bitPattern: value)) }
    pending.removeAll(keepingCapacity: true)
    needsComposition = false
  }

  /// Leaves a scalar out, unless the bytes on both sides could then become one.
  private mutating func dropped(_ raw: Span<UInt8>, in result: inout [UInt8]) {
    guard isAfterInvalid else { return }
    result.append(raw)
    isAfterInvalid = false
  }

  private mutating func addUncommon(_ value: UInt32, raw: Span<UInt8>, to result: inout [UInt8]) {
    if FoldedScalar.isItsOwn(value) {
      hold(Int32(bitPattern: value), in: &result)
      return
    }
    let folded = FoldedScalar.fold(value)
    if folded.isEmpty { dropped(raw, in: &result) }
    for value in folded { hold(value, in: &result) }
  }

  private mutating func hold(_ value: Int32, in result: inout [UInt8]) {
    if Composition.joinsPrevious(value) {
      needsComposition = true
    } else if pending.count > 256 {
      end(in: &result)
    }
    pending.append(value)
    isAfterInvalid = false
  }
}

/// The folded forms of common scalars beyond ASCII: Latin, Greek, Cyrillic, Armenian and punctuation.
///
/// None of the forms composes with a following scalar, so they can be written at once.
struct FoldingTable {
  static let shared = FoldingTable()

  private static let ranges: [Range<UInt32>] = [0x80..<0x590, 0x1E00..<0x20D0]

  private let bytes: [UInt8]
  /// The start of each form in `bytes`, and the end of the last one.
  private let starts: [UInt16]

  private init() {
    var bytes: [UInt8] = []
    var starts: [UInt16] = [0]
    for value in FoldingTable.ranges.joined() {
      for folded in FoldedScalar.fold(value) { bytes.append(scalar: UInt32(bitPattern: folded)) }
      starts.append(UInt16(bytes.count))
    }
    self.bytes = bytes
    self.starts = starts
  }

  /// The folded form of a scalar in UTF-8, empty for one that goes; nil for one that is not in the table.
  @inline(__always)
  subscript(value: UInt32) -> ArraySlice<UInt8>? {
    let index: Int
    if value < 0x590 {
      index = Int(value) - 0x80
    } else if value >= 0x1E00 && value < 0x20D0 {
      index = Int(value) - 0x1E00 + (0x590 - 0x80)
    } else {
      return nil
    }
    return bytes[Int(starts[index])..<Int(starts[index + 1])]
  }
}

/// Brings decomposed scalars into NFC.
enum Composition {
  /// Whether a scalar may compose with a preceding one, or be out of canonical order after it.
  static func joinsPrevious(_ value: Int32) -> Bool {
    switch value {
    case 0x1161...0x1175, 0x11A8...0x11C2: return true
    default:
      let property = utf8proc_get_property(value).pointee
      return property.combining_class != 0 || (property.comb_index >= 0x8000 && property.comb_index != .max)
    }
  }

  /// Orders marks canonically and composes, in place.
  ///
  /// Wraps utf8proc_normalize_utf32.
  /// - Complexity: O(n), O(m log m) for m marks in a row.
  static func compose(_ scalars: inout [Int32]) {
    orderMarks(&scalars)
    let options = utf8proc_option_t(rawValue: UTF8PROC_COMPOSE.rawValue | UTF8PROC_STABLE.rawValue)
    let count = scalars.withUnsafeMutableBufferPointer { buffer in
      utf8proc_normalize_utf32(buffer.baseAddress, buffer.count, options)
    }
    if count >= 0 && count < scalars.count { scalars.removeLast(scalars.count - count) }
  }

  private static func orderMarks(_ scalars: inout [Int32]) {
    var start = 0
    while start < scalars.count {
      guard combiningClass(scalars[start]) != 0 else {
        start += 1
        continue
      }
      var end = start + 1
      var isOrdered = true
      while end < scalars.count, combiningClass(scalars[end]) != 0 {
        if combiningClass(scalars[end]) < combiningClass(scalars[end - 1]) { isOrdered = false }
        end += 1
      }
      if !isOrdered {
        let marks = scalars[start..<end].enumerated()
        let ordered = marks.sorted {
          (combiningClass($0.element), $0.offset) < (combiningClass($1.element), $1.offset)
        }
        scalars.replaceSubrange(start..<end, with: ordered.map(\.element))
      }
      start = end
    }
  }

  private static func combiningClass(_ value: Int32) -> Int16 {
    utf8proc_get_property(value).pointee.combining_class
  }
}

/// Orders titles as a reader expects, without any locale.
package enum Collation {
  /// Returns a key whose lexicographic order ignores case and diacritics, and then distinguishes all texts.
  ///
  /// The key is the folded text, a zero byte, and the text's own bytes.
  /// - Complexity: O(n).
  package static func key(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    var key: [UInt8] = []
    key.reserveCapacity(bytes.count * 2 + 1)
    Folding.append(bytes[...], to: &key)
    key.append(0)
    key.append(contentsOf: bytes)
    return key
  }
}

/// Folds single scalars, each on its own.
enum FoldedScalar {
  /// Whether folding leaves a scalar unchanged, by a cheap test: ideographs, kana, Hangul, scalars without another form.
  static func isItsOwn(_ value: UInt32) -> Bool {
    switch value {
    case 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x9FFF, 0xAC00...0xD7A3, 0x20000...0x2F7FF,
      0x30000...0x3FFFF:
      return true
    default:
      let property = utf8proc_get_property(Int32(bitPattern: value)).pointee
      return property.decomp_seqindex == .max && property.casefold_seqindex == .max
        && !isDropped(value, property)
    }
  }

  /// Returns the folded form of a scalar in canonical decomposition, empty for one that goes.
  static func fold(_ value: UInt32) -> [Int32] {
    let original = Int32(bitPattern: value)
    var folded = [original]
    // Four rounds reach a fixed point for every scalar; each takes one form away (ligature, mark, case).
    for _ in 0..<4 {
      let next = folded.flatMap(foldOnce)
      if next == folded { break }
      folded = next
    }
    if keepsWords(folded, of: value) { return folded }
    let plain = caseFolded(original)
    return keepsWords(plain, of: value) ? plain : [original]
  }

  private static func foldOnce(_ value: Int32) -> [Int32] {
    var folded: [Int32] = []
    for part in decomposed(value) {
      if isDropped(UInt32(bitPattern: part), utf8proc_get_property(part).pointee) { continue }
      if let letters = plainLetters(UInt32(bitPattern: part)) {
        folded += letters.utf8.map(Int32.init)
      } else {
        folded += caseFolded(part)
      }
    }
    return folded
  }

  private static func decomposed(_ value: Int32) -> [Int32] {
    mapped(value, Int32(bitPattern: UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue))
  }

  private static func caseFolded(_ value: Int32) -> [Int32] {
    mapped(value, Int32(bitPattern: UTF8PROC_CASEFOLD.rawValue))
  }

  /// Wraps utf8proc_decompose_char. The longest form known has 18 scalars.
  private static func mapped(_ value: Int32, _ options: Int32) -> [Int32] {
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: 32) { buffer in
      var boundary: Int32 = 0
      let count = utf8proc_decompose_char(
        value, buffer.baseAddress, buffer.count, utf8proc_option_t(rawValue: UInt32(options)), &boundary)
      guard count >= 0 && count <= buffer.count else { return [value] }
      return Array(buffer[..<count])
    }
  }

  /// Whether a scalar is a diacritic or an invisible sign.
  ///
  /// Told by canonical combining class: overlays, nuktas, Hebrew and Arabic points and all that is
  /// written above or below go; voicing marks (8), viramas (9), vowels and tones of single scripts stay.
  private static func isDropped(_ value: UInt32, _ property: utf8proc_property_t) -> Bool {
    if ScalarClass.isIgnorable(value) { return true }
    switch property.combining_class {
    case 1, 7, 10...36, 200...: return true
    default: return property.category == Int16(UTF8PROC_CATEGORY_ME.rawValue)
    }
  }

  /// Whether words lie in the folded form as in the original.
  private static func keepsWords(_ folded: [Int32], of value: UInt32) -> Bool {
    let kind = ScalarClass(value)
    let kinds = folded.map { ScalarClass(UInt32(bitPattern: $0)) }
    switch kind {
    case .mark, .ignorable: return kinds.allSatisfy(\.extends)
    case .separator: return !kinds.isEmpty && kinds.allSatisfy { $0 == .separator }
    case .ideograph: return kinds.first == .ideograph && kinds.dropFirst().allSatisfy(\.extends)
    case .word: return kinds.first == .word && kinds.allSatisfy { $0 == .word || $0.extends }
    }
  }

  /// Letters that Unicode does not decompose, in lower and upper case.
  private static func plainLetters(_ value: UInt32) -> String? {
    switch value {
    case 0x0141, 0x0142, 0x023D, 0x019A, 0x013F, 0x0140: "l"
    case 0x00D8, 0x00F8: "o"
    case 0x00C6, 0x00E6: "ae"
    case 0x0152, 0x0153: "oe"
    case 0x0110, 0x0111, 0x00D0, 0x00F0: "d"
    case 0x00DE, 0x00FE: "th"
    case 0x0126, 0x0127: "h"
    case 0x0131: "i"
    case 0x0166, 0x0167: "t"
    case 0x0243, 0x0180: "b"
    case 0x023B, 0x023C: "c"
    case 0x0246, 0x0247: "e"
    case 0x01E4, 0x01E5: "g"
    case 0x0197, 0x0268: "i"
    case 0x0248, 0x0249: "j"
    case 0x024C, 0x024D: "r"
    case 0x0244, 0x0289: "u"
    case 0x024E, 0x024F: "y"
    case 0x01B5, 0x01B6: "z"
    case 0x1E9E, 0x00DF: "ss"
    case 0x2019, 0xFF07: "'"
    default: nil
    }
  }
}
