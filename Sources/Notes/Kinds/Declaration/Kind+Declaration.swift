extension Kind {
  /// The declaration as a file of `.slipbox/kinds` would say it; read back, it gives the same kind.
  package var declaration: String {
    var text = ""
    let lines = [
      ("comment", comment), ("active", active), ("waiting", waiting), ("match", match), ("key", key),
      ("sort", sort),
    ]
    for (key, value) in lines {
      if let value { text += "\(key): \(Self.scalar(value))\n" }
    }
    if !fields.isEmpty {
      text += "fields:\n" + fields.map { "  \(Self.name($0.name)): \($0.declaration)\n" }.joined()
    }
    text += Self.list("constraints", constraints.map { Self.scalar($0.sentence) })
    text += Self.list("transitions", transitions.map(\.declaration))
    if !actions.isEmpty {
      text += "actions:\n"
      text += actions.map { "  \(Self.name($0.name)): \(Self.oneOrList($0.words))\n" }.joined()
    }
    text += Self.list("urgency", urgency.map { Self.scalar($0.sentence) })
    return text + Self.list("row", row.map(\.declaration))
  }

  private static func list(_ key: String, _ elements: [String]) -> String {
    elements.isEmpty ? "" : "\(key):\n" + elements.map { "  - \($0)\n" }.joined()
  }

  fileprivate static func scalar(_ text: String) -> String {
    String(decoding: YAMLScalar.write(text, in: .value), as: UTF8.self)
  }

  fileprivate static func name(_ text: String) -> String {
    String(decoding: YAMLScalar.write(text, in: .key), as: UTF8.self)
  }

  fileprivate static func element(_ text: String) -> String {
    String(decoding: YAMLScalar.write(text, in: .flowElement), as: UTF8.self)
  }

  fileprivate static func oneOrList(_ texts: [String]) -> String {
    texts.count == 1 ? element(texts[0]) : "[\(texts.map(element).joined(separator: ", "))]"
  }

  fileprivate static func map(_ entries: [(String, String)]) -> String {
    "{\(entries.map { "\(name($0)): \($1)" }.joined(separator: ", "))}"
  }
}

extension Field {
  /// The type alone where there is nothing else to tell.
  fileprivate var declaration: String {
    var entries = [("type", typeWord)]
    if !values.isEmpty { entries.append(("values", "[\(values.map(Kind.element).joined(separator: ", "))]")) }
    if let target { entries.append(("to", Kind.element(target))) }
    if onDelete != .deny { entries.append(("on-delete", onDelete.rawValue)) }
    if isBlocking { entries.append(("blocking", "true")) }
    if isRequired { entries.append(("required", "true")) }
    if isNotEmpty { entries.append(("not-empty", "true")) }
    if let defaultValue { entries.append(("default", Kind.element(defaultValue))) }
    if let minimum { entries.append(("min", String(minimum))) }
    if let maximum { entries.append(("max", String(maximum))) }
    if looksBack { entries.append(("looks", "back")) }
    if usesCommas { entries.append(("commas", "true")) }
    if let comment { entries.append(("comment", Kind.element(comment))) }
    return entries.count == 1 ? typeWord : Kind.map(entries)
  }
}

extension Transition {
  fileprivate var declaration: String {
    var entries = [("field", Kind.element(field))]
    if !from.isEmpty { entries.append(("from", Kind.oneOrList(from))) }
    if !to.isEmpty { entries.append(("to", Kind.oneOrList(to))) }
    var (sets, copies, appends): ([(String, String)], [(String, String)], [(String, String)]) = ([], [], [])
    var cleared: [String] = []
    var next: Succession?
    for effect in effects {
      switch effect {
      case .set(let field, let value): sets.append((field, Kind.element(value)))
      case .copy(let field, let source): copies.append((field, Kind.element(source)))
      case .clear(let field): cleared.append(field)
      case .append(let field, let sources): appends.append((field, Kind.oneOrList(sources)))
      case .next(let succession): next = succession
      }
    }
    if !appends.isEmpty { entries.append(("append", Kind.map(appends))) }
    if !sets.isEmpty { entries.append(("set", Kind.map(sets))) }
    if !copies.isEmpty { entries.append(("copy", Kind.map(copies))) }
    if !cleared.isEmpty { entries.append(("clear", Kind.oneOrList(cleared))) }
    if let next { entries.append(("next", next.declaration)) }
    return Kind.map(entries)
  }
}

extension Succession {
  fileprivate var declaration: String {
    var entries = [("by", Kind.element(by)), ("move", Kind.oneOrList(moves))]
    if let until { entries.append(("until", Kind.element(until))) }
    if !clears.isEmpty { entries.append(("clear", Kind.oneOrList(clears))) }
    return Kind.map(entries)
  }
}

extension RowColumn {
  fileprivate var declaration: String {
    var entries: [(String, String)]
    switch content {
    case .field(let name) where symbols.isEmpty && !isStars && empty.isEmpty && state == nil:
      return Kind.scalar(name)
    case .field(let name): entries = [("field", Kind.element(name))]
    case .count(let kind): entries = [("count", Kind.element(kind))]
    }
    if !symbols.isEmpty {
      entries.append(("as", Kind.map(symbols.map { ($0.value, Kind.oneOrList($0.signs)) })))
    }
    if isStars { entries.append(("stars", "true")) }
    if !empty.isEmpty { entries.append(("empty", Kind.element(empty))) }
    if !label.isEmpty { entries.append(("label", Kind.oneOrList(label))) }
    if let state { entries.append(("only", Kind.element(state.term))) }
    return Kind.map(entries)
  }
}

extension RowColumn.Symbol {
  fileprivate var signs: [String] { [sign] + (ascii.map { [$0] } ?? []) }
}
