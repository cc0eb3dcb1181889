/// One column of the row in which a record is listed.
package struct RowColumn: Sendable, Equatable {
  /// The content of the column.
  package enum Content: Sendable, Equatable {
    /// A field: a day without its time, a reference by its title, tags parted by commas.
    case field(String)
    /// How many records of a kind refer to this one.
    case count(of: String)
  }

  /// The sign of a value, or of a state such as `is:waiting`, which goes before values.
  package struct Symbol: Sendable, Equatable {
    package var value: String
    package var sign: String
    /// The sign for a terminal without Unicode; nil for the same one.
    package var ascii: String?

    package init(_ value: String, _ sign: String, ascii: String? = nil) {
      self.value = value
      self.sign = sign
      self.ascii = ascii
    }
  }

  package var content: Content
  /// The signs of the field's values; other values show nothing. Empty: values are shown as they are.
  package var symbols: [Symbol]
  /// Whether a number is shown as that many stars.
  package var isStars: Bool
  /// The text of a missing value.
  package var empty: String
  /// The word after a count: for one, and for any other number.
  package var label: [String]
  /// The state of records for which alone the column shows something.
  package var state: RecordStanding?

  package init(
    _ content: Content, symbols: [Symbol] = [], isStars: Bool = false, empty: String = "",
    label: [String] = [], state: RecordStanding? = nil
  ) {
    self.content = content
    self.symbols = symbols
    self.isStars = isStars
    self.empty = empty
    self.label = label
    self.state = state
  }
}
