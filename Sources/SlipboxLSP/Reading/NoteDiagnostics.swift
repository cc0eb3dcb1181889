import NoteIndex
import Notes
import Platform
import SlipboxCore

/// Finds the problems of an open note.
///
/// Only a certain problem is an error: a wiki link or a reference without a target, front-matter that can't be read or
/// breaks its kind. A word in brackets is not an error.
struct NoteDiagnostics {
  private let place: DocumentPlace
  private let lines: LineTable
  private let note: Note

  init(_ place: DocumentPlace) {
    self.place = place
    lines = place.document.lines
    note = place.note
  }

  /// All of them, in the order of the text.
  func all() throws(SlipboxError) -> [Diagnostic] {
    var found = ownProblems()
    if let box = place.box { found += try links(box) + record(box) + misspelt(box) }
    return found.sorted { ($0.range.start, $0.message) < ($1.range.start, $1.message) }
  }

  /// The problems that the text alone shows.
  private func ownProblems() -> [Diagnostic] {
    guard ![.toml, .json].contains(place.text.format) else { return [] }
    var found = note.frontMatter.problems.map { problem in
      Diagnostic(
        range: rest(ofLine: problem.line, from: problem.column),
        severity: problem.severity == .error ? .error : .warning, code: .frontMatter, message: problem.message
      )
    }
    if let line = MergeMarkers.firstLine(in: place.text.bytes) {
      found.append(
        Diagnostic(
          range: rest(ofLine: line, from: 1), severity: .error, code: .merge,
          message: "a conflict marker of an unfinished merge"))
    }
    return found
  }

  private func links(_ box: BoxView) throws(SlipboxError) -> [Diagnostic] {
    let web = try NoteWeb(box.snapshot)
    let kind = box.snapshot.kind(of: note)
    var found: [Diagnostic] = []
    for link in try web.links(of: note) {
      // The values of reference fields are compared with their kind.
      if web.isReferenceField(at: link.link.range.lowerBound, of: note, kind: kind) { continue }
      if let problem = try problem(of: link, web, box) { found.append(problem) }
    }
    return found
  }

  private func problem(
    of link: NoteWeb.LinkOfNote, _ web: NoteWeb, _ box: BoxView
  ) throws(SlipboxError) -> Diagnostic? {
    let shown = Self.shown(link.link)
    switch link.target {
    case .broken?:
      return diagnostic(link.link, .error, .link, "\(shown) is a broken link")
    case .ambiguous(let places)?:
      return diagnostic(
        link.link, .warning, .ambiguousLink,
        "\(shown) is ambiguous: it may be any of \(web.candidates(places))")
    case .note(let place)?: return missingPart(link.resolved, in: try web.entries[place].note.text, shown)
    case nil: return missingPart(link.resolved, in: place.text, shown)
    case .file?, .url?: return nil
    }
  }

  /// A heading or block in a link that its note has not.
  private func missingPart(_ link: ResolvedLink, in text: NoteText, _ shown: String) -> Diagnostic? {
    guard let part = LinkedPart(link), !part.isThere(in: NoteParts(text)) else { return nil }
    return diagnostic(
      link.link, .warning, .heading,
      "\(shown): there is no \(part.isBlock ? "block" : "heading") \(part.name)")
  }

  private func diagnostic(
    _ link: BodyScan.Link, _ severity: Diagnostic.Severity, _ code: Diagnostic.Code, _ message: String
  ) -> Diagnostic {
    Diagnostic(range: lines.range(of: link.range), severity: severity, code: code, message: message)
  }

  private func record(_ box: BoxView) throws(SlipboxError) -> [Diagnostic] {
    try RecordTable.problems(of: note, in: box.snapshot).enumerated().map { number, problem in
      let isReference =
        box.snapshot.schema().kind(named: box.snapshot.kind(of: note))?.field(problem.field)?.type
        == .reference
      return Diagnostic(
        range: range(ofField: problem.field), severity: .error,
        code: isReference && problem.line != nil ? .reference : .kind,
        message: problem.message, recordProblem: number)
    }
  }

  /// Fields whose names almost are those that the kind declares.
  private func misspelt(_ box: BoxView) -> [Diagnostic] {
    let kind = box.snapshot.schema().kindOrPlain(named: box.snapshot.kind(of: note))
    guard kind.isOfRecords else { return [] }
    return note.frontMatter.fields.compactMap { field in
      guard let near = kind.fieldsNear(field.name).first else { return nil }
      return Diagnostic(
        range: range(ofField: field.name), severity: .warning, code: .kind,
        message: "\(field.name) is not a field of \(kind.name); did you mean \(near)?")
    }
  }

  /// The range of the field with a name; the first line if it is missing.
  private func range(ofField name: String) -> PositionRange {
    let field = note.frontMatter.fields.first { $0.name.isSameName(as: name) }
    guard let field else { return rest(ofLine: 1, from: 1) }
    var span = field.span
    while !span.isEmpty, [0x0A, 0x0D].contains(place.text.bytes[span.upperBound - 1]) {
      span = span.lowerBound..<span.upperBound - 1
    }
    return lines.range(of: span)
  }

  /// A line from a column on; both from 1, columns in characters.
  private func rest(ofLine line: Int, from column: Int) -> PositionRange {
    let content = lines.content(ofLine: min(max(0, line - 1), lines.count - 1))
    var start = content.lowerBound
    var left = column - 1
    while start < content.upperBound, left > 0 || place.text.bytes[start] & 0xC0 == 0x80 {
      if place.text.bytes[start] & 0xC0 != 0x80 { left -= 1 }
      start += 1
    }
    return lines.range(of: start..<max(start, content.upperBound))
  }

  /// A link as it is written, without its label.
  private static func shown(_ link: BodyScan.Link) -> String {
    switch link.form {
    case .wiki: "[[\(link.target)]]"
    case .embed: "![[\(link.target)]]"
    default: "the link to \(link.target)"
    }
  }
}

/// Publishes the problems of open notes after a debounce time.
///
/// After a change of a text only that text is checked. The other open ones are checked if its names have
/// changed, or the box has.
final class DiagnosticsPublisher: Sendable {
  fileprivate enum News: Sendable {
    case changed(uri: String, Documents, Boxes)
    case box(Documents, Boxes)
    case closed(uri: String)
  }

  /// How long it has to be quiet, in milliseconds.
  private static let quiet: Int64 = 200
  /// How long is waited for that at most, in milliseconds.
  private static let longest: Int64 = 2_000

  private let news = Mailbox<News>()
  private let client: Client

  init(_ client: Client) {
    self.client = client
    let (news, client) = (news, client)
    _ = Threads.detach {
      var round = DiagnosticsRound(client)
      while let first = news.next() {
        round.note(first)
        // Of many changes the last one counts. While a user types without a pause, problems are published nevertheless.
        let end = Waiting.now() + Self.longest
        while Waiting.now() < end, let more = news.all(within: Self.quiet), !more.isEmpty {
          for news in more { round.note(news) }
        }
        round.publish()
      }
    }
  }

  func changed(_ uri: String, _ documents: Documents, _ boxes: Boxes) {
    news.put(.changed(uri: uri, documents, boxes))
  }
  func boxChanged(_ documents: Documents, _ boxes: Boxes) { news.put(.box(documents, boxes)) }
  func closed(_ uri: String) { news.put(.closed(uri: uri)) }
  func end() { news.close() }
}

/// The pending checks of open texts, and the problems published last.
private struct DiagnosticsRound {
  private let client: Client
  private var latest: (documents: Documents, boxes: Boxes)?
  private var due: Set<String> = []
  private var areAllDue = false
  /// The published problems of each document.
  private var told: [String: [Diagnostic]] = [:]
  /// The names by which links may refer to each document.
  private var names: [String: Set<LinkKey>] = [:]

  init(_ client: Client) { self.client = client }

  mutating func note(_ news: DiagnosticsPublisher.News) {
    switch news {
    case .changed(let uri, let documents, let boxes): note(changed: uri, documents, boxes)
    case .box(let documents, let boxes): note(documents, boxes)
    case .closed(let uri): note(closed: uri)
    }
  }

  private mutating func note(changed uri: String, _ documents: Documents, _ boxes: Boxes) {
    latest = (documents, boxes)
    due.insert(uri)
  }

  private mutating func note(_ documents: Documents, _ boxes: Boxes) {
    // The texts may be older than those of a change that was published before.
    if latest == nil { latest = (documents, boxes) }
    areAllDue = true
  }

  private mutating func note(closed uri: String) {
    due.remove(uri)
    names[uri] = nil
    latest?.documents.remove(uri)
    if let last = told.removeValue(forKey: uri), !last.isEmpty { send(uri, version: nil, []) }
  }

  mutating func publish() {
    guard let (documents, boxes) = latest else { return }
    let request = Request(documents, boxes, client, CancellationFlag())
    for uri in due {
      guard let document = documents[uri] else { continue }
      let keys = Set(document.note(at: document.path ?? []).nameKeys)
      if let known = names.updateValue(keys, forKey: uri), known != keys { areAllDue = true }
    }
    for document in documents.all where areAllDue || due.contains(document.uri) { publish(document, request) }
    due = []
    areAllDue = false
  }

  private mutating func publish(_ document: OpenDocument, _ request: Request) {
    // If the box can't be read, that was said; nothing is known of its notes.
    guard let place = try? request.place(of: document), let found = try? NoteDiagnostics(place).all() else {
      return
    }
    let isNew = told[document.uri] != found
    told[document.uri] = found
    if isNew { send(document.uri, version: document.version, found) }
  }

  private func send(_ uri: String, version: Int?, _ diagnostics: [Diagnostic]) {
    let version = client.capabilities.hasDiagnosticVersions ? version : nil
    client.notify(
      "textDocument/publishDiagnostics",
      PublishedDiagnostics(uri: uri, version: version, diagnostics: diagnostics))
  }
}

/// Something in a text that is not as it should be.
struct Diagnostic: Codable, Hashable, Sendable {
  /// How much it hinders.
  enum Severity: Int, Codable, Sendable {
    case error = 1
    case warning, information, hint
  }

  /// The rule that a problem breaks; the words of `slip doctor`.
  enum Code: String, Codable, Sendable {
    case link, ambiguousLink = "ambiguous-link", heading, frontMatter = "front-matter", kind, reference, merge
  }

  let range: PositionRange
  let severity: Severity
  let code: Code
  var source = "slip"
  let message: String
  /// The index of the problem among those of the record; not sent to editors.
  var recordProblem: Int?

  private enum CodingKeys: CodingKey { case range, severity, code, source, message }
}

/// The parameters of `textDocument/publishDiagnostics`.
struct PublishedDiagnostics: Encodable {
  let uri: String
  let version: Int?
  let diagnostics: [Diagnostic]
}
