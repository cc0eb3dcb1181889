import Bytes

/// The meaning of a link's target, as far as it follows from the link alone.
package enum LinkAddress: Sendable, Equatable {
  /// The note that holds the link, or a heading of it.
  case itself
  /// A place that is not a file of the box, such as `https://x.org` or `mailto:a@x.org`.
  case url([UInt8])
  /// A note, or another file.
  case name(LinkName)

  /// Decodes the target of a link by its form.
  ///
  /// Wiki links are literal names. The targets of Markdown have escapes, entities and percent-encoding, those of HTML
  /// have entities and percent-encoding, and the paths of both are relative to the folder of the note.
  package init(_ link: BodyScan.Link) {
    switch link.form {
    case .wiki, .embed: self.init(wiki: Array(link.target.utf8))
    case .markdown, .image, .reference: self.init(decoded: MarkdownText.decoded(Array(link.target.utf8)))
    case .html: self.init(decoded: MarkdownText.decoded(Array(link.target.utf8), hasEscapes: false))
    case .path: self = .name(LinkName([Array(link.target.utf8)], isWiki: false))
    }
  }

  private init(wiki target: [UInt8]) {
    let (path, hasHeading) = Self.parted(target, at: "#")
    if path.allSatisfy(Self.isBlank) {
      self = .itself
    } else if Self.isWikiURL(target) {
      self = .url(target)
    } else {
      // A title may have a `#` of its own.
      self = .name(LinkName(hasHeading ? [target, path] : [target], isWiki: true))
    }
  }

  private init(decoded target: [UInt8]) {
    let path = Self.parted(target, at: "#").before
    let file = Self.parted(path, at: "?").before
    if file.isEmpty {
      self = .itself
    } else if let identifier = Self.denoteIdentifier(path) {
      self = .name(LinkName([identifier], isWiki: true))
    } else if Self.hasScheme(path) || path.starts(with: "//".utf8) {
      self = .url(target)
    } else {
      let readings = [path, file].map { PercentEncoding.decoded($0) }
      self = .name(LinkName(readings[0] == readings[1] ? [readings[0]] : readings, isWiki: false))
    }
  }

  private static func parted(_ bytes: [UInt8], at mark: Unicode.Scalar) -> (before: [UInt8], isParted: Bool) {
    guard let index = bytes.firstIndex(of: UInt8(ascii: mark)) else { return (bytes, false) }
    return (Array(bytes[..<index]), true)
  }

  /// In titles a colon is common: `Re: lunch`, `std::move`.
  private static func isWikiURL(_ target: [UInt8]) -> Bool {
    if target.starts(with: "//".utf8) || target.starts(with: "mailto:".utf8) { return true }
    guard hasScheme(target), let colon = target.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return target[(colon + 1)...].starts(with: "//".utf8)
  }

  /// Source: RFC 3986, section 3.1.
  private static func hasScheme(_ target: [UInt8]) -> Bool {
    guard let first = target.first, isLetter(first), let colon = target.firstIndex(of: UInt8(ascii: ":"))
    else { return false }
    return target[..<colon].allSatisfy {
      isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0)
    }
  }

  fileprivate static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  /// The name in `denote:20210319T202401`, as Denote writes its links.
  private static func denoteIdentifier(_ target: [UInt8]) -> [UInt8]? {
    let scheme = Array("denote:".utf8)
    return target.starts(with: scheme) && target.count > scheme.count
      ? Array(target.dropFirst(scheme.count)) : nil
  }
}

/// The name by which a link calls a note or another file.
package struct LinkName: Sendable, Equatable {
  /// The folder that a path is relative to.
  package enum Base: Sendable {
    /// At the root of the box.
    case box
    /// At the folder of the note that holds the link, else at the root.
    case folder
    /// As `folder`, and the name is nothing but a path: `./name`, `../name`.
    case onlyFolder
  }

  /// The names that may be meant, the likeliest first.
  package let readings: [[UInt8]]
  package let base: Base

  init(_ readings: [[UInt8]], isWiki: Bool) {
    let first = readings.first ?? []
    if first.starts(with: "./".utf8) || first.starts(with: "../".utf8) {
      base = .onlyFolder
    } else {
      base = isWiki || first.first == UInt8(ascii: "/") ? .box : .folder
    }
    self.readings = readings.map { reading in
      let blanks = isWiki ? reading.reversed().prefix(while: LinkAddress.isBlank).count : 0
      return Array(reading.dropLast(blanks).drop { $0 == UInt8(ascii: "/") })
    }
  }
}

/// The spelling of a target's name in a link, so that another name can be written in the same way.
package struct LinkSpelling: Sendable {
  /// Whether the target is a literal name, not a path with escapes.
  package let isWiki: Bool
  /// The name as it is meant, without escapes, percent-encoding and the blanks after it, with a slash that it begins with.
  package let name: [UInt8]
  /// The suffix after the name, as it is written: a heading, a block or a query with its mark; often empty.
  package let suffix: [UInt8]
  /// Whether letters outside of ASCII are written as percent and digits.
  private let encodesLetters: Bool
  private let encodesBlanks: Bool
  private let encodesParentheses: Bool
  private let form: BodyScan.Link.Form
  /// The name as it is written.
  private let written: [UInt8]

  /// Takes a link apart.
  ///
  /// - Parameter reading: which of the readings of `LinkName` is meant.
  package init(_ link: BodyScan.Link, reading: Int) {
    let target = Array(link.target.utf8)
    form = link.form
    isWiki = link.form == .wiki || link.form == .embed
    var end = target.count
    if isWiki {
      if let mark = target.firstIndex(of: UInt8(ascii: "#")), reading > 0 || mark == 0 { end = mark }
      while end > 0, target[end - 1] == 0x20 || target[end - 1] == 0x09 { end -= 1 }
    } else if form != .path {
      end = MarkdownText.offset(of: "#", in: target, hasEscapes: form != .html) ?? end
      if reading > 0 {
        end = MarkdownText.offset(of: "?", in: Array(target[..<end]), hasEscapes: form != .html) ?? end
      }
    }
    written = Array(target[..<end])
    suffix = Array(target[end...])
    name =
      isWiki || form == .path
      ? written : PercentEncoding.decoded(MarkdownText.decoded(written, hasEscapes: form != .html))
    let hasRawLetters = written.contains { $0 >= 0x80 }
    encodesLetters = !isWiki && !hasRawLetters && name.contains { $0 >= 0x80 }
    encodesBlanks = Self.holds("%20", written)
    encodesParentheses = Self.holds("%28", written) || Self.holds("%29", written)
  }

  /// The suffix after the name of a file in a link that leads to it: a query, a place in it, or nothing.
  package static func suffix(of link: BodyScan.Link, leadingTo file: [UInt8]) -> [UInt8] {
    let whole = LinkSpelling(link, reading: 0)
    // The name may itself have a `?`, or in a wiki link a `#`.
    return BytePath.name(of: whole.name) == BytePath.name(of: file)
      ? whole.suffix : LinkSpelling(link, reading: 1).suffix
  }

  /// The target with another name, and with another heading if one is given.
  ///
  /// - Parameter isBracketed: whether it is between `<` and `>`.
  package func target(_ name: [UInt8], suffix: [UInt8]? = nil, isBracketed: Bool) -> [UInt8] {
    (isWiki || form == .path ? name : encoded(name, isBracketed: isBracketed)) + (suffix ?? self.suffix)
  }

  /// A name as the target of a Markdown link; parts that the name has already stay as they are written.
  private func encoded(_ name: [UInt8], isBracketed: Bool) -> [UInt8] {
    if name == self.name { return written }
    let slash = UInt8(ascii: "/")
    var known: [[UInt8]: ArraySlice<UInt8>] = [:]
    for part in written.split(separator: slash) { known[decodedHeading(part)] = part }
    let parts = name.split(separator: slash, omittingEmptySubsequences: false).map { part in
      known[Array(part)].map { Array($0) } ?? percentEncoded(Array(part), isBracketed: isBracketed)
    }
    return Array(parts.joined(separator: [slash]))
  }

  private func percentEncoded(_ name: [UInt8], isBracketed: Bool) -> [UInt8] {
    let keepsParentheses = isBracketed || !encodesParentheses && Self.arePaired(name)
    var result: [UInt8] = []
    for (index, byte) in name.enumerated() {
      let isPlain: Bool
      switch byte {
      case 0x20: isPlain = isBracketed && !encodesBlanks
      case 0..<0x20, 0x7F: isPlain = false
      case 0x80...: isPlain = !encodesLetters
      case UInt8(ascii: "("), UInt8(ascii: ")"): isPlain = keepsParentheses
      case UInt8(ascii: "&"): isPlain = !name[index...].prefix(12).contains(UInt8(ascii: ";"))
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "="): isPlain = form != .html
      default: isPlain = !"%#?\\<>`|".utf8.contains(byte)
      }
      result += isPlain ? [byte] : PercentEncoding.escape(byte)
    }
    return result
  }

  private static func arePaired(_ name: [UInt8]) -> Bool {
    var depth = 0
    for byte in name {
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") { depth -= 1 }
      if depth < 0 || depth > 30 { return false }
    }
    return depth == 0
  }

  private static func holds(_ text: StaticString, _ bytes: [UInt8]) -> Bool {
    let count = text.utf8CodeUnitCount
    let wanted = UnsafeBufferPointer(start: text.utf8Start, count: count)
    return bytes.indices.contains { bytes[$0...].prefix(count).elementsEqual(wanted) }
  }
}

extension LinkSpelling {
  /// A heading as the target of this link writes it, after its `#`.
  package func heading(_ text: [UInt8]) -> [UInt8] {
    isWiki ? text : percentEncoded(text, isBracketed: false)
  }

  /// The text of a heading as it is meant, from a part of the suffix.
  package func decodedHeading(_ written: ArraySlice<UInt8>) -> [UInt8] {
    isWiki
      ? Array(written)
      : PercentEncoding.decoded(MarkdownText.decoded(Array(written), hasEscapes: form != .html))
  }
}
