import Git
import Notes
import Platform
import Text

/// What `init` found and did.
package struct Initialised {
  package let box: Slipbox
  /// Whether the repository was made.
  package let madeRepository: Bool
  /// Whether the folder was a box already, and only this clone was set up.
  package let wasBox: Bool
  /// How many notes were found.
  package let noteCount: Int
  /// How many notes and linked files the first commit holds.
  package let committedCount: Int
  /// Why nothing could be committed yet, with what to do.
  package let notCommitted: SlipboxError?
}

extension Slipbox {
  /// Makes a folder a box, adopting what is there.
  ///
  /// - Parameter mayCommit: asked before linked files of more than 100 MB in all are committed, with their bytes.
  /// - Throws: `.cannotCreate` where the folder can't be one.
  package static func initialise(
    _ path: [UInt8], _ surroundings: Surroundings, mayCommit: (Int64) -> Bool
  ) throws(SlipboxError) -> Initialised {
    let absolute = BytePath.join(surroundings.workingDirectory, path)
    if let status = try? Files.status(absolute, followLinks: true), status.kind != .directory {
      throw SlipboxError(
        .cannotCreate, "\(Visible.escape(path)) is not a folder", hints: ["slip init DIR makes DIR a box"])
    }
    try system { () throws(SystemError) in try Files.makeDirectory(absolute) }
    guard let root = Files.realPath(absolute) else {
      throw SlipboxError(.cannotCreate, "\(Visible.escape(path)) can't be opened")
    }
    if BoxLocation.isBox(root) { return try setUpClone(root, surroundings) }
    if let outer = BoxLocation.upwards(from: root) {
      throw SlipboxError(
        .cannotCreate, "\(Visible.escape(root)) is inside the box \(Visible.escape(outer))",
        hints: ["use that one, or make the new box elsewhere"])
    }
    let existing = try git { () throws(GitError) in try Repository.discover(from: root) }
    if existing == nil { _ = try git { () throws(GitError) in try Repository.create(at: root) } }
    let box = try Slipbox(at: root, surroundings)
    try box.refuseIgnoredSettings()
    try box.registerMergeDriver()
    return try box.adopt(madeRepository: existing == nil, mayCommit: mayCommit)
  }

  private static func setUpClone(
    _ root: [UInt8], _ surroundings: Surroundings
  ) throws(SlipboxError) -> Initialised {
    let box = try Slipbox(at: root, surroundings)
    try box.registerMergeDriver()
    return Initialised(
      box: box, madeRepository: false, wasBox: true, noteCount: try box.notes().notes.count,
      committedCount: 0, notCommitted: nil)
  }

  /// Writes the settings file and makes the first commit.
  private func adopt(
    madeRepository: Bool, mayCommit: (Int64) -> Bool
  ) throws(SlipboxError) -> Initialised {
    let noteCount = try notes().notes.count
    do throws(ReplaceError) {
      _ = try folder.replace(Settings.boxFile, with: Settings.newFile, expecting: nil)
    } catch {
      if case .refused(let refusal) = Interference(error, path: Settings.boxFile) { throw refusal }
    }
    var paths = [Settings.boxFile]
    if madeRepository {
      paths += try notes().notes.map(\.note.path)
      let linked = try uncommittedLinkedFiles()
      let size = linked.reduce(0) { $0 + $1.size }
      if size <= Self.linkedFilesLimit || mayCommit(size) { paths += linked.map(\.path) }
    }
    do throws(SlipboxError) {
      let recorded = try commitAsFound(paths, command: "init", subject: "Make this folder a Slipbox box")
      let refusal: SlipboxError? =
        if case .saved(let kind, let reason, let hints) = recorded.outcome {
          SlipboxError(kind, reason, hints: hints)
        } else { nil }
      return Initialised(
        box: self, madeRepository: madeRepository, wasBox: false, noteCount: noteCount,
        committedCount: paths.count - 1, notCommitted: refusal)
    } catch {
      return Initialised(
        box: self, madeRepository: madeRepository, wasBox: false, noteCount: noteCount, committedCount: 0,
        notCommitted: error)
    }
  }

  private func refuseIgnoredSettings() throws(SlipboxError) {
    guard try isIgnored(Settings.boxFile) else { return }
    let rule = repository.ignoreRule(repositoryPath(Settings.boxFile)) ?? "an ignore rule"
    throw SlipboxError(
      .cannotCreate, ".slipbox/config.yaml would be ignored by \(Visible.escape(rule))",
      hints: ["take that rule out and try again"])
  }
}
