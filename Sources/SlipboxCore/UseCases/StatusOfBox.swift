package import Git
import Notes
import Platform

/// What is not committed, and how the branch stands to the one it follows.
package struct BoxStatus {
  package let branch: String?
  package let upstream: Repository.Upstream?
  package let changes: [OutsideChange]
  /// Settings, kinds and templates that are not committed.
  package let settingsFiles: [[UInt8]]
  /// Files that notes link to and that are not committed.
  package let linkedFiles: [[UInt8]]
  /// Other files of the box that git does not track and no note links to.
  package let otherFileCount: Int
  package let operation: Repository.Operation?
  package let noteCount: Int
  package let unreadable: [(path: [UInt8], reason: String)]
}

extension Slipbox {
  /// Looks at every file of the box.
  package func status() throws(SlipboxError) -> BoxStatus {
    let state = try committedState()
    let linked = try uncommittedLinkedFiles().map(\.path)
    let known = Set(linked)
    var others = 0
    let walk = DirectoryWalk.files(under: root, include: { !FileName.isNote(Array($0)) })
    for file in walk.files where !state.isTracked(file.path) && !known.contains(file.path) {
      if try !isIgnored(file.path) { others += 1 }
    }
    var branch: String?
    if case .branch(let name, _) = try git({ () throws(GitError) in try repository.head() }) {
      branch = name
    }
    return BoxStatus(
      branch: branch, upstream: try git { () throws(GitError) in try repository.upstream() },
      changes: try outsideChanges(), settingsFiles: try uncommittedSettings(), linkedFiles: linked,
      otherFileCount: others,
      operation: repository.operationUnderWay, noteCount: try notes().notes.count,
      unreadable: try notes().unreadable)
  }
}
