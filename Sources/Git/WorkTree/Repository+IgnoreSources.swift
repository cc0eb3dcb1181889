import Bytes

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
  /// - Parameter contents: what is in the configuration files; libgit2 is started only where they may name such a file.
  package func excludeFiles(configured contents: [[UInt8]]) -> [[UInt8]] {
    let own = commonDirectory / "info/exclude"
    let mayName = contents.contains { content in
      let lower = content.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
      return lower.containsText("excludesfile") || lower.containsText("include")
    }
    if mayName, let named = configurationPath("core.excludesFile") { return [own, named] }
    return [own] + [ConfigurationFiles(environment).defaultExcludes].compactMap { $0 }
  }
}
