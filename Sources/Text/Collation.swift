/// Orders titles as a reader expects, without any locale.
package enum Collation {
  /// Returns a key whose lexicographic order ignores case and diacritics, and then tells all texts apart.
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
