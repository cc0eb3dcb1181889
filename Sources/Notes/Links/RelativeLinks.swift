import Bytes
internal import Bytes

/// Links of Markdown that begin at the folder of their note, written anew for a note in another folder.
package struct RelativeLinks {
  private let old: [UInt8]
  /// The way from the new folder to the old one: `../../a/b/`, percent-encoded; empty where it is the same.
  private let way: [UInt8]

  /// - Parameters:
  ///   - old: the folder of the note so far, empty for the root of the box.
  ///   - new: its folder then.
  package init(from old: [UInt8], to new: [UInt8]) {
    self.old = old
    let slash = UInt8(ascii: "/")
    let (from, to) = (new.split(separator: slash), old.split(separator: slash))
    let common = zip(from, to).prefix { $0.elementsEqual($1) }.count
    let up = Array(repeating: Array("..".utf8), count: from.count - common)
    let down = to[common...].map { PercentEncoding.encoded($0) }
    way = (up + down).flatMap { $0 + [slash] }
  }

  /// The path of the file that a link leads to from the old folder; nil where it does not begin there.
  package func file(of link: BodyScan.Link) -> [UInt8]? {
    guard [.markdown, .image, .reference, .html].contains(link.form),
      case .name(let name) = LinkAddress(link),
      name.base != .box, let reading = name.readings.last
    else { return nil }
    return BytePath.normalised(BytePath.join(old, reading))
  }

  /// The bytes of a link's target in the note, and the target from the new folder; nil where the link is written in a way
  /// in which its target is not found for certain.
  package func change(of link: BodyScan.Link, in bytes: [UInt8]) -> (range: Range<Int>, target: [UInt8])? {
    guard !link.target.isEmpty, let place = LinkPlace(link, in: bytes) else { return nil }
    return (place.target, Self.shortened(way + Array(link.target.utf8)))
  }

  /// A path without parts that `..` takes back; what follows `#` or `?` stays as it is.
  private static func shortened(_ target: [UInt8]) -> [UInt8] {
    let end = target.firstIndex { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "?") } ?? target.count
    let up = Array("..".utf8)
    var parts: [ArraySlice<UInt8>] = []
    for part in target[..<end].split(separator: UInt8(ascii: "/")) where !part.elementsEqual(".".utf8) {
      if part.elementsEqual(up), let last = parts.last, !last.elementsEqual(up) {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return Array(parts.joined(separator: [UInt8(ascii: "/")])) + target[end...]
  }
}
