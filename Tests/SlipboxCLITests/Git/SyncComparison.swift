import Foundation
import SlipboxTesting

/// `slip sync` in one clone beside `git pull` and `git push` in another one in the same state.
struct SyncComparison {
  private let row: GitStateCase
  private let slip: Side
  private let git: Side

  /// A clone before and after the exchange, with the shared repository.
  private struct Side {
    let box: GitStateBox
    let before: GitView
    let after: GitView
    let ran: (status: Int32, output: String, errors: String)
    /// The entries of each branch of the bare repositories.
    let hub: [String: [String]]
    /// What the hook pre-push recorded.
    let pushed: String?

    init(_ row: GitStateCase, _ line: String) throws {
      box = try GitStateBox(row.state, row.variant)
      before = try GitView(box)
      ran = try box.sh(line, in: box.box)
      after = try GitView(box)
      hub = try Self.entries(box)
      pushed = try? String(contentsOfFile: box.folder + "/pushed", encoding: .utf8)
    }

    private static func entries(_ box: GitStateBox) throws -> [String: [String]] {
      var result: [String: [String]] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: box.folder) where name.hasSuffix(".git")
      {
        let place = box.folder + "/" + name
        let refs = try box.git("for-each-ref", "--format=%(refname)", place: place).output
        for ref in refs.split(separator: "\n") {
          let tree = try box.git("ls-tree", "-r", "-z", String(ref), place: place).output
          result["\(name) \(ref)"] = GitView.split(tree)
        }
      }
      return result
    }

    var said: String { "exit \(ran.status) \(ran.errors.prefix(300))" }
  }

  init(_ row: GitStateCase) throws {
    self.row = row
    slip = try Side(row, "slip sync --yes")
    // sync finishes a merge that is resolved, and commits the changes of notes.
    let finish = "test ! -e \"$(git rev-parse --git-path MERGE_HEAD)\" || git commit -q --no-edit || true"
    git = try Side(
      row, "\(finish); slip commit -q || true; git pull -q --no-rebase --no-edit && git push -q")
  }

  func faults() throws -> [String] {
    let rules = GitInvariants(box: slip.box, before: slip.before, after: slip.after, ran: slip.ran)
    var faults = rules.message() + (try rules.lostText())
    if slip.before.isSound, !slip.after.isSound { faults.append("git fsck --strict finds errors") }
    let operations = slip.ran.status == 0 ? git.after.operations : slip.before.operations
    if operations != slip.after.operations {
      faults.append("operations in progress: \(operations) expected, \(slip.after.operations) found")
    }
    let agree = (slip.ran.status == 0) == (git.ran.status == 0)
    if !agree, !KnownGitFaults.deliberate.contains(row.state.name) {
      faults.append("git: \(git.said); slip: \(slip.said)")
    }
    if slip.ran.status == 0, git.ran.status == 0, !KnownGitFaults.deliberate.contains(row.state.name) {
      faults += differences()
    }
    if slip.ran.status != 0 { faults += refusal() }
    return faults
  }

  /// The differences of two exchanges that both worked.
  private func differences() -> [String] {
    var faults: [String] = []
    for path in Set(git.after.files.keys).union(slip.after.files.keys).sorted() {
      let (theirs, ours) = (git.after.files[path], slip.after.files[path])
      if theirs?.mode != ours?.mode {
        faults.append("mode of \(path): git \(Self.shown(theirs)), slip \(Self.shown(ours))")
      } else if theirs?.bytes != ours?.bytes {
        faults.append("bytes of \(path) differ")
      }
    }
    let pairs = [
      ("flags", git.after.flags, slip.after.flags), ("status", git.after.status, slip.after.status),
    ]
    for (name, theirs, ours) in pairs {
      for path in Set(theirs.keys).union(ours.keys).sorted() where theirs[path] != ours[path] {
        faults.append("\(name) of \(path): git '\(theirs[path] ?? "")', slip '\(ours[path] ?? "")'")
      }
    }
    for ref in Set(git.hub.keys).union(slip.hub.keys).sorted() where git.hub[ref] != slip.hub[ref] {
      let entries = Set(git.hub[ref] ?? []).symmetricDifference(slip.hub[ref] ?? [])
      faults.append("\(ref): \(entries.sorted().prefix(3))")
    }
    if (git.pushed == nil) != (slip.pushed == nil) {
      faults.append("pre-push: git '\(git.pushed ?? "")', slip '\(slip.pushed ?? "")'")
    }
    return faults
  }

  /// The changes of an exchange that failed, which should have changed neither flags nor files nor the other side.
  private func refusal() -> [String] {
    var faults: [String] = []
    let changed = slip.before.files.filter { slip.after.files[$0.key] != $0.value }.keys
    faults += changed.sorted().map { "exit \(slip.ran.status), but \($0) changed" }
    for (path, flag) in slip.before.flags where slip.after.flags[path] != flag {
      faults.append("exit \(slip.ran.status), but the flag of \(path) changed")
    }
    return faults
  }

  private static func shown(_ file: GitView.File?) -> String {
    file.map { String($0.mode, radix: 8) } ?? "no file"
  }
}
