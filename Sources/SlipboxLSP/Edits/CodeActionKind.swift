/// The kinds of code actions.
enum CodeActionKind: String, CaseIterable, Codable, Sendable {
  case quickFix = "quickfix"
  case extract = "refactor.extract"
  case rewrite = "refactor.rewrite"
  case record = "source.slip"
}

/// The types of semantic tokens.
enum SemanticTokenType: String, CaseIterable, Sendable {
  case property, enumMember, decorator, `class`
}

/// The modifiers of semantic tokens.
enum SemanticTokenModifier: String, CaseIterable, Sendable {
  case deprecated
}
