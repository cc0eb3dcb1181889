import NoteIndex
import Notes
import Presentation
import SlipboxCore

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
