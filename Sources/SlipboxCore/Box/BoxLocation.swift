import Bytes
import Git
import Notes
import Platform
import Text

/// The search for the box of a command.
package enum BoxLocation {
  /// The folder that makes a directory a box.
  package static let marker = Array(".slipbox".utf8)

  /// The key in the repository's own git configuration that names a box inside it, relative to the work tree.
  private static let configurationKey = "slipbox.box"

  /// Finds the box: the named one, otherwise `$SLIPBOX`, otherwise upwards from the working directory, otherwise the box
  /// that the repository's git configuration names, otherwise the default box of the user's configuration.
  /// - Returns: its absolute path.
  /// - Throws: `.notFound` if there is none, with the command that creates one.
  package static func find(named: [UInt8]?, in context: CommandContext) throws(SlipboxError) -> [UInt8] {
    if let named { return try box(at: named, from: "--box", context) }
    if let variable = context.boxVariable, !variable.isEmpty {
      return try box(at: variable, from: "$SLIPBOX", context)
    }
    if let found = upwards(from: context.workingDirectory) { return found }
    let repository = try? Repository.discover(from: context.workingDirectory)
    if let found = try configuredBox(of: repository) { return found }
    if let standard = Settings.user(context).defaultBox {
      return try box(at: standard, from: "the default box of your configuration", context)
    }
    try refuseLeftOutBox(above: context.workingDirectory)
    try refuseLinkedSettings(above: context.workingDirectory)
    if let branch = branchThere(of: repository) {
      throw SlipboxError(
        .notFound, "no box here: the branch that HEAD names has no commit",
        hints: ["git switch \(branch) checks out the branch of the remote"])
    }
    let inside: [Phrase] = boxes(in: repository).map {
      "or use the box \($0) in this whole repository: git config \(configurationKey) \($0)"
    }
    throw SlipboxError(
      .notFound, "no box here or in a folder above",
      hints: ["make one with: \(slip: "init")", "or name one with: \(slip: "--box", "DIR ...")"] + inside)
  }

  /// Returns the first branch of a remote, quoted for a shell, in a clone that checked out nothing because its remote's
  /// HEAD names no commit; nil in other repositories.
  private static func branchThere(of repository: Repository?) -> Phrase? {
    guard let repository, case .branch(_, nil) = try? repository.head() else { return nil }
    return (try? repository.remotes.branchNames())?.first.map {
      Phrase(typed: $0)
    }
  }

  /// Refuses to create a second box in a clone that checked out nothing, while its remote has one.
  static func refuseBoxThere(_ root: [UInt8]) throws(SlipboxError) {
    guard let repository = try? Repository.discover(from: root), let branch = branchThere(of: repository)
    else {
      return
    }
    throw SlipboxError(
      .cannotCreate, "nothing of the remote is checked out: the branch that HEAD names has no commit",
      hints: ["git switch \(branch) checks out the branch of the remote; then run \(slip: "init")"])
  }

  /// Returns the box inside a repository that its git configuration names; nil if it names none.
  ///
  /// Git reads no configuration from tracked files, so a cloned repository can't choose a box.
  /// - Throws: `.configuration` if the path is not that of a box inside the work tree.
  private static func configuredBox(of repository: Repository?) throws(SlipboxError) -> [UInt8]? {
    guard let repository, let workTree = repository.workTree, let root = Files.realPath(workTree),
      let value = repository.settings[configurationKey]
    else { return nil }
    let path = Array(value.utf8)
    if path.first != UInt8(ascii: "/"), let real = Files.realPath(BytePath.join(root, path)), isBox(real),
      BytePath.relative(real, to: root) != nil
    {
      return real
    }
    throw SlipboxError(
      .configuration,
      "\(configurationKey) in git's configuration is \(value): not a box in this repository",
      hints: ["git config \(configurationKey) FOLDER", "git config --unset \(configurationKey)"])
  }

  /// Returns the names, quoted for a shell, of the first folders at the top of a repository's work tree that are boxes.
  private static func boxes(in repository: Repository?) -> [Phrase] {
    guard let workTree = repository?.workTree, let names = try? Files.list(workTree) else { return [] }
    return names.sorted { $0.lexicographicallyPrecedes($1) }.filter { isBox(workTree / $0) }.prefix(3)
      .map { Phrase(typed: $0) }
  }

  /// Returns the nearest box at or above a folder.
  package static func upwards(from folder: [UInt8]) -> [UInt8]? {
    var current = folder
    while true {
      if isBox(current) { return current }
      let parent = BytePath.folder(of: current)
      if parent == current || parent.isEmpty { return nil }
      current = parent
    }
  }

  /// Returns whether a folder is a box.
  package static func isBox(_ folder: [UInt8]) -> Bool {
    let status = try? Files.status(BytePath.join(folder, marker), followLinks: false)
    return status?.kind == .directory
  }

  /// Refuses a folder in a box whose settings a sparse checkout leaves out of the work tree.
  static func refuseLeftOutBox(above folder: [UInt8]) throws(SlipboxError) {
    guard let box = leftOutBox(above: folder) else { return }
    throw SlipboxError(
      .notFound, "the settings of the box \(box) are excluded by its sparse checkout",
      hints: ["git sparse-checkout add \(String(decoding: marker, as: UTF8.self))"])
  }

  /// Returns the folder of a box whose settings git tracks and a sparse checkout leaves out of the work tree; nil if
  /// there is none.
  private static func leftOutBox(above folder: [UInt8]) -> [UInt8]? {
    // A repository that can't be read has no usable box.
    guard let repository = try? Repository.discover(from: folder), let workTree = repository.workTree,
      repository.sparseCheckout.isOn, let entries = try? repository.index.entries()
    else { return nil }
    var current = folder
    while let path = BytePath.relative(current, to: workTree) {
      let settings = BytePath.join(BytePath.join(path, marker), Array("config.yaml".utf8))
      if entries.entry(at: settings)?.skipWorktree == true { return current }
      let parent = BytePath.folder(of: current)
      if parent == current || parent.isEmpty { return nil }
      current = parent
    }
    return nil
  }

  /// Refuses a folder below one whose settings folder is a symbolic link, which makes it no box.
  private static func refuseLinkedSettings(above folder: [UInt8]) throws(SlipboxError) {
    var current = folder
    while true {
      let settings = BytePath.join(current, marker)
      if (try? Files.status(settings, followLinks: false))?.kind == .symbolicLink {
        throw SlipboxError(
          .notPermitted,
          "\(settings) is a symbolic link; the settings of a box must be a folder",
          hints: ["replace the link by the folder; git log -- .slipbox shows the commits that changed it"])
      }
      let parent = BytePath.folder(of: current)
      if parent == current || parent.isEmpty { return }
      current = parent
    }
  }

  private static func box(
    at path: [UInt8], from source: String, _ context: CommandContext
  ) throws(SlipboxError) -> [UInt8] {
    let absolute = BytePath.join(context.workingDirectory, path)
    if let real = Files.realPath(absolute) {
      if isBox(real) { return real }
      try refuseLeftOutBox(above: real)
      try refuseLinkedSettings(above: real)
      if let branch = branchThere(of: try? Repository.discover(from: real)) {
        throw SlipboxError(
          .notFound,
          "\(path) (\(source)) is not a box: the branch that its HEAD names has no commit",
          hints: [
            "git -C \(typed: path) switch \(branch) checks out the branch of the remote"
          ])
      }
    }
    throw SlipboxError(
      .notFound, "\(path) (\(source)) is not a box",
      hints: ["make it one with: \(slip: "init", .value(path))"])
  }
}

/// The name by which commits identify the device of an operation.
///
/// A host name changes, for example with DHCP or in a container, and `slip undo` would then find no operation of this
/// device. So a clone stores the name that it has at its first write, in its own `.git/config`, which all its worktrees
/// share. A name that the user sets (`device` in the user's settings) takes precedence.
extension Box {
  /// The key in git's configuration.
  private static let deviceKey = "slipbox.device"

  /// Returns the name of this device in the history of this box.
  package func device(_ context: CommandContext) -> String {
    guard context.isHostName else { return context.device }
    // No operation has this name: a clone that slip has not written yet has no operation of this device.
    return keptDevice ?? (isUnwrittenClone ? "\(context.device)-" : context.device)
  }

  /// Whether slip has not written this clone of another repository yet.
  private var isUnwrittenClone: Bool {
    guard !MergeDriverRegistration(in: self).exists else { return false }
    return !((try? git { repository throws(GitError) in try repository.remotes.all() }) ?? []).isEmpty
  }

  private var keptDevice: String? {
    withRepository { $0.settings[Self.deviceKey] }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Stores the name of this device in the clone, if it has none yet.
  ///
  /// A new clone that has a remote gets a random suffix: another clone on this machine, or a device with the same host
  /// name, would otherwise undo its operations. A clone that slip wrote before keeps the name of its operations, which is
  /// the host's. If the configuration can't be written, the next command does it.
  /// - Parameter isNew: whether slip has not written this clone before.
  func keepDevice(_ context: CommandContext, isNew: Bool) {
    guard context.isHostName, keptDevice == nil else { return }
    let remotes = (try? git { repository throws(GitError) in try repository.remotes.all() }) ?? []
    let suffix = context.ids.noteID().description.prefix(4)
    let name = isNew && !remotes.isEmpty ? "\(context.device)-\(suffix)" : context.device
    try? git { repository throws(GitError) in try repository.settings.set(Self.deviceKey, to: name) }
  }
}
