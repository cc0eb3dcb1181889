import Bytes
import CLibgit2

extension Repository {
  /// Finds the repository that a folder is in; nil where neither it nor a folder above is one.
  /// - Throws: `notOwned`, `unsupported`, or `damaged` where there is a git folder without a sound HEAD.
  package static func discover(
    from directory: [UInt8], environment: GitEnvironment = .process
  ) throws(GitError) -> Repository? {
    guard let layout = try RepositoryLayout.find(from: directory) else { return nil }
    return try Repository(layout, environment: environment)
  }

  /// Makes a repository in a folder, which is made too where it does not exist.
  ///
  /// Wraps `git_repository_init_ext`. The first branch is called as `init.defaultBranch` says, else "main".
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
    try repository.shareAsNew()
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

/// The configuration outside any repository.
private struct SharedConfiguration: ~Copyable {
  private let handle: Handle

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
    self.handle = handle
  }

  subscript(_ key: String) -> String? {
    let pointer = handle.pointer
    let (status, bytes) = GitLibrary.buffer { git_config_get_string_buf($0, pointer, key) }
    return status >= 0 ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
