import Notes
import Text

/// By which of its names a link calls a note.
enum LinkWay: Sendable, Equatable {
  case id
  case title
  case alias
  /// The path, or the end of one.
  case path

  /// - Parameter folder: that of the note with the link.
  init(_ spelling: LinkSpelling, to note: NamesOfNote, from folder: ArraySlice<UInt8>) {
    let name = Self.bare(spelling.name)
    if !spelling.isWiki,
      LinkStanding.isPath(name, of: note.path, from: folder)
        || LinkStanding.isPath(name, of: note.path, from: [])
    {
      self = .path
    } else if note.id?.bytes == name || note.foreignID.map({ Array($0.utf8) == name }) == true {
      self = .id
    } else if spelling.isWiki, LinkStanding.isEnd(name, of: note.path) {
      self = .path
    } else if Self.fits(name, note.title) {
      self = .title
    } else if note.aliases.contains(where: { Self.fits(name, $0) }) {
      self = .alias
    } else {
      self = .path
    }
  }

  /// A name without the slashes before it.
  static func bare(_ name: [UInt8]) -> [UInt8] { Array(name.drop { $0 == UInt8(ascii: "/") }) }

  private static func fits(_ name: [UInt8], _ title: String) -> Bool {
    Folding.fold(name[...]) == Folding.fold(Array(title.utf8)[...])
  }
}
