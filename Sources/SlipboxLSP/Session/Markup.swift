/// A text for people: Markdown where the client reads it, else as it is.
struct Markup: Codable, Equatable, Sendable {
  /// How the text is written; nil for clients that know nothing but plain texts.
  let kind: String?
  let value: String

  private enum CodingKeys: CodingKey { case kind, value }

  /// - Parameter formats: those that the client reads, as it lists them.
  init(_ value: String, formats: [String]) {
    self.value = value
    kind = formats.isEmpty ? nil : formats.contains("markdown") ? "markdown" : "plaintext"
  }

  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      (kind, value) = (nil, text)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    kind = try container.decode(String.self, forKey: .kind)
    value = try container.decode(String.self, forKey: .value)
  }

  func encode(to encoder: any Encoder) throws {
    guard let kind else {
      var container = encoder.singleValueContainer()
      return try container.encode(value)
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    try container.encode(value, forKey: .value)
  }
}
