import Foundation
import SlipboxTesting
import Testing

/// Two users of one group in a repository made by `git init --shared`. Only root can start commands as both.
@Suite(.enabled(if: canSwitchUsers, "needs root and setpriv"))
struct SharedRepositoryTests {
  /// `one` and `two` run a command as a user of the group 12000. The first has the umask `$UMASK`.
  private static let functions = """
    as() {
      user=$1; shift
      (umask $UMASK
        HOME=$PWD/../home exec setpriv --reuid=$user --regid=$user --groups=12000 "$@")
    }
    one() { as 12001 "$@"; }
    two() { as 12002 "$@"; }
    # Git leaves the work tree to the umask.
    share_work_tree() {
      find . -path ./.git -prune -o -type d -exec chmod 2770 {} +
      find . -path ./.git -prune -o -type f -exec chmod g+rw {} +
    }
    mkdir home box hub.git; chmod 755 home; chown 12001:12000 box hub.git; chmod 2770 box hub.git; cd box
    printf '[safe]\\n\\tdirectory = *\\n' >../home/.gitconfig
    export GIT_CONFIG_GLOBAL=$PWD/../home/.gitconfig
    one git init -q --shared=group -b main .
    one git init -q --shared=group -b main --bare ../hub.git
    one git remote add origin "$PWD/../hub.git"

    """

  /// Runs a script after the functions, and returns what it writes.
  private func output(of script: String, umask: String) throws -> String {
    let shell = try Shell()
    var environment = shell.environment
    environment["UMASK"] = umask
    let ran = try run("sh", ["-c", Self.functions + script], in: shell.folder.path, environment: environment)
    return ran.output + ran.errors
  }

  @Test(arguments: ["022", "077"])
  func `lets a second user write, sync and collect garbage`(umask: String) throws {
    let script = """
      exec 3>&1 >/dev/null
      one slip init -q
      one slip new "First"
      share_work_tree
      one slip sync
      two slip new "Second" || echo "new: $?" >&2
      two slip append First "by two" || echo "append: $?" >&2
      two slip sync || echo "sync: $?" >&2
      share_work_tree
      one slip append Second "by one" || echo "append of one: $?" >&2
      two git gc -q || echo "gc: $?" >&2
      two git commit -q --allow-empty -m "By git" || echo "commit: $?" >&2
      one slip sync || echo "sync of one: $?" >&2
      [ "$(git rev-parse main)" = "$(git -C ../hub.git rev-parse main)" ] || echo "not pushed" >&2
      git fsck --strict --no-dangling >&2
      two slip list >&3
      """
    let lines = try output(of: script, umask: umask).split(separator: "\n")
    #expect(lines.filter { !$0.contains("\tnote\t") } == [])
    #expect(lines.count == 2)
  }

  @Test func `keeps caches, drafts and saved texts for their user`() throws {
    let script = """
      exec 3>&1 >/dev/null
      one slip init -q
      one slip new "First"
      # The second user can't write in the work tree, so slip keeps their text.
      two slip append First "text of two" 2>/dev/null
      two slip list
      find .git/slipbox -user 12001 -perm -020 ! -name lock ! -name lock-mark ! -path .git/slipbox >&3
      find .git/slipbox -user 12002 -perm -020 >&3
      find .git/slipbox -user 12002 ! -path '.git/slipbox/user-12002*' >&3
      find .git/slipbox -type f -perm /077 ! -name '*lock' ! -name lock-mark >&3
      ls .git/slipbox/user-12002 >&3
      """
    let lines = try output(of: script, umask: "022").split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix(".git/") } == [])
    #expect(lines.contains("recovered") && lines.contains("catalogue"))
  }
}

/// Whether the tests may start commands as other users.
private let canSwitchUsers =
  geteuid() == 0
  && (try? run("setpriv", ["--reuid=12001", "--clear-groups", Shell.program, "--version"]).status) == 0
