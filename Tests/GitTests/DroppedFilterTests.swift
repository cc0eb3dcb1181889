import Bytes
import Foundation
import Git
import SlipboxTesting
import Testing

/// Attributes that nobody has committed take no filter from a file.
@Suite struct DroppedFilterTests {
  private static let path = "secret/deep/a.md"
  private static let text = Array("A marker word.\n".utf8)

  /// Attributes in the last commit, and shell commands after it.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var committed = [".gitattributes": "* text=auto\nsecret/** filter=turn\n"]
    var commands = "true"
    /// The filter that uncommitted attributes drop, and their file; nil if they drop none.
    var dropped: (filter: String, file: String)?
    var testDescription: String { name }
  }

  private static let droppedAtRoot = (filter: "turn", file: ".gitattributes")

  static let cases: [Case] = [
    Case(name: "unchanged attributes"),
    Case(name: "a typo", commands: "sed -i s/turn/trun/ .gitattributes", dropped: droppedAtRoot),
    Case(name: "a deleted line", commands: "sed -i /secret/d .gitattributes", dropped: droppedAtRoot),
    Case(name: "an empty file", commands: ": >.gitattributes", dropped: droppedAtRoot),
    Case(
      name: "a changed pattern", commands: "sed -i 's,secret/,secrets/,' .gitattributes",
      dropped: droppedAtRoot),
    Case(
      name: "a staged typo", commands: "sed -i s/turn/trun/ .gitattributes && git add .gitattributes",
      dropped: droppedAtRoot),
    Case(
      name: "a staged deletion", commands: "git rm -q .gitattributes", dropped: droppedAtRoot),
    Case(name: "another rule", commands: "echo '*.txt eol=lf' >>.gitattributes"),
    // Git then reads the attributes of the index.
    Case(name: "a missing file", commands: "rm .gitattributes"),
    Case(
      name: "a new file below",
      commands: "mkdir -p secret/deep && echo '* -filter' >secret/deep/.gitattributes",
      dropped: (filter: "turn", file: "secret/deep/.gitattributes")),
    Case(
      name: "a file of the folder", committed: ["secret/.gitattributes": "*.md filter=turn\n"],
      commands: ": >secret/.gitattributes", dropped: (filter: "turn", file: "secret/.gitattributes")),
    Case(
      name: "a macro", committed: [".gitattributes": "[attr]hidden filter=turn\nsecret/** hidden\n"],
      commands: "sed -i 's/^secret.*//' .gitattributes", dropped: droppedAtRoot),
    Case(
      name: "a filter that is only staged", committed: [".gitattributes": "* text=auto\n"],
      commands: """
        echo 'secret/** filter=turn' >>.gitattributes && git add .gitattributes &&
        echo '* text=auto' >.gitattributes
        """, dropped: droppedAtRoot),
    Case(
      name: "a new filter", committed: [".gitattributes": "* text=auto\n"],
      commands: "echo 'secret/** filter=turn' >>.gitattributes"),
    Case(name: "no attributes", committed: [:]),
    Case(
      name: "a committed deletion", commands: ": >.gitattributes && git commit -qam 'Drop the filter'"),
  ]

  @Test(arguments: cases) func uncommittedAttributesDropNoFilter(example: Case) throws {
    let test = try TestRepository(example.committed)
    try test.git("config", "filter.turn.clean", "tr a-z n-za-m")
    try test.git("config", "filter.turn.smudge", "tr a-z n-za-m")
    if example.committed.isEmpty { try test.git("commit", "-q", "--allow-empty", "-m", "Begin") }
    #expect(try run("sh", ["-c", example.commands], in: test.folder.path).status == 0)
    let (repository, path) = (try test.reopened(), Array(Self.path.utf8))
    let found = try repository.committedAttributes.droppedFilter(of: path)
    #expect(found?.filter == example.dropped?.filter)
    let refusals = [
      gitError { try repository.conversion.writeBlob(Self.text, path: path) },
      gitError { try repository.attributes.refuseUnstorable(path) },
    ]
    guard let dropped = example.dropped else {
      #expect(refusals.allSatisfy { $0 == nil })
      return
    }
    for refusal in refusals {
      #expect(refusal?.reason == .filtered(path: path, attribute: "filter=turn"))
      #expect(refusal?.message.contains("the uncommitted \(dropped.file) drops it") == true)
    }
    #expect(try !repository.hasObject(ObjectID(ofBlob: Self.text)))
    // The command of the message restores the filter.
    let command = try #require(refusals[0]?.message.components(separatedBy: "run: ").last)
    #expect(try run("sh", ["-c", command], in: test.folder.path).status == 0)
    #expect(try test.reopened().committedAttributes.droppedFilter(of: path) == nil)
  }

  /// Programs that speak git's process protocol badly, or not at all.
  private static let processes = [
    "false", "true", "no-such-program-anywhere", "sh -c 'exit 3'", "sh -c 'read x; exit 1'",
    "sh FOLDER/error.sh",
  ]

  /// Answers `status=error` to each file.
  private static let errorProgram = """
    packet() { printf '%04x%s' $((${#1} + 5)) "$1"; echo; }
    flush() { printf 0000; }
    packet git-filter-server; packet version=2; flush
    packet capability=clean; packet capability=smudge; flush
    packet status=error; flush
    cat >/dev/null

    """

  @Test(arguments: processes) func aProcessThatFailsStoresNoPlainText(process: String) throws {
    let test = try TestRepository([".gitattributes": "secret/** filter=turn\n"])
    let path = Array(Self.path.utf8)
    try test.folder.write("error.sh", Self.errorProgram)
    try test.git("config", "filter.turn.clean", "tr a-z n-za-m")
    try test.git("config", "filter.turn.smudge", "tr a-z n-za-m")
    try test.folder.write("secret/deep/b.md", "Ünencrypted before.\n")
    try test.folder.write("secret/deep/c.bin", "\u{1}")
    try test.git("config", "filter.turn.clean", "printf '\\200\\201'; cat")
    try test.git("add", "-A")
    try test.git("commit", "-q", "-m", "Encrypt")
    let words = process.replacing("FOLDER", with: test.folder.path)
    try test.git("config", "filter.turn.process", words)
    // It fails at random before git has spoken to it, or after.
    for number in 0..<5 {
      let text = Array("Text \(number)\n".utf8)
      let again = try test.reopened()
      #expect(gitError { try again.conversion.writeBlob(text, path: path) }?.reason == .filterFailed)
      #expect(try !again.hasObject(ObjectID(ofBlob: text)))
    }
  }

  @Test(arguments: ["cat", "sed 's/ *$//'"]) func aFilterMayLeaveATextAsItIs(clean: String) throws {
    let test = try TestRepository([
      ".gitattributes": "*.md filter=trim\n", "secret/b.md": "Title.\n\nText.\n",
    ])
    try test.git("config", "filter.trim.clean", clean)
    try test.git("config", "filter.trim.smudge", "sed 's/^Text/The text/'")
    let id = try test.reopened().conversion.writeBlob(Self.text, path: Array(Self.path.utf8))
    #expect(id == ObjectID(ofBlob: Self.text))
  }
}
