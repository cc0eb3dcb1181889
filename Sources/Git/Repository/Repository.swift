import Bytes
import CLibgit2
import Platform

/// A git repository: values in, values out, no handle of libgit2 ever leaves it.
///
/// Small files (HEAD, refs, the index, cached times) are read directly. Libgit2 is started and the repository
/// opened when an object, an attribute or the configuration is first needed. `GIT_*` variables that name another
/// repository are not obeyed.
package final class Repository {
  /// The root of the work tree, absolute and without a trailing slash; nil for a bare repository.
  package let workTree: [UInt8]?
  /// The git folder, in a linked worktree its own.
  package let gitDirectory: [UInt8]
  /// The git folder that all worktrees share; the same as `gitDirectory` if there is one.
  package let commonDirectory: [UInt8]
  /// How the repository takes locks.
  package var lockPolicy = LockPolicy()
  /// A commit that a killed command was to make the first of its branch; nil if there is none such.
  package var firstCommit: ObjectID?

  let environment: GitEnvironment
  let layout: RepositoryLayout
  private var opened: OpenRepository?
  /// The objects that a partial clone lacks; all readers of the repository share it.
  let promised: PromisedObjects
  /// The objects that can be read without libgit2.
  let objectFiles: ObjectFiles
  var objectOutput = ObjectOutput()
  var recentObjects = RecentObjects()
  var indexCache = IndexCache()
  var attributeCache = AttributeCache()
  /// The large tree that was read last: several questions about one commit read the tree of its root.
  var lastLargeTree: (id: ObjectID, tree: Tree)?
  /// How many callers want the settings to stay as they are.
  var settingsUsers = 0
  /// The permissions of `core.sharedRepository`; nil if the setting was not read yet.
  var knownSharedMode: SharedMode?

  init(_ layout: RepositoryLayout, environment: GitEnvironment, promised: PromisedObjects = .init())
    throws(GitError)
  {
    self.layout = layout
    self.environment = environment
    self.promised = promised
    gitDirectory = layout.gitDirectory
    commonDirectory = layout.commonDirectory
    objectFiles = ObjectFiles(layout.commonDirectory / "objects")
    let configuration = try layout.configuration()
    if layout.isOwned, layout.isPlain(configuration) {
      workTree = layout.workTree
      return
    }
    let opened = try OpenRepository(layout, environment: environment)
    self.opened = opened
    workTree = git_repository_workdir(opened.repository).map { path in
      let bytes = Array(String(cString: path).utf8)
      let plain = bytes.count > 1 && bytes.last == UInt8(ascii: "/") ? Array(bytes.dropLast()) : bytes
      return Files.realPath(plain) ?? plain
    }
  }

  /// The repository as libgit2 has it, opened on the first call.
  func open() throws(GitError) -> OpenRepository {
    let result: OpenRepository
    if let opened { result = opened } else { result = try OpenRepository(layout, environment: environment) }
    opened = result
    if settingsUsers > 0 { result.keepSettings() }
    return result
  }

  /// Makes another value of the same repository, for another thread.
  package var another: @Sendable () throws(GitError) -> Repository {
    { [layout, environment, promised] () throws(GitError) in
      try Repository(layout, environment: environment, promised: promised)
    }
  }

  /// Whether libgit2 was needed so far.
  var isOpen: Bool { opened != nil }

  /// Whether the history is cut: the commits at the cut have parents that are not here.
  package var isShallow: Bool {
    RawFile.status(commonDirectory / "shallow").map { $0.size > 0 } ?? false
  }
}

/// libgit2's objects and its last error belong to one thread.
@available(*, unavailable) extension Repository: Sendable {}

/// Values over the repository, one for each purpose; `WorkTree`, `History` and `Remotes` have more.
///
/// A value keeps no state of its own and costs nothing to make.
extension Repository {
  /// The configuration.
  package var settings: RepositorySettings { RepositorySettings(repository: self) }
  /// The permissions of files in the git folder.
  package var permissions: SharedPermissions { SharedPermissions(repository: self) }
  /// The programs that git runs at certain moments.
  package var hooks: Hooks { Hooks(repository: self) }
  /// The refs, with HEAD of this work tree.
  package var references: References { References(repository: self, gitDirectory: gitDirectory) }
  /// The merge, rebase or the like that git is in the middle of.
  package var operation: CurrentOperation { CurrentOperation(repository: self) }
}

extension Repository {
  /// Finds the repository that a folder is in; nil if neither it nor a folder above is one.
  /// - Throws: `notOwned`, `unsupported`, or `damaged` if there is a git folder without a sound HEAD.
  package static func discover(
    from directory: [UInt8], environment: GitEnvironment = .process
  ) throws(GitError) -> Repository? {
    guard let layout = try RepositoryLayout.find(from: directory) else { return nil }
    return try Repository(layout, environment: environment)
  }

  /// Creates a repository in a folder, and the folder if it does not exist.
  ///
  /// Wraps `git_repository_init_ext`. The name of the first branch is `init.defaultBranch`, else "main".
  package static func create(
    at directory: [UInt8], environment: GitEnvironment = .process
  ) throws(GitError) -> Repository {
    try GitLibrary.start()
    let defaults = try SharedConfiguration(environment)
    let branch = Array((defaults["init.defaultBranch"] ?? "main").utf8)
    let template = defaults["init.templateDir"].map { Array($0.utf8) }
    let status = initialise(directory, branch: branch, template: template)
    try GitLibrary.check(status, "make a repository in \(GitError.text(directory))")
    guard let layout = try RepositoryLayout.find(from: directory) else {
      throw GitError(.io, "the repository made in \(GitError.text(directory)) can't be found")
    }
    RawFile.syncFileSystem(of: layout.gitDirectory)
    let repository = try Repository(layout, environment: environment)
    try repository.permissions.shareAsNew()
    return repository
  }

  private static func initialise(_ directory: [UInt8], branch: [UInt8], template: [UInt8]?) -> Int32 {
    var options = git_repository_init_options()
    let version = UInt32(GIT_REPOSITORY_INIT_OPTIONS_VERSION)
    let status = git_repository_init_options_init(&options, version)
    guard status >= 0 else { return status }
    options.flags =
      GIT_REPOSITORY_INIT_MKDIR.rawValue | GIT_REPOSITORY_INIT_MKPATH.rawValue
      | (template == nil ? 0 : GIT_REPOSITORY_INIT_EXTERNAL_TEMPLATE.rawValue)
    return directory.withCPath { path in
      branch.withCPath { head in
        (template ?? []).withCPath { folder in
          var made: OpaquePointer?
          options.initial_head = head
          options.template_path = template == nil ? nil : folder
          let status = git_repository_init_ext(&made, path, &options)
          git_repository_free(made)
          return status
        }
      }
    }
  }
}

/// Git itself, run on the repository.
extension Repository {
  /// Settings that disable the programs of filters that the repository's own files define.
  ///
  /// Git runs a filter when it compares a file with its entry. A filter of the user's own configuration stays, unless
  /// the repository gives the same name another program.
  private func filterSettings() throws(GitError) -> [String] {
    let listing = try git(["config", "--list", "--name-only", "--show-scope", "--includes", "-z"])
    var names: Set<[UInt8]> = []
    // Scope and name take turns.
    let words = listing.split(separator: 0, omittingEmptySubsequences: false)
    for place in stride(from: 0, to: words.count - 1, by: 2) {
      let key = words[place + 1]
      let isOwn = ["local", "worktree"].contains(String(decoding: words[place], as: UTF8.self))
      guard isOwn, key.starts(with: "filter.".utf8), let dot = key.lastIndex(of: UInt8(ascii: ".")) else {
        continue
      }
      if dot > key.startIndex + 7 { names.insert(Array(key[(key.startIndex + 7)..<dot])) }
    }
    // A name with "=" can't be set on a command line: git would read another name.
    let odd = names.first { $0.contains(UInt8(ascii: "=")) || String(validating: $0, as: UTF8.self) == nil }
    if let odd {
      throw GitError(
        .other,
        "the configuration of the repository defines a filter with an unsupported name: \(GitError.text(odd))"
      )
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { name in
      let prefix = "filter.\(GitError.text(name))"
      return ["\(prefix).clean=", "\(prefix).smudge=", "\(prefix).process=", "\(prefix).required=false"]
    }
  }

  /// Runs git on this very repository and returns its output.
  func git(
    _ words: [String], index: [UInt8]? = nil, workTree: [UInt8]? = nil, input: [UInt8] = [],
    accepting: Set<Int32> = [0], expandsSparseIndex: Bool = false, stores: Bool = false
  ) throws(GitError) -> [UInt8] {
    let answer = try runGit(
      words, index: index, workTree: workTree, input: input, expandsSparseIndex: expandsSparseIndex,
      stores: stores)
    guard accepting.contains(answer.status) else {
      let lines = String(decoding: answer.errors, as: UTF8.self).split(separator: "\n")
      let said = lines.first ?? "it exited with code \(answer.status)"
      throw GitError(.other, "git \(words.first ?? "") failed: \(said.trimmingBlanks)")
    }
    return answer.output
  }

  /// Runs git on this very repository and returns its answer, whatever its exit code is.
  /// - Parameters:
  ///   - objects: the folder for new objects; nil for that of the repository.
  ///   - stores: whether a command that otherwise only compares files stores them, so that it needs all filters.
  func runGit(
    _ words: [String], index: [UInt8]? = nil, objects: [UInt8]? = nil, workTree other: [UInt8]? = nil,
    input: [UInt8] = [], expandsSparseIndex: Bool = false, stores: Bool = false
  ) throws(GitError) -> GitProgram.Answer {
    let workTree = other ?? workTree
    var variables = ["GIT_DIR": GitError.text(gitDirectory)]
    variables["GIT_WORK_TREE"] = workTree.map { GitError.text($0) }
    variables["GIT_INDEX_FILE"] = index.map { GitError.text($0) }
    if let objects {
      variables["GIT_OBJECT_DIRECTORY"] = GitError.text(objects)
      variables["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = GitError.text(commonDirectory / "objects")
    }
    let compares = ["update-index", "sparse-checkout"].contains(words.first) && !stores
    var settings = compares ? try filterSettings() : []
    if expandsSparseIndex { settings.append("index.sparse=false") }
    return try GitProgram.capture(
      settings.flatMap { ["-c", $0] } + words, in: workTree ?? gitDirectory, environment: environment,
      adding: variables, input: input)
  }
}

/// The configuration outside any repository.
private struct SharedConfiguration: ~Copyable {
  private let handle: Handle
  private let handedSettings: HandedSettings?

  init(_ environment: GitEnvironment) throws(GitError) {
    let files = ConfigurationFiles(environment)
    let handle = try Handle("read the configuration", free: git_config_free) { git_config_new($0) }
    let levels = [
      (files.system, GIT_CONFIG_LEVEL_SYSTEM), (files.shared, GIT_CONFIG_LEVEL_XDG),
      (files.user, GIT_CONFIG_LEVEL_GLOBAL),
    ]
    for (path, level) in levels {
      guard let path, RawFile.status(path, followLinks: true) != nil else { continue }
      let status = path.withCPath { git_config_add_file_ondisk(handle.pointer, $0, level, nil, 1) }
      try GitLibrary.check(status, "read \(GitError.text(path))")
    }
    let handed = try HandedSettings(environment)
    try handed?.add(to: handle.pointer, nil)
    self.handle = handle
    handedSettings = handed
  }

  subscript(_ key: String) -> String? {
    let pointer = handle.pointer
    let (status, bytes) = GitLibrary.buffer { git_config_get_string_buf($0, pointer, key) }
    return status >= 0 ? String(decoding: bytes, as: UTF8.self) : nil
  }
}

/// The small commits and trees that were read last and had the hash of their name: several questions about one commit read
/// the same few.
struct RecentObjects {
  /// How many are kept.
  private static let count = 16
  /// The bytes of the largest one that is kept.
  private static let size = 1 << 12

  private var objects: [(id: ObjectID, object: StoredObject)] = []

  subscript(id: ObjectID) -> StoredObject? { objects.first { $0.id == id }?.object }

  mutating func add(_ object: StoredObject, _ id: ObjectID) {
    guard object.kind == .commit || object.kind == .tree, object.bytes.count <= Self.size else { return }
    if objects.count == Self.count { objects.removeFirst() }
    objects.append((id, object))
  }
}

/// The attributes and filters of files, as far as a repository has read them.
struct AttributeCache {
  var filteredFiles = FilteredFiles()
  /// Whether libgit2 has the attribute files that exist only in the index.
  var hasSparseFiles = false
  /// The folder above which all files of rules were last seen to be regular files.
  var checkedFolder: [UInt8]?
}

/// Contents of files behind filters, and which files are behind one, as far as a repository has looked.
struct FilteredFiles {
  /// A file before its filter.
  struct Plain: Hashable {
    let path: [UInt8]
    let id: ObjectID
  }

  /// The attributes of one folder in the last commit and in git's index.
  struct Rules {
    /// The blobs of the file; nil without such a file.
    let commit: ObjectID?
    let index: ObjectID?
    /// Whether the attributes that git reads may take a filter from a file that these name.
    let mayDropCommitted: Bool
    let mayDropStaged: Bool
    /// Whether macros are defined in the folder or at the root.
    let hasMacros: Bool
  }

  /// The most contents that are kept; with more, all are forgotten.
  private static let limit = 512

  /// Whether a file of attributes that holds for all files names a filter; nil if it was not looked for.
  var isNamedForAll: Bool?
  /// The attribute files in git's index, by path; nil if they were not looked for.
  var indexEntries: [[UInt8]: IndexEntry]?
  /// Whether the file of attributes in a folder names a filter.
  var folders: [[UInt8]: Bool] = [:]
  /// Whether git has to read the attributes that hold for all files; nil if they were not looked at.
  var needsGitForAll: Bool?
  /// Whether git has to read the attributes of folders.
  var needingGit: [[UInt8]: Bool] = [:]
  /// The answers of git for files: the attribute, or nil for none.
  var byGit: [[UInt8]: String?] = [:]
  /// How often git was asked.
  var countOfAsked = 0
  /// The attributes of folders in the work tree, the last commit and git's index.
  var rules: [[UInt8]: Rules] = [:]
  /// Contents by the blobs as which they are stored.
  private(set) var contents: [ObjectID: [UInt8]] = [:]
  /// Stored forms by the files.
  private(set) var stored: [Plain: [UInt8]] = [:]

  mutating func remember(_ content: [UInt8], for id: ObjectID) {
    if contents.count == Self.limit { contents = [:] }
    contents[id] = content
  }

  mutating func remember(_ form: [UInt8], for plain: Plain) {
    if stored.count == Self.limit { stored = [:] }
    stored[plain] = form
  }
}
