import Bytes
import Git
import NoteIndex
package import Notes
import Platform
import Text

/// The result of making a folder a box.
package struct Initialised {
  package let box: Box
  /// Whether the repository was made.
  package let madeRepository: Bool
  /// Whether the folder was a box already, and only this clone was set up.
  package let wasBox: Bool
  /// How many notes were found.
  package let noteCount: Int
  /// How many of the notes have no date of their own and none in history, so that they count as created now.
  package let undated: Int
  /// How many notes and linked files the first commit holds.
  package let committedCount: Int
  /// Why nothing could be committed yet, with what to do.
  package let notCommitted: SlipboxError?
  /// The layout of another program that was recognised; nil if none was.
  package let layout: Layout?
}

/// Makes a folder a box, adopting its files.
package struct BoxInitialiser {
  private let context: CommandContext

  package init(_ context: CommandContext) { self.context = context }

  /// Makes the folder at a path a box.
  ///
  /// - Parameter mayCommit: asked before linked files of more than 100 MB in all are committed, with their bytes.
  /// - Throws: `.cannotCreate` if the folder can't be one.
  package func initialise(
    _ path: [UInt8], mayCommit: (Int64) -> Bool
  ) throws(SlipboxError) -> Initialised {
    let absolute = BytePath.join(context.workingDirectory, path)
    // A path that can't be looked at fails below, in the words of the system.
    if let status = try? Files.status(absolute, followLinks: true), status.kind != .directory {
      throw SlipboxError(
        .cannotCreate, "\(path) is not a folder", hints: ["create a box with: \(slip: "init", "DIR")"])
    }
    try system { () throws(SystemError) in try Files.makeDirectory(absolute) }
    guard let root = Files.realPath(absolute) else {
      throw SlipboxError(.cannotCreate, "\(path) can't be opened")
    }
    let isNew: Bool
    do throws(GitError) { isNew = try Repository.discover(from: root) == nil } catch {
      throw SlipboxError(error)
    }
    // The folder of a box that was copied without its repository gets a new one.
    if BoxLocation.isBox(root), !isNew { return try setUpClone(root) }
    try Self.refusePlaceOfOthers(root)
    try BoxLocation.refuseLeftOutBox(above: root)
    try BoxLocation.refuseBoxThere(root)
    if let outer = BoxLocation.upwards(from: root), outer != root {
      throw SlipboxError(
        .cannotCreate, "\(root) is inside the box \(outer)",
        hints: ["use that box, or create the new box elsewhere"])
    }
    do throws(GitError) {
      if isNew { _ = try Repository.create(at: root) }
    } catch {
      throw SlipboxError(error)
    }
    let box = try Box(at: root)
    try refuseIgnoredSettings(of: box)
    let snapshot = try WorkTreeReader(box, context).snapshot()
    let writer = BoxWriter(box, context, after: snapshot)
    try MergeDriverRegistration(in: box).register(context)
    return try adopt(snapshot, writer, madeRepository: isNew, mayCommit: mayCommit)
  }

  /// The pseudo file systems of the kernel, which contain no notes.
  private static let ofTheKernel = ["/proc", "/sys"]
  /// The folders of the system, of which those below may be anybody's.
  private static let ofTheSystem = ["/", "/bin", "/boot", "/dev", "/etc", "/lib", "/sbin", "/usr", "/var"]

  /// - Throws: `.notPermitted` for a folder of the system, and for one that can't be written to.
  private static func refusePlaceOfOthers(_ root: [UInt8]) throws(SlipboxError) {
    let isOfTheSystem =
      (ofTheSystem + ofTheKernel).contains { root == Array($0.utf8) }
      || ofTheKernel.contains { root.starts(with: "\($0)/".utf8) }
    guard isOfTheSystem || !Files.isWritable(root) else { return }
    throw SlipboxError(
      .notPermitted,
      "\(root) \(isOfTheSystem ? "belongs to the system" : "is not writable for you")",
      hints: ["use a folder that you own: \(slip: "init", "~/notes")"])
  }

  private func setUpClone(_ root: [UInt8]) throws(SlipboxError) -> Initialised {
    let box = try Box(at: root)
    try MergeDriverRegistration(in: box).register(context)
    return Initialised(
      box: box, madeRepository: false, wasBox: true,
      noteCount: try WorkTreeReader(box, context).snapshot().catalogue().entries.count, undated: 0,
      committedCount: 0,
      notCommitted: nil, layout: nil)
  }

  /// Writes the settings file and makes the first commit.
  private func adopt(
    _ snapshot: BoxSnapshot, _ writer: BoxWriter, madeRepository: Bool, mayCommit: (Int64) -> Bool
  ) throws(SlipboxError) -> Initialised {
    let box = snapshot.box
    let entries = try snapshot.catalogue().entries
    let reader = LayoutReader(box: box) { [context] in context.reporter.warnOnce($0) }
    let name = reader.recognised(notes: entries.indices.map { entries.path(at: $0) })
    let layout = name == .slipbox ? nil : reader.adapting(Layout(name))
    let settings =
      if let layout {
        try Settings.settingLayout(
          layout, recording: try ProgramSettings(in: snapshot).exclusionsOfThisClone(name),
          in: Settings.newFile)
      } else {
        Settings.newFile
      }
    do throws(ReplaceError) {
      _ = try box.folder.replace(Settings.boxFile, with: settings, expecting: nil)
    } catch {
      if case .refused(let refusal) = WriteConflict(error, path: Settings.boxFile) { throw refusal }
    }
    var paths = [Settings.boxFile]
    if madeRepository {
      paths += try OutsideChanges(in: snapshot).settings().filter { $0 != Settings.boxFile }
      paths += entries.indices.map { entries.path(at: $0) }.sorted { $0.lexicographicallyPrecedes($1) }
      let linked = try OutsideChanges(in: snapshot).linkedFiles()
      let size = linked.reduce(0) { $0 + $1.size }
      if size <= LinkedFiles.limit || mayCommit(size) { paths += linked.map(\.path) }
    }
    let refusals = paths.compactMap { path in box.refusal(of: path).map { (path, $0) } }
    let refused = Set(refusals.map(\.0))
    paths.removeAll { refused.contains($0) }
    for (_, refusal) in refusals.dropLast() { context.reporter.warn(refusal.message) }
    let undated = madeRepository ? entries.indices.count { entries[$0].note.created == nil } : 0
    let initialised = { (count: Int, refusal: SlipboxError?) in
      Initialised(
        box: box, madeRepository: madeRepository, wasBox: false, noteCount: entries.count,
        undated: undated, committedCount: count, notCommitted: refusal, layout: layout)
    }
    do throws(SlipboxError) {
      let result = try writer.commitAsFound(
        paths, command: "init", subject: "Make this folder a Slipbox box", savesAlways: true)
      switch result.outcome {
      case .saved(let kind, let reason, let hints):
        return initialised(paths.count - 1, SlipboxError(kind, reason, hints: hints))
      case .refused(let message, let hints):
        return initialised(0, SlipboxError(.notPermitted, message, hints: hints))
      case .unchanged, .committed: return initialised(paths.count - 1, refusals.last?.1)
      }
    } catch {
      return initialised(0, error)
    }
  }

  private func refuseIgnoredSettings(of box: Box) throws(SlipboxError) {
    guard try box.isIgnored(Settings.boxFile) else { return }
    let rule = box.ignoreRule(Settings.boxFile) ?? "an ignore rule"
    throw SlipboxError(
      .cannotCreate, ".slipbox/config.yaml would be ignored by \(rule)",
      hints: ["remove that rule and try again"])
  }
}
