import Bytes
import Text

/// `is:`, which asks for the state of a note.
extension QueryTermReader {

  func state(_ word: QueryWord) throws(QueryFault) -> QueryNode {
    var nodes: [QueryNode] = []
    for part in try filledAlternatives(word, isProse: false) {
      let name = String(decoding: part.bytes.map(ASCII.lowerCased), as: UTF8.self)
      nodes.append(node(try condition(name, part, word), word, "is:\(name)"))
    }
    return .any(nodes)
  }

  private func condition(
    _ name: String, _ value: ArraySlice<QueryLetter>, _ word: QueryWord
  ) throws(QueryFault) -> QueryCondition {
    switch name {
    case "active": return .active(try context.test(.active, at: word.range))
    case "waiting": return .active(try context.test(.waiting, at: word.range))
    case "blocked": return .dependency(try context.dependency(.blocked, at: word.range))
    case "blocking": return .dependency(try context.dependency(.blocking, at: word.range))
    case "conflicted": return .conflicted
    case "orphan":
      try context.refuseLinks("is:orphan", at: word.range)
      return .links(LinksTest(.fromNone))
    case "untitled": return .untitled
    default:
      let near = Spelling.nearest(to: name, among: QueryNames.states)
      throw QueryFault(
        "is:\(QueryValue.excerpt(value)) is not known", at: value.range ?? word.range,
        hint: near.map { "did you mean is:\($0)?" }
          ?? "there are \(QueryNames.states.map { "is:\($0)" }.joined(separator: ", "))")
    }
  }
}
