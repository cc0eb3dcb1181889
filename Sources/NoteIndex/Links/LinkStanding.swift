import Notes

/// From where on the path in a Markdown link leads to a file, for readers that know nothing of titles and ends of paths.
enum LinkStanding {
  case folder
  case root
  /// It is no such path: a wiki link, a title, the end of a path.
  case none

  /// - Parameters:
  ///   - target: the path of the file.
  ///   - path: that of the note with the link.
  init(_ spelling: LinkSpelling, to target: [UInt8], from path: [UInt8]) {
    let name = LinkWay.bare(spelling.name)
    let isFromRoot = name.count < spelling.name.count
    if spelling.isWiki {
      self = .none
    } else if !isFromRoot, Self.isPath(name, of: target, from: LinkPath.folder(of: path)) {
      self = .folder
    } else {
      self = Self.isPath(name, of: target, from: []) ? .root : .none
    }
  }

  /// Whether a link that stood so stands so still.
  func isKept(by other: LinkStanding) -> Bool { self == .none || self == other }

  /// Whether a path from a folder on, with the ending of a note or without, is that of a file.
  static func isPath(_ written: [UInt8], of path: [UInt8], from folder: ArraySlice<UInt8>) -> Bool {
    guard let place = LinkPath.normalised(written, from: folder) else { return false }
    return place == path || LinkPath.withoutEnding(path).elementsEqual(place)
  }
}
