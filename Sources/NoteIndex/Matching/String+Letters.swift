import Bytes
import Notes
import Text

extension String {
  /// Says whether two names are equal but for case and diacritics.
  func hasSameLetters(as other: String) -> Bool {
    if utf8.count == other.utf8.count,
      zip(utf8, other.utf8).allSatisfy({ ASCII.lowerCased($0) == ASCII.lowerCased($1) })
    {
      return true
    }
    let isASCII = other.utf8.allSatisfy { $0 < 0x80 } && utf8.allSatisfy { $0 < 0x80 }
    return !isASCII && Folding.fold(self).hasSameBytes(as: Folding.fold(other))
  }
}
