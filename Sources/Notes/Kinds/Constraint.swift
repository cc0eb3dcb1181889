/// A condition on several fields of a record.
package enum Constraint: Sendable, Equatable {
  /// `added <= started <= completed`: of those that are there, none lies before an earlier one.
  case order([String])
  /// `completed only where status is completed`: the field has no value unless another has one of these.
  case only(String, where: String, values: [String])

  /// The sentence that declares the constraint.
  package var sentence: String {
    switch self {
    case .order(let fields): fields.joined(separator: " <= ")
    case .only(let field, let other, let values):
      "\(field) only where \(other) is \(values.joined(separator: ", "))"
    }
  }

  /// Reads a declaring sentence; nil where it is neither form.
  package init?(sentence: String) {
    let only = sentence.parted(by: " only where ")
    if only.count == 2 {
      let condition = only[1].parted(by: " is ")
      guard condition.count == 2 else { return nil }
      self = .only(only[0], where: condition[0], values: condition[1].parted(by: ","))
    } else {
      let fields = sentence.parted(by: "<=")
      guard fields.count > 1 else { return nil }
      self = .order(fields)
    }
  }

  /// The fields that the constraint names.
  package var fields: [String] {
    switch self {
    case .order(let fields): fields
    case .only(let field, let other, _): [field, other]
    }
  }
}

/// The changes of other fields that follow from a change of one.
package struct Transition: Sendable, Equatable {
  /// One thing that follows.
  package enum Effect: Sendable, Equatable {
    /// The field gets a value as it is typed; `today` in a day.
    case set(String, to: String)
    /// The field gets the value of another.
    case copy(String, from: String)
    case clear(String)
    /// The list gets one more element: the values that some fields had before, with `..` between.
    case append(String, from: [String])
    /// Another record is made.
    case next(Succession)

    /// The field that changes; nil where it is none of this record's.
    package var field: String? {
      switch self {
      case .set(let field, _), .copy(let field, _), .clear(let field), .append(let field, _): field
      case .next: nil
      }
    }
  }

  package var field: String
  /// The values that it comes from; empty for any, no value included.
  package var from: [String]
  /// The values that it goes to; empty for any, no value included.
  package var to: [String]
  package var effects: [Effect]

  /// The mark between the values of an appended element.
  static let mark = ".."

  package init(_ field: String, from: [String] = [], to: [String] = [], _ effects: [Effect]) {
    self.field = field
    self.from = from
    self.to = to
    self.effects = effects
  }
}

/// A change with a name, such as `close`.
package struct Action: Sendable, Equatable {
  package var name: String
  /// The changes as they are typed, such as `status:closed`.
  package var words: [String]

  package init(_ name: String, _ words: [String]) {
    self.name = name
    self.words = words
  }

  package var changes: [Change] { words.compactMap { Change($0) } }
}

extension String {
  /// Returns the parts between separators without blanks around them.
  ///
  /// - Complexity: O(n).
  func parted(by separator: String) -> [String] {
    let bytes = Array(utf8)
    let mark = Array(separator.utf8)
    var parts: [ArraySlice<UInt8>] = []
    var start = 0
    var index = 0
    while index + mark.count <= bytes.count {
      if bytes[index] == mark[0], bytes[index..<index + mark.count].elementsEqual(mark) {
        parts.append(bytes[start..<index])
        index += mark.count
        start = index
      } else {
        index += 1
      }
    }
    parts.append(bytes[start...])
    return parts.map { String(decoding: $0.withoutBlanksAround, as: UTF8.self) }
  }

  /// The text without blanks around it.
  var withoutBlanksAround: String { String(decoding: Array(utf8)[...].withoutBlanksAround, as: UTF8.self) }
}

extension ArraySlice<UInt8> {
  fileprivate var withoutBlanksAround: ArraySlice<UInt8> {
    var rest = drop { $0 <= 0x20 }
    while let last = rest.last, last <= 0x20 { rest.removeLast() }
    return rest
  }
}

/// The record that is made when one of its kind is done: the same again, with later dates.
package struct Succession: Sendable, Equatable {
  /// The field that says how often.
  package var by: String
  /// The dates that move; the first of them that a record has is the one that is counted from.
  package var moves: [String]
  /// The field with the last day on which it comes.
  package var until: String?
  /// The fields that the next record does not take over.
  package var clears: [String]

  package init(by: String, moves: [String], until: String? = nil, clears: [String] = []) {
    self.by = by
    self.moves = moves
    self.until = until
    self.clears = clears
  }
}
