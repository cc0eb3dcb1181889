import Bytes
import Git
import Notes
import Platform

/// New files that only notes of other people link to.
///
/// A note that came from a remote must not make this clone publish a file that was never committed. A sync takes such a
/// file only if a note that the user changed links to it.
struct FilesOfOthers {
  private let snapshot: BoxSnapshot
  private let context: CommandContext

  init(_ snapshot: BoxSnapshot, _ context: CommandContext) {
    self.snapshot = snapshot
    self.context = context
  }

  /// The files among those to be committed that only notes and canvases of other people link to, in order.
  ///
  /// A note is the user's own if it has changes that are not committed, or if its last commit has the user's email address.
  /// - Complexity: linear in all links if a file is new; one git process for each note that links to one.
  func paths(among chosen: [[UInt8]]) throws(SlipboxError) -> [[UInt8]] {
    let committed = try snapshot.committedFiles()
    let files = try chosen.filter { (path) throws(SlipboxError) in
      try !FileName.isNote(path) && !path.starts(with: ".slipbox/".utf8) && !committed.isTracked(path)
    }
    guard !files.isEmpty else { return [] }
    let changed = Set(chosen)
    var own: [[UInt8]: Bool] = [:]
    let sources = try snapshot.sources(ofLinksTo: Set(files))
    let email = try ownEmail()
    return try files.filter { (file) throws(SlipboxError) in
      for source in sources[file] ?? [] {
        if own[source] == nil { own[source] = try changed.contains(source) || lastEmail(of: source) == email }
        if own[source] == true { return false }
      }
      return true
    }
  }

  private func ownEmail() throws(SlipboxError) -> String {
    let now = context.clock.now
    return try snapshot.box.git { repository throws(GitError) in
      try repository.identity(at: (now.seconds, now.offsetSeconds / 60)).author.email
    }
  }

  /// The author of the last commit that changed a file; empty if there is none.
  private func lastEmail(of path: [UInt8]) throws(SlipboxError) -> String {
    try snapshot.box.git { repository throws(GitError) in
      try repository.lastAuthor(of: snapshot.box.repositoryPath(path))
    }
  }
}
