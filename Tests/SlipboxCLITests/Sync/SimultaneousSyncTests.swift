import Foundation
import SlipboxTesting
import Testing

/// Syncs of one repository that run at the same time.
@Suite struct SimultaneousSyncTests {
  @Test func `each sync of one box waits for the one that runs`() throws {
    let shell = try Shell()
    let script = """
      set -e
      git init -q --bare -b main hub && git init -q -b main a && slip init -q a && cd a
      git remote add origin ../hub && slip sync -q && git worktree add -q ../linked -b other && cd ../linked
      git push -q -u origin other && cd ..
      for round in 1 2 3 4 5; do
        git -C a pull -q && slip --box a new "Note $round" -q >/dev/null
        git clone -q hub c$round && slip --box c$round new "Other $round" -q >/dev/null && slip --box c$round sync -q
        pids=
        for box in a linked a a; do slip --box $box sync -q & pids="$pids $!"; done
        for pid in $pids; do wait $pid; done
      done
      git -C a fsck --strict && git -C a status --porcelain && git -C a rev-list --count HEAD..origin/main
      """
    let ran = try run("sh", ["-c", script], in: shell.folder.path, environment: shell.environment)
    #expect(ran.status == 0, "\(ran.output)\(ran.errors)")
    #expect(ran.output.hasSuffix("\n0\n"), "\(ran.output)")
    #expect(!ran.errors.contains("slip:"), "\(ran.errors)")
  }
}
