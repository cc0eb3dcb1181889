import Bytes
import Foreign
import Notes
import Platform

/// The files that a canvas of Obsidian shows, each with the bytes of its path.
///
/// Source: jsoncanvas.org, version 1.0: a node of type file has the path of the file in the member `file`, a group that of
/// its picture in `background`, from the root of the vault. A node of type file may have a heading or block of the file in
/// `subpath`, with its mark. A node of type text has Markdown in `text`.
struct CanvasFile {
  /// A path as a JSON string, quotes included, and the path.
  struct Place {
    let range: Range<Int>
    let path: [UInt8]
  }

  /// A text as a JSON string, quotes included, and the text.
  private struct Card {
    let range: Range<Int>
    let text: [UInt8]
  }

  /// A heading or block of a note that a card shows.
  private struct Part {
    /// The bytes of the string.
    let range: Range<Int>
    /// The bytes of the member with one comma.
    let member: Range<Int>
    let suffix: [UInt8]
    /// The file of the card.
    let place: Place
  }

  /// The members of an object that were read.
  private struct Members {
    var file: Place?
    var subpath: (name: Range<Int>, value: Range<Int>)?
  }

  /// The maximum size of a file that is read, in bytes.
  static let sizeLimit = 16 << 20

  private let bytes: [UInt8]
  let places: [Place]
  private let cards: [Card]
  private let parts: [Part]

  /// Returns whether a path is that of a canvas.
  static func isOne(_ path: [UInt8]) -> Bool {
    path.count > ending.count && path.suffix(ending.count).elementsEqual(ending)
  }

  private static let ending = Array(".canvas".utf8)
  /// The members with the path of a file, as they are written.
  private static let keys = [Array("\"file\"".utf8), Array("\"background\"".utf8)]
  private static let textKey = Array("\"text\"".utf8)
  private static let partKey = Array("\"subpath\"".utf8)

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var found: [Place] = []
    var cards: [Card] = []
    var parts: [Part] = []
    var open: [Members] = []
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
            let place = Place(range: position..<end, path: Array(path.utf8))
            found.append(place)
            if key.elementsEqual(Self.keys[0]), !open.isEmpty { open[open.count - 1].file = place }
          }
        }
        if isValue, let name, bytes[name].elementsEqual(Self.partKey), !open.isEmpty {
          open[open.count - 1].subpath = (name, position..<end)
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
      default:
        (name, isValue) = (nil, false)
        if bytes[position] == UInt8(ascii: "{") { open.append(Members()) }
        if bytes[position] == UInt8(ascii: "}"), let members = open.popLast(),
          let part = Self.part(members, bytes)
        {
          parts.append(part)
        }
      }
      position += 1
    }
    places = found
    self.cards = cards
    self.parts = parts
  }

  private static func part(_ members: Members, _ bytes: [UInt8]) -> Part? {
    guard let place = members.file, let (name, value) = members.subpath, let suffix = text(bytes[value]),
      suffix.hasPrefix("#")
    else { return nil }
    let before = bytes[..<name.lowerBound].lastIndex { $0 > 0x20 }
    let after = bytes[value.upperBound...].firstIndex { $0 > 0x20 }
    var member = name.lowerBound..<value.upperBound
    if let before, bytes[before] == UInt8(ascii: ",") {
      member = before..<value.upperBound
    } else if let after, bytes[after] == UInt8(ascii: ",") {
      member = name.lowerBound..<after + 1
    }
    return Part(range: value, member: member, suffix: Array(suffix.utf8), place: place)
  }

  /// Returns the line of a path, from 1.
  func line(of place: Place) -> Int { bytes[..<place.range.lowerBound].count { $0 == 0x0A } + 1 }

  /// The texts of its cards that may have links, in order.
  var texts: [[UInt8]] { cards.map(\.text) }

  /// Returns the line of a text, from 1.
  func line(ofText number: Int) -> Int {
    bytes[..<cards[number].range.lowerBound].count { $0 == 0x0A } + 1
  }

  /// Returns the canvas with other paths of files, other headings and other links in its texts; all other bytes stay.
  ///
  /// - Parameters:
  ///   - heading: returns the new path and heading of a card for the former ones; nil if they stay.
  ///   - rewritten: returns a text with its new links.
  /// - Returns: nil if nothing changes.
  func replacing(
    _ moves: [[UInt8]: [UInt8]],
    headings heading: (_ path: [UInt8], _ suffix: [UInt8]) -> (path: [UInt8], suffix: [UInt8])? = { _, _ in
      nil
    },
    texts rewritten: ([UInt8]) -> [UInt8]
  ) -> (bytes: [UInt8], paths: Int, texts: Int)? {
    let quoted = { (text: [UInt8]) in Array(JSONString.quoted(String(decoding: text, as: UTF8.self)).utf8) }
    var edits: [(range: Range<Int>, bytes: [UInt8])] = []
    var settled: Set<Int> = []
    var paths = 0
    for part in parts {
      guard let new = heading(part.place.path, part.suffix) else { continue }
      settled.insert(part.place.range.lowerBound)
      if new.path != part.place.path { edits.append((part.place.range, quoted(new.path))) }
      if new.suffix.isEmpty {
        edits.append((part.member, []))
      } else if new.suffix != part.suffix {
        edits.append((part.range, quoted(new.suffix)))
      }
      paths += new == (part.place.path, part.suffix) ? 0 : 1
    }
    for place in places where !settled.contains(place.range.lowerBound) {
      guard let path = moves[place.path] else { continue }
      edits.append((place.range, quoted(path)))
      paths += 1
    }
    var texts = 0
    for card in cards {
      let text = rewritten(card.text)
      if text == card.text { continue }
      edits.append((card.range, quoted(text)))
      texts += 1
    }
    guard !edits.isEmpty else { return nil }
    var (result, position) = ([UInt8](), 0)
    for (range, bytes) in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      result += self.bytes[position..<range.lowerBound] + bytes
      position = range.upperBound
    }
    return (result + bytes[position...], paths, texts)
  }

  private static func end(ofString start: Int, _ bytes: [UInt8]) -> Int {
    var position = start + 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(position + 1, bytes.count)
  }

  /// Returns the text of a JSON string.
  private static func text(_ string: ArraySlice<UInt8>) -> String? {
    var text: String?
    JSONRecordStream.readFirst(Array("{\"file\":".utf8) + string + [UInt8(ascii: "}")]) {
      text = $0["file"]?.text
    }
    return text
  }
}

extension CanvasFile {
  /// Returns whether a card shows one of some notes, or has links in its text.
  func namesNotes(_ isNote: ([UInt8]) -> Bool) -> Bool {
    places.contains { isNote($0.path) }
      || cards.contains { !LinkEditor.links(of: NoteText($0.text)).isEmpty }
  }
}

/// The canvases of the box of a snapshot.
struct Canvases {
  private let snapshot: BoxSnapshot

  init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Returns the canvases by their paths: those that git tracks, that notes link to or that name notes.
  ///
  /// - Parameter linked: the files that notes link to.
  func all(linked: Set<[UInt8]>) throws(SlipboxError) -> [(path: [UInt8], canvas: CanvasFile)] {
    try found { (path, canvas) throws(SlipboxError) in
      if linked.contains(path) { return true }
      if try snapshot.committedFiles().isTracked(path) { return true }
      return try isOfNotes(path, canvas)
    }
  }

  /// Returns the canvases that git tracks, by their paths.
  func tracked() throws(SlipboxError) -> [(path: [UInt8], canvas: CanvasFile)] {
    try found { (path, _) throws(SlipboxError) in try snapshot.committedFiles().isTracked(path) }
  }

  /// Returns the canvases of the work tree that git does not track, by their paths.
  func untracked() throws(SlipboxError) -> [(path: [UInt8], canvas: CanvasFile)] {
    try found { (path, _) throws(SlipboxError) in try !snapshot.committedFiles().isTracked(path) }
  }

  /// Returns whether a file is a canvas that names notes and that git does not ignore.
  func isOfNotes(_ path: [UInt8], _ canvas: CanvasFile? = nil) throws(SlipboxError) -> Bool {
    guard CanvasFile.isOne(path), let canvas = canvas ?? read(path),
      canvas.namesNotes({ FileName.isNote($0) && snapshot.box.isThere($0) })
    else { return false }
    return try !snapshot.box.isIgnored(path)
  }

  private func read(_ path: [UInt8]) -> CanvasFile? {
    // A file that can't be read does not count as a canvas.
    (try? snapshot.box.folder.read(path, limit: CanvasFile.sizeLimit)).map { CanvasFile($0.bytes) }
  }

  private func found(
    where isWanted: ([UInt8], CanvasFile) throws(SlipboxError) -> Bool
  ) throws(SlipboxError) -> [(path: [UInt8], canvas: CanvasFile)] {
    guard snapshot.source == .workTree else { return [] }
    var canvases: [(path: [UInt8], canvas: CanvasFile)] = []
    for path in try snapshot.otherFiles().paths where CanvasFile.isOne(path) {
      guard let canvas = read(path), try isWanted(path, canvas) else { continue }
      canvases.append((path, canvas))
    }
    return canvases
  }
}
