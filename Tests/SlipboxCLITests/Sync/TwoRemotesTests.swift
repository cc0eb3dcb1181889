import Foundation
import SlipboxTesting
import Testing

/// Three devices that exchange notes through two remotes reach a state in which a sync makes no commit.
@Suite struct TwoRemotesTests {
  private let shell: Shell
  private static let devices = ["a", "b", "c"]

  init() throws {
    shell = try Shell()
    try shell.output("git init -q --bare -b main origin && git init -q --bare -b main two", in: "")
    try shell.output("git init -q -b main a && slip init -q a", in: "")
    try shell.output("slip new Root -b 'first line' -q && git remote add origin ../origin", in: "a")
    try shell.output("git push -qu origin main && git push -q ../two main", in: "a")
    for device in Self.devices.dropFirst() { try shell.output("git clone -q origin \(device)", in: "") }
    for device in Self.devices { try shell.output("git remote add two ../two", in: device) }
  }

  private func heads() throws -> [String] {
    try Self.devices.map { try shell.output("git rev-parse HEAD", in: $0) }
  }

  @Test(arguments: [
    (
      ["b": "slip append Root v5 -q", "c": "slip set Root -b X -q", "a": "slip set Root -b Y -q"],
      ["X", "Y", "v5"]
    ),
    (
      [
        "c": "slip set Root status:open --new-field -q", "b": "slip set Root -b X -q",
        "a": "slip rm Root -q",
      ], ["X", "open"]
    ),
    (["a": "slip mv Root x/ -q", "b": "slip mv Root y/ -q", "c": "slip append Root v5 -q"], ["v5"]),
  ])
  func `a note settles after three rounds`(changes: [String: String], words: [String]) throws {
    for device in ["b", "c", "a"] { try shell.output(changes[device] ?? "", in: device) }
    try shell.output("slip sync origin -q", in: "c")
    var settled: [String] = []
    for round in 1...6 {
      for device in Self.devices { try shell.output("slip sync two -q && slip sync origin -q", in: device) }
      if round == 3 { settled = try heads() }
    }
    #expect(try heads() == settled)
    let trees = try Self.devices.map { try shell.output("git rev-parse 'HEAD^{tree}'", in: $0) }
    #expect(Set(trees).count == 1)
    let text = try shell.output("cat $(git ls-files '*.md')", in: "a")
    for word in words { #expect(text.components(separatedBy: word).count == 2, "\(word) in:\n\(text)") }
    let isReplaced = changes.values.contains { $0.contains(" -b ") }
    #expect(text.contains("first line") != isReplaced, "\(text)")
  }

  @Test func `a sync reports that one of two notes at a path is renamed, and its links follow`() throws {
    for (device, id) in [("a", "kqzmvtrp"), ("b", "kqzmvtrx")] {
      try shell.output(
        "printf -- '---\\nid: \(id)\\n---\\nof \(device)\\n' > p.md && printf 'see [p](p.md)\\n' > by-\(device).md",
        in: device)
      try shell.output("slip commit -q", in: device)
    }
    try shell.output("slip sync origin -q", in: "a")
    let said = try shell.output("slip sync origin --json", in: "b")
    #expect(said.contains(#""path":"p-kqzmvtrx.md","renamedFrom":"p.md""#), "\(said)")
    #expect(try shell.output("cat by-a.md by-b.md", in: "b") == "see [p](p.md)\nsee [p](p-kqzmvtrx.md)\n")
    for device in Self.devices { try shell.output("slip sync origin -q", in: device) }
    #expect(Set(try heads()).count == 1)
  }
}
