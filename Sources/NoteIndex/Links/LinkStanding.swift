import Notes

/// From where on the path in a link leads to a file, for readers that know nothing of titles.
enum LinkStanding {
  case folder
  case root
  /// The end of the path, as other tools read wiki links.
  case end
  /// It is no such path: a title, an id, or in a Markdown link the end of a path.
  case none

  /// - Parameters:
  ///   - target: the path of the file.
  ///   - path: that of the note with the link.
  init(_ spelling: LinkSpelling, to target: [UInt8], from path: [UInt8]) {
    let name = LinkWay.bare(spelling.name)
    let isFromRoot = name.count < spelling.name.count
    if spelling.isWiki {
      self = Self.isEnd(name, of: target) ? .end : .none
    } else if !isFromRoot, Self.isPath(name, of: target, from: LinkPath.folder(of: path)) {
      self = .folder
    } else {
      self = Self.isPath(name, of: target, from: []) ? .root : .none
    }
  }

  /// Whether a link that stood so stands so still.
  func isKept(by other: LinkStanding) -> Bool { self == .none || self == other }

  /// Whether a path ends with a name as it is written, with the ending of a note or without.
  static func isEnd(_ written: [UInt8], of path: [UInt8]) -> Bool {
    guard let name = LinkPath.normalised(written) else { return false }
    return LinkPath.hasEnd(path[...], name) || LinkPath.hasEnd(LinkPath.withoutEnding(path), name)
  }

  /// Whether a path from a folder on, with the ending of a note or without, is that of a file; case and diacritics do not
  /// count.
  static func isPath(_ written: [UInt8], of path: [UInt8], from folder: ArraySlice<UInt8>) -> Bool {
    guard let place = LinkPath.normalised(written, from: folder) else { return false }
    return LinkPath.isAlike(place, path) || LinkPath.isAlike(place, LinkPath.withoutEnding(path))
  }
}
