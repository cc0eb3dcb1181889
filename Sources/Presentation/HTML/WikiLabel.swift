/// A wiki link or an embedded file taken apart: `[[target|label]]`.
struct WikiLabel {
  /// What is before the bar.
  let target: String
  /// What is behind it; nil where there is nothing.
  let text: String?

  init(_ link: ArraySlice<UInt8>) {
    let inner = link.drop { $0 == UInt8(ascii: "!") }.dropFirst(2).dropLast(2)
    let bar = inner.firstIndex(of: UInt8(ascii: "|"))
    var before = inner[..<(bar ?? inner.endIndex)]
    if bar != nil, before.last == UInt8(ascii: "\\") { before = before.dropLast() }
    target = Self.trimmed(before)
    let label = bar.map { Self.trimmed(inner[($0 + 1)...]) } ?? ""
    text = label.isEmpty ? nil : label
  }

  /// Whether the target is the name of a note alone, without a heading.
  var isName: Bool { !target.utf8.contains(UInt8(ascii: "#")) }

  /// The label of an image: its text, and its size, which is the last part or all of it.
  var imageParts: (text: String?, size: String?) {
    guard let text else { return (nil, nil) }
    var parts = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    guard let last = parts.last, last.utf8.first.map({ (0x31...0x39).contains($0) }) ?? false,
      last.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: "x") })
    else { return (text, nil) }
    parts.removeLast()
    return (parts.isEmpty ? nil : parts.joined(separator: " "), last)
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes.drop { $0 <= 0x20 }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
