import Foundation
import Notes
import SlipboxCore
import SlipboxTesting

@testable import SlipboxLSP

/// A box of files that are committed, with an editor that talks to a server.
final class ChangingTestBox {
  let folder: TemporaryFolder
  let editor: EditorInTest

  /// - Parameters:
  ///   - files: texts by paths.
  ///   - capabilities: what the editor can do, as JSON.
  init(
    _ files: [String: String], capabilities: String = EditorInTest.able, quietMilliseconds: Int64 = 30_000
  ) throws {
    folder = try TemporaryFolder()
    try folder.git("init", "-q", "-b", "main")
    try folder.git("config", "user.name", "Ada")
    try folder.git("config", "user.email", "ada@example.org")
    try folder.write(".slipbox/config.yaml", "path: \"{slug}-{id}.md\"\n")
    for (path, text) in files { try folder.write(path, text) }
    try folder.git("add", "-A")
    try folder.git("commit", "-q", "-m", "as found")
    editor = try EditorInTest(
      at: folder.path, capabilities: capabilities, quietMilliseconds: quietMilliseconds)
  }

  func uri(_ path: String) -> String { DocumentURI.uri(Array("\(folder.path)/\(path)".utf8)) }

  func text(_ path: String) -> String? { folder.read(path).map { String(decoding: $0, as: UTF8.self) } }

  /// Opens a file in the editor, with another text than that of the file where one is given.
  func open(_ path: String, _ text: String? = nil) throws {
    try editor.open(uri(path), text ?? self.text(path) ?? "")
  }

  /// The text of an open file in the editor.
  func open(text path: String) -> String? { editor.texts[uri(path)] }

  /// Where a word stands in an open file, with an offset in characters behind its beginning.
  func place(_ path: String, _ word: String, _ offset: Int = 0) -> JSONValue {
    let text = Array((editor.texts[uri(path)] ?? "").utf8)
    let found = text.indices.first { text[$0...].starts(with: word.utf8) } ?? 0
    let position = LineTable(text, editor.encoding).position(of: found + offset)
    return .object([
      "textDocument": .object(["uri": .string(uri(path))]),
      "position": JSONValue(encoding: position),
    ])
  }

  /// Renames what stands at a word, and takes the edit.
  func rename(_ path: String, _ word: String, _ offset: Int = 0, to name: String) throws {
    guard case .object(var params) = place(path, word, offset) else { return }
    params["newName"] = .string(name)
    try editor.take(edit: try editor.ask("textDocument/rename", .object(params)))
  }

  /// The actions at a word.
  func actions(_ path: String, _ word: String, _ offset: Int = 0, through end: String? = nil) throws
    -> [JSONValue]
  {
    let start = place(path, word, offset)["position"]
    let last = end.map { place(path, $0, $0.utf8.count)["position"] } ?? start
    return try editor.ask(
      "textDocument/codeAction",
      .object([
        "textDocument": .object(["uri": .string(uri(path))]),
        "range": .object(["start": start, "end": last]), "context": .object(["diagnostics": .array([])]),
      ])
    ).elements
  }

  /// Runs the action of a title at a word.
  func act(_ title: String, _ path: String, _ word: String, _ offset: Int = 0, through end: String? = nil)
    throws
  {
    let actions = try actions(path, word, offset, through: end)
    guard let action = actions.first(where: { $0["title"].string == title }) else {
      throw EditorInTest.Failure(message: "no \(title) among \(actions.map { $0["title"].string ?? "" })")
    }
    try editor.run(action)
  }

  /// Runs a command.
  @discardableResult
  func command(_ name: String, _ arguments: String) throws -> JSONValue {
    let value = try Message.read(Array(arguments.utf8))
    return try editor.ask(
      "workspace/executeCommand", .object(["command": .string(name), "arguments": .array([value])]))
  }

  /// The last commits, their subjects and commands.
  func log(_ count: Int = 1) throws -> String {
    try folder.git(
      "log", "-\(count)", "--format=%s|%(trailers:key=Slip-Command,valueonly,separator=)")
  }

  /// Paths that git sees as changed.
  func status() throws -> String { try folder.git("status", "--porcelain") }
}
