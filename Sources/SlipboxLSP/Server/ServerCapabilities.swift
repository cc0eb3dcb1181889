/// The capabilities that the server offers a client, as far as the client supports them.
struct ServerCapabilities: Encodable {
  struct TextDocumentSync: Encodable {
    struct Save: Encodable { let includeText: Bool }

    let openClose = true
    /// 1 for whole texts, 2 for changes of parts.
    let change: Int
    let save = Save(includeText: true)
  }

  struct Completion: Encodable {
    let triggerCharacters = ["[", "(", "#", "^", ":", "/", " ", "\"", "'", ","]
    let resolveProvider = true
  }

  /// A capability as a flag, or with options if the client reads them.
  enum Offer<Options: Encodable>: Encodable {
    case plain
    case with(Options)

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .plain:
        var container = encoder.singleValueContainer()
        try container.encode(true)
      case .with(let options): try options.encode(to: encoder)
      }
    }
  }

  struct Resolving: Encodable { let resolveProvider: Bool }
  struct Rename: Encodable { let prepareProvider: Bool }

  struct Commands: Encodable { let commands: [String] }

  struct CodeActions: Encodable {
    let codeActionKinds: [String]
    let resolveProvider: Bool
  }

  struct Tokens: Encodable {
    struct Legend: Encodable {
      let tokenTypes: [String]
      let tokenModifiers: [String]
    }

    let legend: Legend
    let full = true
    let range = true
  }

  struct Workspace: Encodable {
    struct Folders: Encodable {
      let supported = true
      let changeNotifications = true
    }

    struct FileOperations: Encodable {
      struct Options: Encodable {
        struct Filter: Encodable {
          struct Pattern: Encodable {
            let glob: String
            let matches: String?
          }

          let scheme = "file"
          let pattern: Pattern
        }

        let filters: [Filter]
      }

      let willRename: Options?
    }

    let workspaceFolders = Folders()
    let fileOperations: FileOperations
  }

  let positionEncoding: PositionEncoding?
  let textDocumentSync: TextDocumentSync
  let completionProvider = Completion()
  let hoverProvider = true
  let definitionProvider = true
  let referencesProvider = true
  let documentHighlightProvider = true
  let documentSymbolProvider = true
  let workspaceSymbolProvider = true
  let codeActionProvider: Offer<CodeActions>
  let codeLensProvider: Resolving?
  let inlayHintProvider: Bool?
  let documentLinkProvider = Resolving(resolveProvider: false)
  let foldingRangeProvider = true
  let semanticTokensProvider: Tokens?
  let renameProvider: Offer<Rename>
  let executeCommandProvider: Commands
  let workspace: Workspace

  init(for client: Client, syncsWholeTexts: Bool) {
    let capabilities = client.capabilities
    // A client that offers no encodings does not read which one was chosen.
    positionEncoding = capabilities.positionEncodings.isEmpty ? nil : client.encoding
    textDocumentSync = TextDocumentSync(change: syncsWholeTexts ? 1 : 2)
    codeActionProvider =
      capabilities.hasCodeActionLiterals
      ? .with(CodeActions(codeActionKinds: CodeActionKind.allCases.map(\.rawValue), resolveProvider: true))
      : .plain
    codeLensProvider = capabilities.hasCodeLens ? Resolving(resolveProvider: true) : nil
    inlayHintProvider = capabilities.hasInlayHints ? true : nil
    semanticTokensProvider =
      capabilities.hasSemanticTokens
      ? Tokens(
        legend: .init(
          tokenTypes: SemanticTokenType.allCases.map(\.rawValue),
          tokenModifiers: SemanticTokenModifier.allCases.map(\.rawValue))) : nil
    renameProvider = capabilities.hasPrepareRename ? .with(Rename(prepareProvider: true)) : .plain
    executeCommandProvider = Commands(commands: ServerCommand.allCases.map(\.rawValue))
    // Notes, their link targets, and folders.
    let all = Workspace.FileOperations.Options.Filter(pattern: .init(glob: "**", matches: nil))
    workspace = Workspace(
      fileOperations: .init(
        willRename: capabilities.willRenameFiles ? .init(filters: [all]) : nil))
  }
}

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
