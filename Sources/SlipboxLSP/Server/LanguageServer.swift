import Bytes
import Notes
import Platform
import SlipboxCore
import Synchronization

/// A language server for notes, on two streams.
///
/// One thread only reads messages: it takes the changes of open texts and cancels requests, and hands all else on.
/// Requests that read are answered side by side, each from an immutable view of the boxes with the texts as they were when
/// it came; requests that change something go one after another. One thread writes.
package final class LanguageServer: Sendable {
  private let circumstances: Circumstances
  private let version: String
  private let quietMilliseconds: Int64
  private let outbox: Outbox
  private let state = Mutex(State())
  /// Requests of each lane.
  private let reading = Mailbox<@Sendable () -> Void>()
  private let changing = Mailbox<@Sendable () -> Void>()
  /// Held while something is changed, so that an end waits for it.
  private let change = Mutex(())

  private struct State {
    var documents = Documents()
    var client: Client?
    var boxes: Boxes?
    var diagnostics: DiagnosticsPublisher?
    var commits: AutomaticCommits?
    var running: [RequestID: CancellationFlag] = [:]
    /// The request that changes something now.
    var asking: RequestID?
    var isShutDown = false
  }

  /// - Parameter version: the version of the program, which clients show.
  /// - Parameter quietMilliseconds: the quiet interval before saved notes are committed, if the settings say so.
  package init(
    _ circumstances: Circumstances, version: String, quietMilliseconds: Int64 = 30_000
  ) {
    self.circumstances = circumstances
    self.version = version
    self.quietMilliseconds = quietMilliseconds
    outbox = Outbox(circumstances.output)
    let (reading, changing) = (reading, changing)
    for _ in 0..<max(2, Threads.processors) {
      _ = Threads.detach { while let work = reading.next() { work() } }
    }
    _ = Threads.detach { while let work = changing.next() { work() } }
  }

  /// Serves the client until it says that it goes, or its stream ends.
  ///
  /// - Returns: the exit code: 0 after an orderly end, else 1.
  package func run() -> Int32 {
    var frames = MessageFrames()
    while true {
      do {
        while let message = try frames.next() {
          if let code = receive(message) { return end(code) }
        }
      } catch {
        outbox.send(
          Message.refusal(
            nil, ResponseError(.parseError, "invalid message; the server exits")))
        return end(1)
      }
      guard let bytes = try? Files.readSome(descriptor: circumstances.input), !bytes.isEmpty else {
        // A stream that ends before a client has connected is not a crash of the client.
        return end(frames.isBetweenMessages && state.withLock { $0.client == nil } ? 0 : 1)
      }
      frames.append(bytes)
    }
  }

  /// Completes the changes in progress, and writes the remaining messages.
  private func end(_ code: Int32) -> Int32 {
    let (client, publisher, commits) = state.withLock { ($0.client, $0.diagnostics, $0.commits) }
    client?.leave()
    publisher?.end()
    commits?.end()
    reading.close()
    changing.close()
    change.withLock { _ in }
    outbox.finish()
    return code
  }

  /// Handles a message.
  /// - Returns: the exit status if the client requests the exit.
  private func receive(_ bytes: [UInt8]) -> Int32? {
    let message: JSONValue
    do throws(ResponseError) {
      message = try Message.read(bytes)
    } catch {
      outbox.send(Message.refusal(nil, error))
      return nil
    }
    let head: MessageHead
    do throws(ResponseError) {
      head = try Message.decoded(MessageHead.self, message)
    } catch {
      let id = message["id"].decoded(RequestID.self)
      outbox.send(Message.refusal(id, ResponseError(.invalidRequest, error.message)))
      return nil
    }
    guard let method = head.method else {
      if let id = head.id { state.withLock { $0.client }?.take(answer: message, to: id) }
      return nil
    }
    if let id = head.id {
      receive(request: message, method, id)
      return nil
    }
    if method == "exit" { return state.withLock { $0.isShutDown } ? 0 : 1 }
    do throws(ResponseError) {
      try receive(notification: message, method)
    } catch {
      state.withLock { $0.client }?.log(.error, "\(method): \(error.message)")
    }
    return nil
  }
}

extension LanguageServer {
  private func receive(request message: JSONValue, _ method: String, _ id: RequestID) {
    switch method {
    case "initialize": return initialize(message, id)
    case "shutdown":
      let client = state.withLock { state in
        state.isShutDown = true
        return state.client
      }
      // A client that goes answers no more questions.
      client?.leave()
      // Earlier requests are answered first.
      return changing.put { [self] in outbox.send(Message.response(id, JSONValue.null)) }
    default: break
    }
    guard
      let (client, boxes, documents) = state.withLock({ state in
        state.client.flatMap { client in state.boxes.map { (client, $0, state.documents) } }
      })
    else {
      return outbox.send(
        Message.refusal(id, ResponseError(.serverNotInitialized, "the first request must be initialize")))
    }
    guard !state.withLock({ $0.isShutDown }) else {
      return outbox.send(Message.refusal(id, ResponseError(.invalidRequest, "the server was shut down")))
    }
    guard let handler = Methods.handlers[method] else {
      return outbox.send(Message.refusal(id, ResponseError(.methodNotFound, "\(method) is not supported")))
    }
    let flag = CancellationFlag()
    state.withLock { $0.running[id] = flag }
    let request = Request(documents, boxes, client, flag)
    let work: @Sendable () -> Void = { [self] in
      let response =
        handler.lane == .changing
        ? changed(by: request, message, id, handler) : handler.response(to: message, id, request)
      state.withLock { _ = $0.running.removeValue(forKey: id) }
      outbox.send(response)
    }
    handler.lane == .changing ? changing.put(work) : reading.put(work)
  }

  /// The response to a request that changes something, which alone may ask the client questions.
  private func changed(
    by request: Request, _ message: JSONValue, _ id: RequestID, _ handler: MethodHandler
  ) -> [UInt8] {
    change.withLock { _ in
      state.withLock { $0.asking = id }
      defer { state.withLock { $0.asking = nil } }
      return handler.response(to: message, id, request)
    }
  }

  private func initialize(_ message: JSONValue, _ id: RequestID) {
    do throws(ResponseError) {
      guard state.withLock({ $0.client }) == nil else {
        throw ResponseError(.invalidRequest, "the server was initialized before")
      }
      let params = try Message.decoded(MessageParams<InitializeParams>.self, message).params
      let client = Client(params.capabilities, outbox)
      let told = circumstances.saying { [weak client] in client?.log(.warning, $0) }
      let diagnostics = DiagnosticsPublisher(client)
      let boxes = Boxes(told) { [weak self] box in self?.noteChange(of: box) }
      let commits = AutomaticCommits(boxes, quiet: quietMilliseconds) { [weak self] work in
        self?.changing.put { [weak self] in self?.change.withLock { _ in work() } }
      } say: { [weak client] message in
        client?.show(.warning, message)
      }
      state.withLock { state in
        state.client = client
        state.boxes = boxes
        state.diagnostics = diagnostics
        state.commits = commits
      }
      let syncsWholeTexts = params.initializationOptions?["sync"].string == "full"
      outbox.send(
        Message.response(
          id,
          InitializeResult(
            capabilities: ServerCapabilities(for: client, syncsWholeTexts: syncsWholeTexts),
            serverInfo: .init(version: version))))
      open(params.folders, boxes)
    } catch {
      outbox.send(Message.refusal(id, error))
    }
  }

  /// Opens the boxes of folders, so that they are ready when the first question comes.
  private func open(_ folders: [[UInt8]], _ boxes: Boxes) {
    for folder in folders {
      guard let box = boxes.box(at: folder) else { continue }
      reading.put { [self] in
        do throws(SlipboxError) {
          _ = try boxes.view(of: box, Documents())
        } catch {
          state.withLock { $0.client }?.show(.error, ResponseError(error).message)
        }
      }
    }
  }

  private func noteChange(of box: OpenBox) {
    let (documents, boxes, diagnostics, client) = state.withLock {
      ($0.documents, $0.boxes, $0.diagnostics, $0.client)
    }
    guard let boxes, let diagnostics, let client else { return }
    diagnostics.boxChanged(documents, boxes)
    if client.capabilities.refreshesCodeLens { client.request("workspace/codeLens/refresh", JSONValue.null) }
    if client.capabilities.refreshesInlayHints {
      client.request("workspace/inlayHint/refresh", JSONValue.null)
    }
  }
}

extension LanguageServer {
  private func receive(notification message: JSONValue, _ method: String) throws(ResponseError) {
    switch method {
    case "textDocument/didOpen":
      let opened = try params(DidOpenParams.self, message).textDocument
      put(uri: opened.uri, version: opened.version, text: opened.text)
    case "textDocument/didChange": try change(try params(DidChangeParams.self, message))
    case "textDocument/didSave": save(try params(DidSaveParams.self, message))
    case "textDocument/didClose":
      let uri = try params(DocumentParams.self, message).textDocument.uri
      let diagnostics = state.withLock { state in
        state.documents.remove(uri)
        return state.diagnostics
      }
      diagnostics?.closed(uri)
    case "$/cancelRequest":
      let id = try params(CancelParams.self, message).id
      let (flag, client) = state.withLock { ($0.running[id], $0.asking == id ? $0.client : nil) }
      flag?.set()
      client?.endQuestions()
    case "workspace/didChangeWorkspaceFolders":
      let folders = try params(DidChangeFoldersParams.self, message).event.added.map(\.uri)
      if let boxes = state.withLock({ $0.boxes }) { open(folders.compactMap(DocumentURI.path), boxes) }
    // The server watches files by itself; notifications of clients add nothing.
    default: break
    }
  }

  private func params<Params: Decodable>(
    _ type: Params.Type, _ message: JSONValue
  ) throws(ResponseError) -> Params {
    try Message.decoded(MessageParams<Params>.self, message).params
  }

  private func put(uri: String, version: Int, text: String) {
    guard let client = state.withLock({ $0.client }) else { return }
    let document = OpenDocument(
      uri: uri, path: DocumentURI.path(uri), version: version, bytes: Array(text.utf8),
      encoding: client.encoding)
    replace(document)
  }

  private func replace(_ document: OpenDocument) {
    let (documents, boxes, diagnostics) = state.withLock { state in
      state.documents.put(document)
      return (state.documents, state.boxes, state.diagnostics)
    }
    if let boxes { diagnostics?.changed(document.uri, documents, boxes) }
  }

  private func change(_ params: DidChangeParams) throws(ResponseError) {
    let uri = params.textDocument.uri
    guard let document = state.withLock({ $0.documents[uri] }) else {
      throw ResponseError(.invalidParams, "\(uri) is not open")
    }
    replace(
      document.applying(params.contentChanges, version: params.textDocument.version ?? document.version + 1))
  }

  /// Holds the text against the one that was saved; if they differ, the one that the file has is the client's.
  private func save(_ params: DidSaveParams) {
    let uri = params.textDocument.uri
    let (document, client, commits) = state.withLock { ($0.documents[uri], $0.client, $0.commits) }
    guard var document else { return }
    if let text = params.text, !document.bytes.elementsEqual(text.utf8) {
      if SavedTextOrigin.isOfEditor(text, document) {
        client?.log(.warning, "\(uri) was out of sync with the editor; replaced by the text of didSave")
        document = document.replacing(text)
        replace(document)
      } else {
        client?.log(.warning, "ignored the text of didSave for \(uri): it differs from the saved file")
      }
    }
    commits?.saved(document)
  }
}
