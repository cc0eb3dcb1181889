import Git
import Notes
import Text

/// Finds the commits of operations by their ids, in the history of a commit.
struct OperationLookup {
  /// So many letters of an id may stand for it.
  private static let shortest = 4
  /// The most operations that a refusal names.
  private static let mostNamed = 5

  private let box: Box
  private let tip: ObjectID

  init(_ box: Box, _ tip: ObjectID) {
    self.box = box
    self.tip = tip
  }

  /// The youngest commit of an operation; nil where there is none.
  /// - Complexity: linear in the commits since.
  func commit(of id: OperationID) throws(SlipboxError) -> ObjectID? {
    var found: ObjectID?
    try visit(id.description) { operation, commit in
      if operation.id == id { found = commit.id }
      return found == nil
    }
    return found
  }

  /// The youngest commit of the one operation whose id begins with a text; nil where there is none, or the text is no
  /// beginning of an id.
  /// - Throws: `.usage` where several ids begin so.
  /// - Complexity: linear in the commits.
  func commit(beginning text: String) throws(SlipboxError) -> ObjectID? {
    let letters = Array(text.utf8)
    guard letters.count >= Self.shortest, letters.count < 2 * NoteID.length,
      letters.allSatisfy({ NoteID.isLetter($0) })
    else { return nil }
    var found: [(id: OperationID, commit: Commit)] = []
    try visit(text) { operation, commit in
      if let id = operation.id, id.description.hasPrefix(text), !found.contains(where: { $0.id == id }) {
        found.append((id, commit))
      }
      return true
    }
    guard found.count > 1 else { return found.first?.commit.id }
    let named = found.prefix(Self.mostNamed).map { "  \($0.id)  \(Visible.escape($0.commit.subject))" }
    throw SlipboxError(
      .usage, "\(text) matches \(found.count) operations",
      hints: ["give more characters:"] + named + SlipboxError.more(found.count - named.count))
  }

  /// Visits the operations whose commits' messages hold a text, the youngest first.
  private func visit(
    _ text: String, _ body: (Operation, Commit) -> Bool
  ) throws(SlipboxError) {
    let mark = Array(": \(text)".utf8)
    try box.git { repository throws(GitError) in
      try repository.history(from: tip, touching: []) { commit in
        guard commit.messageHolds(mark) else { return true }
        return body(OperationTrailers.operation(of: commit), commit)
      }
    }
  }
}
