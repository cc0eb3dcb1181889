import Foundation
import SlipboxTesting

/// The rules that every command that writes keeps towards a user's repository.
struct GitInvariants {
  let box: GitStateBox
  let before: GitView
  let after: GitView
  let ran: (status: Int32, output: String, errors: String)

  /// The letters by which `git ls-files -v` marks skip-worktree and assume-unchanged.
  private static let hidden: Set<String> = ["S", "s", "h"]

  /// What breaks the rules of a command that may commit and saves its changes.
  func faults() throws -> [String] {
    let committed = try GitView.paths(from: before.head, to: after.head, in: box)
    return status(committed) + index(committed) + files(committed) + (try commit(committed))
      + (try lostText()) + repository() + message()
  }

  /// Whether the command exited with an error after it saved the text.
  private var isSaved: Bool { ran.status != 0 && ran.errors.contains("not committed") }

  /// `git status` lists the entries of before, less the paths that were committed.
  private func status(_ committed: Set<String>) -> [String] {
    Set(before.status.keys).union(after.status.keys).sorted().compactMap { path in
      let (old, new) = (before.status[path], after.status[path])
      if committed.contains(path) {
        return new.map { "status of the committed \(path) is '\($0)', was '\(old ?? "")'" }
      }
      guard old != new, !isSavedFile(path) else { return nil }
      return "status of \(path): '\(old ?? "")' -> '\(new ?? "")'"
    }
  }

  /// Flags and entries of the index stay as they are.
  private func index(_ committed: Set<String>) -> [String] {
    var faults: [String] = []
    for path in Set(before.index.keys).union(after.index.keys).sorted() {
      let (old, new) = (before.flags[path], after.flags[path])
      let isNew = old == nil && new == "H"
      if old != new, !(committed.contains(path) && (new == nil || isNew)) {
        faults.append("flag of \(path): \(old ?? "none") -> \(new ?? "none")")
      }
      if !committed.contains(path), before.index[path] != after.index[path] {
        faults.append("index entry of \(path): \(before.index[path] ?? []) -> \(after.index[path] ?? [])")
      }
    }
    return faults
  }

  /// Other files keep their bytes; changed files keep their type and permissions.
  private func files(_ committed: Set<String>) -> [String] {
    Set(before.files.keys).union(after.files.keys).sorted().compactMap { path in
      let (old, new) = (before.files[path], after.files[path])
      if !committed.contains(path) {
        return old == new || isSavedFile(path) ? nil : "the file \(path) changed but was not committed"
      }
      guard let old, let new, old.mode != new.mode else { return nil }
      return "mode of \(path): \(String(old.mode, radix: 8)) -> \(String(new.mode, radix: 8))"
    }
  }

  /// Commits have no hidden path and change no mode that the user did not change.
  private func commit(_ committed: Set<String>) throws -> [String] {
    var faults = committed.sorted().filter { Self.hidden.contains(before.flags[$0] ?? "") }
      .map { "committed \($0), which a flag hides" }
    guard let old = before.head, let new = after.head else { return faults }
    for line in try box.git("diff-tree", "-r", "--no-renames", old, new).output.split(separator: "\n") {
      let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
      let modes = [String(words[0].dropFirst()), words[1]]
      if modes[0] != modes[1], !modes.contains("000000"), before.status[words[5]] == nil {
        faults.append("mode of \(words[5]) in history: \(modes[0]) -> \(modes[1])")
      }
    }
    return faults
  }

  /// Every text that a changed file had is in history, or its lines are in some file.
  func lostText() throws -> [String] {
    var faults: [String] = []
    for (path, old) in before.files where after.files[path] != old && !old.isLink {
      let text = String(decoding: old.bytes, as: UTF8.self)
      let id = try box.git("hash-object", "--stdin", "--path", path, input: text).output
        .trimmingCharacters(in: .newlines)
      if try box.git("cat-file", "-e", id).status == 0 { continue }
      let kept = after.files.values.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "\n")
      let lost = text.split(whereSeparator: \.isNewline).filter { !kept.contains($0) }
      if let line = lost.first { faults.append("lost from \(path): \(line)") }
    }
    return faults
  }

  /// The repository is sound, and an error changes nothing.
  private func repository() -> [String] {
    var faults: [String] = []
    if before.isSound, !after.isSound { faults.append("git fsck --strict finds errors") }
    if before.operations != after.operations {
      faults.append("operations in progress: \(before.operations) -> \(after.operations)")
    }
    if ran.status != 0, !isSaved, before.refs != after.refs {
      faults.append("exit \(ran.status), but refs changed")
    }
    return faults
  }

  /// An error has a message and an exit code of the table; it is no bug, no signal and no timeout.
  func message() -> [String] {
    var faults: [String] = []
    if ![0, 65, 66, 69, 73, 74, 75, 77, 78].contains(ran.status) { faults.append("exit \(ran.status)") }
    // Notices come before it.
    let hasMessage = ran.errors.split(separator: "\n").contains { $0.hasPrefix("slip: ") }
    if ran.status != 0, !hasMessage { faults.append("no message: '\(ran.errors)'") }
    return faults
  }

  private func isSavedFile(_ path: String) -> Bool {
    isSaved && (path.hasSuffix(".md") || path == ".slipbox/config.yaml")
  }
}
