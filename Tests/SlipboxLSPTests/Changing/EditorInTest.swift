import Foundation
import Notes
import Platform
import SlipboxCore
import SlipboxTesting

@testable import SlipboxLSP

/// An editor that asks a server one thing after the other, and does what the server asks of it.
final class EditorInTest {
  struct Failure: Error, Equatable { let message: String }

  /// What an editor says that can do all of this.
  static let able = """
    {"workspace": {"applyEdit": true, "workspaceEdit": {"documentChanges": true,
      "resourceOperations": ["create", "rename", "delete"]}, "fileOperations": {"willRename": true}},
     "textDocument": {"rename": {"prepareSupport": true}, "codeAction": {"dataSupport": true,
      "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}, "disabledSupport": true,
      "resolveSupport": {"properties": ["edit"]}}},
     "window": {"showMessage": {}, "showDocument": {"support": true}},
     "general": {"positionEncodings": ["utf-16"]}}
    """
  /// What an editor says that knows edits of texts and commands alone.
  static let plain = #"{"workspace": {"applyEdit": true}, "window": {"showMessage": {}}}"#

  private(set) var texts: [String: String] = [:]
  private var versions: [String: Int] = [:]
  /// The questions of the server, by method.
  private(set) var asked: [(method: String, params: JSONValue)] = []
  /// The button that is pressed where the server asks; nil for the first.
  var button: Int? = 0
  var encoding: PositionEncoding
  private let input: Int32
  private let output: Int32
  private var frames = MessageFrames()
  private var next = 1
  private let hasEnded = DispatchSemaphore(value: 0)
  private var hasLeft = false

  init(at folder: String, capabilities: String, quietMilliseconds: Int64) throws {
    var (toServer, fromServer): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard pipe(&toServer) == 0, pipe(&fromServer) == 0 else { throw Failure(message: "no pipe") }
    (input, output) = (fromServer[0], toServer[1])
    let all = try Message.read(Array(capabilities.utf8))
    encoding = PositionEncoding(offered: all["general"]["positionEncodings"].strings)
    let clock = ClockReading(
      now: Timestamp(seconds: 1_795_249_800, offsetSeconds: 3_600), offset: { _ in 3_600 })
    let ids = IDSource(SplitMix64(seed: 7))
    let circumstances = Circumstances(input: toServer[0], output: fromServer[1]) { folder, reporter in
      CommandContext(
        clock: clock, workingDirectory: folder, configurationFolder: nil, boxVariable: nil, device: "desk",
        ids: ids, reporter: reporter)
    }
    let server = LanguageServer(circumstances, version: "test", quietMilliseconds: quietMilliseconds)
    _ = Threads.detach { [hasEnded] in
      _ = server.run()
      hasEnded.signal()
    }
    _ = try ask(
      "initialize",
      .object(["capabilities": all, "rootUri": .string(DocumentURI.uri(Array(folder.utf8)))]))
    send("initialized", .object([:]))
  }

  deinit {
    leave()
    close(output)
    close(input)
  }

  /// Ends the server, as an editor does that quits: all of the server's work is done when this returns.
  func leave() {
    guard !hasLeft else { return }
    hasLeft = true
    _ = try? ask("shutdown", .null)
    send("exit", .null)
    hasEnded.wait()
  }

  private func send(_ method: String, _ params: JSONValue, id: RequestID? = nil) {
    write(Message.call(method, params, id: id))
  }

  private func write(_ message: [UInt8]) {
    var rest = MessageFrames.framed(message)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(output, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  private func read() throws -> JSONValue {
    while true {
      if let message = try frames.next() { return try Message.read(message) }
      let bytes = try Files.readSome(descriptor: input)
      guard !bytes.isEmpty else { throw Failure(message: "the server is gone") }
      frames.append(bytes)
    }
  }

  /// Asks the server, and answers what it asks meanwhile.
  func ask(_ method: String, _ params: JSONValue) throws -> JSONValue {
    let id = next
    next += 1
    send(method, params, id: .number(id))
    while true {
      let message = try read()
      if let method = message["method"].string {
        try take(method, message)
      } else if message["id"].integer == id {
        if let text = message["error"]["message"].string { throw Failure(message: text) }
        return message["result"]
      }
    }
  }

  private func take(_ method: String, _ message: JSONValue) throws {
    asked.append((method, message["params"]))
    guard !message["id"].isNull else { return }
    var result = JSONValue.null
    if method == "workspace/applyEdit" {
      try take(edit: message["params"]["edit"])
      result = .object(["applied": .boolean(true)])
    } else if method == "window/showMessageRequest", let button {
      result = message["params"]["actions"][button]
    }
    write(Message.response(message["id"].decoded(RequestID.self) ?? .number(0), result))
  }
}

/// Texts.
extension EditorInTest {
  func open(_ uri: String, _ text: String) throws {
    texts[uri] = text
    versions[uri] = 1
    send(
      "textDocument/didOpen",
      .object([
        "textDocument": .object([
          "uri": .string(uri), "languageId": .string("markdown"), "version": .integer(1),
          "text": .string(text),
        ])
      ]))
  }

  func change(_ uri: String, to text: String) {
    texts[uri] = text
    versions[uri, default: 1] += 1
    send(
      "textDocument/didChange",
      .object([
        "textDocument": .object(["uri": .string(uri), "version": .integer(versions[uri] ?? 1)]),
        "contentChanges": .array([.object(["text": .string(text)])]),
      ]))
  }

  /// Writes an open text to its file, and tells so.
  func save(_ uri: String) throws {
    guard let path = DocumentURI.path(uri), let text = texts[uri] else { return }
    try Data(text.utf8).write(to: URL(fileURLWithPath: String(decoding: path, as: UTF8.self)))
    send(
      "textDocument/didSave",
      .object(["textDocument": .object(["uri": .string(uri)]), "text": .string(text)]))
  }

  /// Makes a change of the server: in open texts, else in files.
  func take(edit: JSONValue) throws {
    for change in edit["documentChanges"].elements {
      switch change["kind"].string {
      case "create": try write("", to: change["uri"].string ?? "")
      case "rename":
        let (old, new) = (change["oldUri"].string ?? "", change["newUri"].string ?? "")
        let text = try text(old)
        if let path = DocumentURI.path(old) {
          try FileManager.default.removeItem(atPath: String(decoding: path, as: UTF8.self))
        }
        if texts.removeValue(forKey: old) != nil { try open(new, text) }
        try write(text, to: new)
      default:
        let uri = change["textDocument"]["uri"].string ?? ""
        if let version = change["textDocument"]["version"].integer, version != versions[uri] {
          throw Failure(message: "an edit of version \(version), not \(versions[uri] ?? 0)")
        }
        try make(change["edits"], in: uri)
      }
    }
    if case .object(let changes) = edit["changes"] {
      for (uri, edits) in changes.sorted(by: { $0.key < $1.key }) { try make(edits, in: uri) }
    }
  }

  private func text(_ uri: String) throws -> String {
    if let text = texts[uri] { return text }
    guard let path = DocumentURI.path(uri),
      let data = FileManager.default.contents(atPath: String(decoding: path, as: UTF8.self))
    else { throw Failure(message: "no file \(uri)") }
    return String(decoding: data, as: UTF8.self)
  }

  private func write(_ text: String, to uri: String) throws {
    guard let path = DocumentURI.path(uri) else { return }
    try Data(text.utf8).write(to: URL(fileURLWithPath: String(decoding: path, as: UTF8.self)))
  }

  private func make(_ edits: JSONValue, in uri: String) throws {
    var bytes = Array(try text(uri).utf8)
    let lines = LineTable(bytes, encoding)
    let parts = (edits.decoded([TextEdit].self) ?? []).map { (lines.offsets(of: $0.range), $0.newText) }
      .sorted { $0.0.lowerBound > $1.0.lowerBound }
    for (range, text) in parts { bytes.replaceSubrange(range, with: text.utf8) }
    let text = String(decoding: bytes, as: UTF8.self)
    if texts[uri] == nil { try write(text, to: uri) } else { change(uri, to: text) }
  }

  /// Does what an action says, as editors do: its edit, then its command.
  func run(_ action: JSONValue) throws {
    var action = action
    if !action["data"].isNull { action = try ask("codeAction/resolve", action) }
    try take(edit: action["edit"])
    let command = action["command"].string == nil ? action["command"] : action
    guard !command.isNull else { return }
    _ = try ask(
      "workspace/executeCommand",
      .object(["command": command["command"], "arguments": command["arguments"]]))
  }
}
