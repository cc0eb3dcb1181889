/// The address of a document in a message.
struct DocumentIdentifier: Codable, Sendable {
  let uri: String
}

/// The document whose text is to be changed, at a version of it where one is known.
struct VersionedDocument: Codable, Sendable {
  let uri: String
  let version: Int?

  private enum CodingKeys: CodingKey { case uri, version }

  init(uri: String, version: Int?) {
    self.uri = uri
    self.version = version
  }

  // The version of a file that is not open is null, and not left out.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(uri, forKey: .uri)
    try container.encode(version, forKey: .version)
  }
}

/// The parameters of `textDocument/didOpen`.
struct DidOpenParams: Decodable {
  struct Document: Decodable {
    let uri: String
    let version: Int
    let text: String
  }

  let textDocument: Document
}

/// The parameters of `textDocument/didChange`.
struct DidChangeParams: Decodable {
  let textDocument: VersionedDocument
  let contentChanges: [ContentChange]
}

/// The parameters of `textDocument/didSave`.
struct DidSaveParams: Decodable {
  let textDocument: DocumentIdentifier
  let text: String?
}

/// The parameters of requests about a whole document, and of `textDocument/didClose`.
struct DocumentParams: Decodable, Sendable {
  let textDocument: DocumentIdentifier
}

/// The parameters of requests about a place in a document.
struct PlaceParams: Decodable, Sendable {
  let textDocument: DocumentIdentifier
  let position: Position
}

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
