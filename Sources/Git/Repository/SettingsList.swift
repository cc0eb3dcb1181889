import CLibgit2

/// The settings of a repository as `git config --list` writes them.
///
/// It serves repositories whose configuration libgit2 can't read in full.
struct SettingsList {
  private let values: [String: String]

  /// Asks git; nil if this git can't answer, which is then too old to know more conditions than libgit2 does.
  /// - Throws: `io` if git can't be started.
  init?(of folder: [UInt8], environment: GitEnvironment) throws(GitError) {
    let words = ["config", "--list", "--includes", "--show-scope", "--null"]
    let answer = try GitProgram.capture(words, in: folder, environment: environment)
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

  /// The values of the last lines of each key, without those of the command line: they are ours.
  private static func parse(_ output: [UInt8]) -> [String: String] {
    var values: [String: String] = [:]
    let parts = output.split(separator: 0, omittingEmptySubsequences: false)
    for place in stride(from: 0, to: parts.count - 1, by: 2) {
      if parts[place].elementsEqual("command".utf8) { continue }
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
