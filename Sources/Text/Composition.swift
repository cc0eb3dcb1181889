import CUTF8Proc

/// Brings decomposed scalars into NFC.
enum Composition {
  /// Whether a scalar may compose with one before it, or stand out of canonical order behind it.
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
