import Foundation
import SlipboxTesting
import Testing

/// Commands beside a git that is held open in the middle of a checkout, a merge or a commit.
///
/// `Tests/Attack/commit-races.sh SLIP` is the large version of this.
@Suite struct CommitRacesTests {
  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Attack/commit-races.sh").path

  @Test(arguments: ["checkout", "merge", "hook"])
  func nothingIsCommittedHalfDone(part: String) throws {
    let ran = try run("timeout", ["300", "bash", Self.script, Shell.program, "--quick", part])
    #expect(ran.status == 0, "\(ran.output)\(ran.errors)")
  }
}
