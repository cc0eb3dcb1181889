import SlipboxCore

/// The requests that the server answers.
enum Methods {
  static let handlers: [String: MethodHandler] = [completing, showing, finding].reduce(into: [:]) {
    $0.merge($1) { first, _ in first }
  }

  /// Methods that complete the typed text.
  static let completing: [String: MethodHandler] = [
    "textDocument/completion": MethodHandler { (params: PlaceParams, request) in
      try Completion(request, params).list()
    },
    "textDocument/prepareRename": MethodHandler { (params: PlaceParams, request) in
      try NameChanges.prepare(params, request)
    },
    "textDocument/codeAction": MethodHandler { (params: CodeActionParams, request) in
      try CodeActions.list(params, request)
    },
    "codeAction/resolve": MethodHandler(.changing) { (params: ChosenAction, request) in
      try CodeActions.resolve(params, request)
    },
    "textDocument/rename": MethodHandler(.changing) { (params: RenameParams, request) in
      try NameChanges.rename(params, request)
    },
    "workspace/willRenameFiles": MethodHandler(.changing) { (params: RenameFilesParams, request) in
      try FileRenaming.edit(params, request)
    },
    "workspace/executeCommand": MethodHandler(.changing) { (params: ExecuteParams, request) in
      try ServerCommandRun.answer(params, request)
    },
  ]
}

/// The requests that only read.
extension Methods {
  /// Methods that show information beside a text.
  static let showing: [String: MethodHandler] = [
    "completionItem/resolve": MethodHandler { (item: CompletionItem, request) in
      try CompletionResolution(request).resolved(item)
    },
    "textDocument/hover": MethodHandler { (params: PlaceParams, request) in
      try Hovering(request, params).hover()
    },
    "textDocument/documentSymbol": MethodHandler { (params: DocumentParams, request) in
      DocumentSymbols(try request.place(params.textDocument.uri)).answer(for: request.client.capabilities)
    },
    "textDocument/codeLens": MethodHandler { (params: DocumentParams, request) in
      try CodeLenses(try request.place(params.textDocument.uri)).all()
    },
    // A lens is sent whole; clients that ask again get it back.
    "codeLens/resolve": MethodHandler { (lens: CodeLens, _) in lens },
    "textDocument/inlayHint": MethodHandler { (params: RangeParams, request) in
      try InlayHints(try request.place(params.textDocument.uri)).all(in: params.range)
    },
    "textDocument/foldingRange": MethodHandler { (params: DocumentParams, request) in
      FoldingRanges(try request.place(params.textDocument.uri).document).all(
        limit: request.client.capabilities.foldingLimit)
    },
    "textDocument/documentLink": MethodHandler { (params: DocumentParams, request) in
      try DocumentLinks(request, try request.place(params.textDocument.uri)).all()
    },
    "textDocument/semanticTokens/full": MethodHandler { (params: DocumentParams, request) in
      try SemanticTokens(request, try request.place(params.textDocument.uri)).answer(in: nil)
    },
    "textDocument/semanticTokens/range": MethodHandler { (params: RangeParams, request) in
      try SemanticTokens(request, try request.place(params.textDocument.uri)).answer(in: params.range)
    },
  ]

  /// Methods that find targets and backlinks.
  static let finding: [String: MethodHandler] = [
    "textDocument/definition": MethodHandler { (params: PlaceParams, request) in
      try Definition(request, params).answer()
    },
    "textDocument/references": MethodHandler { (params: ReferenceParams, request) in
      try ReferenceSearch(request, params).locations()
    },
    "textDocument/documentHighlight": MethodHandler { (params: PlaceParams, request) in
      try Highlights(request, params).all()
    },
    "workspace/symbol": MethodHandler { (params: SymbolParams, request) in
      try WorkspaceSymbols(request).found(params.query)
    },
  ]
}

/// How requests of one method are answered.
struct MethodHandler: Sendable {
  /// The queue of a method: reading methods run in parallel, changing ones one after another.
  enum Lane: Sendable {
    case reading, changing
  }

  let lane: Lane
  private let respond: @Sendable (Request, RequestID, JSONValue) throws -> [UInt8]

  init<Params: Decodable & Sendable, Result: Encodable & Sendable>(
    _ lane: Lane = .reading, _ answer: @escaping @Sendable (Params, Request) throws -> Result
  ) {
    self.lane = lane
    respond = { request, id, message in
      let params = try Message.decoded(MessageParams<Params>.self, message).params
      return Message.response(id, try answer(params, request))
    }
  }

  /// The response to a message: an answer, or why there is none.
  func response(to message: JSONValue, _ id: RequestID, _ request: Request) -> [UInt8] {
    do {
      try request.checkCancelled()
      let response = try respond(request, id, message)
      // The result of a change is sent even to a client that has cancelled its request.
      if lane == .reading { try request.checkCancelled() }
      return response
    } catch let error as ResponseError {
      return Message.refusal(id, error)
    } catch let error as SlipboxError {
      return Message.refusal(id, ResponseError(error))
    } catch {
      return Message.refusal(id, ResponseError(.internalError, "\(error)"))
    }
  }
}
