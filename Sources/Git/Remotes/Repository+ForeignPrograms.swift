import Bytes
import Platform

/// Programs that a repository's own files would have git run: whoever made the repository wrote them.
extension Repository {
  /// A setting that names a program, with the file that it stands in.
  package struct ForeignProgram: Sendable, Equatable {
    package let setting: String
    package let file: [UInt8]
  }

  /// Refuses where the repository's own configuration names a program that git would run to reach another repository, or
  /// takes in another file.
  /// - Throws: `remote` with the setting.
  package func refuseForeignPrograms() throws(GitError) {
    guard let program = try foreignProgram() else { return }
    let file = GitError.text(program.file)
    throw GitError(
      .remote(RemoteFault(.foreignProgram, program.setting, words: [ShellWord.quoted(program.file)])),
      "\(file) sets \(program.setting)")
  }

  /// The first setting of the repository's own files that names a program of the network's.
  func foreignProgram() throws(GitError) -> ForeignProgram? {
    for file in [commonDirectory / "config", gitDirectory / "config.worktree"] {
      guard let text = try RawFile.read(file)?.bytes, Self.mayNameProgram(text) else { continue }
      let answer = try GitProgram.capture(
        ["config", "--file", GitError.text(file), "--no-includes", "--name-only", "-z", "--list"],
        in: gitDirectory,
        environment: environment)
      guard answer.status == 0 else {
        throw GitError(.unreadable(path: file), "\(GitError.text(file)) can't be read by git")
      }
      let names = answer.output.split(separator: 0).map { GitError.text($0) }
      if let name = names.first(where: Self.namesProgram) { return ForeignProgram(setting: name, file: file) }
    }
    return nil
  }

  /// The last parts of the names of such settings; a file without any of them need not be looked at by git.
  private static let telling = ["sshcommand", "askpass", "gitproxy", "helper", "pack", "vcs", "include"]

  private static func mayNameProgram(_ text: [UInt8]) -> Bool {
    let lowered = text.map { $0 >= 65 && $0 <= 90 ? $0 + 32 : $0 }
    return telling.contains { word in lowered.containsText(word) }
  }

  /// Whether a setting names a program, or a file with more settings. Git writes section and key in small letters.
  private static func namesProgram(_ name: String) -> Bool {
    let parts = name.split(separator: ".")
    guard parts.count > 1, let section = parts.first, let key = parts.last else { return false }
    return switch section {
    case "core": ["sshcommand", "askpass", "gitproxy"].contains(key)
    case "credential": key == "helper"
    case "remote": ["uploadpack", "receivepack", "vcs"].contains(key)
    case "include", "includeif": key == "path"
    default: false
    }
  }
}
