import Bytes
import Foreign
import Notes
import Platform

/// The files that a canvas of Obsidian shows, each with the bytes of its path.
///
/// Source: jsoncanvas.org, version 1.0: a node of type file has the path of the file in the member `file`, a group that of
/// its picture in `background`, from the root of the vault. A node of type text has Markdown in `text`.
struct CanvasFile {
  /// A path as a string of JSON, quotes included, and the path.
  struct Place {
    let range: Range<Int>
    let path: [UInt8]
  }

  /// A text as a string of JSON, quotes included, and the text.
  private struct Card {
    let range: Range<Int>
    let text: [UInt8]
  }

  /// Larger files are not read.
  static let sizeLimit = 16 << 20

  private let bytes: [UInt8]
  let places: [Place]
  private let cards: [Card]

  /// Whether a path is that of a canvas.
  static func isOne(_ path: [UInt8]) -> Bool {
    path.count > ending.count && path.suffix(ending.count).elementsEqual(ending)
  }

  private static let ending = Array(".canvas".utf8)
  /// The members with the path of a file, as they are written.
  private static let keys = [Array("\"file\"".utf8), Array("\"background\"".utf8)]
  private static let textKey = Array("\"text\"".utf8)

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var found: [Place] = []
    var cards: [Card] = []
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
        if isValue, let key = name.map({ bytes[$0] }), key.elementsEqual(Self.textKey),
          bytes[position..<end].contains(UInt8(ascii: "["))
            || bytes[position..<end].contains(UInt8(ascii: "<")),
          let text = Self.text(bytes[position..<end])
        {
          cards.append(Card(range: position..<end, text: Array(text.utf8)))
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
    self.cards = cards
  }

  /// The line of a path, from 1.
  func line(of place: Place) -> Int { bytes[..<place.range.lowerBound].count { $0 == 0x0A } + 1 }

  /// The canvas with other paths of files and other links in its texts; all other bytes stay.
  ///
  /// - Parameter rewritten: a text with its links as they are to be.
  /// - Returns: nil if nothing changes.
  func replacing(
    _ moves: [[UInt8]: [UInt8]], texts rewritten: ([UInt8]) -> [UInt8]
  ) -> (bytes: [UInt8], paths: Int, texts: Int)? {
    var edits: [(range: Range<Int>, text: [UInt8])] = places.compactMap { place in
      moves[place.path].map { (place.range, $0) }
    }
    let paths = edits.count
    for card in cards {
      let text = rewritten(card.text)
      if text != card.text { edits.append((card.range, text)) }
    }
    guard !edits.isEmpty else { return nil }
    var (result, position) = ([UInt8](), 0)
    for (range, text) in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      let string = JSONString.quoted(String(decoding: text, as: UTF8.self))
      result += bytes[position..<range.lowerBound] + Array(string.utf8)
      position = range.upperBound
    }
    return (result + bytes[position...], paths, edits.count - paths)
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
