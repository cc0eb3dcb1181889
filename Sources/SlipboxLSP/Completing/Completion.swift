import Bytes
import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// Offers what may stand in the place of what is being typed.
struct Completion {
  /// So many items are sent; more typed letters find others.
  static let most = 50

  let request: Request
  let place: DocumentPlace
  /// The offset of the cursor, in bytes.
  let cursor: Int
  let bytes: [UInt8]

  init(_ request: Request, _ params: PlaceParams) throws {
    self.request = request
    place = try request.place(params.textDocument.uri)
    cursor = place.document.lines.offset(of: params.position)
    bytes = place.document.bytes
  }

  func list() throws -> CompletionList {
    guard let typed = CompletionPlace(at: cursor, in: place.document.text),
      typed.isRead(in: place.document.text, at: cursor)
    else {
      return CompletionList(isIncomplete: false, items: [])
    }
    var items: [CompletionItem]
    switch typed {
    case .wikiName(let range): items = try wikiNames(range)
    case .wikiHeading(let name, let range): items = try headings(ofNote: text(name), range, isWiki: true)
    case .wikiBlock(let name, let range): items = try blocks(ofNote: text(name), range)
    case .path(let range): items = paths(range)
    case .pathHeading(let path, let range): items = try headings(ofNote: text(path), range, isWiki: false)
    case .tag(let range): items = try tags(range, besides: [])
    case .field(let range): items = try fields(range)
    case .value(let field, let range): items = try values(of: field, range)
    }
    let isCut = items.count > Self.most
    items = Array(items.prefix(Self.most))
    for number in items.indices {
      items[number].sortText = Self.sortText(number)
      if let kind = items[number].kind, !request.client.capabilities.completionKinds.contains(kind.rawValue) {
        items[number].kind = nil
      }
    }
    // Names are looked up for what was typed so far; other lists are whole.
    let isOfNames =
      switch typed {
      case .wikiName, .path: true
      case .value: items.contains { $0.data != nil }
      default: false
      }
    return CompletionList(isIncomplete: isCut || isOfNames, items: items)
  }

  /// A text that puts items into their order.
  private static func sortText(_ number: Int) -> String {
    String(String(1_000 + number).dropFirst())
  }

  /// What was typed of a word, and the rest of the word behind the cursor: both are replaced.
  func word(_ range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    while end < bytes.count, bytes[end] >= 0x80 || ASCII.isWord(bytes[end]) || "-/".utf8.contains(bytes[end])
    {
      end += 1
    }
    return range.lowerBound..<end
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// An item that puts a text in the place of what was typed.
  ///
  /// - Parameter name: what clients hold against what was typed.
  func item(
    _ label: String, _ kind: CompletionItem.Kind, _ range: Range<Int>, _ newText: String, name: String? = nil,
    typed: String? = nil, detail: String? = nil
  ) -> CompletionItem {
    var item = CompletionItem(label: label, kind: kind, detail: detail)
    item.filterText = Self.filterText(
      name ?? label, typed: typed ?? text(range.lowerBound..<min(range.upperBound, cursor)))
    item.textEdit = TextEdit(range: place.document.lines.range(of: range), newText: newText)
    return item
  }

  /// The name by which a client finds an item: the item's own, unless the letters that were typed are not in it as they
  /// are, as with accents.
  private static func filterText(_ name: String, typed: String) -> String {
    var rest = typed.lowercased().unicodeScalars[...]
    for scalar in name.lowercased().unicodeScalars where scalar == rest.first { rest = rest.dropFirst() }
    return rest.isEmpty ? name : typed
  }

  /// Whether a text begins with what was typed, whatever the case and accents of either.
  static func begins(_ text: String, _ typed: String) -> Bool {
    NamePattern(text).folded.starts(with: NamePattern(typed).folded)
  }
}
