/// The result of reading one term.
enum QueryReading {
  /// Something asked of notes.
  case node(QueryNode)
  /// An order for the result.
  case sort([SortKey])
  /// How many notes at most.
  case limit(Int)
}
