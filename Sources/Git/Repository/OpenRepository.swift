import Bytes
import CLibgit2
import Platform

/// A repository as libgit2 has it open, with the configuration that git itself would read.
final class OpenRepository {
  private let handle: Handle
  private let objectHandle: Handle
  private let configurationHandle: Handle
  private let attributeIndexHandle: Handle
  private let layout: RepositoryLayout
  private let environment: GitEnvironment
  private let handedSettings: HandedSettings?
  /// The settings as they were read last; nil unless they are kept.
  private var keptSettings: SettingsCopy?
  /// The last answer of `listedSettings()`, and when git gave it.
  private var knownList: (list: SettingsList?, milliseconds: Int64)?
  /// A server that runs for long sees a changed configuration after this time.
  private static let listMilliseconds: Int64 = 1_000

  /// The `git_repository`.
  var repository: OpaquePointer { handle.pointer }
  /// The `git_odb`.
  var objects: OpaquePointer { objectHandle.pointer }
  /// The `git_config`.
  var configuration: OpaquePointer { configurationHandle.pointer }
  /// The `git_config` to look a setting up in: a copy while the settings are kept.
  var settings: OpaquePointer { keptSettings?.pointer ?? configuration }
  /// A `git_index` in memory that replaces the file: libgit2 would read the file for each attribute, and fails on
  /// split and sparse ones. It holds only the entries that a check of attributes or line ends needs.
  var attributeIndex: OpaquePointer { attributeIndexHandle.pointer }

  /// Opens the repository of a layout.
  ///
  /// Wraps `git_repository_open_ext`. It is asked to open this very folder, and `GIT_*` variables are not obeyed.
  init(_ layout: RepositoryLayout, environment: GitEnvironment) throws(GitError) {
    try GitLibrary.start()
    try Self.checkOwner(of: layout, environment: environment)
    try PackIndexCheck.refuseDamaged(in: layout.commonDirectory / "objects")
    let repository = try Self.open(layout)
    let configuration = try Self.configuration(layout, environment: environment, repository.pointer)
    let handed = try HandedSettings(environment)
    try handed?.add(to: configuration.pointer, repository.pointer)
    try GitLibrary.check(
      git_repository_set_config(repository.pointer, configuration.pointer), "use the configuration")
    let objects = try Handle("open the object folder", free: git_odb_free) {
      git_repository_odb($0, repository.pointer)
    }
    let index = try Handle("make an index", free: git_index_free) { git_index_new($0) }
    try GitLibrary.check(git_repository_set_index(repository.pointer, index.pointer), "make an index")
    handle = repository
    objectHandle = objects
    configurationHandle = configuration
    attributeIndexHandle = index
    handedSettings = handed
    self.layout = layout
    self.environment = environment
  }

  /// All settings as git lists them, if the configuration has an include that libgit2 does not understand; nil if libgit2
  /// reads the same as git.
  /// - Throws: `io` if git is needed and can't be started.
  func listedSettings() throws(GitError) -> SettingsList? {
    let now = Waiting.now()
    if let knownList, now - knownList.milliseconds < Self.listMilliseconds { return knownList.list }
    var list: SettingsList?
    if SettingsList.needsGit(configuration) {
      list = try SettingsList(of: layout.workTree ?? layout.gitDirectory, environment: environment)
    }
    knownList = (list, now)
    return list
  }

  /// Makes a copy of the settings for the look-ups that follow.
  func keepSettings() {
    // If no copy can be made, each look-up reads the files.
    if keptSettings == nil { keptSettings = try? SettingsCopy(of: configuration) }
  }

  /// Has each look-up read the files of settings again.
  func releaseSettings() { keptSettings = nil }

  /// Has git and the files be asked again, after a change.
  func forgetSettings() {
    knownList = nil
    keptSettings = nil
  }

  /// Refuses the repository of another user, unless the user's own git accepts it: libgit2 knows only the simplest
  /// entries of `safe.directory`.
  private static func checkOwner(
    of layout: RepositoryLayout, environment: GitEnvironment
  ) throws(GitError) {
    if layout.isOwned { return }
    // If git can't be run, the folder counts as not accepted.
    let answer = try? GitProgram.capture(
      ["rev-parse", "--git-dir"], in: layout.folder, environment: environment)
    guard let answer, answer.status == 0 else {
      let folder = GitError.text(layout.folder)
      throw GitError(
        .notOwned,
        "\(folder) belongs to another user; if you trust it, run: "
          + "git config --global --add safe.directory \(ShellWord.quoted(layout.folder))")
    }
  }

  private static func open(_ layout: RepositoryLayout) throws(GitError) -> Handle {
    let flags = GIT_REPOSITORY_OPEN_NO_SEARCH.rawValue
    do {
      return try Handle("open the repository \(GitError.text(layout.folder))", free: git_repository_free) {
        made in
        layout.folder.withCPath { git_repository_open_ext(made, $0, flags, nil) }
      }
    } catch {
      throw explained(error, layout)
    }
  }

  /// Names the extension that libgit2 does not know, if that is the cause of an error.
  private static func explained(_ error: GitError, _ layout: RepositoryLayout) -> GitError {
    let words = error.message.split(separator: " ")
    if error.message.contains("repository version") {
      return GitError(
        .unsupported(extension: "repositoryformatversion"),
        "\(GitError.text(layout.folder)) has a repository format that slip can't read "
          + "(core.repositoryformatversion in \(GitError.text(layout.commonDirectory / "config")))")
    }
    guard let place = words.firstIndex(of: "extension"), let key = words.dropFirst(place + 2).first else {
      return error
    }
    let name = String(key.drop { $0 != "." }.dropFirst())
    let known = [
      "objectformat": "SHA-256 object names", "refstorage": "refs in the reftable format",
      "partialclone": "a partial clone, whose objects are fetched when needed",
      "relativeworktrees": "worktrees that are linked by relative paths",
    ]
    let meaning = known[name].map { " (\($0))" } ?? ""
    return GitError(
      .unsupported(extension: name),
      "\(GitError.text(layout.folder)) uses git's extension \(name)\(meaning), which slip can't read; "
        + "use a clone without it")
  }

  /// The files that git would read, in its order; libgit2 alone knows neither `GIT_CONFIG_GLOBAL` nor
  /// `GIT_CONFIG_NOSYSTEM`.
  private static func configuration(
    _ layout: RepositoryLayout, environment: GitEnvironment, _ repository: OpaquePointer
  ) throws(GitError) -> Handle {
    let files = ConfigurationFiles(environment)
    let handle = try Handle("read the configuration", free: git_config_free) { git_config_new($0) }
    let levels: [(path: [UInt8]?, level: git_config_level_t)] = [
      (files.system, GIT_CONFIG_LEVEL_SYSTEM), (files.shared, GIT_CONFIG_LEVEL_XDG),
      (files.user, GIT_CONFIG_LEVEL_GLOBAL), (layout.commonDirectory / "config", GIT_CONFIG_LEVEL_LOCAL),
      (worktreeFile(of: layout), GIT_CONFIG_LEVEL_APP),
    ]
    for (path, level) in levels {
      guard let path, isReadable(path) || level == GIT_CONFIG_LEVEL_LOCAL else { continue }
      let status = path.withCPath { name in
        git_config_add_file_ondisk(handle.pointer, name, level, repository, 1)
      }
      try GitLibrary.check(status, "read \(GitError.text(path))")
    }
    return handle
  }

  private static func isReadable(_ path: [UInt8]) -> Bool {
    RawFile.status(path, followLinks: true)?.kind == .file && Files.isAccessible(path, for: .reading)
  }

  /// The file of settings for one work tree, if the repository has the extension for it.
  private static func worktreeFile(of layout: RepositoryLayout) -> [UInt8]? {
    guard let text = try? RawFile.read(layout.commonDirectory / "config")?.bytes else { return nil }
    let lowered = text.map { $0 >= 65 && $0 <= 90 ? $0 + 32 : $0 }
    return lowered.containsText("worktreeconfig") ? layout.gitDirectory / "config.worktree" : nil
  }
}

/// A copy of a configuration, in which a look-up reads no file.
private final class SettingsCopy {
  private let handle: Handle
  var pointer: OpaquePointer { handle.pointer }

  /// Wraps `git_config_snapshot`.
  init(of configuration: OpaquePointer) throws(GitError) {
    handle = try Handle("read the configuration", free: git_config_free) {
      git_config_snapshot($0, configuration)
    }
  }
}

/// The settings of a repository as `git config --list` writes them.
///
/// It serves repositories whose configuration libgit2 can't read in full.
struct SettingsList {
  private let values: [String: String]

  /// Asks git; nil if this git can't answer, which is then too old to know more conditions than libgit2 does.
  /// - Throws: `io` if git can't be started.
  init?(of folder: [UInt8], environment: GitEnvironment) throws(GitError) {
    let answer = try GitProgram.listSettings(in: folder, environment: environment)
    guard answer.status == 0 else { return nil }
    values = Self.parse(answer.output)
  }

  /// The last value of a key; keys without `=` are true.
  subscript(_ key: String) -> String? { values[Self.canonical(key)] }

  /// Whether the configuration has a conditional include of a kind that libgit2 skips, such as
  /// `includeIf.hasconfig:remote.*.url:...`.
  ///
  /// Wraps `git_config_foreach_match`.
  static func needsGit(_ configuration: OpaquePointer) -> Bool {
    let found: Int32 = 1
    let status = git_config_foreach_match(
      configuration, "^includeif\\..*\\.path$",
      { entry, _ in
        guard let name = entry?.pointee.name.map({ String(cString: $0) }) else { return 0 }
        let condition = name.dropFirst("includeif.".utf8.count)
        return ["gitdir:", "gitdir/i:", "onbranch:"].contains { condition.hasPrefix($0) } ? 0 : 1
      }, nil)
    return status == found
  }

  /// The values of the last lines of each key.
  private static func parse(_ output: [UInt8]) -> [String: String] {
    var values: [String: String] = [:]
    let parts = output.split(separator: 0, omittingEmptySubsequences: false)
    for place in stride(from: 0, to: parts.count - 1, by: 2) {
      let setting = parts[place + 1]
      let end = setting.firstIndex(of: 10) ?? setting.endIndex
      let key = String(decoding: setting[..<end], as: UTF8.self)
      let value = String(decoding: setting[end...].dropFirst(), as: UTF8.self)
      values[key] = end == setting.endIndex ? "true" : value
    }
    return values
  }

  /// The key as git lists it: section and name in small letters.
  private static func canonical(_ key: String) -> String {
    guard let first = key.firstIndex(of: "."), let last = key.lastIndex(of: ".") else { return key }
    return key[..<first].lowercased() + key[first..<last] + key[last...].lowercased()
  }
}

/// The paths of the parts of a repository, found without libgit2.
struct RepositoryLayout {
  /// The folder that contains `.git`, or the git folder itself if it is bare.
  let folder: [UInt8]
  /// The work tree; nil for a bare repository.
  let workTree: [UInt8]?
  /// The git folder, in a linked worktree its own.
  let gitDirectory: [UInt8]
  /// The git folder that all worktrees share.
  let commonDirectory: [UInt8]

  /// Looks in a folder and above, as git does: never past the file system that the folder is on.
  static func find(from directory: [UInt8]) throws(GitError) -> RepositoryLayout? {
    guard var folder = Files.realPath(directory), let start = RawFile.status(folder) else { return nil }
    while true {
      if let found = try at(folder) { return found }
      let parent = folder.parentPath
      guard parent != folder, let above = RawFile.status(parent), above.device == start.device else {
        return nil
      }
      folder = parent
    }
  }

  private static func at(_ folder: [UInt8]) throws(GitError) -> RepositoryLayout? {
    let link = folder / ".git"
    if let status = RawFile.status(link, followLinks: true) {
      if status.kind == .directory, let real = Files.realPath(link), try isGitFolder(real) {
        return RepositoryLayout(folder: folder, workTree: folder, gitDirectory: real)
      }
      if status.kind == .file {
        return RepositoryLayout(folder: folder, workTree: folder, gitDirectory: try target(of: link))
      }
    }
    guard Files.isFolder(folder / "objects"), try isGitFolder(folder) else { return nil }
    return RepositoryLayout(folder: folder, workTree: nil, gitDirectory: folder)
  }

  private init(folder: [UInt8], workTree: [UInt8]?, gitDirectory: [UInt8]) {
    self.folder = folder
    self.workTree = workTree
    self.gitDirectory = gitDirectory
    commonDirectory = Self.commonFolder(of: gitDirectory)
  }

  /// The folder that the file `commondir` names, else the git folder itself.
  private static func commonFolder(of gitDirectory: [UInt8]) -> [UInt8] {
    guard let file = try? RawFile.read(gitDirectory / "commondir")?.bytes.trimmed, !file.isEmpty else {
      return gitDirectory
    }
    let path = file.first == UInt8(ascii: "/") ? file : gitDirectory / file
    return Files.realPath(path) ?? path
  }

  /// Tells whether a folder is git's. One that has everything but a sound HEAD is damaged, not absent: taking it for
  /// absent could lead to a repository further above.
  private static func isGitFolder(_ path: [UInt8]) throws(GitError) -> Bool {
    let common = commonFolder(of: path)
    guard Files.isFolder(common / "objects"), Files.isFolder(common / "refs") else { return false }
    if let status = RawFile.status(path / "HEAD"), status.kind == .symbolicLink { return true }
    let head = try RawFile.read(path / "HEAD")?.bytes ?? []
    if head.starts(with: "ref:".utf8) || ObjectID(hex: head.prefix(40)) != nil { return true }
    // A folder of notes may well have subfolders of these names; only ".git" is certainly meant for git.
    guard path.suffix(5).elementsEqual("/.git".utf8) else { return false }
    throw GitError(
      .damaged(object: "HEAD"),
      "\(GitError.text(path / "HEAD")) is corrupt; write \"ref: refs/heads/BRANCH\" with your branch into it")
  }

  /// The git folder that a file `.git` names.
  private static func target(of link: [UInt8]) throws(GitError) -> [UInt8] {
    let text = try RawFile.read(link)?.bytes ?? []
    guard text.starts(with: "gitdir:".utf8) else {
      throw GitError(.other, "\(GitError.text(link)) is a file without a line gitdir: PATH")
    }
    let name = Array(text.dropFirst(7)).trimmed
    let path = name.first == UInt8(ascii: "/") ? name : link.parentPath / name
    guard let real = Files.realPath(path), try isGitFolder(real) else {
      throw GitError(
        .missing,
        "\(GitError.text(link)) names a git folder that does not exist: \(GitError.text(path)); "
          + "if the repository was moved, run: git worktree repair")
    }
    return real
  }
}

extension RepositoryLayout {
  /// Whether work tree and git folder belong to the user who runs this.
  var isOwned: Bool {
    let paths = [folder, gitDirectory] + (workTree == nil ? [] : [folder / ".git"])
    return paths.allSatisfy { RawFile.status($0, followLinks: true)?.owner == geteuid() }
  }

  /// The settings that the repository holds; nil if it has no file of them.
  /// - Throws: `unreadable` if the file is there and can't be read: git would do nothing without it either.
  func configuration() throws(GitError) -> [UInt8]? {
    let path = commonDirectory / "config"
    do throws(SystemError) {
      if let found = try Files.readIfPresent(path) { return found.bytes }
      guard try Files.status(path, followLinks: true) != nil else { return nil }
    } catch {
      throw GitError(.unreadable(path: path), "\(GitError.text(path)) can't be read: \(error.reason)")
    }
    throw GitError(.unreadable(path: path), "\(GitError.text(path)) can't be read: it is not a file")
  }

  /// Whether the configuration has nothing that changes how the repository is found or opened, so that opening it can
  /// wait until an object is needed. When in doubt, false.
  func isPlain(_ configuration: [UInt8]?) -> Bool {
    guard workTree != nil, let configuration, configuration.count < 1 << 20 else { return false }
    let text = configuration.map { $0 >= 65 && $0 <= 90 ? $0 + 32 : $0 }
    if ["extensions", "worktree", "include"].contains(where: { text.containsText($0) }) { return false }
    // A linked worktree has its own folder, whatever the repository says of the first one.
    let isLinked = gitDirectory != commonDirectory
    return !text.split(whereSeparator: { $0 == 10 || $0 == 13 }).contains { line in
      let words = line.split(whereSeparator: { $0 == 32 || $0 == 9 || $0 == UInt8(ascii: "=") })
      guard let key = words.first, let value = words.dropFirst().first else { return false }
      let isVersion = key.elementsEqual("repositoryformatversion".utf8)
      return isVersion && !value.elementsEqual("0".utf8)
        || !isLinked && key.elementsEqual("bare".utf8) && !value.elementsEqual("false".utf8)
    }
  }
}

extension [UInt8] {
  /// Whether the bytes of a text occur here.
  func containsText(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    return withUnsafeBytes { buffer in
      wanted.withUnsafeBytes { wanted in
        guard let base = buffer.baseAddress, let text = wanted.baseAddress, let first = wanted.first else {
          return wanted.isEmpty
        }
        var start = 0
        while start + wanted.count <= buffer.count {
          let end = buffer.count - wanted.count + 1
          guard let found = CLibrary.offset(of: first, in: buffer, from: start, to: end) else { return false }
          if CLibrary.compare(base + found, text, count: wanted.count) == 0 { return true }
          start = found + 1
        }
        return false
      }
    }
  }
}
