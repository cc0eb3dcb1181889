import Notes
import Platform
import SlipboxCore

/// Tells the client what is not as it should be in open notes, once it has been quiet for a moment.
///
/// A change of a text is answered by a look at that text alone; the other open ones are looked at where its names have
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
        // Of many changes the last counts; who types without a pause is told all the same.
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

/// The looks at open texts that are due, and what was told last.
private struct DiagnosticsRound {
  private let client: Client
  private var latest: (documents: Documents, boxes: Boxes)?
  private var due: Set<String> = []
  private var areAllDue = false
  /// What was told of each document.
  private var told: [String: [Diagnostic]] = [:]
  /// By what names links may call each document.
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
    // The texts may be older than those of a change that was told before.
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
    // Where the box can't be read, that was said; nothing is known of its notes.
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

  /// What was looked at; the words of `slip doctor`.
  enum Code: String, Codable, Sendable {
    case link, ambiguousLink = "ambiguous-link", heading, frontMatter = "front-matter", kind, reference, merge
  }

  let range: PositionRange
  let severity: Severity
  let code: Code
  var source = "slip"
  let message: String
}

/// The parameters of `textDocument/publishDiagnostics`.
struct PublishedDiagnostics: Encodable {
  let uri: String
  let version: Int?
  let diagnostics: [Diagnostic]
}
