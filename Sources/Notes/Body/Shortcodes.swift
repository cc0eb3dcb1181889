/// A shortcode or tag that names a file of the site.
///
/// Source: Hugo, "Shortcodes": `ref` and `relref` take a path as their first argument or as `path`, `figure` takes `src`;
/// the delimiters are `{{< >}}` and `{{% %}}`, and `{{</* */>}}` shows one. Jekyll, "Liquid tags": `link` takes the path of a
/// file from the root of the site, `post_url` the name of a post without its ending.
struct Shortcode {
  /// The bytes of the file's path, without quotes.
  let target: Range<Int>
  /// The offset after the whole.
  let end: Int
  /// Whether it names a page, not a picture.
  let isPageReference: Bool

  /// Reads the shortcode at the brace at an offset; nil for text, and for a shortcode that names no file.
  ///
  /// It has to end on its line.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int, to limit: Int) {
    guard let (inside, close, isOfJekyll) = Self.inside(bytes, at: start, to: limit) else { return nil }
    let words = Self.words(bytes, inside)
    guard let name = words.first, name.key == nil else { return nil }
    let arguments = words.dropFirst()
    let target: Range<Int>?
    switch (String(decoding: bytes[name.value], as: UTF8.self), isOfJekyll) {
    case ("ref", false), ("relref", false):
      target = arguments.first { $0.key == nil || $0.key == "path" }?.value
    case ("figure", false): target = arguments.first { $0.key == "src" }?.value
    case ("link", true), ("post_url", true): target = arguments.first { $0.key == nil }?.value
    default: target = nil
    }
    guard let target, !target.isEmpty else { return nil }
    (self.target, end) = (target, close)
    isPageReference = !bytes[name.value].elementsEqual("figure".utf8)
  }

  /// The bytes between the delimiters, the offset after them, and whether they are Jekyll's.
  private static func inside(
    _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, to limit: Int
  ) -> (inside: Range<Int>, end: Int, isOfJekyll: Bool)? {
    let forms: [(open: StaticString, close: StaticString)] = [("{{<", ">}}"), ("{{%", "%}}"), ("{%", "%}")]
    for (number, form) in forms.enumerated() where holds(bytes, form.open, at: start, to: limit) {
      var (first, quote) = (start + form.open.utf8CodeUnitCount, UInt8(0))
      let inner = first
      while first < limit, bytes[first] != 0x0A, bytes[first] != 0x0D {
        let byte = bytes[first]
        if quote == 0, holds(bytes, form.close, at: first, to: limit) {
          return (inner..<first, first + form.close.utf8CodeUnitCount, number == 2)
        }
        if byte == quote { quote = 0 } else if quote == 0, "\"`".utf8.contains(byte) { quote = byte }
        first += 1
      }
      return nil
    }
    return nil
  }

  private static func holds(
    _ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString, at start: Int, to limit: Int
  ) -> Bool {
    let count = text.utf8CodeUnitCount
    return start + count <= limit && (0..<count).allSatisfy { bytes[start + $0] == text.utf8Start[$0] }
  }

  /// The words between the delimiters: `name`, `"value"`, `key=value` and `key="value"`.
  private static func words(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> [(key: String?, value: Range<Int>)] {
    var words: [(String?, Range<Int>)] = []
    var position = range.lowerBound
    while position < range.upperBound {
      guard !isSpaceByte(bytes[position]) else {
        position += 1
        continue
      }
      let start = position
      let isPlain = { (byte: UInt8) in !isSpaceByte(byte) && !"=\"`".utf8.contains(byte) }
      while position < range.upperBound, isPlain(bytes[position]) { position += 1 }
      var key: String?
      var value = start..<position
      if position < range.upperBound, bytes[position] == UInt8(ascii: "="), !value.isEmpty {
        key = String(decoding: bytes[value], as: UTF8.self)
        position += 1
        let first = position
        while position < range.upperBound, isPlain(bytes[position]) { position += 1 }
        value = first..<position
      }
      if value.isEmpty, position < range.upperBound, "\"`".utf8.contains(bytes[position]) {
        let quote = bytes[position]
        let first = position + 1
        position = first
        while position < range.upperBound, bytes[position] != quote { position += 1 }
        value = first..<position
        position += 1
      } else if value.isEmpty {
        position += 1
        continue
      }
      words.append((key, value))
    }
    return words
  }
}
