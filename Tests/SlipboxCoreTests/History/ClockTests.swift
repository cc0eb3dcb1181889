import Git
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// The order of operations after a clock went back.
@Suite struct ClockTests {
  @Test(arguments: [1, 3])
  func undoFollowsAncestryAfterAClockWentBack(count: Int) throws {
    var box = try WritingBox(["a.md": "# A\n"])
    try box.append("a.md", "first")
    let then = try box.head()
    // Another device changes another note.
    try box.folder.git("checkout", "-q", "-b", "there")
    try box.folder.write("b.md", "# B\n")
    try box.folder.git("add", "b.md")
    try run(box, "GIT_COMMITTER_DATE='2026-11-22T00:00:00Z' git commit -qm There")
    try box.folder.git("checkout", "-q", "main")
    #expect(try box.head() == then)
    // The clock of this device is years behind.
    let past = Timestamp(seconds: standingClock.now.seconds - 200_000_000, offsetSeconds: 3_600)
    box.clock = ClockReading(now: past, offset: { _ in 3_600 })
    for number in 1...count { try box.append("a.md", "late \(number)") }
    try run(box, "GIT_COMMITTER_DATE='2026-11-23T00:00:00Z' git merge -q --no-edit there")
    let snapshot = try box.snapshot()
    var subjects: [String] = []
    var found: [String] = []
    let operations = PastOperations(in: snapshot, on: "desk")
    try operations.visit { past in
      found.append(past.commit.id.hex)
      subjects.append(past.operation.subject)
      return true
    }
    let order = try box.folder.git("log", "--topo-order", "--format=%H").split(separator: "\n").map(
      String.init)
    #expect(found == order.filter(found.contains))
    #expect(subjects.count == count + 2)
    let next = try #require(try operations.nextUndo())
    #expect(next.commit.id.hex == found.first)
  }

  private func run(_ box: WritingBox, _ command: String) throws {
    #expect(try SlipboxTesting.run("sh", ["-c", command], in: box.folder.path).status == 0)
  }
}
