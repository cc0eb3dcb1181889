import Bytes
/// Why an index of history cannot answer.
enum HistoryFailure: Error {
  /// It is damaged, and has to be built anew.
  case damaged
  /// An object of the repository cannot be read.
  case unreadable(GitError)

  /// Does what may fail to read the repository.
  static func reading<Result>(_ body: () throws(GitError) -> Result) throws(HistoryFailure) -> Result {
    do { return try body() } catch { throw .unreadable(error) }
  }

  /// The error of the repository for one that is left over.
  static func error(_ failure: HistoryFailure) -> GitError {
    switch failure {
    case .damaged: GitError(.other, "the history index is corrupt")
    case .unreadable(let error): error
    }
  }
}
