import CLibgit2

extension Repository {
  /// The configuration files that git reads for this repository, whether they exist or not.
  package var configurationFiles: [[UInt8]] {
    let shared = ConfigurationFiles(environment)
    let own = [commonDirectory / "config", gitDirectory / "config.worktree"]
    return own + [shared.system, shared.shared, shared.user].compactMap { $0 }
  }

  /// The files of ignore rules beside the `.gitignore` files of the work tree, whether they exist or not.
  ///
  /// Source: gitignore(5): `info/exclude`, and `core.excludesFile` or its default.
  package func excludeFiles() -> [[UInt8]] {
    let own = commonDirectory / "info/exclude"
    if let named = configurationPath("core.excludesFile") { return [own, named] }
    return [own] + [ConfigurationFiles(environment).defaultExcludes].compactMap { $0 }
  }
}
