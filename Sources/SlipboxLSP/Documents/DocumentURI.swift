import Bytes
import Presentation

/// The address of a file, `file:///path`, and back.
///
/// Source: RFC 8089 and RFC 3986, section 2.
enum DocumentURI {
  /// The absolute path of a file; nil for an address of anything else.
  static func path(_ uri: String) -> [UInt8]? {
    let bytes = Array(uri.utf8)
    let scheme = Array("file://".utf8)
    guard bytes.count > scheme.count, bytes.prefix(scheme.count).map(ASCII.lowerCased) == scheme,
      let slash = bytes[scheme.count...].firstIndex(of: UInt8(ascii: "/"))
    else { return nil }
    let host = String(decoding: bytes[scheme.count..<slash], as: UTF8.self).lowercased()
    guard host.isEmpty || host == "localhost" else { return nil }
    let path = PercentEncoding.decoded(bytes[slash...].prefix { !"?#".utf8.contains($0) })
    return path.contains(0) ? nil : path
  }

  /// The address of a file with an absolute path.
  static func uri(_ path: [UInt8]) -> String { FileURL.text(path) }
}
