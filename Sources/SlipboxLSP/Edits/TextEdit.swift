/// A part of a text that is to be another one.
struct TextEdit: Codable, Hashable, Sendable {
  let range: PositionRange
  let newText: String
}

/// Changes of documents and files that the client makes.
struct WorkspaceEdit: Encodable, Sendable {
  /// One change.
  enum Change: Encodable, Sendable {
    case edits(VersionedDocument, [TextEdit])
    case create(uri: String)
    case rename(old: String, new: String)

    private struct Edits: Encodable {
      let textDocument: VersionedDocument
      let edits: [TextEdit]
    }

    private struct Creation: Encodable {
      let kind = "create"
      let uri: String
    }

    private struct Renaming: Encodable {
      let kind = "rename"
      let oldUri: String
      let newUri: String
    }

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .edits(let document, let edits):
        try Edits(textDocument: document, edits: edits).encode(to: encoder)
      case .create(let uri): try Creation(uri: uri).encode(to: encoder)
      case .rename(let old, let new): try Renaming(oldUri: old, newUri: new).encode(to: encoder)
      }
    }
  }

  private let documentChanges: [Change]?
  private let changes: [String: [TextEdit]]?

  /// - Parameter list: the changes in their order; for a client that knows neither versions nor changes of files, those of
  ///   texts alone remain.
  init(_ list: [Change], for client: ClientCapabilities) {
    guard !client.hasDocumentChanges, client.resourceOperations.isEmpty else {
      documentChanges = list
      changes = nil
      return
    }
    documentChanges = nil
    var texts: [String: [TextEdit]] = [:]
    for case .edits(let document, let edits) in list { texts[document.uri, default: []] += edits }
    changes = texts
  }
}
