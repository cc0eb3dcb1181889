/// How a field is written, for edits.
struct FieldShape: Equatable {
  enum Form: Equatable {
    /// Nothing but a comment follows the colon.
    case empty
    /// A plain or quoted scalar, on one line or more.
    case scalar(Range<Int>, ScalarStyle)
    /// `[a, b]` with its brackets.
    case flow(Range<Int>, [ElementSpan])
    /// Lines of `- a`.
    case block([ElementSpan])
    /// A block scalar, or a list of such: whatever follows the colon, to be replaced as a whole.
    case whole(Range<Int>)
    /// Not to be changed, and why.
    case opaque(String)

    /// The style of a scalar, else plain.
    var scalarStyle: ScalarStyle {
      if case .scalar(_, let style) = self { return style }
      return .plain
    }
  }

  let form: Form
  /// The offset after the colon.
  let colon: Int

  var isEditable: Bool {
    if case .opaque = form { return false }
    return true
  }
}
