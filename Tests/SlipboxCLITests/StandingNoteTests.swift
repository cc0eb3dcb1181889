import Foundation
import SlipboxTesting
import Testing

/// The notes of days and the inbox, made by several at once and on several devices.
@Suite struct StandingNoteTests {
  private let shell: Shell

  init() throws { shell = try Shell() }

  /// Eight commands at once make one note, in which each line stands once.
  @Test(arguments: ["daily --append", "capture"]) func manyAtOnceMakeOneNote(_ command: String) throws {
    #expect(try shell.sh("slip init -q").status == 0)
    let ran = try shell.sh(
      "for n in 1 2 3 4 5 6 7 8; do FIXED_SEED=$n slip \(command) line$n -q & done; wait; slip list --count")
    #expect(ran.output == "1\n", "\(ran)")
    let text = try shell.sh("slip list --paths | xargs cat").output
    for number in 1...8 {
      #expect(text.components(separatedBy: "line\(number)\n").count == 2, "\(text)")
    }
    #expect(try shell.sh("git status --porcelain && git fsck --strict").output == "")
  }

  /// A clone may lack the template that the settings name.
  @Test func aMissingTemplateIsSaid() throws {
    #expect(try shell.sh("mkdir .obsidian && slip init -q").status == 0)
    let config = "layout:\\n  daily-template: Templates/Daily.md\\nrequires: 2\\n"
    #expect(try shell.sh("mkdir -p .slipbox && printf '\(config)' > .slipbox/config.yaml").status == 0)
    let made = try shell.sh("slip daily --append one 2>&1")
    #expect(made.status == 0 && made.output.contains("Templates/Daily.md does not exist"), "\(made)")
    let again = try shell.sh("slip daily --append two 2>&1")
    #expect(again.status == 0 && !again.output.contains("Templates"), "\(again)")
  }

  /// Three devices write to the same days without knowing of each other, and sync in some order: one note a day, with every
  /// line once, the same bytes everywhere.
  @Test(arguments: [1, 2, 3]) func devicesComeToOneNoteADay(_ seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    #expect(
      try shell.sh("git init -q --bare -b main hub && slip init a -q && slip --box a remote add hub -q")
        .status == 0
    )
    #expect(
      try shell.sh(
        "mkdir -p a/.slipbox/templates && printf '%s' '\(Self.template)' > a/.slipbox/templates/daily.md"
      ).status == 0)
    #expect(
      try shell.sh(
        "git -C a add -A && git -C a commit -qm t && slip --box a sync -q && git clone -q hub b && git clone -q hub c"
      ).status == 0)
    var lines: [(day: String, line: String)] = []
    var captured: [String] = []
    for step in 0..<24 {
      let device = ["a", "b", "c"].randomElement(using: &random) ?? "a"
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let ran = try shell.sh("slip --box \(device) sync -q", seed: step + 1)
        #expect(ran.status == 0, "\(ran)")
      case 1:
        captured.append("thing\(step)x")
        let ran = try shell.sh("slip --box \(device) capture thing\(step)x -q", seed: step + 1)
        #expect(ran.status == 0, "\(ran)")
      default:
        let day = ["today", "yesterday"].randomElement(using: &random) ?? "today"
        lines.append((day == "today" ? "2026-11-21" : "2026-11-20", "line\(step)x"))
        let ran = try shell.sh("slip --box \(device) daily \(day) --append line\(step)x -q", seed: step + 1)
        #expect(ran.status == 0, "\(ran)")
      }
    }
    let synced = try shell.sh("for d in a b c a b c; do slip --box $d sync -q || exit 1; done", seed: 60)
    #expect(synced.status == 0, "\(synced)")
    #expect(try shell.sh("slip --box a list is:conflicted --count").output == "0\n")
    let doctor = try shell.sh("slip --box a doctor", seed: 70)
    #expect(doctor.status == 0, "\(doctor)")
    for day in Set(lines.map(\.day)) {
      let text = try shell.sh("cat a/daily/\(day).md").output
      for line in lines {
        #expect(text.components(separatedBy: line.line + "\n").count == (line.day == day ? 2 : 1), "\(text)")
      }
      #expect(text.components(separatedBy: "## Log\n").count == 2, "\(text)")
    }
    if !captured.isEmpty {
      let inbox = try shell.sh("cat a/inbox.md").output
      for line in captured { #expect(inbox.components(separatedBy: "- \(line)\n").count == 2, "\(inbox)") }
    }
    #expect(try shell.sh("diff -r -x .git a b && diff -r -x .git b c").output == "")
    #expect(
      try shell.sh("slip --box a list --count").output
        == "\(Set(lines.map(\.day)).count + (captured.isEmpty ? 0 : 1))\n")
  }

  private static let template = "---\ntags: [daily]\n---\n# {{date:dddd}}\n\nWritten at {{time}}.\n\n## Log\n"
}
