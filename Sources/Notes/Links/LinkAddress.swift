import Bytes
/// The meaning of a link's target, as far as it follows from the link alone.
package enum LinkAddress: Sendable, Equatable {
  /// The note that holds the link, or a heading of it.
  case itself
  /// A place that is no file of the box, such as `https://x.org` or `mailto:a@x.org`.
  case url([UInt8])
  /// A note, or another file.
  case name(LinkName)

  /// Reads the target of a link as its form has it.
  ///
  /// Wiki links are names as they stand. The targets of Markdown have escapes, entities and percent-encoding, those of HTML
  /// have entities and percent-encoding, and the paths of both begin at the folder of the note.
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
  /// Where a path begins.
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
