import Notes

/// The names and values that the notes of a box have: they tell whether a value in a query goes on after a blank.
package struct KnownNames {
  /// Whether a note has a field of a name, in any case.
  let hasField: (_ name: String) -> Bool
  /// Whether a name means a record of a kind, or several.
  let meansRecord: (_ name: String, _ kind: Kind) -> Bool
  /// Whether a name means a note, or several.
  let meansNote: (_ name: String) -> Bool
  /// Whether a note passes a test.
  let isThere: (QueryNode) -> Bool
  /// Whether a note of a kind that is asked for has a field of a name that passes a test.
  let isBorne: (QueryNode, _ field: String, _ isAsked: (_ kind: String) -> Bool) -> Bool
}
