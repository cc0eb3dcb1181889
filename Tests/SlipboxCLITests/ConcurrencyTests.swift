import Foundation
import SlipboxTesting
import Testing

/// Several commands at once in one box, and a person with git beside them.
///
/// `Tests/Faults/run SLIP races` is the large version of this.
@Suite struct ConcurrencyTests {
  private static let writers = 8

  /// The writers, each with a note of its own and one note that all change; git stages and collects beside them.
  ///
  /// A command that finds the box busy is run again; every other failure, and every loss, is a line of output.
  private static let script = """
    insist() {
      for attempt in $(seq 50); do
        "$@" 2>../errors.$id >/dev/null; status=$?
        [ $status = 75 ] || break
        # What is saved is done: another command commits it.
        grep -q "saved, not committed" ../errors.$id && status=0 && break
      done
      if [ $status = 0 ]; then echo $word >>../acknowledged; return; fi
      echo "$*: exit $status: $(cat ../errors.$id)"
    }
    writer() {
      id=$1
      for round in 1 2 3 4; do
        word=w${id}r${round}x
        export FIXED_SEED=$((id * 100 + round))
        case $round in
          1) insist slip new "Note $word" ;;
          2) insist slip set own/$id.md step:$word ;;
          3) insist slip append own/$id.md $word ;;
          4) insist slip append shared.md $word ;;
        esac
      done
    }
    git_insisting() {
      for attempt in $(seq 500); do
        git "$@" 2>/dev/null && return
      done
      echo "git $*: never worked"
    }
    holds() {
      staged=$(git ls-files -s turning.txt | cut -d ' ' -f 2)
      [ "$staged" = "$(echo $1 | git hash-object --stdin)" ] || echo "lost: $2"
    }
    # The loops beside the writers end with them, and by themselves where the test was killed.
    end=$(($(date +%s) + 300))
    is_over() { [ -e ../over ] || [ "$(date +%s)" -gt $end ]; }
    stager() {
      number=0
      until is_over; do
        number=$((number + 1))
        echo $number >turning.txt
        git_insisting add turning.txt; sleep 0.05; holds $number "git add"
        git_insisting reset -q -- turning.txt; sleep 0.05; holds 0 "git reset"
      done
    }
    collector() {
      until is_over; do
        # It waits a tenth of a second for the lock of a branch, and slip may hold that for longer on a slow disk.
        git gc -q 2>../errors || grep -q "main.lock': File exists" ../errors || echo "git gc: $(cat ../errors)"
        sleep 0.1
      done
    }

    stager & collector & beside=$!
    for writer in $(seq \(writers)); do writer $writer & pids="$pids $!"; done
    wait $pids; touch ../over; wait
    slip list >../list 2>../errors || cat ../errors
    echo 0 >turning.txt; git reset -q -- turning.txt
    """

  @Test func losesNeitherCommitsNorStaging() throws {
    let shell = try Shell()
    try prepare(shell)
    let before = try shell.folder.git("-C", "box", "ls-files", "-s", "staged.txt", "added.txt")
    let box = shell.folder.path + "/box"
    let ran = try run("timeout", ["300", "sh", "-c", Self.script], in: box, environment: shell.environment)
    #expect(ran.status == 0)
    #expect(ran.output == "")
    #expect(ran.errors == "")

    let words = Set(try lines(shell.folder, "acknowledged"))
    #expect(words.count == Self.writers * 4)
    let patch = try shell.folder.git("-C", "box", "log", "-p", "--format=", "--no-renames")
    let added = patch.split(separator: "\n").filter { $0.hasPrefix("+") && !$0.hasPrefix("+++") }
    for word in words {
      #expect(added.filter { $0.contains(word) }.count == 1, "\(word) in history")
    }
    #expect(try shell.folder.git("-C", "box", "ls-files", "-s", "staged.txt", "added.txt") == before)
    let status = try shell.folder.git("-C", "box", "status", "--porcelain")
    #expect(status == "A  added.txt\nM  staged.txt\n")
    try shell.checkRepository()
  }

  private func prepare(_ shell: Shell) throws {
    let folder = shell.folder
    for writer in 1...Self.writers { try folder.write("box/own/\(writer).md", "# Own \(writer)\n") }
    try folder.write("box/shared.md", "# Shared\n")
    for name in ["turning", "staged"] { try folder.write("box/\(name).txt", "0\n") }
    try folder.git("init", "-q", "-b", "main", "box")
    try folder.git("-C", "box", "add", "-A")
    try folder.git("-C", "box", "commit", "-q", "-m", "Before")
    try folder.git("-C", "box", "config", "user.name", "Ada")
    try folder.git("-C", "box", "config", "user.email", "ada@example.org")
    let made = try run("slip", ["init"], in: folder.path + "/box", environment: shell.environment)
    #expect(made.status == 0, "\(made.errors)")
    try folder.write("box/staged.txt", "staged by hand\n")
    try folder.write("box/added.txt", "new\n")
    try folder.git("-C", "box", "add", "staged.txt", "added.txt")
  }

  private func lines(_ folder: TemporaryFolder, _ path: String) throws -> [String] {
    let text = try #require(folder.read(path))
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
