import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// The completions of the filter bar's query at the cursor.
enum CompletionAnswer {
  private static let most = 50

  static func answer(_ call: PageCall) throws -> PageResponse {
    let text = Array((try call.argument("q") ?? "").utf16)
    let cursor = try call.number("cursor", else: text.count, most: text.count)
    let typed = String(decoding: text[..<cursor], as: UTF16.self)
    let (start, others) = lastTerm(of: typed)
    let word = String(typed[start...])
    let moment = try call.moment()
    let candidates = TermCompletion(CompletedBox { moment.snapshot }).query(word, others)
    return .json(
      JSONDocument.object { writer in
        writer.member("start", typed[..<start].utf16.count)
        writer.member("items", of: candidates.prefix(most)) { item, writer in
          writer.object {
            $0.member("text", item.text)
            $0.member("detail", item.note)
          }
        }
      })
  }

  /// The start of the term being typed, and the terms before it. Blanks between quotes do not end a term.
  private static func lastTerm(of text: String) -> (start: String.Index, others: [String]) {
    var start = text.startIndex
    var others: [String] = []
    var isQuoted = false
    for place in text.indices {
      if text[place] == "\"" { isQuoted.toggle() }
      guard !isQuoted, text[place] == " " || text[place] == "(" else { continue }
      others.append(String(text[start..<place]))
      start = text.index(after: place)
    }
    return (start, others)
  }
}

/// The notes whose names match the typed text, for references and links.
///
/// With `fit=text` a name has to contain the typed text; without it letters between are allowed. `refs` requests the
/// notes that a page remembers, in their order.
enum TitlesAnswer {
  private static let most = 200

  static func answer(_ call: PageCall) throws -> PageResponse {
    let moment = try call.moment()
    if let refs = try call.argument("refs") { return try named(refs, in: moment) }
    let kind = try call.argument("kind").flatMap { $0.isEmpty ? nil : $0 }
    let limit = try call.number("limit", else: 20, most: most)
    let isScattered = try call.argument("fit") != "text"
    let found = try moment.names().matches(
      try call.argument("q") ?? "", ofKind: kind, most: max(1, limit), isScattered: isScattered)
    let catalogue = try moment.snapshot.catalogue()
    // The names by which references call the records of the kind, if that is not their id.
    let keys = RecordKeys(moment.snapshot.schema())
    let style = try moment.snapshot.layout().links
    let source = Array((try call.argument("from") ?? "").utf8)
    let isNamedByKey = kind.map { keys.field(of: $0) != nil } ?? false
    return .json(
      JSONDocument.list("notes", found.prefix(limit)) { match, writer in
        writer.object { writer in
          let path = String(decoding: match.note.path, as: UTF8.self)
          writer.member("ref", match.note.id ?? path)
          writer.member("title", match.note.title)
          writer.member("kind", match.note.kind)
          writer.member("path", path)
          if style != .title { writer.member("link", link(to: match.note, from: source, style, catalogue)) }
          if isNamedByKey, let entry = catalogue.entry(path: match.note.path), let key = keys.key(of: entry) {
            writer.member("name", key)
          }
        }
      })
  }

  /// The notes of some names, one a line; those that name no note any more are left out.
  private static func named(_ refs: String, in moment: PageMoment) throws -> PageResponse {
    let names = refs.split(separator: "\n").prefix(most)
    let entries = names.compactMap { try? RequestedNotes(in: moment.snapshot).entry(String($0)) }
    return .json(
      JSONDocument.list("notes", entries) { entry, writer in
        writer.object { writer in
          writer.member("ref", PageMoment.ref(of: entry.note))
          writer.member("title", entry.note.title)
          writer.member("kind", entry.kind)
          writer.member("path", String(decoding: entry.note.path, as: UTF8.self))
        }
      })
  }

  /// A link in the style of the layout: a wiki link by the name of the file, or by its path if several files have the name
  /// or the layout wants paths.
  ///
  /// - Parameter source: the path of the note with the link; empty if it is not known.
  private static func link(
    to note: NamedNote, from source: [UInt8], _ style: LinkStyle, _ catalogue: Catalogue
  ) -> String {
    let (path, title) = (note.path, note.title)
    guard style.isWiki else {
      let target = style.markdownTarget(of: path, identifier: note.id, from: source) { name in
        guard case .found(let entry) = catalogue.resolve(name, .link, suggests: false) else { return nil }
        return entry.note.path
      }
      return "[\(String(decoding: MarkdownText.escaped(title), as: UTF8.self))](\(target))"
    }
    let stem = String(decoding: FileName.stem(of: path), as: UTF8.self)
    var name = String(decoding: path.dropLast(FileName.ending(of: path).count), as: UTF8.self)
    if style == .name, case .found(let entry) = catalogue.resolve(stem, .link, suggests: false),
      entry.note.path == path
    {
      name = stem
    }
    let label = title.filter { !"[]|".contains($0) }
    return name == title || label.isEmpty ? "[[\(name)]]" : "[[\(name)|\(label)]]"
  }
}
