import SlipboxTesting

/// Makes states at random: modes, links, attributes, filters, flags and sparse patterns, with edits of any kind.
struct RandomGitState {
  private static let notes = [
    "notes/one.md", "notes/two.md", "notes/three.md", "notes/task.md", "sub/note.md",
  ]
  private static let files = notes + ["other.txt", "sub/plain.txt", "data.bin", ".slipbox/config.yaml"]

  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// The next state, named after its seed by the caller.
  mutating func state(named name: String) -> GitState {
    let history = lines(0...4) { $0.historyStep() }
    let settings = lines(0...2) { $0.setting() }
    let edits = lines(1...5) { $0.edit() }
    var script = ""
    if !history.isEmpty {
      let steps = (["filter"] + history.map { "(\($0)) || :" }).joined(separator: "\n")
      script +=
        "there '\(steps)\ngit add --renormalize .; git add -A; git commit -qm history; git push -q' || :\n"
    }
    script += "cd a\n"
    if chance(2) { script += "filter\n" }
    script += "git pull -q || :\n"
    for line in settings + edits { script += "(\(line)) || :\n" }
    return GitState(name: name, script: script)
  }

  /// A command to run in the state.
  mutating func command() -> WritingCommand { pick(WritingCommand.all) }

  // MARK: Steps

  /// A change that the other clone commits; it is quoted, so it has no single quotes.
  private mutating func historyStep() -> String {
    let path = pick(Self.files)
    let attributes = [
      "text", "-text", "text=auto", "eol=crlf", "eol=lf", "text=auto eol=crlf", "ident", "filter=lfs",
      "merge=union", "binary", "-merge",
    ]
    let patterns = ["*", "*.md", "*.txt", "*.bin", "notes/*", "notes/one.md", "sub/**"]
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return "chmod +x \(path)"
    case 1: return "ln -s one.md notes/link.md; ln -s plain.txt sub/link.txt"
    case 2: return "sed -i \"s/$/\\r/\" \(path)"
    case 3: return "echo \"\\$Id\\$\" >>\(path)"
    default: return "echo \"\(pick(patterns)) \(pick(attributes))\" >>.gitattributes"
    }
  }

  /// A setting of the clone, or a form of its checkout.
  private mutating func setting() -> String {
    pick([
      "git config core.autocrlf true", "git config core.autocrlf input", "git config core.fileMode false",
      "git config core.safecrlf true", "git update-index --index-version 4", "git update-index --split-index",
      "git config filter.lfs.clean false; git config filter.lfs.required true",
      "git sparse-checkout set --cone notes .slipbox",
      "git sparse-checkout set --cone --sparse-index notes .slipbox",
      "git sparse-checkout set --no-cone '/*' '!/sub/'",
      "git sparse-checkout set --no-cone '/*' '!/notes/two.md'",
      "rm -r notes other.txt sub; git checkout -q .",
    ])
  }

  /// An edit of the work tree or of the index.
  private mutating func edit() -> String {
    let path = pick(Self.files)
    return pick([
      "echo edited >>\(path)", "printf 'crlf\\r\\n' >>\(path)", "rm \(path)", "mv \(path) \(path).moved.md",
      "chmod +x \(path)", "chmod -x \(path)", "rm \(path); ln -s ../other.txt \(path)",
      "rm \(path); mkdir \(path); echo inside >\(path)/inside.md", "echo staged >>\(path); git add \(path)",
      "echo staged >>\(path); git add \(path); echo more >>\(path)", "git mv \(path) \(path).renamed.md",
      "git rm -q --cached \(path)", "git rm -qf \(path)", "echo new >new.txt; git add -N new.txt",
      "echo '# New' >notes/new.md; git add -N notes/new.md",
      "echo '# Free' >notes/free.md; echo free >free.txt",
      "git update-index --skip-worktree \(path)", "git update-index --assume-unchanged \(path)",
      "git update-index --skip-worktree \(path); echo secret >>\(path)",
      "git update-index --assume-unchanged \(path); echo secret >>\(path)",
      "git update-index --chmod=+x \(path)", "touch \(path)",
    ])
  }

  // MARK: Choices

  private mutating func lines(_ count: ClosedRange<Int>, _ line: (inout Self) -> String) -> [String] {
    (0..<Int.random(in: count, using: &random)).map { _ in line(&self) }
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }

  private mutating func chance(_ choices: Int) -> Bool { Int.random(in: 0..<choices, using: &random) == 0 }
}
