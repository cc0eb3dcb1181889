/// The requests that only read.
extension Methods {
  /// What is said beside a text.
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

  /// Where something leads to, and what leads to it.
  static let finding: [String: MethodHandler] = [
    "textDocument/definition": MethodHandler { (params: PlaceParams, request) in
      try Definition(request, params).answer()
    },
    "textDocument/references": MethodHandler { (params: ReferenceParams, request) in
      try References(request, params).locations()
    },
    "textDocument/documentHighlight": MethodHandler { (params: PlaceParams, request) in
      try Highlights(request, params).all()
    },
    "workspace/symbol": MethodHandler { (params: SymbolParams, request) in
      try WorkspaceSymbols(request).found(params.query)
    },
  ]
}
