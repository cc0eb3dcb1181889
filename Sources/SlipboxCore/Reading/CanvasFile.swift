import Bytes
import Foreign
import Platform

/// The files that a canvas of Obsidian shows, each with the bytes of its path.
///
/// Source: jsoncanvas.org, version 1.0: a node of type file has the path of the file in the member `file`, a group that of
/// its picture in `background`, from the root of the vault.
struct CanvasFile {
  /// A path as a string of JSON, quotes included, and the path.
  struct Place {
    let range: Range<Int>
    let path: [UInt8]
  }

  /// Larger files are not read.
  static let sizeLimit = 16 << 20

  private let bytes: [UInt8]
  let places: [Place]

  /// Whether a path is that of a canvas.
  static func isOne(_ path: [UInt8]) -> Bool {
    path.count > ending.count && path.suffix(ending.count).elementsEqual(ending)
  }

  private static let ending = Array(".canvas".utf8)
  /// The members with the path of a file, as they are written.
  private static let keys = [Array("\"file\"".utf8), Array("\"background\"".utf8)]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var found: [Place] = []
    var position = 0
    // The value of the string before a colon is the name of a member.
    var name: Range<Int>?
    var isValue = false
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        let end = Self.end(ofString: position, bytes)
        if isValue, let key = name.map({ bytes[$0] }), Self.keys.contains(where: { key.elementsEqual($0) }) {
          if let path = Self.text(bytes[position..<end]) {
            found.append(Place(range: position..<end, path: Array(path.utf8)))
          }
        }
        name = isValue ? nil : position..<end
        isValue = false
        position = end
        continue
      case UInt8(ascii: ":"): isValue = name != nil
      case 0x09, 0x0A, 0x0D, 0x20: break
      default: (name, isValue) = (nil, false)
      }
      position += 1
    }
    places = found
  }

  /// The line of a path, from 1.
  func line(of place: Place) -> Int { bytes[..<place.range.lowerBound].count { $0 == 0x0A } + 1 }

  /// The canvas with other paths of files; all other bytes stay.
  func replacing(_ moves: [[UInt8]: [UInt8]]) -> [UInt8] {
    var (result, position) = ([UInt8](), 0)
    for place in places {
      guard let new = moves[place.path] else { continue }
      result +=
        bytes[position..<place.range.lowerBound]
        + Array(JSONString.quoted(String(decoding: new, as: UTF8.self)).utf8)
      position = place.range.upperBound
    }
    return result + bytes[position...]
  }

  private static func end(ofString start: Int, _ bytes: [UInt8]) -> Int {
    var position = start + 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(position + 1, bytes.count)
  }

  /// The text of a string of JSON.
  private static func text(_ string: ArraySlice<UInt8>) -> String? {
    var text: String?
    JSONText.readFirst(Array("{\"file\":".utf8) + string + [UInt8(ascii: "}")]) { text = $0["file"]?.text }
    return text
  }
}

extension BoxSnapshot {
  /// The canvases of the work tree that git tracks or that notes link to, by their paths.
  ///
  /// - Parameter linked: the files that notes link to.
  func canvases(linked: Set<[UInt8]>) throws(SlipboxError) -> [(path: [UInt8], canvas: CanvasFile)] {
    try allCanvases { (path) throws(SlipboxError) in
      if linked.contains(path) { return true }
      return try committedFiles().isTracked(path)
    }
  }

  /// The canvases of the work tree that git does not track, by their paths.
  func untrackedCanvases() throws(SlipboxError) -> [(path: [UInt8], canvas: CanvasFile)] {
    try allCanvases { (path) throws(SlipboxError) in try !committedFiles().isTracked(path) }
  }

  private func allCanvases(
    where isWanted: ([UInt8]) throws(SlipboxError) -> Bool
  ) throws(SlipboxError) -> [(path: [UInt8], canvas: CanvasFile)] {
    guard source == .workTree else { return [] }
    var found: [(path: [UInt8], canvas: CanvasFile)] = []
    for path in try otherFiles().paths where CanvasFile.isOne(path) {
      guard try isWanted(path) else { continue }
      guard let file = try? box.folder.read(path, limit: CanvasFile.sizeLimit) else { continue }
      found.append((path, CanvasFile(file.bytes)))
    }
    return found
  }
}
