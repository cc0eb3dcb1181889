import Platform
import Synchronization

/// The editor: its capabilities and its connection.
final class Client: Sendable {
  let capabilities: ClientCapabilities
  let encoding: PositionEncoding
  private let outbox: Outbox
  private let state = Mutex(State())

  private struct State {
    var nextID = 1
    var waiting: [RequestID: Mailbox<JSONValue>] = [:]
    var isGone = false
  }

  init(_ capabilities: JSONValue, _ outbox: Outbox) {
    self.capabilities = ClientCapabilities(capabilities)
    encoding = PositionEncoding(offered: self.capabilities.positionEncodings)
    self.outbox = outbox
  }

  func send(_ message: [UInt8]) { outbox.send(message) }

  func notify(_ method: String, _ params: some Encodable) { send(Message.call(method, params)) }

  /// The kinds of messages to people.
  enum MessageType: Int, Encodable {
    case error = 1
    case warning, info, log
  }

  private struct MessageParams: Encodable {
    let type: MessageType
    let message: String
  }

  /// Shows a message to the user.
  func show(_ type: MessageType, _ message: String) {
    notify("window/showMessage", MessageParams(type: type, message: message))
  }

  /// Writes a message into the client's log.
  func log(_ type: MessageType, _ message: String) {
    notify("window/logMessage", MessageParams(type: type, message: message))
  }

  /// Asks the client and waits for its answer; nil if it gives none, or refuses.
  func ask<Result: Decodable & Sendable>(
    _ method: String, _ params: some Encodable, for type: Result.Type
  ) -> Result? {
    let answer = Mailbox<JSONValue>()
    let id: RequestID? = state.withLock { state in
      if state.isGone { return nil }
      let id = RequestID.text("slip-\(state.nextID)")
      state.nextID += 1
      state.waiting[id] = answer
      return id
    }
    guard let id else { return nil }
    send(Message.call(method, params, id: id))
    guard let message = answer.next() else { return nil }
    return (try? Message.decoded(ClientAnswer<Result>.self, message))?.result
  }

  /// Asks the client for something of which the answer does not matter.
  func request(_ method: String, _ params: some Encodable) {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return RequestID.text("slip-\(state.nextID)")
    }
    send(Message.call(method, params, id: id))
  }

  /// Takes the client's answer to a question.
  func take(answer message: JSONValue, to id: RequestID) {
    let waiting = state.withLock { $0.waiting.removeValue(forKey: id) }
    waiting?.put(message)
    waiting?.close()
  }

  /// Ends all waits for answers. Open questions count as refused.
  func endQuestions() {
    let waiting = state.withLock { state in
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for mailbox in waiting { mailbox.close() }
  }

  /// Ends all waits for answers, and asks nothing more.
  func leave() {
    state.withLock { $0.isGone = true }
    endQuestions()
  }
}

/// The queue of messages to the client, written by one thread.
///
/// Senders don't wait: a client that does not read blocks only itself.
final class Outbox: Sendable {
  private let messages = Mailbox<[UInt8]>()
  private let isDone = Mailbox<Void>()

  /// - Parameter descriptor: the descriptor that messages are written to.
  init(_ descriptor: Int32) {
    let (messages, isDone) = (messages, isDone)
    let write: @Sendable () -> Void = {
      let output = Output(descriptor: descriptor)
      while let waiting = messages.all(within: .max / 2_000_000) {
        for message in waiting { output.write(MessageFrames.framed(message)) }
        // Without a reader, further messages have no recipient.
        guard (try? output.flush()) != nil else { break }
      }
      messages.close()
      isDone.close()
    }
    if !Threads.detach(write) { messages.close() }
  }

  func send(_ message: [UInt8]) { messages.put(message) }

  /// Writes the remaining messages, and waits until that is done.
  func finish() {
    messages.close()
    _ = isDone.next()
  }
}

/// What a client said that it can do; no answer goes beyond it.
struct ClientCapabilities: Sendable {
  private let all: JSONValue

  init(_ capabilities: JSONValue) { all = capabilities }

  private var document: JSONValue { all["textDocument"] }
  private var workspace: JSONValue { all["workspace"] }
  private var window: JSONValue { all["window"] }
  private var completionItem: JSONValue { document["completion"]["completionItem"] }

  /// The encodings of positions, the one that it likes best first.
  var positionEncodings: [String] { all["general"]["positionEncodings"].strings }

  // Completion.
  var hasSnippets: Bool { completionItem["snippetSupport"].boolean == true }
  /// The formats of documentation; none where the client knows plain texts alone.
  var completionFormats: [String] { completionItem["documentationFormat"].strings }
  var hasInsertReplace: Bool { completionItem["insertReplaceSupport"].boolean == true }
  var hasLabelDetails: Bool { completionItem["labelDetailsSupport"].boolean == true }
  /// The properties of an item that the client asks for later.
  var lazyCompletionProperties: [String] { completionItem["resolveSupport"]["properties"].strings }
  /// The kinds of items that the client knows; without a list those up to 18.
  var completionKinds: Set<Int> {
    let listed = document["completion"]["completionItemKind"]["valueSet"].elements.compactMap(\.integer)
    return Set(listed.isEmpty ? Array(1...18) : listed)
  }

  // Texts.
  /// The formats of hovers; none where the client knows plain texts alone.
  var hoverFormats: [String] { document["hover"]["contentFormat"].strings }
  var hasHierarchicalSymbols: Bool {
    document["documentSymbol"]["hierarchicalDocumentSymbolSupport"].boolean == true
  }
  /// The kinds of symbols that the client knows; without a list those up to 18.
  var symbolKinds: Set<Int> {
    let listed = document["documentSymbol"]["symbolKind"]["valueSet"].elements.compactMap(\.integer)
    return Set(listed.isEmpty ? Array(1...18) : listed)
  }
  /// The same of symbols of the workspace.
  var workspaceSymbolKinds: Set<Int> {
    let listed = workspace["symbol"]["symbolKind"]["valueSet"].elements.compactMap(\.integer)
    return Set(listed.isEmpty ? Array(1...18) : listed)
  }
  var hasDefinitionLinks: Bool { document["definition"]["linkSupport"].boolean == true }
  var foldsWholeLinesOnly: Bool { document["foldingRange"]["lineFoldingOnly"].boolean == true }
  var foldingLimit: Int? { document["foldingRange"]["rangeLimit"].integer }
  var hasLinkTooltips: Bool { document["documentLink"]["tooltipSupport"].boolean == true }
  /// The types of tokens that the client shows.
  var tokenTypes: [String] { document["semanticTokens"]["tokenTypes"].strings }
  var tokenModifiers: [String] { document["semanticTokens"]["tokenModifiers"].strings }
  var hasSemanticTokens: Bool { !document["semanticTokens"].isNull }
  var hasInlayHints: Bool { !document["inlayHint"].isNull }
  var hasCodeLens: Bool { !document["codeLens"].isNull }

  // Changes.
  /// Whether code actions may be more than commands.
  var hasCodeActionLiterals: Bool { !document["codeAction"]["codeActionLiteralSupport"].isNull }
  var codeActionKinds: [String] {
    document["codeAction"]["codeActionLiteralSupport"]["codeActionKind"]["valueSet"].strings
  }
  /// The properties of a code action that the client asks for later.
  var lazyActionProperties: [String] { document["codeAction"]["resolveSupport"]["properties"].strings }
  /// Whether the edit of a code action may be asked for once it is chosen.
  var resolvesActionEdits: Bool {
    lazyActionProperties.contains("edit") && document["codeAction"]["dataSupport"].boolean == true
  }
  var hasDisabledActions: Bool { document["codeAction"]["disabledSupport"].boolean == true }
  var hasPrepareRename: Bool { document["rename"]["prepareSupport"].boolean == true }
  var canApplyEdits: Bool { workspace["applyEdit"].boolean == true }
  /// Whether a change may name the versions of documents.
  var hasDocumentChanges: Bool { workspace["workspaceEdit"]["documentChanges"].boolean == true }
  /// What a change may do with files: `create`, `rename`, `delete`.
  var resourceOperations: [String] { workspace["workspaceEdit"]["resourceOperations"].strings }
  /// Whether a change may move files.
  var canRenameFiles: Bool { hasDocumentChanges && resourceOperations.contains("rename") }
  /// Whether a change may make files.
  var canCreateFiles: Bool { hasDocumentChanges && resourceOperations.contains("create") }
  var hasChangeAnnotations: Bool { !workspace["workspaceEdit"]["changeAnnotationSupport"].isNull }
  var willRenameFiles: Bool { workspace["fileOperations"]["willRename"].boolean == true }

  // Diagnostics.
  var hasDiagnosticVersions: Bool { document["publishDiagnostics"]["versionSupport"].boolean == true }
  var hasRelatedInformation: Bool { document["publishDiagnostics"]["relatedInformation"].boolean == true }
  var hasDiagnosticData: Bool { document["publishDiagnostics"]["dataSupport"].boolean == true }
  var hasCodeDescription: Bool { document["publishDiagnostics"]["codeDescriptionSupport"].boolean == true }

  // The window.
  var canShowDocuments: Bool { window["showDocument"]["support"].boolean == true }
  var canAskQuestions: Bool { !window["showMessage"].isNull }
  var hasProgress: Bool { window["workDoneProgress"].boolean == true }
  var refreshesCodeLens: Bool { workspace["codeLens"]["refreshSupport"].boolean == true }
  var refreshesInlayHints: Bool { workspace["inlayHint"]["refreshSupport"].boolean == true }
  var refreshesTokens: Bool { workspace["semanticTokens"]["refreshSupport"].boolean == true }
}

/// A text for people: Markdown where the client reads it, else as it is.
struct Markup: Codable, Equatable, Sendable {
  /// How the text is written; nil for clients that know nothing but plain texts.
  let kind: String?
  let value: String

  private enum CodingKeys: CodingKey { case kind, value }

  /// - Parameter formats: those that the client reads, as it lists them.
  init(_ value: String, formats: [String]) {
    self.value = value
    kind = formats.isEmpty ? nil : formats.contains("markdown") ? "markdown" : "plaintext"
  }

  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      (kind, value) = (nil, text)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    kind = try container.decode(String.self, forKey: .kind)
    value = try container.decode(String.self, forKey: .value)
  }

  func encode(to encoder: any Encoder) throws {
    guard let kind else {
      var container = encoder.singleValueContainer()
      return try container.encode(value)
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    try container.encode(value, forKey: .value)
  }
}
