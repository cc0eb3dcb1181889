/// The kinds of symbols; the numbers of the protocol.
enum SymbolKind: Int, Encodable, Sendable {
  case file = 1
  case namespace = 3
  case property = 7
  case string = 15
}

/// A symbol with the place where it stands, for clients that know no trees, and of the workspace.
struct SymbolInformation: Encodable, Sendable {
  let name: String
  let kind: SymbolKind
  let location: Location
  let containerName: String?
}

/// A symbol of a document with those in it.
struct DocumentSymbol: Encodable, Sendable {
  let name: String
  var detail: String?
  let kind: SymbolKind
  let range: PositionRange
  let selectionRange: PositionRange
  var children: [DocumentSymbol] = []
}
