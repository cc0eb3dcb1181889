/// A CHANGE as it is typed after `new` and `set`: `field:value`, `+tag`, `-tag`, `field:+x`, `field:-x`.
package enum Change: Sendable, Equatable {
  case set(field: String, value: String)
  case clear(field: String)
  case addTag(String)
  case removeTag(String)
  case add(String, field: String)
  case remove(String, field: String)

  /// Reads one word; nil if it has none of the forms.
  package init?(_ word: String) {
    let bytes = Array(word.utf8)
    guard let first = bytes.first else { return nil }
    if first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
      guard bytes.count > 1 else { return nil }
      let tag = String(decoding: bytes.dropFirst(), as: UTF8.self)
      self = first == UInt8(ascii: "+") ? .addTag(tag) : .removeTag(tag)
      return
    }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0, Self.isName(bytes[..<colon]) else {
      return nil
    }
    let field = String(decoding: bytes[..<colon], as: UTF8.self)
    let value = bytes[(colon + 1)...]
    // "Title: and more" is text, as is "12:30", "https://x" or "std::y": a value begins right after the colon.
    if [UInt8(ascii: " "), UInt8(ascii: ":")].contains(value.first) || value.starts(with: Array("//".utf8)) {
      return nil
    }
    self = Self.fieldChange(field, value)
  }

  private static func fieldChange(_ field: String, _ value: ArraySlice<UInt8>) -> Change {
    let text = String(decoding: value, as: UTF8.self)
    let isTags = field == "tags"
    switch value.first {
    case nil: return .clear(field: field)
    case UInt8(ascii: "+")? where value.count > 1 && !isRelativeDate(value):
      let element = String(decoding: value.dropFirst(), as: UTF8.self)
      return isTags ? .addTag(element) : .add(element, field: field)
    case UInt8(ascii: "-")? where value.count > 1 && !isRelativeDate(value) && !isNumber(value):
      let element = String(decoding: value.dropFirst(), as: UTF8.self)
      return isTags ? .removeTag(element) : .remove(element, field: field)
    default: return .set(field: field, value: text)
    }
  }

  /// A name begins with a letter and goes on with letters, digits, `_`, `-`, `.` and blanks between them.
  private static func isName(_ name: ArraySlice<UInt8>) -> Bool {
    guard let first = name.first, let last = name.last, isLetter(first), last != UInt8(ascii: " ") else {
      return false
    }
    return name.allSatisfy {
      isLetter($0) || isDigit($0)
        || [UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: " ")].contains($0)
    }
  }

  /// `+3d`, `-2w`: a date counted from today, not an element.
  private static func isRelativeDate(_ value: ArraySlice<UInt8>) -> Bool {
    guard let unit = value.last, Array("dwmy".utf8).contains(unit) else { return false }
    let digits = value.dropFirst().dropLast()
    return !digits.isEmpty && digits.allSatisfy(isDigit)
  }

  /// `-3`, `-1.5`: a number, not an element to take away.
  private static func isNumber(_ value: ArraySlice<UInt8>) -> Bool {
    let parts = value.dropFirst().split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isDigit) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte >= 0x80
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension Change {
  /// The change as it is typed.
  package var word: String {
    switch self {
    case .set(let field, let value): "\(field):\(value)"
    case .clear(let field): "\(field):"
    case .addTag(let tag): "+\(tag)"
    case .removeTag(let tag): "-\(tag)"
    case .add(let value, let field): "\(field):+\(value)"
    case .remove(let value, let field): "\(field):-\(value)"
    }
  }
}

extension Kind {
  /// The field that ranks records: the first choice beside the state.
  package var rankField: Field? {
    let state = stateField?.name
    return fields.first { $0.type == .choice && !$0.isList && $0.name != state }
  }

  /// The change that a word of exclamation marks means; nil if it means nothing.
  ///
  /// A sign of the row means its value. Otherwise `!!!` is the value with the longest sign, `!!` the next one, `!` the third.
  package func change(ofRankMark mark: String) -> Change? {
    guard Self.isRankMark(mark), let field = rankField else { return nil }
    let signs = (row.first { $0.content == .field(field.name) }?.symbols ?? []).filter {
      Self.isRankMark($0.sign) && field.values.contains($0.value)
    }
    if let sign = signs.first(where: { $0.sign == mark }) {
      return .set(field: field.name, value: sign.value)
    }
    let last = field.values.count - 1
    let down = Self.longestRankMark - mark.utf8.count
    guard let top = signs.max(by: { $0.sign.utf8.count < $1.sign.utf8.count }),
      let place = field.values.firstIndex(of: top.value), place == 0 || place == last,
      (0...last).contains(down)
    else { return nil }
    return .set(field: field.name, value: field.values[place == 0 ? down : last - down])
  }

  private static let longestRankMark = 3

  private static func isRankMark(_ word: String) -> Bool { !word.isEmpty && word.allSatisfy { $0 == "!" } }
}

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

  /// Reads a declaring sentence; nil if it is neither form.
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

    /// The field that changes; nil if this record does not have it.
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
