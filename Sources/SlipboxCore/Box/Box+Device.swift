import Git
import Notes

/// The name by which commits say on which device an operation was made.
///
/// A host name changes, for example with DHCP or in a container, and `slip undo` would then find no operation of this
/// device. So a clone keeps the name that it has at its first write, in its own `.git/config`, which all its worktrees
/// share. A name that the user sets (`device` in the user's settings) comes before it.
extension Box {
  /// The key in git's configuration.
  private static let deviceKey = "slipbox.device"

  /// The name of this device in the history of this box.
  package func device(_ context: CommandContext) -> String {
    guard context.isHostName else { return context.device }
    // No operation has this name: in a clone that slip has not written yet, none is of this device.
    return keptDevice ?? (isUnwrittenClone ? "\(context.device)-" : context.device)
  }

  /// Whether slip has not written this clone of another repository yet.
  private var isUnwrittenClone: Bool {
    guard withRepository({ $0.settings["merge.slipbox.driver"] }) == nil else { return false }
    return !((try? git { repository throws(GitError) in try repository.remotes.all() }) ?? []).isEmpty
  }

  private var keptDevice: String? {
    withRepository { $0.settings[Self.deviceKey] }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Keeps the name of this device in the clone, if it has none yet.
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
