import Foundation
import SlipboxTesting
import Testing

/// The past answers as a clone would in which that commit is checked out.
///
/// `PAST_STEPS` says how many steps are taken in all, `PAST_SEED` which box is taken alone.
@Suite struct PastCloneTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let stepsEach = 30

  /// The seeds of the boxes; a failure names its own.
  private static let seeds: [UInt64] = {
    if let seed = environment["PAST_SEED"].flatMap({ UInt64($0) }) { return [seed] }
    let steps = environment["PAST_STEPS"].flatMap { Int($0) } ?? 60
    return (1...UInt64(max(1, steps / stepsEach))).map { $0 }
  }()

  @Test(arguments: seeds) func answersAreThoseOfAClone(seed: UInt64) throws {
    let box = try PastBox(seed: seed)
    for number in 0..<Self.stepsEach {
      try box.step()
      guard number % 10 == 9 else { continue }
      for revision in try box.revisions() {
        let differences = try box.differences(at: revision)
        let said = box.history.suffix(30).joined(separator: "\n")
        #expect(
          differences.isEmpty, "seed \(seed), \(revision)\n\(said)\n\(differences.joined(separator: "\n"))")
        if !differences.isEmpty { return }
      }
    }
  }
}

/// A box with a history by chance, by slip and by git, whose every commit has a minute of its own.
private final class PastBox {
  private let shell: Shell
  private var random: SplitMix64
  /// The minute of the next step, counted from the beginning of all transcripts.
  private var minute = 1
  private let prefix: String
  private(set) var history: [String] = []

  private var path: String { shell.folder.path + "/box" + (prefix.isEmpty ? "" : "/" + prefix) }

  init(seed: UInt64) throws {
    shell = try Shell()
    random = SplitMix64(seed: seed)
    prefix = seed % 3 == 2 ? "deep/notes" : ""
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try sh("git init -q -b main \(shell.folder.path)/box && slip init -q")
    for _ in 0..<8 { try make() }
  }

  private func chance(_ choices: Int) -> Bool { Int.random(in: 0..<choices, using: &random) == 0 }

  /// Runs a line of shell in the box, a minute after the last one.
  @discardableResult
  private func sh(_ line: String, at given: Int? = nil, in folder: String? = nil) throws -> (Int32, String) {
    let now = given ?? minute
    if given == nil { minute += 1 }
    let time = "\(1_795_249_800 + now * 60) +0100"
    let ran = try shell.sh(
      line, in: folder ?? path, seed: now, with: ["GIT_AUTHOR_DATE": time, "GIT_COMMITTER_DATE": time])
    if given == nil { history.append("\(line): \(ran.status)") }
    return (ran.status, ran.output + ran.errors)
  }

  private func note() throws -> String {
    let lines = try sh("git ls-files -z | tr '\\0' '\\n' | grep '\\.md$'", at: 0).1.split(separator: "\n")
    return lines.randomElement(using: &random).map(String.init) ?? "none.md"
  }

  private func make() throws {
    let number = Int.random(in: 0..<1_000, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: try sh("slip new task 'Task \(number)' due:3d priority:high +home -q")
    case 1: try sh("slip new book 'Book \(number)' author:'Le Guin' rating:\(1 + number % 5) -q")
    case 2: try sh("slip new issue 'Issue \(number)' -b 'the words of w\(number % 7)' -q")
    case 3:
      try sh(
        "mkdir -p sub && printf '# Plain \(number)\\n\\nthe body, #inline\(number % 3) [[Note \(number % 9)]]\\n' "
          + "> sub/p\(number).md && git add -A && git commit -qm plain")
    case 4: try sh("printf -- '---\\nbroken: [\\ntitle: x\\n---\\n' > b\(number).md && slip commit -q")
    default: try sh("slip new 'Note \(number % 9)' +greek -b 'See [[Note \((number + 1) % 9)]], the word' -q")
    }
  }

  /// Something happens to the box.
  func step() throws {
    let note = try note()
    switch Int.random(in: 0..<14, using: &random) {
    case 0...2: try make()
    case 3: try sh("slip set \(note) rating:\(Int.random(in: 1...5, using: &random)) +t\(minute % 4) -q")
    case 4: try sh("slip set \(note) title:'Retitled \(minute)' -q")
    case 5: try sh("slip append \(note) 'the line of \(minute)' -q")
    case 6: try sh("slip rm \(note) --detach -q")
    case 7: try sh("mkdir -p moved && git mv \(note) moved/m\(minute).md && git commit -qm move")
    case 8: try sh("git mv \(note) r\(minute).md && printf 'more\\n' >> r\(minute).md && slip commit -q")
    case 9: try sh("slip filter save f\(minute % 3) 'kind:task OR rating:\(minute % 5)..' -q")
    case 10:
      let fields = chance(2) ? "  doi: {type: text}\n" : "  year: {type: integer}\n"
      try sh(
        "mkdir -p .slipbox/kinds && printf 'match: +greek\\nfields:\\n\(fields)' "
          .replacingOccurrences(of: "\n", with: "\\n") + "> .slipbox/kinds/paper.yaml && slip commit -q")
    case 11:
      try sh(
        "ln -sf \(note) link\(minute).md; printf x > file\(minute).png; git add -A; git commit -qm files")
    case 12:
      try sh("git branch -f side HEAD~3 && git checkout -q side")
      try make()
      try sh("git rm -q \(note); git commit -qm gone")
      try sh("git checkout -q main && git merge -q -X ours -m merged side || git reset -q --hard")
    default:
      try sh("slip list --deleted --limit 1 | slip restore - --yes -q")
    }
    if chance(4) { try sh("slip list -q", at: minute) }
    if chance(8) { try sh("git gc -q", at: minute) }
    if chance(10) { try sh("rm -f \(shell.folder.path)/box/.git/slipbox/past", at: minute) }
  }

  /// Some commits of the history, as people name them.
  func revisions() throws -> [String] {
    let all = try sh("git rev-list HEAD", at: 0).1.split(separator: "\n").map(String.init)
    let some = (0..<1).compactMap { _ in all.randomElement(using: &random) }
    return ["HEAD", "HEAD~\(Int.random(in: 1..<all.count / 2 + 1, using: &random))"] + some
  }

  private static let questions = [
    "list", "list --json --with body,links,backlinks", "list --csv", "list kind:task,paper",
    "list sort:title",
    "list sort:-modified --format '{name} {modified} {created}'", "list is:orphan --paths",
    "list is:active due:7d",
    "list modified:today --count", "list @f1 --paths", "list @recent --count", "search the --json",
    "search w* +home", "tags", "tags --tree --json", "doctor --json", "kinds --json", "filter list",
    "overview --json", "list created:today --row",
  ]

  /// How the answers as of a revision differ from those of a clone, at the minute of the commit.
  func differences(at revision: String) throws -> [String] {
    let time = try sh("git log -1 --format=%ct \(revision)", at: 0).1.split(separator: "\n").first.flatMap {
      Int($0)
    }
    let then = ((time ?? 0) - 1_795_249_800) / 60
    let clone = shell.folder.path + "/clone"
    let id = try sh("git rev-parse \(revision)", at: 0).1.split(separator: "\n").joined()
    try sh(
      "rm -rf \(clone) && git clone -q --no-checkout \(shell.folder.path)/box \(clone) && cd \(clone) && "
        + "git config merge.slipbox.driver 'slip merge-driver' && echo '*.md merge=slipbox' >>.git/info/attributes && git checkout -q \(id) && mkdir -p \(clone)/\(prefix)/.slipbox",
      at: 0)
    var differences: [String] = []
    for question in Self.questions.shuffled(using: &random).prefix(8) {
      let past = try sh("slip \(question) --as-of \(revision)", at: minute)
      let present = try sh("slip \(question) --box \(clone)/\(prefix)", at: then, in: clone)
      // The first one says that nothing is there in words of its own.
      let isEmpty = past.1.contains("at that time") && present.1.contains("yet")
      if past.0 != present.0 || past.1 != present.1, !isEmpty {
        differences.append("slip \(question)\nwas:\n\(past)\nin the clone:\n\(present)")
      }
    }
    return differences
  }
}
