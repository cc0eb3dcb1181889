/// How a scalar is written.
enum ScalarStyle: Equatable {
  case plain, single, double
  /// A literal or folded block scalar.
  case block
  /// `[[Link]]` or `{{date}}`: nested collections to YAML, text to people.
  case bracketed
}

/// Where one element of a list stands.
struct ElementSpan: Equatable {
  /// The scalar with its quotes.
  let range: Range<Int>
  let style: ScalarStyle
  /// The whole lines of an element of a block list; the scalar alone in a flow list.
  let lines: Range<Int>
}
