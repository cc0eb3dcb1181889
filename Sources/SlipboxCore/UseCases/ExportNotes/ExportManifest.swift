import Bytes
import Notes

/// The list of the files that exports have made in a folder: what is not in it is somebody else's.
///
/// A line that says what it is, then a path a line, ascending, with bytes outside of printable ASCII percent-encoded.
struct ExportManifest: Equatable {
  /// The file that holds it.
  static let path = Array(".slip-export".utf8)

  private static let heading = Array(
    "# Files that slip export made here; the next export removes those it makes no longer.".utf8)

  let paths: Set<[UInt8]>

  init(_ paths: Set<[UInt8]>) { self.paths = paths }

  /// Reads the file; nil where it is none of this form.
  ///
  /// Paths that can't be those of an export, such as `../x`, are left out.
  init?(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    guard let first = lines.first, first.elementsEqual(Self.heading) else { return nil }
    let paths = lines.dropFirst().map { Self.decoded($0) }
    self.init(Set(paths.filter { FileName.problem(in: $0) == nil }))
  }

  /// The bytes of the file.
  var bytes: [UInt8] {
    let lines = paths.sorted { ByteOrder.precedes($0, $1) }.map { Self.encoded($0) }
    return Array(([Self.heading] + lines).joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
  }

  private static func encoded(_ path: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return path.flatMap { byte -> [UInt8] in
      let isPlain = byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "%")
      return isPlain ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }

  private static func decoded(_ line: ArraySlice<UInt8>) -> [UInt8] {
    var path: [UInt8] = []
    var rest = line
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), let value = UInt8(digits, radix: 16) {
        path.append(value)
        rest = rest.dropFirst(2)
      } else {
        path.append(byte)
      }
    }
    return path
  }
}
