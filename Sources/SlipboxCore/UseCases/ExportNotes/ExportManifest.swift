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
    let paths = lines.dropFirst().map { PercentEncoding.decoded($0) }
    self.init(Set(paths.filter { FileName.problem(in: $0) == nil }))
  }

  /// The bytes of the file.
  var bytes: [UInt8] {
    let lines = paths.sorted { ByteOrder.precedes($0, $1) }.map { Self.encoded($0) }
    return Array(([Self.heading] + lines).joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
  }

  private static func encoded(_ path: [UInt8]) -> [UInt8] {
    PercentEncoding.encoded(path) { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") }
  }
}
