/// The parameters of `initialize`, as far as they are read.
struct InitializeParams: Decodable {
  struct Folder: Decodable {
    let uri: String
  }

  let capabilities: JSONValue
  let rootUri: String?
  let rootPath: String?
  let workspaceFolders: [Folder]?
  let initializationOptions: JSONValue?

  /// The folders that the client works in, absolute paths.
  var folders: [[UInt8]] {
    let uris = workspaceFolders?.map(\.uri) ?? rootUri.map { [$0] } ?? []
    if uris.isEmpty, let rootPath, rootPath.utf8.first == UInt8(ascii: "/") { return [Array(rootPath.utf8)] }
    return uris.compactMap(DocumentURI.path)
  }
}

/// The answer to `initialize`.
struct InitializeResult: Encodable {
  struct ServerInfo: Encodable {
    let name = "slip"
    let version: String
  }

  let capabilities: ServerCapabilities
  let serverInfo: ServerInfo
}

/// The parameters of `$/cancelRequest`.
struct CancelParams: Decodable {
  let id: RequestID
}

/// The parameters of `workspace/didChangeWorkspaceFolders`.
struct DidChangeFoldersParams: Decodable {
  struct Event: Decodable {
    let added: [InitializeParams.Folder]
  }

  let event: Event
}
