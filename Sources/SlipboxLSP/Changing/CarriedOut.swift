import SlipboxCore

/// What became of a plan that was carried out.
enum CarriedOut {
  /// Everything was so already.
  case nothing
  /// The open text was changed by the editor, and is not saved.
  case text
  case commit(CommitResult)

  var commit: CommitResult? { if case .commit(let result) = self { result } else { nil } }
}
