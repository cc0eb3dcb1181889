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

  /// Returns the files among those to be committed to which only notes and canvases of other people link, in order.
  ///
  /// A note is the user's own if it has uncommitted changes, or if its last commit has the user's email address.
  /// - Complexity: linear in all links if a file is new; one git process for each note that links to one.
  func paths(among chosen: [[UInt8]]) throws(SlipboxError) -> [[UInt8]] {
    let committed = try snapshot.committedFiles()
    var files: [[UInt8]] = []
    for path in chosen where !FileName.isNote(path) && !path.starts(with: ".slipbox/".utf8) {
      // A canvas of notes is the user's own, as a new note is.
      if try !committed.isTracked(path), try !Canvases(in: snapshot).isOfNotes(path) { files.append(path) }
    }
    guard !files.isEmpty else { return [] }
    let changed = Set(chosen)
    var own: [[UInt8]: Bool] = [:]
    let sources = try LinkedFiles(in: snapshot).sources(ofLinksTo: Set(files))
    let email = try ownEmail()
    var ofOthers: [[UInt8]] = []
    for file in files {
      var isOwn = false
      for source in sources[file] ?? [] where !isOwn {
        if let known = own[source] {
          isOwn = known
        } else {
          isOwn = changed.contains(source)
          if !isOwn { isOwn = try lastEmail(of: source) == email }
          own[source] = isOwn
        }
      }
      if !isOwn { ofOthers.append(file) }
    }
    return ofOthers
  }

  private func ownEmail() throws(SlipboxError) -> String {
    let now = context.clock.now
    return try snapshot.box.git { repository throws(GitError) in
      try repository.identity(at: (now.seconds, now.offsetSeconds / 60)).author.email
    }
  }

  /// Returns the email address of the author of the last commit that changed a file; empty if there is none.
  private func lastEmail(of path: [UInt8]) throws(SlipboxError) -> String {
    try snapshot.box.git { repository throws(GitError) in
      try repository.history.lastAuthor(of: snapshot.box.repositoryPath(path))
    }
  }
}
