/// The declaration of a field: its type, and the values that are allowed.
package struct Field: Sendable, Equatable {
  /// The type of one value.
  package enum ValueType: String, Sendable, CaseIterable {
    case text, integer, boolean
    /// A day, stored as `YYYY-MM-DD`.
    case date
    /// A day with a time or without, stored as it was given.
    case moment
    /// How often a record comes again, such as `weekly`.
    case recurrence
    /// One of the field's `values`, which are in ascending order.
    case choice
    /// A list of tags.
    case tags
    /// The name of a record of the kind `target`, by that kind's key.
    case reference
  }

  /// The effect on a record of deleting the record that it refers to.
  package enum DeleteRule: String, Sendable, CaseIterable {
    /// The deletion is refused.
    case deny
    /// The reference is taken out.
    case detach
    /// The record is deleted too.
    case cascade
  }

  package var name: String
  package var type: ValueType
  /// Whether the field holds any number of values.
  package var isList: Bool
  /// The choices, from the lowest to the highest.
  package var values: [String]
  /// The kind that references name.
  package var target: String?
  package var onDelete: DeleteRule
  /// Whether a record is blocked while one that it refers to here is open.
  package var isBlocking: Bool
  package var isRequired: Bool
  /// Whether text of blanks alone is refused.
  package var isNotEmpty: Bool
  /// The default: the value of a new record and of a missing field, as it is typed, or `today` for a day.
  package var defaultValue: String?
  package var minimum: Int?
  package var maximum: Int?
  /// Whether `friday` and `3d` lie in the past.
  package var looksBack: Bool
  /// Whether a new list is written as one text with commas.
  package var usesCommas: Bool
  package var comment: String?

  package init(
    _ name: String, _ type: ValueType, isList: Bool = false, values: [String] = [], target: String? = nil,
    onDelete: DeleteRule = .deny, isBlocking: Bool = false, isRequired: Bool = false,
    isNotEmpty: Bool = false, defaultValue: String? = nil, minimum: Int? = nil, maximum: Int? = nil,
    looksBack: Bool = false, usesCommas: Bool = false, comment: String? = nil
  ) {
    self.name = name
    self.type = type
    self.isList = isList || type == .tags
    self.values = values
    self.target = target
    self.onDelete = onDelete
    self.isBlocking = isBlocking
    self.isRequired = isRequired
    self.isNotEmpty = isNotEmpty
    self.defaultValue = defaultValue
    self.minimum = minimum
    self.maximum = maximum
    self.looksBack = looksBack
    self.usesCommas = usesCommas
    self.comment = comment
  }
}

extension Field {
  /// The fields that every note has, whatever its kind; a kind may declare one of them more strictly.
  package static let common = [
    Field("id", .text), Field("title", .text), Field("aliases", .text, isList: true), Field("kind", .text),
    Field("created", .moment, looksBack: true), Field("tags", .tags),
  ]

  /// Whether every note may have a field of this name, so that its value is never a number or boolean.
  package static func isCommon(_ name: String) -> Bool { common.contains { $0.name.isSameName(as: name) } }

  /// Fields that no change can set, with the reason.
  static let fixed = [
    "id": "the id of a note can't change",
    "modified": "it is derived from history and never stored",
    "body": "the text is not a field: --body replaces it, slip append adds to it",
    "path": "the path is not a field: slip mv moves the file",
  ]

  /// Whether the field holds days or moments.
  package var isTime: Bool { type == .date || type == .moment }

  /// The way in which weekdays and distances lie from today.
  package var direction: DateInterval.Direction { looksBack ? .back : .ahead }

  /// The default, unless it is `today` and so counts only when a record is made.
  var lastingDefault: String? { isTime && defaultValue == "today" ? nil : defaultValue }
}

extension String {
  /// Says whether two names are equal but for case.
  package func isSameName(as other: String) -> Bool {
    if hasSameBytes(as: other) { return true }
    if let first = utf8.first, let second = other.utf8.first, first < 0x80, second < 0x80,
      first | 0x20 != second | 0x20
    {
      return false
    }
    guard isASCII, other.isASCII else { return lowercased().hasSameBytes(as: other.lowercased()) }
    guard utf8.count == other.utf8.count else { return false }
    var (left, right) = (utf8.makeIterator(), other.utf8.makeIterator())
    while let first = left.next(), let second = right.next() {
      guard first == second || (first | 0x20 == second | 0x20 && first.isLetterOrDigit && !first.isDigit)
      else {
        return false
      }
    }
    return true
  }
}
