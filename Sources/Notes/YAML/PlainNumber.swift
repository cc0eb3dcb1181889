/// A plain decimal number: `5`, `-1.5`; not `012`, not `1e3`.
package enum PlainNumber {
  package static func isNumber(_ text: String) -> Bool {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    let parts = digits.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, digits.count <= 18,
      parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0 &- 0x30 < 10 } })
    else { return false }
    return whole.count == 1 || whole.first != UInt8(ascii: "0")
  }
}
