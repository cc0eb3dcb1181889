import Bytes
import NoteIndex
import Notes
import Platform
import Presentation
import SlipboxCore

/// Reads the links of an open document, and the references of a record, with their targets.
struct LinkReader {
  let place: DocumentPlace
  let note: Note
  /// The web of the box; nil for a document in none.
  let web: NoteWeb?

  init(_ place: DocumentPlace) throws(SlipboxError) {
    self.place = place
    note = place.note
    web = if let box = place.box { try NoteWeb(box.snapshot) } else { nil }
  }

  /// All of them, in the order of the text; one inside of another comes after it.
  ///
  /// - Complexity: that of `LinkGraph.links(of:)`.
  func all() -> [FoundLink] {
    guard let web, let box = place.box else { return note.links.map(alone) }
    let kind = box.snapshot.kind(of: note)
    let links = web.resolvedLinks(of: note).filter {
      !web.isReferenceField(at: $0.link.range.lowerBound, of: note, kind: kind)
    }
    let found = links.map { linked($0, web, box) } + web.references(of: note).map { referred($0, web) }
    return found.sorted {
      ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
    }
  }

  private func linked(_ link: ResolvedLink, _ web: NoteWeb, _ box: BoxView) -> FoundLink {
    let target: FoundLink.Target =
      switch web.target(of: link, from: note.path) {
      case .note(let place)?: .note(place)
      case .ambiguous(let places)?: .ambiguous(places)
      case .file(let path)?: .file(uri: box.uri(of: path))
      case .url(let address)?: .url(address)
      case .broken?: .broken
      case nil: .itself
      }
    return FoundLink(
      range: link.link.range, link: link.link, name: link.link.target, part: LinkedPart(link), target: target)
  }

  private func referred(_ reference: NoteWeb.ReferenceOfNote, _ web: NoteWeb) -> FoundLink {
    let target: FoundLink.Target =
      switch reference.places.count {
      case 0: .broken
      case 1: web.entries.path(at: reference.places[0]) == note.path ? .itself : .note(reference.places[0])
      default: .ambiguous(reference.places)
      }
    return FoundLink(range: reference.range, link: nil, name: reference.name, part: nil, target: target)
  }

  /// A link of a document that is in no box: it may lead to files beside it.
  private func alone(_ link: BodyScan.Link) -> FoundLink {
    let address = LinkAddress(link)
    let target: FoundLink.Target =
      switch address {
      case .itself: .itself
      case .url(let address): .url(address)
      case .name(let name): file(name).map { .file(uri: DocumentURI.uri($0)) } ?? .broken
      }
    let part = LinkedPart(link, reading: address == .itself ? 1 : 0)
    return FoundLink(range: link.range, link: link, name: link.target, part: part, target: target)
  }

  private func file(_ name: LinkName) -> [UInt8]? {
    guard let own = place.document.path else { return nil }
    for reading in name.readings {
      for ending in ["", ".md"] {
        let path = BytePath.normalised(BytePath.join(BytePath.folder(of: own), reading + Array(ending.utf8)))
        if let path, Self.isThere(path) { return path }
      }
    }
    return nil
  }

  private static func isThere(_ path: [UInt8]) -> Bool {
    do throws(SystemError) {
      return try Files.status(path) != nil
    } catch {
      return false
    }
  }
}

/// A link of a document, or a value of a reference field, with its target.
struct FoundLink: Sendable {
  enum Target: Hashable, Sendable {
    /// Another note, by its place in the catalogue.
    case note(Int)
    /// The document itself, or a place in it.
    case itself
    /// Several notes.
    case ambiguous([Int])
    /// A file or a folder, by its address.
    case file(uri: String)
    /// A place elsewhere.
    case url([UInt8])
    case broken
  }

  /// The bytes of the whole link; of a reference its name.
  let range: Range<Int>
  /// How the link is written; nil for the value of a reference field.
  let link: BodyScan.Link?
  /// The target as it is written.
  let name: String
  /// The heading or block that it names.
  let part: LinkedPart?
  let target: Target

  /// The same link at other bytes, such as the use of a definition.
  func standing(at range: Range<Int>) -> FoundLink {
    FoundLink(range: range, link: link, name: name, part: part, target: target)
  }

  /// The places of the notes that it may lead to.
  var places: [Int] {
    switch target {
    case .note(let place): [place]
    case .ambiguous(let places): places
    default: []
    }
  }
}

/// A stretch of a text that opens something.
struct DocumentLink: Encodable, Sendable {
  let range: PositionRange
  let target: String
  let tooltip: String?
}

/// The links of a document to notes, files and places elsewhere.
struct DocumentLinks {
  private let place: DocumentPlace
  private let hasTooltips: Bool

  init(_ request: Request, _ place: DocumentPlace) {
    self.place = place
    hasTooltips = request.client.capabilities.hasLinkTooltips
  }

  func all() throws -> [DocumentLink] {
    try LinkReader(place).all().compactMap { link in
      guard let (target, tooltip) = try target(of: link) else { return nil }
      return DocumentLink(
        range: place.document.lines.range(of: link.range), target: target,
        tooltip: hasTooltips ? tooltip : nil)
    }
  }

  private func target(of link: FoundLink) throws -> (uri: String, tooltip: String?)? {
    switch link.target {
    case .note(let number):
      guard let box = place.box else { return nil }
      let entries = try box.snapshot.catalogue().entries
      let names = entries.names(at: number)
      return (box.uri(of: names.path), names.title)
    case .file(let uri): return (uri, nil)
    // Schemes that run something are no links.
    case .url(let address): return SafeAddress.external(address).map { ($0, nil) }
    case .itself, .ambiguous, .broken: return nil
    }
  }
}
