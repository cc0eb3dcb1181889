internal import Text

/// Reading of nodes, each mistake with one line.
extension KindFile {
  static func shown(_ text: String) -> String { Visible.escape(text) }

  /// Returns the entries of a map with known keys; others are refused.
  mutating func entries(
    of node: KindNode, _ what: String, among keys: [String]? = nil
  ) -> [(key: String, node: KindNode)] {
    guard case .map(let entries) = node.value else {
      let example = keys.map { "keys such as \($0[0]):" } ?? "NAME: ..."
      refuse(node.line, "\(what): expected a map with \(example)")
      return []
    }
    guard let keys else { return entries }
    return entries.filter { entry in
      if keys.contains(entry.key) { return true }
      let near = Spelling.nearest(to: entry.key, among: keys)
      let hint = near.map { "did you mean \($0)?" } ?? "use one of \(keys.joined(separator: ", "))"
      refuse(entry.node.line, "\(what): unknown key \(Self.shown(entry.key)); \(hint)")
      return false
    }
  }

  mutating func elements(of node: KindNode, _ what: String) -> [KindNode] {
    if case .list(let nodes) = node.value { return nodes }
    refuse(node.line, "\(what): expected a list, with one element per line after '- '")
    return []
  }

  mutating func text(_ node: KindNode, _ what: String) -> String? {
    if let text = node.text, !text.withoutBlanksAround.isEmpty { return text }
    refuse(node.line, "\(what): expected a text")
    return nil
  }

  mutating func texts(_ node: KindNode, _ what: String, _ expected: String) -> [String]? {
    if let texts = node.texts, !texts.isEmpty { return texts }
    refuse(node.line, "\(what): expected a list of \(expected)")
    return nil
  }

  mutating func flag(_ node: KindNode, _ what: String) -> Bool {
    switch node.text {
    case "true"?: return true
    case "false"?: return false
    default:
      refuse(node.line, "\(what): expected true or false")
      return false
    }
  }

  mutating func number(_ node: KindNode, _ what: String) -> Int? {
    if let text = node.text, text.utf8.count <= 18, let number = Int(text) { return number }
    refuse(node.line, "\(what): expected a whole number")
    return nil
  }

  mutating func word<Word: RawRepresentable & CaseIterable>(
    _ node: KindNode, _ what: String
  ) -> Word? where Word.RawValue == String {
    if let word = node.text.flatMap({ Word(rawValue: $0) }) { return word }
    let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
    refuse(node.line, "\(what): expected one of \(words)")
    return nil
  }
}
