/// A list that is asked for.
struct ListRequest: Equatable, Sendable {
  /// The moment whose notes are listed.
  enum Moment: Equatable, Sendable {
    case now
    /// A revision or a date, as `--as-of` takes it, and how it is shown.
    case past(String, shown: String)
    /// The notes that were deleted.
    case deleted
  }

  var moment = Moment.now
  var query = ""
  /// Sort keys as `--sort` takes them; nil for the order of the query.
  var sort: String?
}
