import Foundation
import Notes
import SlipboxCore
import SlipboxTesting
import Testing

@testable import SlipboxLSP

/// What a client of the tests can do: all that is asked about, unless a test says less.
let fullCapabilities: JSONValue = .object([
  "general": .object(["positionEncodings": .array([.string("utf-8"), .string("utf-16")])]),
  "textDocument": .object([
    "hover": .object(["contentFormat": .array([.string("markdown")])]),
    "definition": .object(["linkSupport": .boolean(true)]),
    "documentSymbol": .object(["hierarchicalDocumentSymbolSupport": .boolean(true)]),
    "documentLink": .object(["tooltipSupport": .boolean(true)]),
    "semanticTokens": .object([
      "tokenTypes": .array(SemanticTokenType.allCases.map { .string($0.rawValue) }),
      "tokenModifiers": .array([.string("deprecated")]),
    ]),
    "completion": .object([
      "completionItem": .object(["documentationFormat": .array([.string("markdown")])])
    ]),
  ]),
])

/// Capabilities that count positions in one encoding.
func capabilities(_ encoding: PositionEncoding) -> JSONValue {
  .object(["general": .object(["positionEncodings": .array([.string(encoding.rawValue)])])])
}

/// A box in a temporary folder, with notes and open texts, that answers requests in this process.
final class TestServer {
  let folder: TemporaryFolder
  let client: Client
  private let boxes: Boxes
  private var documents = Documents()
  private let device: FileHandle

  /// - Parameters:
  ///   - files: the files of the box, by their paths.
  ///   - isBox: whether the folder is made a box.
  init(_ files: [String: String], _ capabilities: JSONValue = fullCapabilities, isBox: Bool = true) throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    for (path, text) in files { try folder.write(path, text) }
    device = try #require(FileHandle(forWritingAtPath: "/dev/null"))
    client = Client(capabilities, Outbox(device.fileDescriptor))
    let circumstances = Circumstances(
      input: 0, output: device.fileDescriptor,
      context: { place, reporter in
        CommandContext(
          clock: ClockReading(
            now: Timestamp(seconds: 1_795_249_800, offsetSeconds: 3_600), offset: { _ in 3_600 }),
          workingDirectory: place, configurationFolder: nil, boxVariable: nil, device: "desk",
          ids: IDSource(SplitMix64(seed: 1)), reporter: reporter)
      })
    boxes = Boxes(circumstances) { _ in }
    guard isBox else { return }
    try folder.git("init", "-q", "-b", "main")
    for (key, value) in [("user.name", "Ada"), ("user.email", "ada@example.org")] {
      try folder.git("config", key, value)
    }
    let context = circumstances.context(in: folder.bytes)
    _ = try BoxInitialiser(context).initialise(folder.bytes, mayCommit: { _ in true })
    boxes.box(at: folder.bytes)
  }

  func uri(_ path: String) -> String { DocumentURI.uri(folder.bytes + Array("/\(path)".utf8)) }

  /// Opens a file of the box, with another text where one is given.
  @discardableResult
  func open(_ path: String, _ text: String? = nil) throws -> OpenDocument {
    let bytes = try text.map { Array($0.utf8) } ?? #require(folder.read(path))
    let document = OpenDocument(
      uri: uri(path), path: folder.bytes + Array("/\(path)".utf8), version: 1, bytes: bytes,
      encoding: client.encoding)
    documents.put(document)
    return document
  }

  /// The result of a request.
  func ask(_ method: String, _ params: JSONValue) throws -> JSONValue {
    let handler = try #require(Methods.handlers[method])
    let request = Request(documents, boxes, client, CancellationFlag())
    let message = try Message.read(Message.call(method, params, id: .number(1)))
    let response = try Message.read(handler.response(to: message, .number(1), request))
    #expect(response["error"].isNull, "\(method): \(response["error"])")
    return response["result"]
  }

  /// The result of a request about a document.
  func ask(_ method: String, in path: String) throws -> JSONValue {
    try ask(method, .object(["textDocument": .object(["uri": .string(uri(path))])]))
  }

  /// The result of a request about a place.
  func ask(
    _ method: String, in path: String, at position: Position, declares: Bool = false
  ) throws -> JSONValue {
    try ask(
      method,
      .object([
        "textDocument": .object(["uri": .string(uri(path))]),
        "position": .object([
          "line": .integer(position.line), "character": .integer(position.character),
        ]),
        "context": .object(["includeDeclaration": .boolean(declares)]),
      ]))
  }

  /// The result of a request about the place of the mark `‸` in a text, which is opened without it.
  func ask(_ method: String, in path: String, marked text: String, declares: Bool = false) throws -> JSONValue
  {
    let mark = try #require(text.range(of: "‸"))
    let offset = text[..<mark.lowerBound].utf8.count
    let document = try open(path, text.replacingOccurrences(of: "‸", with: ""))
    return try ask(method, in: path, at: document.lines.position(of: offset), declares: declares)
  }

  /// The texts at the places of an answer, each after the name of its file: `ada.md:[[Bob]]`.
  func texts(_ answer: JSONValue) throws -> [String] {
    try answer.elements.map { location in
      let link = location["targetUri"].string
      let uri = try #require(link ?? location["uri"].string)
      let range = try #require(Self.range(location[link == nil ? "range" : "targetSelectionRange"]))
      let path = try #require(DocumentURI.path(uri))
      let name = String(decoding: path.dropFirst(folder.bytes.count + 1), as: UTF8.self)
      let bytes = try #require(documents[uri]?.bytes ?? folder.read(name))
      let offsets = LineTable(bytes, client.encoding).offsets(of: range)
      return "\(name):\(String(decoding: bytes[offsets], as: UTF8.self))"
    }
  }

  /// The text at a range of an open document.
  func text(_ range: JSONValue, in path: String) throws -> String {
    let document = try #require(documents[uri(path)])
    let range = try #require(Self.range(range))
    return String(decoding: document.bytes[document.lines.offsets(of: range)], as: UTF8.self)
  }

  static func range(_ value: JSONValue) -> PositionRange? {
    guard let start = position(value["start"]), let end = position(value["end"]) else { return nil }
    return PositionRange(start: start, end: end)
  }

  static func position(_ value: JSONValue) -> Position? {
    guard let line = value["line"].integer, let character = value["character"].integer else { return nil }
    return Position(line: line, character: character)
  }
}

/// A small box with a note of most sorts.
let smallBox = [
  "ada.md": """
  ---
  title: Ada
  tags: [people, work/clients]
  aliases: [Countess]
  ---
  # Ada

  Wrote the first program. See [[Bob]].

  ## Notes

  On the engine. ^engine

  """,
  "bob.md": "# Bob\n\nKnows [[Ada]] and [[Ada#Notes|her notes]] and [her](ada.md#notes). #people\n",
  "garden.md": "---\nkind: group\ntitle: Garden\n---\nAll that grows.\n",
  "weed.md": """
  ---
  kind: task
  title: Weed
  group: Garden
  priority: high
  due: 2026-11-27
  ---
  Ask [[Ada#^engine]].

  """,
  "picture.png": "x",
]
