extension BodyInline {
  /// A tag, unless what is before or in it says otherwise.
  mutating func takeTag(_ position: Int) -> Int {
    guard mayFollow(position) else { return position + 1 }
    let last = TagName.end(in: bytes, from: position + 1, to: end)
    if last > position + 1, last - position <= TagName.longest, TagName.isTag(bytes, position + 1, last) {
      found.tags.append(BodyScan.InlineTag(name: text((position + 1)..<last), offset: position))
    }
    return max(last, position + 1)
  }

  /// Whether a tag may stand here: at the beginning, after a blank, after what opens a bracket or emphasis.
  private func mayFollow(_ position: Int) -> Bool {
    guard position > start else { return true }
    let before = bytes[position - 1]
    switch before {
    case 0x09...0x0D, 0x20, UInt8(ascii: "["), UInt8(ascii: "*"), UInt8(ascii: "~"), UInt8(ascii: "|"),
      UInt8(ascii: ">"):
      return true
    case UInt8(ascii: "("): return position - 2 < start || bytes[position - 2] != UInt8(ascii: "]")
    case 0x80...: return TagName.opens(scalarBefore: position, in: bytes, from: start)
    default: return false
    }
  }
}
