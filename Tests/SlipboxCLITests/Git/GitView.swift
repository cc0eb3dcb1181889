import Foundation
import SlipboxTesting

/// A repository as git and the file system show it.
struct GitView: Equatable {
  /// A file of the work tree.
  struct File: Equatable {
    /// The type and the permissions as lstat(2) returns them; of a link the type alone.
    let mode: UInt32
    let bytes: Data

    var isLink: Bool { mode & S_IFMT == S_IFLNK }
    var isExecutable: Bool { mode & 0o111 != 0 && !isLink }
  }

  /// The two letters of `git status` by path, renames as two entries.
  let status: [String: String]
  /// The letter of `git ls-files -v` by path.
  let flags: [String: String]
  /// The entries of `git ls-files -s` by path.
  let index: [String: [String]]
  let files: [String: File]
  /// The refs of the repository, HEAD among them.
  let refs: String
  /// The commit of HEAD, or nil if there is none.
  let head: String?
  /// The files of the git directory that mean a lock or an operation in progress.
  let operations: [String]
  /// Whether `git fsck --strict` finds nothing.
  let isSound: Bool

  init(_ box: GitStateBox) throws {
    let entries = try Self.split(
      box.git("status", "--porcelain=v1", "-z", "-uall", "--no-renames").output)
    status = Dictionary(entries.map { (String($0.dropFirst(3)), String($0.prefix(2))) }) { $1 }
    let flagged = try Self.split(box.git("ls-files", "-v", "-z").output)
    flags = Dictionary(flagged.map { (String($0.dropFirst(2)), String($0.prefix(1))) }) { $1 }
    let staged = try Self.split(box.git("ls-files", "-s", "-z").output).map {
      $0.split(separator: "\t", maxSplits: 1).map(String.init)
    }
    index = Dictionary(grouping: staged) { $0[1] }.mapValues { $0.map { $0[0] } }
    files = try Self.files(box.tree)
    let found = try box.git("rev-parse", "-q", "--verify", "HEAD^{commit}").output
    head = found.isEmpty ? nil : found.trimmingCharacters(in: .newlines)
    refs = try box.git("for-each-ref").output + found + box.git("symbolic-ref", "-q", "HEAD").output
    let directory = try box.git("rev-parse", "--absolute-git-dir").output
    operations = try Self.operations(directory.trimmingCharacters(in: .newlines))
    isSound = try box.git("fsck", "--strict", "--no-dangling", "--no-progress").status == 0
  }

  /// The paths that the commits after one up to another touch; those of all commits if there was none.
  static func paths(from old: String?, to new: String?, in box: GitStateBox) throws -> Set<String> {
    guard let new, old != new else { return [] }
    let range = old.map { "\($0)..\(new)" } ?? new
    return Set(split(try box.git("log", "--format=", "--name-only", "--no-renames", "-z", range).output))
  }

  static func split(_ text: String) -> [String] { text.split(separator: "\0").map(String.init) }

  private static func operations(_ directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory).filter { name in
      (name.hasSuffix("_HEAD") && !["FETCH_HEAD", "ORIG_HEAD"].contains(name)) || name.hasSuffix(".lock")
        || ["rebase", "BISECT", "sequencer"].contains { name.hasPrefix($0) }
    }.sorted()
  }

  private static func files(_ top: String) throws -> [String: File] {
    var result: [String: File] = [:]
    var folders = [""]
    while let folder = folders.popLast() {
      for name in try FileManager.default.contentsOfDirectory(atPath: top + "/" + folder) where name != ".git"
      {
        let path = folder + name
        var facts = stat()
        guard lstat(top + "/" + path, &facts) == 0 else { continue }
        switch facts.st_mode & S_IFMT {
        case S_IFDIR: folders.append(path + "/")
        case S_IFLNK:
          let target = try FileManager.default.destinationOfSymbolicLink(atPath: top + "/" + path)
          result[path] = File(mode: UInt32(S_IFLNK), bytes: Data(target.utf8))
        default:
          let bytes = FileManager.default.contents(atPath: top + "/" + path) ?? Data()
          result[path] = File(mode: UInt32(facts.st_mode), bytes: bytes)
        }
      }
    }
    return result
  }
}
