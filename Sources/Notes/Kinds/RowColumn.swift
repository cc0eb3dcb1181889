/// One column of the row in which a record is listed.
package struct RowColumn: Sendable, Equatable {
  /// What the column shows.
  package enum Content: Sendable, Equatable {
    /// A field: a day without its time, a reference by its title, tags parted by commas.
    case field(String)
    /// How many records of a kind refer to this one.
    case count(of: String)
  }

  /// What stands for a value.
  package struct Symbol: Sendable, Equatable {
    package var value: String
    package var sign: String
    /// What is shown where the terminal has no Unicode; nil for the sign itself.
    package var ascii: String?

    package init(_ value: String, _ sign: String, ascii: String? = nil) {
      self.value = value
      self.sign = sign
      self.ascii = ascii
    }
  }

  package var content: Content
  /// What stands for the field's values; others show nothing. Empty: values are shown as they are.
  package var symbols: [Symbol]
  /// Whether a number is shown as that many stars.
  package var isStars: Bool
  /// What is shown where there is no value.
  package var empty: String
  /// What follows a count: for one, and for any other number.
  package var label: [String]

  package init(
    _ content: Content, symbols: [Symbol] = [], isStars: Bool = false, empty: String = "",
    label: [String] = []
  ) {
    self.content = content
    self.symbols = symbols
    self.isStars = isStars
    self.empty = empty
    self.label = label
  }
}
