import Text

/// The declaration of a kind in one file, with the lines of its parts.
struct KindFile {
  /// Longer lists of mistakes are cut.
  static let mostProblems = 20
  /// The largest number of terms: each is evaluated for each record.
  static let mostUrgencyTerms = 100
  static let keys = [
    "comment", "extends", "fields", "constraints", "transitions", "actions", "active", "waiting", "match",
    "key",
    "sort", "urgency", "row",
  ]

  /// The file as it was given.
  let file: String
  /// The kind as far as this file declares it.
  private(set) var kind: Kind
  /// The kind that the declaration begins with.
  private(set) var base: String?
  /// The line of each part that checks may name, and of the top keys.
  private(set) var lines: [KindPlace: Int] = [:]
  private(set) var problems: [KindProblem] = []

  /// Reads a file; any bytes give a declaration and its problems.
  init(name: String, file: String, bytes: [UInt8]) {
    self.file = file
    kind = Kind(name)
    do throws(KindNodeReader.Fault) {
      if let node = try KindNodeReader.read(bytes) {
        take(node)
      } else {
        refuse(1, "the file declares nothing")
      }
    } catch {
      refuse(error.line, error.message)
    }
  }

  mutating func refuse(_ line: Int, _ message: String) {
    guard problems.count < Self.mostProblems else { return }
    problems.append(KindProblem(file: file, line: line, message: message))
  }

  private mutating func take(_ node: KindNode) {
    for (key, node) in entries(of: node, "the file", among: Self.keys) {
      lines[.key(key)] = node.line
      switch key {
      case "fields": takeFields(node)
      case "constraints": takeConstraints(node)
      case "transitions": takeTransitions(node)
      case "actions": takeActions(node)
      case "urgency": takeUrgency(node)
      case "row": takeRow(node)
      default: takeText(node, key)
      }
    }
  }

  private mutating func takeText(_ node: KindNode, _ key: String) {
    guard let text = text(node, key) else { return }
    switch key {
    case "comment": kind.comment = text
    case "extends": base = text
    case "active": kind.active = text
    case "waiting": kind.waiting = text
    case "match": kind.match = text
    case "key": kind.key = text
    case "sort": kind.sort = text
    default: return
    }
  }
}

extension KindFile {
  private mutating func takeFields(_ node: KindNode) {
    for (name, node) in entries(of: node, "fields") {
      guard let field = field(name, node) else { continue }
      lines[.field(name.lowercased())] = node.line
      if kind.fields.contains(where: { $0.name.isSameName(as: name) }) {
        refuse(node.line, "\(Self.shown(name)): declared twice; names ignore case")
      } else {
        kind.fields.append(field)
      }
    }
  }

  private mutating func takeConstraints(_ node: KindNode) {
    for node in elements(of: node, "constraints") {
      guard let text = text(node, "constraints") else { continue }
      guard let constraint = Constraint(sentence: text) else {
        refuse(
          node.line,
          "constraints: expected 'FIELD <= FIELD' or 'FIELD only where FIELD is VALUE, VALUE', "
            + "not '\(Self.shown(text))'"
        )
        continue
      }
      lines[.constraint(kind.constraints.count)] = node.line
      kind.constraints.append(constraint)
    }
  }

  private mutating func takeTransitions(_ node: KindNode) {
    for node in elements(of: node, "transitions") {
      guard let transition = transition(node) else { continue }
      lines[.transition(kind.transitions.count)] = node.line
      kind.transitions.append(transition)
    }
  }

  private mutating func takeActions(_ node: KindNode) {
    for (name, node) in entries(of: node, "actions") {
      guard let words = texts(node, "actions: \(Self.shown(name))", "changes such as status:closed") else {
        continue
      }
      lines[.action(name.lowercased())] = node.line
      if kind.action(named: name) != nil {
        refuse(node.line, "actions: \(Self.shown(name)) is declared twice; names ignore case")
      } else {
        kind.actions.append(Action(name, words))
      }
    }
  }

  private mutating func takeUrgency(_ node: KindNode) {
    for node in elements(of: node, "urgency") {
      guard let text = text(node, "urgency") else { continue }
      guard let term = UrgencyTerm(sentence: text) else {
        refuse(
          node.line,
          "urgency: expected a query and its weight, such as 'priority:high 6', not '\(Self.shown(text))'")
        continue
      }
      lines[.urgency(kind.urgency.count)] = node.line
      kind.urgency.append(term)
    }
    if kind.urgency.count > Self.mostUrgencyTerms {
      refuse(node.line, "urgency: more than \(Self.mostUrgencyTerms) terms")
    }
  }

  private mutating func takeRow(_ node: KindNode) {
    for node in elements(of: node, "row") {
      guard let column = column(node) else { continue }
      lines[.column(kind.row.count)] = node.line
      kind.row.append(column)
    }
  }
}

/// A part of a declaration that a check may find fault with.
enum KindPlace: Hashable {
  /// A key at the top.
  case key(String)
  /// A field or an action by its lower-case name.
  case field(String), action(String)
  /// A rule or a column by its place among its like.
  case constraint(Int), transition(Int), urgency(Int), column(Int)
}

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

/// A mistake in the file that declares a kind; the file then counts for nothing.
package struct KindProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file as it was given.
  package let file: String
  /// The line, from 1.
  package let line: Int
  /// The fault, and the form that was expected.
  package let message: String

  /// The mistake on one line, safe for a terminal.
  package var description: String { "\(Visible.escape(file)):\(line): \(message)" }
}

extension KindFault {
  /// A mistake in a file; nil if its name is that of no kind.
  package init?(file: String, message: String) {
    guard let kind = Schema.kindName(ofFile: file) else { return nil }
    self.init(kind: kind, message: message)
  }
}
