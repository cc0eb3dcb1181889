import Bytes
import Notes

/// Terms with a name and a colon.
extension QueryTermReader {

  func field(_ name: String, _ word: QueryWord) throws(QueryFault) -> QueryReading {
    let lower = String(decoding: name.utf8.map(ASCII.lowerCased), as: UTF8.self)
    try check(name, lower, word)
    switch lower {
    case "sort": return .sort(try sortKeys(word))
    case "limit": return .limit(try limit(word))
    case "has": return .node(try has(word))
    case "is": return .node(try state(word))
    case "kind", "path", "id", "tag", "tags": return .node(try named(lower, word))
    case "links", "linked-by": return .node(try links(lower, word))
    case "created", "modified": return .node(try date(lower, word))
    case "title", "body": return .node(try values(lower, word))
    default: return .node(try declared(name, word, try values(name, word)))
    }
  }

  private func check(_ name: String, _ lower: String, _ word: QueryWord) throws(QueryFault) {
    if name.isEmpty { throw QueryFault("a field's name is missing before the colon", at: word.range) }
    if let first = word.value.first, first.isPlain("(") {
      throw QueryFault(
        "a field can't have parentheses", at: word.range,
        hint: "write \(name):a,b or (\(name):a OR \(name):b)")
    }
    if lower != "sort", lower != "limit" { try refuseNegation(name, word) }
  }

  /// Refuses `status:!open` and `status:!=open`, which people write for `NOT status:open`.
  private func refuseNegation(_ name: String, _ word: QueryWord) throws(QueryFault) {
    for part in QueryValue.alternatives(of: word.value.trimmed, isProse: true) where part.count > 1 {
      guard part[part.startIndex].isPlain("!") else { continue }
      let isUnequal = part[part.startIndex + 1].isPlain("=")
      let value = QueryValue.shown(part.dropFirst(isUnequal ? 2 : 1))
      let shown = "\(QueryValue.shownName(name)):\(isUnequal && !QueryNames.fields.contains(name) ? "=" : "")"
      throw QueryFault(
        isUnequal ? "!= is not known" : "! does not mean NOT here", at: word.range,
        hint: "write NOT \(shown)\(value)")
    }
  }

  /// `has:due`, `has:due,group`.
  private func has(_ word: QueryWord) throws(QueryFault) -> QueryNode {
    let names = try filledAlternatives(word, isProse: false)
    let shown = names.map { QueryValue.shown($0) }.joined(separator: ",")
    let read = names.map { value in
      let lower = String(decoding: value.bytes.map(ASCII.lowerCased), as: UTF8.self)
      return QueryNames.fields.contains(lower) ? lower : value.text
    }
    if let name = read.first(where: { $0 == "links" || $0 == "linked-by" }) {
      guard read.count > 1 else { return try hasLinks(name, word) }
      throw QueryFault(
        "has:\(name) can't have parentheses", at: word.range, hint: "write (has:\(name) OR has:other)")
    }
    return declared(presenceOf: read, word, node(.has(read), word, "has:" + shown))
  }

  /// The alternatives of a value, none of which may be empty.
  func filledAlternatives(_ word: QueryWord, isProse: Bool) throws(QueryFault) -> [ArraySlice<QueryLetter>] {
    let parts = QueryValue.alternatives(of: word.value, isProse: isProse)
    guard parts.contains(where: \.isEmpty) else { return parts }
    if parts.count == 1 {
      throw QueryFault("a value must follow the colon", at: word.range)
    }
    throw QueryFault(
      "a value is missing beside the comma", at: word.range,
      hint: "to match notes without the field, use a separate term: (status:open OR status:)")
  }

  /// `kind:`, `path:`, `id:` and `tag:`: names, with `*` and `?`.
  private func named(_ name: String, _ word: QueryWord) throws(QueryFault) -> QueryNode {
    let name = name == "tags" ? "tag" : name
    var value = word.value.trimmed
    guard !value.isEmpty else {
      if name == "path" { throw QueryFault("a folder or a file must follow path:", at: word.range) }
      return node(.lacks(name), word, "\(name):")
    }
    let isExcluded = name == "tag" && value.count > 1 && value[value.startIndex].isPlain("-")
    if isExcluded { value = value.dropFirst() }
    let isExact = value.count > 1 && value[value.startIndex].isPlain("=")
    if isExact { value = value.dropFirst() }
    let word = word.with(value, name: name)
    let parts = isExact ? [value] : try filledAlternatives(word, isProse: false)
    if name == "tag", !isExact, isExcluded || parts.count > 1 { try refuseDashes(parts, word) }
    let shown = parts.map { QueryValue.shown($0, isName: true) }.joined(separator: ",")
    let found = node(
      condition(name, parts, isExact: isExact), word, "\(name):\(isExact ? "=" : "")\(shown)")
    return isExcluded ? .not(found) : found
  }

  /// Refuses a dash before a tag that is one of several, or that another dash stands before.
  private func refuseDashes(_ parts: [ArraySlice<QueryLetter>], _ word: QueryWord) throws(QueryFault) {
    for part in parts where part.count > 1 && part[part.startIndex].isPlain("-") {
      throw QueryFault(
        "a dash is not allowed here", at: part.range ?? word.range,
        hint: "write tag:-a,b to match notes with neither, or (tag:a OR tag:-b)")
    }
  }

  private func condition(
    _ name: String, _ parts: [ArraySlice<QueryLetter>], isExact: Bool
  ) -> QueryCondition {
    switch name {
    case "kind": .kind(parts.map { Glob($0, folding: true, reach: .whole) })
    case "id": .id(parts.map { Glob($0, folding: true, reach: isExact ? .whole : .beginning) })
    case "tag":
      .tag(parts.map { Glob(withoutHash($0), folding: true, reach: isExact ? .whole : .wholeOrBelow) })
    default: .path(parts.map { PathPattern($0, isExact: isExact) })
    }
  }
}
