import Bytes
import NoteIndex
import Notes
import Text

/// The paths of a site's pages: they follow from the note, the tag or the kind alone, so that an address stays what it was.
enum SiteNames {
  /// The longest name of a file that is made, in bytes.
  private static let longestName = 200

  /// The path of a note's page: its own path below `notes/` with another ending.
  ///
  /// - Parameter isWhole: keeps the old ending too, where another note has the same path without it.
  static func note(_ path: [UInt8], isWhole: Bool = false) -> [UInt8] {
    let folder = BytePath.folder(of: path)
    var name = isWhole ? BytePath.name(of: path) : Array(FileName.stem(of: path))
    if name.count > longestName {
      name = Array(name.prefix(longestName - 12)) + Array("-\(mark(path))".utf8)
    }
    return Array("notes/".utf8) + BytePath.path(of: name + Array(".html".utf8), in: folder)
  }

  /// The path of a copied file. What a browser would run gets an ending by which it is shown as text.
  static func file(_ path: [UInt8], asText: Bool) -> [UInt8] {
    Array("files/".utf8) + path + (asText ? Array(".txt".utf8) : [])
  }

  /// The path of the page of a tag; nested ones stand in folders.
  static func tag(_ name: String, page: Int = 0) -> [UInt8] {
    let parts = TagPath.key(name).split(separator: "/").map { part(String($0)) }
    let path = parts.isEmpty ? part(name) : parts.joined(separator: "/")
    return Array("tags/\(path)\(ending(page))".utf8)
  }

  /// The path of the page of a kind.
  static func kind(_ name: String, page: Int = 0) -> [UInt8] {
    Array("kinds/\(part(name.lowercased()))\(ending(page))".utf8)
  }

  /// The path of the list of all notes.
  static func all(page: Int = 0) -> [UInt8] { Array("notes\(ending(page))".utf8) }

  private static func ending(_ page: Int) -> String { page == 0 ? ".html" : ".\(page + 1).html" }

  /// A name as a part of a path; one that loses something by it gets a mark of its own.
  private static func part(_ name: String) -> String {
    let slug = Slug.make(name)
    if slug.hasSameBytes(as: name), !slug.isEmpty { return slug }
    return slug.isEmpty ? mark(Array(name.utf8)) : "\(slug)-\(mark(Array(name.utf8)))"
  }

  /// Eight digits that tell texts apart.
  private static func mark(_ bytes: [UInt8]) -> String {
    Hexadecimal.text(SHA256.digest(of: bytes).prefix(4))
  }

  /// The way from the page at a path to the root of the site: `../` for each folder.
  static func root(from page: [UInt8]) -> String {
    String(repeating: "../", count: page.count { $0 == UInt8(ascii: "/") })
  }
}
