import Glibc
import Platform
import SlipboxTesting

/// A folder to which random things happen.
struct RandomTree {
  private let folder: TemporaryFolder
  var random: SplitMix64

  var root: [UInt8] { folder.bytes }

  /// Makes some folders and files at once.
  init(seed: UInt64) throws {
    folder = try TemporaryFolder()
    random = SplitMix64(seed: seed)
    for folder in Self.folders { mkdir(root(folder), 0o777) }
    for _ in 0..<60 { put(text(), at: file()) }
  }

  /// Names that sort around the slash, each folder after the one above.
  private static let folders = [
    "", "a", "a b", "a-", "a.md", "b", "a/a", "a/a-", "a/b", "a b/a", "b/a.md", "b/a b", "a/a/a", "a/a/a b",
    "a/a/b",
  ]

  private func root(_ relative: String) -> String { folder.path + "/" + relative }

  private mutating func pick(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }

  /// A folder's path with a slash at its end, mostly one that is there.
  private mutating func somewhere() -> String {
    let path = pick(Self.folders)
    return path.isEmpty ? "" : path + "/"
  }

  private mutating func file() -> String {
    folder.path + "/" + somewhere() + pick(["a.md", "a", "b.md", "a-.md", "a b.md", "0.md", "é.md", "x.txt"])
  }

  private mutating func below() -> String {
    folder.path + "/" + somewhere() + pick(["a", "b", "a.md", "a-"])
  }

  private mutating func text() -> String {
    String(repeating: pick(["x", "y"]), count: pick(["", "1", "22"]).count)
  }

  /// Does one thing; where it is impossible, nothing.
  mutating func change() throws {
    switch Int.random(in: 0..<24, using: &random) {
    case 0..<5: put(text(), at: file())
    case 5, 6: overwrite(file())
    case 7: overwriteWithOldTimes(file())
    case 8: unlink(file())
    case 9: rename(file(), file())
    case 10: replaceByRename(file())
    case 11: rename(below(), below())
    case 12: try remove(below())
    case 13, 14: mkdir(below(), 0o777)
    case 15: utimensat(AT_FDCWD, file(), nil, 0)
    case 16: symlink(pick(["a.md", "../b.md", "nowhere", "a", "/etc/passwd"]), file())
    case 17: try fileForFolder(below())
    case 18: folderForFile(file())
    case 19: try linkForFolder(below())
    case 20: put(text(), at: folder.path + "/" + somewhere() + ".gitignore")
    case 21: unlink(folder.path + "/" + somewhere() + ".gitignore")
    case 22: try nestOrNot(folder.path + "/" + somewhere())
    default: put("", at: folder.path + "/" + somewhere() + pick([".slip-01.tmp", ".hidden.md", ".h/x.md"]))
    }
  }

  private func put(_ text: String, at path: String) {
    guard let file = fopen(path, "w") else { return }
    fputs(text, file)
    fclose(file)
  }

  /// Changes the first byte in place, so that the size is the same.
  private mutating func overwrite(_ path: String) {
    guard let file = fopen(path, "r+") else { return }
    fputs(pick(["x", "y", "z"]), file)
    fclose(file)
  }

  private mutating func overwriteWithOldTimes(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    overwrite(path)
    let times = [status.st_atim, status.st_mtim]
    utimensat(AT_FDCWD, path, times, 0)
  }

  /// As editors save.
  private mutating func replaceByRename(_ path: String) {
    guard access(path, F_OK) == 0 else { return }
    put(text(), at: path + "~")
    rename(path + "~", path)
  }

  private func remove(_ path: String) throws { _ = try run("rm", ["-rf", path]) }

  private mutating func fileForFolder(_ path: String) throws {
    try remove(path)
    put(text(), at: path)
  }

  private mutating func folderForFile(_ path: String) {
    unlink(path)
    mkdir(path, 0o777)
    put(text(), at: path + "/" + pick(["a.md", "b.md"]))
  }

  /// Moves a folder aside, with a symbolic link at its place.
  private mutating func linkForFolder(_ path: String) throws {
    let aside = folder.path + "/" + pick(["moved", ".moved"])
    try remove(aside)
    guard rename(path, aside) == 0 else { return }
    symlink(aside, path)
  }

  private mutating func nestOrNot(_ path: String) throws {
    if Bool.random(using: &random) { put("", at: path + ".git") } else { unlink(path + ".git") }
  }
}
