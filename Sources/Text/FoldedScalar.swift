import CUTF8Proc

/// Folds single scalars, each on its own.
enum FoldedScalar {
  /// Whether folding leaves a scalar alone, told cheaply: ideographs, kana, Hangul, what has no other form.
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
