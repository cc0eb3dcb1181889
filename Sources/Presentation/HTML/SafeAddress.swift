import Bytes

/// Addresses in links: those of a scheme that runs nothing, with all that is no part of an address percent-encoded.
package enum SafeAddress {
  private static let schemes: Set<String> = [
    "http", "https", "mailto", "tel", "sms", "ftp", "ftps", "sftp", "irc", "ircs", "xmpp", "matrix", "geo",
    "magnet",
    "gemini", "gopher", "news", "nntp", "webcal", "doi", "urn", "zotero",
  ]

  private static let longest = 8_192
  private static let tabSchemes = ["http", "https", "mailto"]

  /// The address as it may stand in a link; nil where it has no scheme that is known to be harmless.
  package static func external(_ address: [UInt8]) -> String? {
    guard address.count <= longest, let colon = address.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = String(decoding: address[..<colon], as: UTF8.self).lowercased()
    guard schemes.contains(scheme) else { return nil }
    return encoded(address, keeping: ":/?#[]@!$&'()*+,;=%")
  }

  /// The address as it may open beside a page that has more to lose than a site; nil where it is none of the web or of mail.
  static func forTab(_ address: [UInt8]) -> String? {
    guard let safe = external(address), let colon = safe.firstIndex(of: ":") else { return nil }
    return tabSchemes.contains(safe[..<colon].lowercased()) ? safe : nil
  }

  /// Whether the address of a place elsewhere is that of a web page.
  static func isWeb(_ address: [UInt8]) -> Bool {
    let start = String(decoding: address.prefix(8), as: UTF8.self).lowercased()
    return start.hasPrefix("https://") || start.hasPrefix("http://")
  }

  /// A path as a relative address.
  static func path(_ path: [UInt8]) -> String { encoded(path, keeping: "/!$'()*+,=@") }

  /// A name as what follows `#`.
  static func fragment(_ name: [UInt8]) -> String { encoded(name, keeping: "/!$'()*+,=@:?") }

  private static func encoded(_ bytes: [UInt8], keeping others: StaticString) -> String {
    let kept = UnsafeBufferPointer(start: others.utf8Start, count: others.utf8CodeUnitCount)
    let encoded = PercentEncoding.encoded(bytes) { PercentEncoding.isUnreserved($0) || kept.contains($0) }
    return String(decoding: encoded, as: UTF8.self)
  }
}
