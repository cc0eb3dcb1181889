import Bytes
import Notes

/// A query narrowed by the indexes: the candidate notes, and the tests still to run on them.
struct QueryPlan {
  /// The places of the candidates, ascending; nil for all notes.
  let places: [Int]?
  /// The tests still to run on each of them.
  let rest: QueryNode

  /// Computes a plan.
  ///
  /// - Parameter find: returns the places of the notes that contain a text, ascending.
  init(
    _ node: QueryNode, count: Int, find: (TextTerm) throws(DamagedBytes) -> [Int]
  ) throws(DamagedBytes) {
    switch node {
    case .everything: self.init(nil, .everything)
    case .filter(_, let inner): self = try QueryPlan(inner, count: count, find: find)
    case .term(let term):
      if case .links(let test) = term.condition, let found = test.found {
        self.init(found.places, .everything)
        return
      }
      if case .dependency(let test) = term.condition, let found = test.found {
        self.init(found.places, .everything)
        return
      }
      if case .todo(let test) = term.condition, !test.isAbsent, !test.patterns.isEmpty {
        var places: [Int] = []
        for pattern in test.patterns {
          places = Self.union(places, try find(TextTerm(scope: .body, pattern: pattern)))
        }
        self.init(places, node)
        return
      }
      guard let texts = term.condition.texts else {
        self.init(nil, node)
        return
      }
      var places: [Int] = []
      for text in texts { places = Self.union(places, try find(text)) }
      self.init(places, .everything)
    case .not(let inner):
      let plan = try QueryPlan(inner, count: count, find: find)
      guard case .everything = plan.rest, let found = plan.places else {
        self.init(nil, node)
        return
      }
      self.init(Self.others(found, count), .everything)
    case .and(let parts):
      var places: [Int]?
      var rest: [QueryNode] = []
      for part in parts {
        let plan = try QueryPlan(part, count: count, find: find)
        if let found = plan.places { places = places.map { Self.intersection($0, found) } ?? found }
        if case .everything = plan.rest { continue }
        rest.append(plan.rest)
      }
      self.init(places, .all(rest))
    case .or(let parts):
      var places: [Int] = []
      var isSettled = true
      for part in parts {
        let plan = try QueryPlan(part, count: count, find: find)
        guard let found = plan.places else {
          self.init(nil, node)
          return
        }
        if case .everything = plan.rest {} else { isSettled = false }
        places = Self.union(places, found)
      }
      self.init(places, isSettled ? .everything : node)
    }
  }

  private init(_ places: [Int]?, _ rest: QueryNode) {
    self.places = places
    self.rest = rest
  }
}

extension QueryPlan {
  private static func union(_ left: [Int], _ right: [Int]) -> [Int] {
    if left.isEmpty { return right }
    return merged(left, right) { isLeft, isRight in isLeft || isRight }
  }

  private static func intersection(_ left: [Int], _ right: [Int]) -> [Int] {
    merged(left, right) { isLeft, isRight in isLeft && isRight }
  }

  private static func others(_ places: [Int], _ count: Int) -> [Int] {
    merged(places, Array(0..<count)) { isLeft, _ in !isLeft }
  }

  /// Goes through two ascending lists together.
  private static func merged(_ left: [Int], _ right: [Int], _ isWanted: (Bool, Bool) -> Bool) -> [Int] {
    var result: [Int] = []
    var (first, second) = (0, 0)
    while first < left.count || second < right.count {
      let one = first < left.count ? left[first] : .max
      let other = second < right.count ? right[second] : .max
      if isWanted(one <= other, other <= one) { result.append(min(one, other)) }
      if one <= other { first += 1 }
      if other <= one { second += 1 }
    }
    return result
  }
}

extension QueryCondition {
  /// The texts of which at least one must be found, if the condition tests nothing else.
  fileprivate var texts: [TextTerm]? {
    switch self {
    case .text(let pattern): return [TextTerm(scope: .anywhere, pattern: pattern)]
    case .body(let patterns): return patterns.map { TextTerm(scope: .body, pattern: $0) }
    case .title(let tests):
      var terms: [TextTerm] = []
      for test in tests {
        guard case .like(let pattern, nil, nil) = test else { return nil }
        terms.append(TextTerm(scope: .title, pattern: pattern))
      }
      return terms
    default: return nil
    }
  }
}

extension TextTerm.Scope {
  var fields: TextScope {
    switch self {
    case .anywhere: .anywhere
    case .title: .title
    case .body: .body
    }
  }
}
