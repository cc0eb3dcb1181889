import Foundation
import SlipboxTesting
import Testing

/// A query means the same wherever one is taken: as arguments, as one argument, in parentheses, as a saved filter and
/// under `--where`; and NOT is the complement.
@Suite struct QueryPlacesTests {
  private static let terms = [
    "kind:task", "kind:task,book", "group:Work", "group:work,Home", "group:\"Side project\"", "group:Job",
    "group:",
    "priority:high", "priority:medium..", "status:open", "status:on-shelf,open", "done:no", "rating:4..",
    "due:7d", "due:\"next week\"", "due:..yesterday", "has:due", "is:active", "+home", "-home", "title:pay",
    "body:text",
    "created:2026-11", "modified:7d", "@overdue", "@tasks", "path:2026/", "links:Hub", "is:orphan", "pay",
    "\"the text\"",
    "pa*", "author:le*guin", "group:Side project", "group:The south wall", "group:Home & garden,Work",
    "group:Birthdays, all", "group = The south wall", "author:le guin", "author = Le Guin",
    "title = Pay late",
    "tag:two words", "+two words", "-two words", "stage:Last Call", "stage:Open,Last Call", "due:next week",
  ]

  private static let box = """
    slip init -q && slip new group Work aliases:+Job -q && slip new group Home -q && slip new group "Side project" -q &&
    slip new group "The south wall" -q && slip new group "Home & garden" -q && slip new group "Birthdays, all" -q &&
    mkdir -p .slipbox/kinds && printf 'fields:\n  stage: {type: choice, values: [Open, Last Call]}\n' \
    > .slipbox/kinds/bar.yaml && slip commit -q && slip new bar "Bar" stage:"Last Call" -q &&
    slip new task "Paint" group:"The south wall" due:2026-11-30 -q && slip new task "Dig" group:"Home & garden" -q &&
    slip new task "Bake" group:"Birthdays, all" '+two words' -q &&
    slip new "Hub" -b "Links to [[Pay]]" -q &&
    slip new task "Pay" group:Work due:2026-11-24 priority:high -b "The text" -q &&
    slip new task "Sweep" group:Home +home due:2026-11-20 -b "See [[Hub]]" -q &&
    slip new task "Build" group:"Side project" priority:medium -q && slip new task "Rest" -q && slip finish Rest -q &&
    slip new issue "Pay late" status:closed priority:low +home -q && slip new issue "Crash" -b "text" -q &&
    slip new book "Dune" author:"Le Guin" rating:4 -q && slip new "Other" +home/garden status:draft -q
    """

  /// A query of some terms, as arguments.
  private static func query(_ random: inout SplitMix64) -> [String] {
    let term = { (random: inout SplitMix64) in terms.randomElement(using: &random) ?? "pay" }
    // After a term a plain word might belong to its value.
    let isWord = { (term: String) in !term.contains { ":=+-@\"".contains($0) } }
    let drawn = (0..<Int.random(in: 1...3, using: &random)).map { _ in term(&random) }
    let some = drawn.filter(isWord) + drawn.filter { !isWord($0) }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return some
    case 1: return ["NOT"] + some
    case 2: return ["kind:task", "NOT", term(&random)]
    default: return ["(\(term(&random)) OR NOT \(term(&random)))"] + some
    }
  }

  @Test func findsTheSameInEveryPlace() throws {
    let shell = try Shell()
    let slip = { (arguments: [String]) in
      try run(Shell.program, arguments, in: shell.folder.path, environment: shell.environment)
    }
    try #require(
      try run("sh", ["-c", Self.box], in: shell.folder.path, environment: shell.environment).status == 0)
    let paths = { (arguments: [String]) in
      let listed = try slip(["list"] + arguments + ["--paths"])
      #expect(listed.status == 0, "\(arguments): \(listed.errors)")
      return Set(listed.output.split(separator: "\n").map(String.init))
    }
    let all = try paths([])
    #expect(all.count == 19)
    var random = SplitMix64(seed: 11)
    for round in 0..<24 {
      let arguments = Self.query(&random)
      let text = arguments.joined(separator: " ")
      let found = try paths(arguments)
      #expect(try paths([text]) == found, "\(text)")
      #expect(try paths(["(\(text))"]) == found, "(\(text))")
      #expect(try paths(["NOT (\(text))"]) == all.subtracting(found), "NOT (\(text))")
      #expect(try slip(["filter", "save", "f\(round)", text]).status == 0, "\(text)")
      #expect(try paths(["@f\(round)"]) == found, "@f: \(text)")
      #expect(try paths(["NOT", "@f\(round)"]) == all.subtracting(found), "NOT @f: \(text)")
      let patch = try slip(["set", "--where", text, "seen:yes", "--dry-run"])
      #expect(patch.status == 0, "\(text): \(patch.errors)")
      let changed = patch.output.split(separator: "\n").compactMap { line in
        line.hasPrefix("+++ b/") ? String(line.dropFirst(6)) : nil
      }
      #expect(Set(changed) == found, "--where \(text)")
    }
  }
}
