import Bytes
package import Git
import Notes
import Platform
package import Text

/// The result of a sync.
package struct SyncResult: Sendable {
  /// A file that was received or sent.
  package struct File: Sendable, Equatable {
    package enum Change: String, Sendable { case new, changed, moved, deleted }

    /// The path in the box.
    package let path: [UInt8]
    package let change: Change
    /// The title of a note; nil for another file.
    package let title: String?
    /// Whether the file is a note with conflicts that a merge left in it.
    package let isConflicted: Bool
  }

  package let target: SyncTarget
  /// The number of files with changes by other programs that were committed first.
  package internal(set) var committedCount = 0
  /// Changed files that only git can commit, with the reason.
  package internal(set) var refusals: [(path: [UInt8], reason: SlipboxError)] = []
  package internal(set) var came: [File] = []
  package internal(set) var cameCommits = 0
  /// The authors of the received commits.
  package internal(set) var authors: [String] = []
  package internal(set) var conflicts: [MergeConflict] = []
  /// The fetched commits that last changed the settings and kinds in conflict, by path from the root of the repository.
  var settingsCommits: [[UInt8]: ObjectID] = [:]
  /// Damage that merges of other programs did to received notes: the repaired notes, and those that are left to the user.
  package internal(set) var healed: (repaired: [Healing.DamagedNote], left: [Healing.DamagedNote]) = ([], [])
  package internal(set) var went: [File] = []
  package internal(set) var wentCommits = 0
  /// The output of the server, by lines; control characters are not yet escaped.
  package internal(set) var words: [String] = []
  /// The ref under which the former commits of this box are stored; nil if that was not necessary.
  package internal(set) var keptName: String?

  init(target: SyncTarget) { self.target = target }

  /// Whether the damage that is left to the user has files with the id of another note.
  package var reportsSharedIDs: Bool {
    healed.left.contains { note in
      switch note.damage {
      case .sameID, .duplicate: true
      default: false
      }
    }
  }

  /// Returns the commit of the other side that last changed settings or a kind in conflict; nil for other files.
  package func origin(of conflict: MergeConflict) -> Phrase? {
    settingsCommits[conflict.path].map { "\(target.name) changed it in commit \($0.hex.prefix(8))" }
  }

  /// Creates a result with a more complete target, and copies the committed files and refusals of another one.
  init(_ target: SyncTarget, _ other: SyncResult) {
    self.target = target
    committedCount = other.committedCount
    refusals = other.refusals
  }
}

extension SyncResult.File {
  /// Returns the files of changes of the work tree. A note that was removed at one path and added at another counts as
  /// moved.
  static func all(_ changes: [FileChange]) -> [Self] {
    all(
      changes.filter(\.isChange).map { (version(of: $0.from, at: $0.path), version(of: $0.to, at: $0.path)) })
  }

  /// - Parameter versions: the versions of each path before and after.
  static func all(_ versions: [(old: NoteVersion?, new: NoteVersion?)]) -> [Self] {
    NoteMatching.pairs(versions).compactMap { old, new in
      guard let version = new ?? old else { return nil }
      let change: Change =
        switch (old, new) {
        case (nil, _): .new
        case (_, nil): .deleted
        case (let old?, let new?): old.path == new.path ? .changed : .moved
        }
      let note = note(of: version)
      return Self(
        path: version.path, change: change, title: note?.title,
        isConflicted: new != nil && note?.frontMatter.field(ConflictEntry.fieldName) != nil)
    }
  }

  private static func version(of state: FileState, at path: [UInt8]) -> NoteVersion? {
    switch state {
    case .absent: nil
    case .file(let bytes, _): NoteVersion(path: path, bytes: bytes, blob: ObjectID(ofBlob: bytes))
    case .link(let target): NoteVersion(path: path, blob: ObjectID(ofBlob: target))
    case .leftOut(let blob, _): NoteVersion(path: path, blob: blob)
    }
  }

  /// Returns the note of a version; without text if it was not read, and nil for another file.
  private static func note(of version: NoteVersion) -> Note? {
    guard FileName.isNote(version.path) else { return nil }
    return Note(path: version.path, text: NoteText(version.bytes ?? []))
  }
}

extension Box {
  /// The maximum number of files whose titles are read.
  private static let mostTitled = 1_000

  /// Returns the files of the box that differ between two commits.
  func syncedFiles(from old: ObjectID?, to new: ObjectID) throws(SlipboxError) -> [SyncResult.File] {
    let files = try git { repository throws(GitError) in
      try repository.changedFiles(from: old, to: new, under: prefix)
    }
    let reads = files.count <= Self.mostTitled
    let version = { (entry: TreeEntry?) throws(SlipboxError) -> NoteVersion? in
      guard let entry else { return nil }
      let path = Array(entry.path.dropFirst(prefix.count))
      guard reads, entry.isRegular else { return NoteVersion(path: path, blob: entry.id) }
      return NoteVersion(path: path, bytes: try content(of: entry), blob: entry.id)
    }
    var versions: [(old: NoteVersion?, new: NoteVersion?)] = []
    for file in files { versions.append((try version(file.old), try version(file.new))) }
    return SyncResult.File.all(versions)
  }
}

/// The permissions of a sync, and its questions to the user.
package struct SyncRequest {
  /// The name of the remote; nil for the default one.
  package var remote: String?
  /// Whether the sync takes a branch whose history was rewritten there.
  package var acceptsRewrite = false
  /// Whether the user has agreed in advance: to losses, to unrelated histories, to commits outside the box.
  package var isAgreed = false
  /// Whether git and ssh may prompt on the terminal.
  package var mayAsk = false
  /// Returns whether linked files above a size limit are committed. Receives their total size in bytes.
  package var takesLinkedFiles: (Int64) throws(SlipboxError) -> Bool = { _ in true }
  /// Returns whether commits that touch files outside the box are sent.
  package var sendsOutside: ([OutsideCommit]) throws(SlipboxError) -> Bool = { _ in false }

  /// Computes the lists in notes after a merge, which takes one of two versions; nil leaves them as they are.
  package var baking: ((BoxSnapshot) throws(SlipboxError) -> Baking)?

  package init() {}
}

/// A commit that is to be sent and touches files outside the box.
package struct OutsideCommit: Sendable {
  package let id: ObjectID
  package let subject: String
  /// One of these files, from the root of the repository.
  package let path: [UInt8]
}

extension Box {
  /// Returns the commits between two that touch files outside the box, newest first; empty if the repository is the box.
  ///
  /// If a merge only combines its parents, it does not count.
  func outsideCommits(to tip: ObjectID, notTo other: ObjectID?) throws(SlipboxError) -> [OutsideCommit] {
    guard !prefix.isEmpty else { return [] }
    return try git { repository throws(GitError) in
      var found: [OutsideCommit] = []
      for commit in try repository.history.commits(to: tip, notTo: other) {
        var paths: Set<[UInt8]>?
        let parents: [ObjectID?] = commit.parents.isEmpty ? [nil] : commit.parents
        for parent in parents {
          let changed = try repository.changedFiles(from: parent, to: commit.id, under: []).map(\.path)
          let outside = changed.filter { !$0.starts(with: prefix) }
          paths = paths?.intersection(outside) ?? Set(outside)
        }
        if let path = paths?.min(by: { $0.lexicographicallyPrecedes($1) }) {
          found.append(OutsideCommit(id: commit.id, subject: commit.subject, path: path))
        }
      }
      return found
    }
  }
}

/// The relation of a box to the branch that it is synced with, as far as it is known without the network.
package struct SyncStatus: Sendable {
  package let target: SyncTarget
  /// The number of commits of this box that are not there; nil if nothing was fetched yet.
  package let ahead: Int?
  /// The number of fetched commits that are not in this box; nil if nothing was fetched yet.
  package let behind: Int?
  /// Whether the two histories differ only in merges, so that a sync changes neither.
  package let isLevel: Bool
  /// The number of files that the next sync commits first.
  package let uncommittedCount: Int
  /// The time of git's last fetch, in seconds since 1970; nil if there was none.
  package let fetchedSeconds: Int64?

  /// - Parameter remote: the name of the remote; nil for the default one.
  /// - Throws: as `Box.syncTarget(named:)`.
  package init(of snapshot: BoxSnapshot, to remote: String?) throws(SlipboxError) {
    let box = snapshot.box
    let target = try box.syncTarget(named: remote)
    let tips = try box.git { repository throws(GitError) -> (here: ObjectID, there: ObjectID)? in
      let name = try target.trackingName(in: repository)
      guard let tip = try repository.head().tip, let there = try repository.references[name] else {
        return nil
      }
      return (tip, there)
    }
    let distance = try tips.map { (tips) throws(SlipboxError) in
      try box.git { repository throws(GitError) in
        try repository.history.distance(from: tips.here, to: tips.there)
      }
    }
    let isLevel = try tips.map { (tips) throws(SlipboxError) in try box.isLevel(tips.here, tips.there) }
    // If the status of the file can't be read, the time of the last fetch is unknown.
    let fetched = (try? Files.status(box.gitDirectory / "FETCH_HEAD")) ?? nil
    self.target = target
    (ahead, behind) = (distance?.ahead, distance?.behind)
    self.isLevel = isLevel ?? false
    uncommittedCount = try Self.uncommittedCount(in: snapshot)
    fetchedSeconds = fetched?.modified.seconds
  }

  /// Returns the number of files that a sync would commit; files in conflict count too.
  private static func uncommittedCount(in snapshot: BoxSnapshot) throws(SlipboxError) -> Int {
    let changes = OutsideChanges(in: snapshot)
    do throws(SlipboxError) {
      return try changes.paths { _ in true }.count
    } catch {
      guard error.kind == .busy else { throw error }
      return try changes.notes().count
    }
  }
}
