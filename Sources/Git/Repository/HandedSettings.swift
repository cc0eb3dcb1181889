import Bytes
import CLibgit2
import Platform

/// The settings that git takes from the environment: those of `git -c`, and of `GIT_CONFIG_COUNT` with its keys and
/// values.
///
/// They win over all files. Source: git-config(1), ENVIRONMENT.
struct HandedSettings {
  /// The settings as a configuration file.
  private let file: MemoryFile

  /// The variables that hold the settings.
  static let variables = ["GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT"]

  /// Has git read the variables; nil if they hold no setting.
  /// - Throws: `other` with git's reason if git can't read them, or if a setting would move the work tree; `io` if git
  ///   can't be started.
  init?(_ environment: GitEnvironment) throws(GitError) {
    guard Self.variables.contains(where: { environment[$0]?.isEmpty == false }) else { return nil }
    let listing = try GitProgram.listSettings(in: Array("/".utf8), environment: environment)
    guard listing.status == 0 else {
      let lines = String(decoding: listing.errors, as: UTF8.self).split(separator: "\n")
      let said = lines.joined(separator: "; ")
      throw GitError(.other, "git can't read the settings in the environment: \(said)")
    }
    let text = try Self.text(of: listing.output)
    if text.isEmpty { return nil }
    file = try GitError.wrapping("store", Array("the settings in the environment".utf8)) {
      () throws(SystemError) in try MemoryFile(holding: text)
    }
  }

  /// Puts the settings over those that a configuration has.
  ///
  /// The file must live as long as the configuration: libgit2 looks at it again.
  func add(to configuration: OpaquePointer, _ repository: OpaquePointer?) throws(GitError) {
    // libgit2 names no level above that of the work tree's file.
    let level = git_config_level_t(rawValue: GIT_CONFIG_LEVEL_APP.rawValue + 2)
    let status = file.path.withCPath {
      git_config_add_file_ondisk(configuration, $0, level, repository, 1)
    }
    try GitLibrary.check(status, "read the settings in the environment")
  }

  /// Lines by which a shell has the variables as they were before slip's own settings for git.
  ///
  /// In single quotes: sh knows no other form for a line feed.
  static func shellLines(_ environment: GitEnvironment) -> String {
    variables.map { name in
      guard let value = environment[name] else { return "unset \(name)" }
      return "export \(name)='"
        + value.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "'\\''") + "'"
    }.joined(separator: "\n")
  }

  /// The settings of the scope "command" in the form of a file.
  private static func text(of listing: [UInt8]) throws(GitError) -> [UInt8] {
    var text: [UInt8] = []
    let parts = listing.split(separator: 0, omittingEmptySubsequences: false)
    for place in stride(from: 0, to: parts.count - 1, by: 2)
    where parts[place].elementsEqual("command".utf8) {
      let setting = parts[place + 1]
      let end = setting.firstIndex(of: 10) ?? setting.endIndex
      let key = setting[..<end]
      if ["core.worktree", "core.bare"].contains(where: { key.elementsEqual($0.utf8) }) {
        throw GitError(
          .other,
          "\(GitError.text(Array(key))) is set in the environment (git -c); slip does not support that")
      }
      guard let first = key.firstIndex(of: 46), let last = key.lastIndex(of: 46) else { continue }
      text += "[".utf8 + key[..<first]
      if first < last { text += " ".utf8 + quoted(key[(first + 1)..<last]) }
      text += "]\n".utf8 + key[(last + 1)...]
      if end < setting.endIndex { text += " = ".utf8 + quoted(setting[(end + 1)...]) }
      text.append(10)
    }
    return text
  }

  private static func quoted(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = [34]
    for byte in bytes {
      switch byte {
      case 34, 92: text += [92, byte]
      case 10: text += Array("\\n".utf8)
      default: text.append(byte)
      }
    }
    return text + [34]
  }
}
