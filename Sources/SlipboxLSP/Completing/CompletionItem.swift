/// Something that may stand in the place of what was typed.
struct CompletionItem: Codable, Sendable {
  /// What it is; the numbers of the protocol.
  enum Kind: Int, Codable, Sendable {
    case text = 1
    case field = 5
    case value = 12
    case keyword = 14
    case file = 17
    case reference = 18
    case folder = 19
    case enumMember = 20
  }

  /// The note that an item is of, for what is said of it later.
  struct Subject: Codable, Sendable {
    let uri: String
  }

  var label: String
  var kind: Kind?
  var detail: String?
  var documentation: Markup?
  var sortText: String?
  var filterText: String?
  var textEdit: TextEdit?
  var data: Subject?
}

/// The answer to `textDocument/completion`.
struct CompletionList: Encodable, Sendable {
  /// Whether other items may fit once more is typed.
  let isIncomplete: Bool
  let items: [CompletionItem]
}
