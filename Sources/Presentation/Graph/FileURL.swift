import Bytes

/// The address of a file on this machine.
package enum FileURL {
  /// The address of an absolute path; bytes that an address does not hold are percent-encoded.
  ///
  /// Source: RFC 8089, section 2; RFC 3986, section 2.3.
  package static func text(_ path: [UInt8]) -> String {
    let encoded = PercentEncoding.encoded(path) {
      PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "/")
    }
    return "file://" + String(decoding: encoded, as: UTF8.self)
  }
}
