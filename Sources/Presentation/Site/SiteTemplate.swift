import Notes
package import SlipboxCore
import Text

/// A page of HTML with places for the parts of a site's pages.
package struct SiteTemplate: Sendable {
  /// A place, written in two braces: `{{content}}`.
  enum Place: String, CaseIterable, Sendable {
    /// The title of the page.
    case title
    /// The name of the site.
    case site
    /// The way from the page to the root of the site, such as `../`.
    case root
    /// The elements of `<head>`: title, styles, scripts, description.
    case head
    /// The navigation and the search.
    case header
    /// The element `<main>`.
    case content
  }

  private enum Piece: Sendable {
    case markup([UInt8])
    case place(Place)
  }

  private let pieces: [Piece]

  /// Reads a template.
  ///
  /// - Parameter name: the name of the file in messages.
  /// - Throws: `.badData` if it has an unknown place, or no place for the head and the content.
  package init(_ bytes: [UInt8], name: String) throws(SlipboxError) {
    var pieces: [Piece] = []
    var rest = bytes[...]
    while let open = Self.offset(of: "{{", in: rest),
      let close = Self.offset(of: "}}", in: rest[open...])
    {
      let word = String(decoding: rest[(open + 2)..<close].filter { $0 > 0x20 }, as: UTF8.self)
      guard let place = Place(rawValue: word) else {
        let names = Place.allCases.map { "{{\($0.rawValue)}}" }
        throw SlipboxError(
          .badData, "\(name): {{\(Visible.escape(word))}} is not a placeholder of a template",
          hints: ["the placeholders are: \(names.joined(separator: " "))"])
      }
      pieces += [.markup(Array(rest[..<open])), .place(place)]
      rest = rest[(close + 2)...]
    }
    self.pieces = pieces + [.markup(Array(rest))]
    for place in [Place.head, .content] where !has(place) {
      throw SlipboxError(.badData, "\(name) has no placeholder {{\(place.rawValue)}}")
    }
  }

  private func has(_ place: Place) -> Bool {
    pieces.contains { if case .place(place) = $0 { true } else { false } }
  }

  /// A page with the bytes of each place.
  func page(_ bytes: (Place) -> [UInt8]) -> [UInt8] {
    pieces.flatMap { piece in
      switch piece {
      case .markup(let markup): markup
      case .place(let place): bytes(place)
      }
    }
  }

  private static func offset(of mark: StaticString, in text: ArraySlice<UInt8>) -> Int? {
    let byte = mark.utf8Start[0]
    return text.indices.dropLast().first { text[$0] == byte && text[$0 + 1] == byte }
  }
}
