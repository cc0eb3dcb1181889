import Foundation
import SlipboxTesting

/// Clones of a box on several devices, changed by slip, by an editor and by git, and exchanged by slip and by git.
final class SharedHistory {
  private let shell: Shell
  private var random: SplitMix64
  private let devices: [String]
  private let remotes: [String]
  /// Whether merges are made without slip's driver too, and what they leave is committed.
  private let hasForeignMerges: Bool
  /// The minute of the next command, counted from the beginning of all transcripts.
  private var minute = 1
  private var words = 0
  /// The words that were taken away by somebody who had seen them.
  private var replaced: Set<String> = []
  /// The ids of notes that were deleted, which may be restored.
  private var deleted: [String] = []
  /// The ids of notes that were moved without their links.
  private var movedAlone: Set<String> = []
  /// What was run, with what came of it.
  private(set) var said: [String] = []

  init(seed: UInt64) throws {
    shell = try Shell()
    random = SplitMix64(seed: seed)
    devices = (0..<Int.random(in: 2...3, using: &random)).map { "d\($0)" }
    remotes = (0...(seed % 2 == 1 ? 1 : 0)).map { "hub\($0)" }
    hasForeignMerges = seed % 3 == 2
    for hub in remotes { try sh("git init -q --bare -b main \(hub)", in: "") }
    try sh("git init -q -b main d0 && slip init -q d0", in: "")
    for number in 0..<3 {
      let head = "id: kqzmvtr\(["b", "c", "d"][number])\nstatus: s\(number)\ntags: [t]\n"
      try write("---\n\(head)---\nline one\nline two\nline three\n", to: "n\(number).md", on: "d0")
    }
    try sh("slip commit -q", in: "d0")
    for (number, hub) in remotes.enumerated() {
      try sh(
        "git remote add \(number == 0 ? "origin" : hub) ../\(hub) && git push -q ../\(hub) main", in: "d0")
    }
    for device in devices.dropFirst() {
      try sh("git clone -q hub0 \(device)", in: "")
      for hub in remotes.dropFirst() { try sh("git remote add \(hub) ../\(hub)", in: device) }
    }
    try sh("git fetch -q origin && git branch -q -u origin/main", in: "d0")
  }

  private func chance(_ choices: Int) -> Bool { Int.random(in: 0..<choices, using: &random) == 0 }

  /// Runs a line of shell on a device, a minute after the last one.
  @discardableResult
  private func sh(_ line: String, in folder: String) throws -> (status: Int32, output: String) {
    minute += 1
    let time = "\(1_795_249_800 + minute * 60) +0100"
    let ran = try shell.sh(
      line, in: shell.folder.path + "/" + folder, seed: minute,
      with: [
        "GIT_AUTHOR_DATE": time, "GIT_COMMITTER_DATE": time,
        "GIT_AUTHOR_NAME": folder.isEmpty ? "root" : folder,
      ])
    said.append("\(folder)$ \(line)\n? \(ran.status)\n\(ran.output)\(ran.errors)")
    return (ran.status, ran.output)
  }

  private func text(_ path: String, on device: String) -> String {
    shell.folder.read("\(device)/\(path)").map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private func write(_ text: String, to path: String, on device: String) throws {
    try shell.folder.write("\(device)/\(path)", text)
    said.append("\(device)/\(path):\n\(text)")
  }

  private func notes(on device: String) throws -> [String] {
    try sh("git ls-files -- '*.md'", in: device).output.split(separator: "\n").map(String.init)
      .filter { shell.folder.read("\(device)/\($0)") != nil }
  }

  private func word() -> String {
    words += 1
    return "v\(words - 1)v"
  }

  private static func words(in text: some StringProtocol) -> Set<String> {
    let parts = text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).map { String($0) }
    return Set(parts.filter { (word: String) -> Bool in word.hasPrefix("v") && word.hasSuffix("v") })
  }

  private func replace(_ text: some StringProtocol) { replaced.formUnion(Self.words(in: text)) }
}

// MARK: Changes

extension SharedHistory {
  /// Somebody changes something, or takes what others have.
  func step() throws {
    let device = devices.randomElement(using: &random) ?? "d0"
    if chance(3) { return try exchange(device) }
    guard let path = try notes(on: device).randomElement(using: &random), !chance(10) else {
      try sh("slip new 'Note \(word())' -b '\(word())' -q", in: device)
      return
    }
    switch Int.random(in: 0..<15, using: &random) {
    case 0...2: try setField(of: path, on: device)
    case 3: try sh("slip append \(path) 'a line with \(word())' -q", in: device)
    case 4: try sh("slip set \(path) +\(word()) -q", in: device)
    case 5:
      replace(text(path, on: device))
      if let id = id(of: path, on: device) { deleted.append(id) }
      try sh("slip rm \(path) -q", in: device)
    case 6:
      if let id = id(of: path, on: device) { movedAlone.insert(id) }
      let name = "\(chance(2) ? "sub" : ".")/\(path.split(separator: "/").last ?? "x")"
      try sh("mkdir -p sub; [ -e \(name) ] || { git mv \(path) \(name) && git commit -qm move; }", in: device)
    case 7: try sh("slip mv \(path) \(chance(2) ? "sub" : "deep")/ -q", in: device)
    case 8: try sh("slip mv sub/ \(chance(2) ? "deep" : "far")/ -q", in: device)
    case 9:
      guard shell.folder.read("\(device)/shared.md") == nil else { return }
      let id = String((0..<8).map { _ in "bcdfghjklmnpqrstvwxz".randomElement(using: &random) ?? "b" })
      try write("---\nid: \(id)\nstatus: \(word())\n---\n\(word())\n", to: "shared.md", on: device)
      try sh("slip commit -q", in: device)
    case 10:
      if let id = deleted.randomElement(using: &random) { try sh("slip restore \(id) -q", in: device) }
    case 11:
      guard let target = try notes(on: device).randomElement(using: &random),
        let id = id(of: target, on: device)
      else { return }
      try sh("slip append \(path) '\(word()) [\(id)](/\(target))' -q", in: device)
    default: try editBody(of: path, on: device)
    }
  }

  private func id(of path: String, on device: String) -> String? {
    text(path, on: device).split(separator: "\n").first { $0.hasPrefix("id: ") }.map {
      String($0.dropFirst(4))
    }
  }

  private func setField(of path: String, on device: String) throws {
    let field = ["status", "due"].randomElement(using: &random) ?? "status"
    // What is set settles the conflicts of its field too.
    for line in text(path, on: device).split(separator: "\n") where line.contains("\(field):") {
      replace(line)
    }
    try sh("slip set \(path) \(field):\(chance(5) ? "" : word()) -q", in: device)
  }

  /// Changes the lines of a body as an editor does, and perhaps commits them.
  private func editBody(of path: String, on device: String) throws {
    var lines = text(path, on: device).split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    if lines.last == "" { lines.removeLast() }
    let start = (lines.dropFirst().firstIndex(of: "---") ?? -1) + 1
    let place = Int.random(in: start...lines.count, using: &random)
    // Comments of a merge are left alone, as people would.
    guard place == lines.count || !lines[place].hasPrefix("<!--") else { return }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: lines.insert(word(), at: place)
    case 1 where place < lines.count: replace(lines.remove(at: place))
    case 2 where place < lines.count:
      replace(lines[place])
      lines[place] = "a line with \(word()) in it"
    case 3 where place < lines.count: lines[place] += " and \(word())"
    default: lines.append(word())
    }
    try write(lines.map { $0 + "\n" }.joined(), to: path, on: device)
    if chance(2) { try sh("git commit -qam edited", in: device) }
  }
}

// MARK: Exchange

extension SharedHistory {
  /// Takes what others have and gives what is here, by slip or by git as people use it.
  private func exchange(_ device: String) throws {
    let hub = remotes.count == 1 || chance(2) ? "origin" : "hub1"
    let way = Int.random(in: 0..<4, using: &random)
    if way == 3 || hub == "hub1" {
      try sh("slip sync \(hub) --yes -q", in: device)
      return
    }
    try sh("git commit -qam edited", in: device)
    if hasForeignMerges, chance(2) { try mergeWithoutDriver(device) }
    switch way {
    case 0: try sh("git pull -q --no-rebase --no-edit || git merge --abort", in: device)
    case 1: try sh("git pull -q --rebase || git rebase --abort", in: device)
    default: try sh("git fetch -q && git merge -q --no-edit origin/main || git merge --abort", in: device)
    }
    try sh("git push -q", in: device)
  }

  /// Merges as a program does that knows nothing of notes, and commits its conflict markers.
  private func mergeWithoutDriver(_ device: String) throws {
    let driver = "-c 'merge.slipbox.driver=git merge-file -q %A %O %B'"
    try sh(
      "git fetch -q && { git \(driver) merge -q --no-edit origin/main; git add -A && git commit -qm 'Merge with markers'; }",
      in: device)
    if chance(2) { try sh("slip heal -q", in: device) }
  }

  /// Lets all devices sync three times with each remote, in any order.
  func settle() throws {
    for _ in 0..<3 {
      // If nothing waits to be committed, each prints the same commit and nothing else.
      let states = try devices.map { try sh("git rev-parse HEAD && git status --porcelain", in: $0).output }
      if Set(states).count == 1 { return }
      try syncAll()
    }
  }

  private func syncAll() throws {
    for device in devices {
      for hub in remotes.shuffled(using: &random) {
        try sh("slip sync \(hub == "hub0" ? "origin" : hub) --yes -q", in: device)
      }
    }
  }

  /// What is wrong with the end; nil if nothing is.
  func problem() throws -> String? {
    let heads = try devices.map { try sh("git rev-parse HEAD", in: $0).output }
    try syncAll()
    guard try devices.map({ try sh("git rev-parse HEAD", in: $0).output }) == heads else {
      return "a fourth round made commits"
    }
    let trees = try devices.map { try sh("git rev-parse 'HEAD^{tree}'", in: $0).output }
    guard Set(trees).count == 1 else { return "the devices differ: \(trees)" }
    for device in devices {
      let checks = [
        "git fsck --strict", "git status --porcelain", "grep -rE '^(<<<<<<<|>>>>>>>)' --include=*.md .",
      ]
      for check in checks {
        let said = try sh("\(check) 2>/dev/null | grep -v dangling", in: device).output
        guard said.isEmpty else { return "\(device): \(check): \(said)" }
      }
    }
    let ids = try notes(on: "d0").compactMap { id(of: $0, on: "d0") }
    guard Set(ids).count == ids.count else { return "two files have one id: \(ids)" }
    if let problem = try linkProblem() { return problem }
    let end = try notes(on: "d0").map { text($0, on: "d0") }
    let kept = Self.words(in: end.joined(separator: "\n"))
    let lost = (0..<words).map { "v\($0)v" }.filter { !kept.contains($0) && !replaced.contains($0) }
    return lost.isEmpty ? nil : "lost: \(lost)\n\(end.joined(separator: "\n"))"
  }

  /// The first link by path that leads to another note than the one that it names; nil if there is none.
  private func linkProblem() throws -> String? {
    for path in try notes(on: "d0") {
      for link in text(path, on: "d0").matches(of: /\[([a-z]{8})\]\(\/([^)]*)\)/) {
        let (id, target) = (String(link.1), String(link.2))
        guard !deleted.contains(id), !movedAlone.contains(id), let found = self.id(of: target, on: "d0"),
          found != id
        else { continue }
        return "\(path): the link to \(id) by \(target) leads to \(found)"
      }
    }
    return nil
  }
}
