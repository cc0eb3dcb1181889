/// The names of tags: compared without case, nested at slashes.
package enum TagPath {
  /// Slashes beyond this many nest no deeper.
  package static let deepest = 32

  /// The same text for all spellings of a tag.
  package static func key(_ name: String) -> String { name.lowercased() }

  /// The parents of a tag, the highest first, and the tag itself.
  package static func lineage(of name: String) -> [String] {
    let bytes = name.utf8
    guard bytes.contains(UInt8(ascii: "/")) else { return [name] }
    var names: [String] = []
    var before: UInt8 = UInt8(ascii: "/")
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "/"), before != UInt8(ascii: "/"), names.count < deepest {
        names.append(String(decoding: bytes[..<index], as: UTF8.self))
      }
      before = bytes[index]
    }
    return names + [name]
  }
}
