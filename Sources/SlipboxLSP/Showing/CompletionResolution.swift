import Notes
import SlipboxCore

/// Adds to an item of completion what is too much to send with all of them.
struct CompletionResolution {
  private let request: Request

  init(_ request: Request) { self.request = request }

  /// The item with the beginning of the note that it is of.
  func resolved(_ item: CompletionItem) throws -> CompletionItem {
    guard let uri = item.data?.uri, let path = DocumentURI.path(uri),
      let (box, relative) = request.boxes.box(of: path)
    else { return item }
    guard let note = try request.view(of: box).snapshot.note(at: relative) else { return item }
    let formats = request.client.capabilities.completionFormats
    let lead = MarkdownWriter(formats: formats).excerpt(NoteLead.of(note.text))
    var item = item
    if !lead.isEmpty { item.documentation = Markup(lead, formats: formats) }
    return item
  }
}
