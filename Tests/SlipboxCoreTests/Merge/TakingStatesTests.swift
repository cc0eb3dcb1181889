import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// Takes commits into clones whose files are more than bytes: modes, links, sparse checkouts, filters, flags, obstacles.
///
/// git-pull(1) in a second clone of the same state is the oracle.
@Suite struct TakingStatesTests {
  private let base = TakingTests()

  /// A state of the clone before the other side changes something.
  struct State: Sendable, CustomTestStringConvertible {
    let name: String
    /// Shell commands for the clone.
    var own = "true"
    /// Shell commands for the other side, after which all files are committed.
    let other: String
    /// Whether git-pull(1) refuses, and slip has to.
    var isRefused = false
    var testDescription: String { name }
  }

  private static let files = [
    "a.md": TakingTests.note, "run.sh": "one\n", "in/x.md": "x\n", "out/o.md": "o\n", "out/p.txt": "p\n",
    "pic.bin": "abc\n",
  ]
  private static let rot = """
    git config filter.rot.clean 'tr a-y b-z' && git config filter.rot.smudge 'tr b-z a-y'
    """
  /// Files as old as the index are compared by content, so that a new filter makes them look changed.
  private static let agedFiles = """
    find . -path ./.git -prune -o -type f -exec touch -d '1 minute ago' {} + && git update-index -q --refresh
    """
  private static let cone = "git sparse-checkout set .slipbox in"

  static let states: [State] = [
    State(name: "a script becomes executable", other: "chmod +x run.sh"),
    State(
      name: "a script is no longer executable, and changes", own: "chmod +x run.sh && git commit -qam x",
      other: "git pull -q ORIGIN main && chmod -x run.sh && echo two >>run.sh"),
    State(name: "core.fileMode is false", own: "git config core.fileMode false", other: "chmod +x run.sh"),
    State(name: "a link comes", other: "ln -s run.sh link"),
    State(
      name: "a link changes", own: "ln -s run.sh link && git add . && git commit -qm x",
      other: "git pull -q ORIGIN main && ln -sf a.md link"),
    State(
      name: "a link goes", own: "ln -s run.sh link && git add . && git commit -qm x",
      other: "git pull -q ORIGIN main && rm link"),
    State(name: "a file outside the cone changes", own: cone, other: "echo more >>out/o.md"),
    State(name: "a file outside the cone comes", own: cone, other: "mkdir new && echo n >new/n.md"),
    State(name: "a file outside the cone goes", own: cone, other: "rm out/o.md"),
    State(
      name: "sparse patterns", own: "git sparse-checkout set --no-cone '/*' '!/out/' '!*.secret'",
      other: "echo more >>out/o.md && echo s >k.secret && echo n >n.md"),
    State(
      name: "a sparse index", own: "git sparse-checkout set --sparse-index .slipbox in",
      other: "echo more >>out/o.md && mkdir new && echo n >new/n.md && echo y >in/y.md"),
    State(
      name: "an index of version 4 in a sparse checkout",
      own: "git update-index --index-version 4 && \(cone)", other: "echo more >>out/o.md && echo y >in/y.md"),
    State(
      name: "a file behind a filter changes",
      own:
        "echo '*.bin filter=rot' >.gitattributes && \(rot) && git add --renormalize . && git commit -qam x",
      other: "git pull -q ORIGIN main && echo ebgh >pic.bin"),
    State(
      name: "a filter comes with its file", own: rot,
      other: "echo '*.bin filter=rot' >.gitattributes && echo ebgh >new.bin"),
    State(
      name: "a filter that is not configured",
      other: "echo '*.bin filter=rot' >.gitattributes && echo ebgh >new.bin"),
    State(name: "line ends come as CRLF", own: "git config core.autocrlf true", other: "echo more >>in/x.md"),
    State(
      name: "an attribute asks for CRLF",
      own: "echo '*.txt eol=crlf' >.gitattributes && git add . && git commit -qm x",
      other: "git pull -q ORIGIN main && echo more >>out/p.txt"),
    State(
      name: "a hidden file that is as committed changes", own: "git update-index --skip-worktree a.md",
      other: "echo more >>a.md"),
    State(
      name: "an edit is hidden by skip-worktree",
      own: "git update-index --skip-worktree a.md && echo key >>a.md",
      other: "echo more >>a.md", isRefused: true),
    State(
      name: "an edit is hidden by assume-unchanged",
      own: "git update-index --assume-unchanged a.md && echo key >>a.md", other: "echo more >>a.md",
      isRefused: true),
    State(
      name: "an edit of another file is hidden",
      own: "git update-index --skip-worktree a.md && echo key >>a.md",
      other: "echo more >>in/x.md"),
    State(name: "an empty folder is in the way", own: "mkdir -p new.md/sub", other: "echo n >new.md"),
    State(
      name: "a folder with a file is in the way", own: "mkdir new.md && touch new.md/x",
      other: "echo n >new.md",
      isRefused: true),
    State(
      name: "a file is in the way of a folder", own: "echo f >new", other: "mkdir new && echo n >new/n.md",
      isRefused: true),
    State(name: "a file is in the way", own: "echo mine >new.md", other: "echo n >new.md", isRefused: true),
    State(name: "a folder becomes a file", other: "rm -r out && echo f >out"),
    State(
      name: "a file becomes a folder of many files",
      other: "rm run.sh && mkdir run.sh && for i in $(seq 30); do echo $i >run.sh/$i.md; done"),
    State(name: "an uncommitted executable bit stays", own: "chmod +x run.sh", other: "echo n >new.md"),
  ]

  private func sh(_ script: String, in folder: TemporaryFolder, origin: TemporaryFolder) throws {
    let script = script.replacing("ORIGIN", with: origin.path)
    let result = try run("sh", ["-ec", script], in: folder.path)
    guard result.status == 0 else {
      throw CommandFailure(command: [script], status: result.status, errors: result.errors)
    }
  }

  /// The files of a work tree with their modes and bytes, git's status and the flags of its index.
  private func look(_ folder: TemporaryFolder) throws -> [String] {
    let script = """
      find . -path ./.git -prune -o -type l -printf '%p -> %l\\n' -o -type f -printf '%m ' -exec sha1sum {} +
      git ls-files -v; git status --porcelain -uall
      """
    let result = try run("sh", ["-ec", script], in: folder.path)
    return result.output.split(separator: "\n").map(String.init).sorted()
  }

  @Test(arguments: states) func `makes of a state what git pull makes`(state: State) throws {
    let pair = try base.pair(Self.files)
    try sh(Self.agedFiles, in: pair.own.folder, origin: pair.own.folder)
    try sh(state.own, in: pair.own.folder, origin: pair.own.folder)
    try sh(state.other, in: pair.other, origin: pair.own.folder)
    try pair.other.git("add", "-A")
    try pair.other.git("commit", "-q", "-m", "There")
    let git = try TemporaryFolder()
    _ = try run("cp", ["-a", pair.own.folder.path + "/.", git.path])
    // A copy has other inodes, by which a hidden file would look changed.
    try git.git("config", "core.checkStat", "minimal")
    try git.git("config", "core.trustctime", "false")
    let pull = try run("git", ["pull", "-q", "--no-rebase", pair.other.path, "main"], in: git.path)
    #expect((pull.status != 0) == state.isRefused, "\(pull.errors)")
    let before = try look(pair.own.folder)
    if state.isRefused {
      let error = #expect(throws: SlipboxError.self) { try base.take(pair) }
      #expect(error?.kind == .busy)
      #expect(try look(pair.own.folder) == before)
    } else {
      _ = try base.take(pair)
      #expect(try look(pair.own.folder) == look(git))
      #expect(try pair.own.folder.git("rev-parse", "HEAD^{tree}") == git.git("rev-parse", "HEAD^{tree}"))
    }
    _ = try pair.own.folder.git("fsck", "--strict")
  }

  @Test func `refuses a file whose filter fails`() throws {
    let pair = try base.pair(Self.files)
    try sh("git config filter.rot.smudge false", in: pair.own.folder, origin: pair.own.folder)
    try sh(
      "echo '*.bin filter=rot' >.gitattributes; echo abc >new.bin", in: pair.other, origin: pair.own.folder)
    try pair.other.git("add", "-A")
    try pair.other.git("commit", "-q", "-m", "There")
    let before = try look(pair.own.folder)
    let error = #expect(throws: SlipboxError.self) { try base.take(pair) }
    #expect(error?.kind == .notPermitted)
    #expect(try look(pair.own.folder) == before)
  }

  @Test func `finishes an interrupted operation with the filters of the clone`() throws {
    let box = try WritingBox(["a.md": "a\n", "x.bin": "x\n"])
    let commit = try box.interrupt(["a.md": "a2\n", "x.bin": "x2\n"], written: ["a.md"])
    try sh(
      """
      echo '*.bin filter=mark' >.git/info/attributes
      git config filter.mark.smudge 'touch RAN; cat'; git config filter.mark.clean 'touch RAN; cat'
      """, in: box.folder, origin: box.folder)
    _ = try box.titles()
    #expect(box.exists("RAN") || box.exists(".git/RAN"))
    #expect(box.text("x.bin") == "x2\n")
    #expect(try box.head() == commit)
  }

  @Test func `keeps an uncommitted executable bit of a file that changes`() throws {
    let pair = try base.pair(Self.files)
    try sh("chmod +x run.sh", in: pair.own.folder, origin: pair.own.folder)
    try base.change(pair.other, "run.sh", "one\ntwo\n")
    _ = try base.take(pair)
    #expect(base.text(pair.own, "run.sh") == "one\ntwo\n")
    #expect(try pair.own.status() == [" M run.sh"])
  }
}
