package import Notes

/// A note whose links are asked for: one at hand, or one of the catalogue by its place, which need not be made for it.
package enum LinkedNote: Sendable {
  case note(Note)
  case place(Int)

  /// The path of the note.
  func path(in entries: Entries) -> [UInt8] {
    switch self {
    case .note(let note): note.path
    case .place(let place): entries.path(at: place)
    }
  }

  func links(in entries: Entries) -> [BodyScan.Link] {
    switch self {
    case .note(let note): note.links
    case .place(let place): entries.links(at: place)
    }
  }

  /// The keys of the names of the note.
  func nameKeys(in entries: Entries) -> [LinkKey] {
    switch self {
    case .note(let note): note.nameKeys
    case .place(let place): entries.nameKeys(at: place)
    }
  }

  /// The keys of what the note links to.
  func linkKeys(in entries: Entries) -> [LinkKey] {
    switch self {
    case .note(let note): note.linkKeys
    case .place(let place): entries.linkKeys(at: place)
    }
  }
}
