import Bytes

/// The path and the arguments of a request.
///
/// The path is compared as it is written, never decoded and never opened. Arguments are decoded as forms write them.
/// Source: RFC 9112, section 3.2.1; URL Standard, section 5.
struct RequestTarget: Sendable {
  let path: String
  private let items: [(name: String, value: [UInt8])]

  /// - Returns: nil for a target that is not in origin form, or with an escape that is none.
  init?(_ target: String) {
    let bytes = Array(target.utf8)
    let isClean = bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }
    guard isClean, bytes.first == UInt8(ascii: "/"), !bytes.starts(with: "//".utf8) else { return nil }
    let parts = bytes.split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    path = String(decoding: parts[0], as: UTF8.self)
    var items: [(name: String, value: [UInt8])] = []
    for item in (parts.count > 1 ? parts[1] : []).split(separator: UInt8(ascii: "&")) {
      let sides = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(sides[0]), let value = Self.decoded(sides.count > 1 ? sides[1] : [])
      else { return nil }
      items.append((String(decoding: name, as: UTF8.self), value))
    }
    self.items = items
  }

  /// The names of the arguments.
  var names: [String] { items.map(\.name) }

  /// The bytes of the last argument of a name; nil where there is none.
  func bytes(_ name: String) -> [UInt8]? { items.last { $0.name == name }?.value }

  /// The last argument of a name as text, in which bytes that are no UTF-8 are told by letters of their own.
  func text(_ name: String) -> String? { bytes(name).map { ByteText.text(of: $0) } }

  /// Whether a point in the past is asked about.
  var isOfPast: Bool { bytes("at").map { !$0.isEmpty } ?? false }

  /// The bytes of an escaped text; nil where a percent sign stands before what is no number.
  private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    PercentEncoding.strictlyDecoded(text.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })
  }
}
