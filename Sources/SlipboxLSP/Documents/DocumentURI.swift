import Bytes

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
    var path: [UInt8] = []
    var place = slash
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "%"), place + 2 < bytes.count, let high = digit(bytes[place + 1]),
        let low = digit(bytes[place + 2])
      {
        path.append(high << 4 | low)
        place += 3
      } else if bytes[place] == UInt8(ascii: "?") || bytes[place] == UInt8(ascii: "#") {
        break
      } else {
        path.append(bytes[place])
        place += 1
      }
    }
    return path.contains(0) ? nil : path
  }

  /// The address of a file with an absolute path.
  static func uri(_ path: [UInt8]) -> String {
    var uri = Array("file://".utf8)
    for byte in path {
      if isPlain(byte) {
        uri.append(byte)
      } else {
        uri += [UInt8(ascii: "%"), hexadecimal(byte >> 4), hexadecimal(byte & 15)]
      }
    }
    return String(decoding: uri, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    ASCII.isWord(byte) || "-.~/".utf8.contains(byte)
  }

  private static func hexadecimal(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
