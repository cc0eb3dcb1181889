import Foundation
import SlipboxTesting
import Testing

/// The links of the corpora, compared with those that a plain script finds with cmark-gfm: `Tests/Corpora/resolve_links.py`.
@Suite struct LinkCountTests {
  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Corpora/resolve_links.py").path

  /// Whether the script can run here.
  private static let isReady = Machine.succeeds(
    "python3 -c \"import yaml, ctypes; ctypes.CDLL('libcmark-gfm.so.0.29.0.gfm.6')\"")

  @Test(.enabled(if: isReady, "needs python3 with yaml and libcmark-gfm"))
  func everyLinkOfTheSmallCorpusComesToTheSame() throws {
    try everyLinkComesToTheSame(
      name: "small", notes: "note       slip     47", broken: "broken     slip      4")
  }

  @Test(
    .enabled(if: isReady, "needs python3 with yaml and libcmark-gfm"),
    .enabled(if: Machine.hasCorpora, "needs ../shared/corpora"),
    arguments: [
      ("garden", "note       slip   3462", "broken     slip    206"),
      ("kepano", "note       slip     85", "broken     slip    124"),
      ("eips", "note       slip   2904", "broken     slip    229"),
    ])
  func everyLinkComesToTheSame(name: String, notes: String, broken: String) throws {
    let bundle = try #require(corpus(name))
    let shell = try Shell()
    let script =
      "git clone -q '\(bundle)' box && cd box && slip init -q && slip list --paths | slip links - --json"
      + " | PYTHONDONTWRITEBYTECODE=1 python3 '\(Self.script)' ."
    let ran = try run("sh", ["-c", script], in: shell.folder.path, environment: shell.environment)
    #expect(ran.status == 0, "\(ran.output.suffix(2_000)) \(ran.errors)")
    #expect(ran.output.contains(notes) && ran.output.contains(broken))
    // Backlinks and broken links are of the same number.
    let dangling =
      "import json, sys; print(sum('dangling' in l and l['form'] != 'html' for l in json.load(sys.stdin)['links']))"
    let counts = try run(
      "sh",
      [
        "-c",
        "cd box && slip list --paths | slip backlinks - | grep -vc '\thtml\t' && slip broken --json"
          + " | python3 -c \"\(dangling)\"",
      ],
      in: shell.folder.path, environment: shell.environment
    ).output.split(whereSeparator: \.isWhitespace)
    #expect(counts.map { String($0) } == [notes, broken].map { String($0.split(separator: " ").last ?? "") })
  }
}
