import Foundation
import SlipboxCore
import SlipboxTesting
import Testing
import Text

@testable import SlipboxLSP

/// Refusals in the words of an editor.
struct EditorMessageTests {
  private static let task = "---\nid: kqzmvtrp\ntitle: Review\nkind: task\n---\nText.\n"

  private static func refusal(_ run: () throws -> Void) -> String {
    let error = #expect(throws: EditorInTest.Failure.self) { try run() }
    return error?.message ?? ""
  }

  @Test func `a misspelt field is refused without an option of the command`() throws {
    let box = try ChangingTestBox(["t.md": Self.task])
    let message = Self.refusal {
      try box.command("slip.do", #"{"action": "finish", "ref": "Review", "changes": ["prioritty:high"]}"#)
    }
    #expect(message.contains("prioritty"))
    #expect(message.hasSuffix("\ndid you mean priority?"), "\(message)")
    #expect(!message.contains("--") && !message.hasPrefix("slip: "))
  }

  @Test func `a note that can't be changed names no command to edit it`() throws {
    let broken = Self.task.replacing("kind: task", with: "kind: task\nbad: [a")
    let box = try ChangingTestBox(["t.md": broken])
    let message = Self.refusal {
      try box.command("slip.do", #"{"action": "finish", "ref": "kqzmvtrp"}"#)
    }
    #expect(!message.contains("slip edit"), "\(message)")
  }

  @Test func `a refusal names a command where only that leads on`() {
    let error = SlipboxError(
      .configuration, "this clone is partial", hints: ["fetch it with: \(slip: "list", "--deleted")"])
    #expect(
      ResponseError(error).message
        == "this clone is partial\nrun: slip list --deleted in a terminal")
  }

  @Test func `a refusal names the command of the server that does the same`() {
    let error = SlipboxError(.notFound, "the box has no commits yet", hints: ["\(slip: "commit")"])
    #expect(ResponseError(error).message == "the box has no commits yet\nslip.commit")
  }

  @Test func `a change that is not committed is told without commands of slip`() throws {
    let box = try ChangingTestBox(["t.md": Self.task])
    try box.folder.write(".git/hooks/pre-commit", "#!/bin/sh\necho no >&2\nexit 1\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: box.folder.path + "/.git/hooks/pre-commit")
    var message = ""
    do { try box.command("slip.do", #"{"action": "finish", "ref": "Review"}"#) } catch {
      message = "\(error)"
    }
    #expect(message.contains("no later command retries it"), "\(message)")
    #expect(!message.contains("slip commit"), "\(message)")
    #expect(box.text("t.md")?.contains("finished:") == true)
  }
}
