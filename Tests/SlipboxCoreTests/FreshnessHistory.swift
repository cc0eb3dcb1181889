import Foundation
import SlipboxTesting

@testable import SlipboxCore

/// What git does to a box, and to the rules that say what is a note.
extension FreshnessBox {
  var gitSteps: [(weight: Int, name: String, step: () throws -> Void)] {
    [
      (3, "git commit", commit), (2, "git checkout", checkout), (2, "git merge", merge),
      (1, "git reset", reset),
      (1, "git amend", amend), (3, "ignore file", ignoreFile), (1, "exclude", exclude),
      (1, "excludes file", excludesFile), (2, "git add -f", addIgnored), (2, "git rm --cached", untrack),
      (1, "kind", changeKind),
    ]
  }

  private func git(_ arguments: [String]) {
    let result = try? run("git", arguments, in: folder.path)
    history.append("  git \(arguments.joined(separator: " ")): \(result?.status ?? -1)")
  }

  private func commit() throws {
    makeReadable()
    git(["add", "-A"])
    git(["commit", "-q", "-m", "By hand"])
  }

  private func checkout() throws {
    makeReadable()
    let branch = "b\(number(0..<3))"
    if chance(0.5) { try commit() }
    git(["branch", "-q", branch])
    git(["checkout", "-q", "-f", branch])
  }

  private func merge() throws {
    makeReadable()
    git(["merge", "-q", "-X", "theirs", "-m", "Merged", "b\(number(0..<3))"])
    git(["reset", "-q", "--merge"])
  }

  private func reset() throws {
    makeReadable()
    git(["reset", "-q", chance(0.5) ? "--hard" : "--soft", "HEAD~1"])
  }

  private func amend() throws {
    git(["commit", "-q", "--amend", "--no-edit", "--date", "2026-0\(number(1..<10))-02T03:04:05+02:00"])
  }

  private var rules: String {
    ["drafts/\n", "*.markdown\n", "n1*\n", "# none\n", "!n12*\n", "sub/\n", "n[3-5]*\n", "\n", "link*\n"]
      .shuffled(using: &random).prefix(number(1..<3)).joined()
  }

  /// A `.gitignore` comes, changes, changes at once after a command, or goes.
  private func ignoreFile() throws {
    let place =
      [".gitignore", ".gitignore", "sub/.gitignore", "sub/deeper/.gitignore"]
      .randomElement(using: &random) ?? ".gitignore"
    let isAbove = !prefix.isEmpty && chance(0.2)
    let name = isAbove ? folder.path + "/deep/.gitignore" : path + "/" + place
    history.append("  \(name)")
    switch number(0..<4) {
    case 0: unlink(name)
    case 1:
      try? rules.write(toFile: name, atomically: false, encoding: .utf8)
      if chance(0.5) { try open().foldCatalogue() } else { _ = try open().now.catalogue() }
      try? "n\(number(1..<6))*\n".write(toFile: name, atomically: false, encoding: .utf8)
      _ = try open().now.catalogue()
      try? "n\(number(1..<6))*\n".write(toFile: name, atomically: false, encoding: .utf8)
    default: try? rules.write(toFile: name, atomically: chance(0.5), encoding: .utf8)
    }
    if chance(0.3) { try open().foldCatalogue() }
  }

  private func exclude() throws {
    let name = folder.path + "/.git/info/exclude"
    if chance(0.4) {
      unlink(name)
    } else {
      try? rules.write(toFile: name, atomically: false, encoding: .utf8)
    }
    if chance(0.3) { try open().foldCatalogue() }
  }

  private func excludesFile() throws {
    try? rules.write(toFile: folder.path + "/.git/my-rules", atomically: false, encoding: .utf8)
    if chance(0.5) {
      git(["config", "core.excludesFile", folder.path + "/.git/my-rules"])
    } else {
      git(["config", "--unset", "core.excludesFile"])
    }
  }

  private func addIgnored() throws {
    makeReadable()
    guard let name = file() else { return }
    git(["add", "-f", prefix + name])
  }

  private func untrack() throws {
    guard let name = file() else { return }
    git(["rm", "-q", "-f", "--cached", prefix + name])
    if chance(0.3) { git(["commit", "-q", "-m", "Not tracked"]) }
  }

  private func changeKind() throws {
    let name = ".slipbox/kinds/fruit.yaml"
    let match = ["has:colour", "+greek", "NOT has:id", "status:open"].randomElement(using: &random) ?? ""
    if chance(0.3) {
      unlink(path + "/" + name)
    } else {
      try write(name, "name: fruit\nmatch: \(match)\nfields:\n  colour: {}\n")
    }
  }
}
