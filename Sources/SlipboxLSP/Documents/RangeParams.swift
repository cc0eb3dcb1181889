/// The parameters of requests about a part of a document.
struct RangeParams: Decodable, Sendable {
  let textDocument: DocumentIdentifier
  let range: PositionRange
}

/// The parameters of `textDocument/references`.
struct ReferenceParams: Decodable, Sendable {
  struct Context: Decodable, Sendable {
    let includeDeclaration: Bool
  }

  let textDocument: DocumentIdentifier
  let position: Position
  let context: Context?
}

/// The parameters of `workspace/symbol`.
struct SymbolParams: Decodable, Sendable {
  let query: String
}
