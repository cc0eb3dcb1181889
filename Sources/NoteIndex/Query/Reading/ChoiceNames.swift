import Notes
import Text

/// The names of values in their order.
struct ChoiceNames {
  private let names: [[String]]
  private let folded: [[[UInt8]]]

  init(_ names: [[String]]) {
    self.names = names
    folded = names.map { $0.map { Folding.fold(Array($0.utf8)[...]) } }
  }

  /// The names of the values of a field; none for one that is no choice.
  init(of field: Field) {
    switch field.type {
    case .choice: self.init(field.values.map { [$0] })
    case .boolean: self.init([["false", "no", "off"], ["true", "yes", "on"]])
    case .text, .integer, .date, .moment, .tags, .reference, .recurrence: self.init([])
    }
  }

  var count: Int { names.count }

  private func place(of value: ArraySlice<QueryLetter>) -> Int? {
    let name = Folding.fold(value.bytes[...])
    return folded.firstIndex { $0.contains(name) }
  }

  /// Whether a value is one of the names, or, where it is no bound of a range, words of one.
  func has(_ value: ArraySlice<QueryLetter>, isBound: Bool) -> Bool {
    if isBound { return place(of: value) != nil }
    var wanted = names.map { _ in false }
    mark(&wanted, like: value)
    return wanted.contains(true)
  }

  func mark(_ wanted: inout [Bool], within range: Range<Int>) {
    for place in range { wanted[place] = true }
  }

  /// Marks the value of a name, or where there is none, those in whose names all words occur.
  func mark(_ wanted: inout [Bool], like value: ArraySlice<QueryLetter>) {
    if let place = place(of: value) {
      wanted[place] = true
      return
    }
    let isAny = value.allSatisfy { $0.isPlain("*") }
    let patterns = QueryValue.words(of: value).map { TextPattern($0) }
    for place in names.indices {
      let fits = names[place].contains { name in patterns.allSatisfy { $0?.occurs(in: name) ?? false } }
      if isAny || fits { wanted[place] = true }
    }
  }

  /// The places that a comparison leaves; none where the bound is no value.
  func range(_ sign: QueryTermReader.Comparison, _ value: ArraySlice<QueryLetter>) -> Range<Int> {
    guard let place = place(of: value) else { return 0..<0 }
    return switch sign {
    case .equal: place..<place + 1
    case .below: 0..<place
    case .atMost: 0..<place + 1
    case .above: place + 1..<names.count
    case .atLeast: place..<names.count
    }
  }

  /// The places from one value to another, both inside; none where an end is no value.
  func range(from lower: ArraySlice<QueryLetter>?, to upper: ArraySlice<QueryLetter>?) -> Range<Int> {
    guard let first = lower.map(place) ?? 0, let last = upper.map(place) ?? names.count - 1, first <= last
    else { return 0..<0 }
    return first..<last + 1
  }
}
