import Bytes

/// The ranges of the parts of a link in a text.
package struct LinkPlace: Sendable, Equatable {
  /// The bytes of the target, without `<>`.
  package let target: Range<Int>
  /// Whether the target is between `<` and `>` or between quotes, so that it may have blanks.
  package let isBracketed: Bool
  /// Whether a wiki link, or any other link, has a label: without one the target is displayed.
  package let hasLabel: Bool

  /// Finds the parts of a link in the bytes that it was found in; nil if they are not there.
  package init?(_ link: BodyScan.Link, in bytes: [UInt8]) {
    guard link.range.upperBound <= bytes.count, let place = Self.found(link, bytes) else { return nil }
    self = place
    guard bytes[target].elementsEqual(link.target.utf8) else { return nil }
  }

  private init(target: Range<Int>, isBracketed: Bool, hasLabel: Bool) {
    self.target = target
    self.isBracketed = isBracketed
    self.hasLabel = hasLabel
  }

  private static func found(_ link: BodyScan.Link, _ bytes: [UInt8]) -> LinkPlace? {
    switch link.form {
    case .wiki: wiki(link, bytes, mark: 2)
    case .embed: wiki(link, bytes, mark: 3)
    case .markdown, .image: inline(link, bytes)
    case .reference: definition(link, bytes)
    case .html: LinkPlace(target: link.range, isBracketed: isQuoted(link.range, bytes), hasLabel: true)
    case .path: LinkPlace(target: link.range, isBracketed: true, hasLabel: true)
    }
  }

  /// Whether a target is between quotes as the only one: a `srcset` has several, which blanks separate.
  private static func isQuoted(_ target: Range<Int>, _ bytes: [UInt8]) -> Bool {
    guard let quote = bytes[..<target.lowerBound].last, "\"'".utf8.contains(quote) else { return false }
    let name = bytes[..<(target.lowerBound - 1)].reversed().drop {
      isSpaceByte($0) || $0 == UInt8(ascii: "=")
    }
    return !String(decoding: name.prefix(6), as: UTF8.self).lowercased().elementsEqual("srcset".reversed())
  }

  /// - Parameter mark: the number of bytes before the target.
  private static func wiki(_ link: BodyScan.Link, _ bytes: [UInt8], mark: Int) -> LinkPlace? {
    var start = link.range.lowerBound + mark
    let end = link.range.upperBound - 2
    guard start <= end else { return nil }
    let parts = WikiLabels.parts(of: bytes[start..<end], isEmbed: link.form == .embed)
    start = parts.target.startIndex
    while start < end, isBlank(bytes[start]) { start += 1 }
    let last = start + link.target.utf8.count
    guard last <= end else { return nil }
    return LinkPlace(
      target: start..<last, isBracketed: false,
      hasLabel: parts.label != nil)
  }

  /// The parts after the first `](` from which on the rest of the link is a target.
  private static func inline(_ link: BodyScan.Link, _ bytes: [UInt8]) -> LinkPlace? {
    let (close, open) = (UInt8(ascii: "]"), UInt8(ascii: "("))
    var position = link.range.lowerBound
    while position + 2 < link.range.upperBound {
      if bytes[position] == close, bytes[position + 1] == open,
        let target = target(bytes, from: position + 2, to: link.range.upperBound, isInParentheses: true),
        bytes[target].elementsEqual(link.target.utf8)
      {
        return place(target, bytes)
      }
      position += 1
    }
    return nil
  }

  private static func definition(_ link: BodyScan.Link, _ bytes: [UInt8]) -> LinkPlace? {
    var position = link.range.lowerBound + 1
    while position + 1 < link.range.upperBound, bytes[position] != UInt8(ascii: "]") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard position + 2 < link.range.upperBound else { return nil }
    return target(bytes, from: position + 2, to: link.range.upperBound, isInParentheses: false).map {
      place($0, bytes)
    }
  }

  private static func place(_ target: Range<Int>, _ bytes: [UInt8]) -> LinkPlace {
    let isBracketed = target.lowerBound > 0 && bytes[target.lowerBound - 1] == UInt8(ascii: "<")
    return LinkPlace(target: target, isBracketed: isBracketed, hasLabel: true)
  }

  private static func target(
    _ bytes: [UInt8], from start: Int, to limit: Int, isInParentheses: Bool
  ) -> Range<Int>? {
    bytes.withUnsafeBufferPointer { bytes in
      let found =
        isInParentheses
        ? LinkTarget(bytes, inParenthesesFrom: start, to: limit)
        : LinkTarget(bytes, ofDefinitionFrom: start, to: limit)
      return found.flatMap { $0.end == limit ? $0.target : nil }
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}

extension BodyScan.Link {
  /// The same link with another target.
  package func with(target: [UInt8]) -> BodyScan.Link {
    BodyScan.Link(
      form: form, target: String(decoding: target, as: UTF8.self), range: range, line: line,
      isPageReference: isPageReference)
  }
}

extension BodyScan.Link {
  /// A wiki link that is not yet in a text.
  package static func wiki(_ target: String) -> BodyScan.Link {
    BodyScan.Link(form: .wiki, target: target, range: 0..<0, line: 1)
  }
  /// A link that is not yet in a text, with a decoded target; in Markdown it is encoded.
  package static func written(_ target: [UInt8], isWiki: Bool) -> BodyScan.Link {
    if isWiki { return .wiki(String(decoding: target, as: UTF8.self)) }
    let encoded = PercentEncoding.encoded(target) { $0 > 0x20 && !"()<>%?#\\".utf8.contains($0) }
    return BodyScan.Link(
      form: .markdown, target: String(decoding: encoded, as: UTF8.self), range: 0..<0, line: 1)
  }
}
