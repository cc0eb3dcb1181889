import Bytes
import CLibgit2
import Platform

/// The configuration of a repository: the values of all files and variables that git reads for it.
package struct RepositorySettings {
  let repository: Repository

  /// The value that git would use for a key, from all its files; nil if none sets it or it cannot be read.
  package subscript(_ key: String) -> String? {
    guard let opened = try? repository.open() else { return nil }
    if let listed = (try? opened.listedSettings()) ?? nil { return listed[key] }
    let (status, bytes) = GitLibrary.buffer { git_config_get_string_buf($0, opened.settings, key) }
    return status >= 0 ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// The value of a key as git reads a truth value; false if it is not set.
  package func isTrue(_ key: String) -> Bool {
    guard let opened = try? repository.open() else { return false }
    var value: Int32 = 0
    if let listed = (try? opened.listedSettings()) ?? nil {
      guard let text = listed[key] else { return false }
      return git_config_parse_bool(&value, text) >= 0 && value != 0
    }
    return git_config_get_bool(&value, opened.settings, key) >= 0 && value != 0
  }

  /// Keeps the settings as they are at the next look-up until `release()`, as one run of git does.
  ///
  /// Otherwise each look-up sees what another program has changed, and costs a `stat` of each file of settings.
  package func keep() { repository.settingsUsers += 1 }

  /// Ends one `keep()`.
  package func release() {
    repository.settingsUsers -= 1
    if repository.settingsUsers == 0, repository.isOpen { try? repository.open().releaseSettings() }
  }

  /// All values of a key that may have several, in the order of git's files.
  ///
  /// Wraps `git_config_get_multivar_foreach`.
  func values(_ key: String) throws(GitError) -> [String] {
    var found: [String] = []
    let configuration = try repository.open().settings
    withUnsafeMutablePointer(to: &found) { found in
      // A key that no file sets is not an error.
      _ = git_config_get_multivar_foreach(
        configuration, key, nil,
        { entry, found in
          guard let value = entry?.pointee.value, let found else { return 0 }
          found.assumingMemoryBound(to: [String].self).pointee.append(String(cString: value))
          return 0
        }, found)
    }
    return found
  }

  /// Whether the executable bit of files counts, as `core.fileMode` says.
  package var usesFileModes: Bool {
    self["core.fileMode"] == nil || isTrue("core.fileMode")
  }

  /// The value of a key as a path, with `~` replaced by the home folder.
  func path(_ key: String) -> [UInt8]? {
    guard let opened = try? repository.open() else { return nil }
    let (status, bytes) = GitLibrary.buffer { buffer in
      if let listed = (try? opened.listedSettings()) ?? nil {
        guard let text = listed[key] else { return GIT_ENOTFOUND.rawValue }
        return git_config_parse_path(buffer, text)
      }
      return git_config_get_path(buffer, opened.settings, key)
    }
    return status >= 0 && !bytes.isEmpty ? bytes : nil
  }

  /// Sets a key in the repository's own file, the one that all its worktrees share.
  ///
  /// A copy is changed and put in the place of the file, so that a command that is killed leaves the old file or the new
  /// one, and perhaps a lock that the next one takes over.
  /// Wraps `git_config_set_string`.
  package func set(_ key: String, to value: String) throws(GitError) {
    // If the repository can't be opened, its settings can't be read either.
    let opened = try repository.open()
    defer { opened.forgetSettings() }
    let (file, draft) = (repository.commonDirectory / "config", repository.gitDirectory / "config.slip")
    let lock = try repository.lockPolicy.take(file + Array(".lock".utf8))
    defer { lock.release() }
    // Those that a killed command left.
    for left in [draft, draft + Array(".lock".utf8)] { RawFile.remove(left) }
    defer { RawFile.remove(draft) }
    let mode = (RawFile.status(file, followLinks: true)?.mode ?? 0o644) & 0o777
    try RawFile.createDurably(draft, try RawFile.read(file)?.bytes ?? [], mode: mode)
    let copy = try Handle("open the configuration", free: git_config_free) { made in
      draft.withCPath { git_config_open_ondisk(made, $0) }
    }
    try GitLibrary.check(git_config_set_string(copy.pointer, key, value), "set \(key)")
    let changed = try RawFile.read(draft)?.bytes ?? []
    try GitError.wrapping("write", file) { () throws(SystemError) in try Files.write(changed, to: file) }
    lock.release()
    RawFile.syncFolder(repository.commonDirectory)
  }

  /// The configuration files that git reads for this repository, whether they exist or not.
  package var files: [[UInt8]] {
    let shared = ConfigurationFiles(repository.environment)
    let own = [repository.commonDirectory / "config", repository.gitDirectory / "config.worktree"]
    return own + [shared.system, shared.shared, shared.user].compactMap { $0 }
  }
}

/// The permissions of the files in the git folder, for several users of one repository.
package struct SharedPermissions {
  let repository: Repository

  /// The permissions of files and folders that are made in the git folder; the umask decides if git would refuse the
  /// setting.
  var mode: SharedMode {
    if let known = repository.knownSharedMode { return known }
    let (settings, key) = (repository.settings, "core.sharedRepository")
    let mode = settings[key].flatMap { SharedMode($0, isTrue: settings.isTrue(key)) } ?? .umask
    repository.knownSharedMode = mode
    return mode
  }

  /// Gives a file or folder in the git folder the permissions of `core.sharedRepository`.
  package func share(_ path: [UInt8]) { mode.apply(to: path) }

  /// Creates a folder and those above it in the git folder, with the permissions of `core.sharedRepository`.
  func makeFolder(_ path: [UInt8]) throws(SystemError) {
    var missing: [[UInt8]] = []
    var folder = path
    while folder.count > 1, RawFile.status(folder, followLinks: true) == nil {
      missing.append(folder)
      folder = folder.parentPath
    }
    guard !missing.isEmpty else { return }
    try Files.makeDirectory(path)
    for folder in missing { share(folder) }
  }

  /// Does for the files of a ref and of its log, which libgit2 made, what `makeFolder` and `share` do.
  func shareReference(_ name: [UInt8]) {
    guard mode != .umask else { return }
    for folder in [
      repository.commonDirectory, repository.commonDirectory / "logs", repository.gitDirectory / "logs",
    ] {
      var path = folder / name
      while path.count >= folder.count {
        if path != repository.gitDirectory, path != repository.commonDirectory { share(path) }
        path = path.parentPath
      }
    }
    share(repository.gitDirectory / "logs/HEAD")
  }

  /// Does for a new repository what `git init` does if the user's configuration has `core.sharedRepository`: the
  /// repository keeps the setting, for the others who use it, and its files get their permissions.
  func shareAsNew() throws(GitError) {
    guard mode != .umask, let value = repository.settings["core.sharedRepository"] else { return }
    try repository.settings.set("core.sharedRepository", to: value.isEmpty ? "group" : value)
    try repository.settings.set("receive.denyNonFastForwards", to: "true")
    shareAll(in: repository.gitDirectory)
  }

  private func shareAll(in folder: [UInt8]) {
    share(folder)
    for name in (try? Files.list(folder)) ?? [] {
      let path = folder / name
      if RawFile.status(path)?.kind == .directory { shareAll(in: path) } else { share(path) }
    }
  }
}

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
