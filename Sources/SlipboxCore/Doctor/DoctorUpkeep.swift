import Bytes
import Git

/// What the repository could do with, which slows down commands and hurts nothing else.
extension BoxSnapshot {
  func upkeepFindings() throws(SlipboxError) -> [Finding] {
    try upkeep().reasons.map { reason in
      let folder = BytePath.relative(box.gitDirectory, to: box.root) ?? box.gitDirectory
      return Finding(.upkeep, folder, reason.sentence, remedy: "slip tidy")
    }
  }
}

extension Upkeep.Reason {
  /// The reason in words.
  package var sentence: String {
    switch self {
    case .looseObjects(let count): "\(count) git objects are loose"
    case .packs(let count): "the git objects are in \(count) packs"
    case .commits(let count): "\(count) commits and no commit-graph"
    }
  }
}
