/// Something in a text that is not as it should be.
struct Diagnostic: Codable, Hashable, Sendable {
  /// How much it hinders.
  enum Severity: Int, Codable, Sendable {
    case error = 1
    case warning, information, hint
  }

  /// What was looked at; the words of `slip doctor`.
  enum Code: String, Codable, Sendable {
    case link, ambiguousLink = "ambiguous-link", heading, frontMatter = "front-matter", kind, reference, merge
  }

  let range: PositionRange
  let severity: Severity
  let code: Code
  var source = "slip"
  let message: String
}

/// The parameters of `textDocument/publishDiagnostics`.
struct PublishedDiagnostics: Encodable {
  let uri: String
  let version: Int?
  let diagnostics: [Diagnostic]
}
