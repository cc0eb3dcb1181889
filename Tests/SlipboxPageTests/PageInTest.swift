import Foundation
import Notes
import SlipboxCore
import SlipboxTesting
import Synchronization

@testable import SlipboxPage

/// A box of files that are committed, with a server that is asked without a socket.
final class PageInTest {
  let folder: TemporaryFolder
  let box: PageBox
  let server: PageServer
  static let token = "0123456789abcdef0123456789abcdef"
  static let port = 8_080

  init(
    _ files: [String: String] = [:], isReadOnly: Bool = false, assets: [UInt8]? = nil,
    idempotencyKeys: IdempotencyKeys = IdempotencyKeys(), onContext: @escaping @Sendable () -> Void = {}
  ) throws {
    folder = try TemporaryFolder()
    try folder.git("init", "-q", "-b", "main")
    try folder.git("config", "user.name", "Ada")
    try folder.git("config", "user.email", "ada@example.org")
    try folder.write(".slipbox/config.yaml", "path: \"{slug}-{id}.md\"\n")
    for (path, text) in files { try folder.write(path, text) }
    try folder.git("add", "-A")
    try folder.git("commit", "-q", "-m", "as found")
    box = try Self.box(folder, isReadOnly, idempotencyKeys, onContext)
    server = PageServer(box, RequestGuard(port: Self.port, token: Self.token), assets: assets)
  }

  private init(_ folder: TemporaryFolder) throws {
    self.folder = folder
    // Its ids are others than those of the first server.
    box = try Self.box(folder, false, IdempotencyKeys(), seed: 6, {})
    server = PageServer(box, RequestGuard(port: Self.port, token: Self.token))
  }

  /// The same box with a new server, which knows only the files.
  func restarted() throws -> PageInTest { try PageInTest(folder) }

  private static func box(
    _ folder: TemporaryFolder, _ isReadOnly: Bool, _ keys: IdempotencyKeys, seed: UInt64 = 5,
    _ onContext: @escaping @Sendable () -> Void
  ) throws -> PageBox {
    let (bytes, clock) = (folder.bytes, Clock())
    let ids = IDSource(SplitMix64(seed: seed))
    return try PageBox(
      at: bytes,
      PageCircumstances(isReadOnly: isReadOnly) { reporter in
        onContext()
        return CommandContext(
          clock: clock.reading(), workingDirectory: bytes, configurationFolder: nil, boxVariable: nil,
          device: "desk", ids: ids, reporter: reporter)
      }, idempotencyKeys: keys)
  }

  /// A clock that goes on by a second with each look.
  private final class Clock: Sendable {
    private let seconds = Mutex<Int64>(1_795_249_800)

    func reading() -> ClockReading {
      let now = seconds.withLock { seconds in
        seconds += 1
        return seconds
      }
      return ClockReading(now: Timestamp(seconds: now, offsetSeconds: 0), offset: { _ in 0 })
    }
  }

  static let headers = [(name: "Host", value: "127.0.0.1:\(port)"), (name: "Slip-Token", value: token)]

  func get(_ target: String) -> PageAnswerInTest {
    PageAnswerInTest(server.answer(PageRequest("GET", target, headers: Self.headers)))
  }

  /// Sends a change with a new idempotency key, unless the body has one.
  func post(_ path: String, _ body: String) -> PageAnswerInTest {
    guard body.hasPrefix("{"), !body.contains("\"idempotencyKey\"") else { return send(path, body) }
    let key = "\"idempotencyKey\":\"\(UUID().uuidString)\""
    return send(path, "{\(key)\(body.hasPrefix("{}") ? "" : ",")" + body.dropFirst())
  }

  /// Sends a change as it is.
  func send(_ path: String, _ body: String) -> PageAnswerInTest {
    let headers = Self.headers + [(name: "Content-Type", value: "application/json")]
    return PageAnswerInTest(
      server.answer(PageRequest("POST", path, headers: headers, body: Array(body.utf8))))
  }

  /// The id of a note's bytes, as a page reads it.
  func etag(_ ref: String) -> String { get("/api/note?ref=\(ref)").json["etag"] as? String ?? "" }

  func text(_ path: String) -> String? { folder.read(path).map { String(decoding: $0, as: UTF8.self) } }

  var commits: Int { Int((try? folder.git("rev-list", "--count", "HEAD"))?.filter(\.isNumber) ?? "") ?? 0 }
}

/// An answer with its body read as JSON.
struct PageAnswerInTest {
  let response: PageResponse
  let json: [String: Any]

  init(_ response: PageResponse) {
    self.response = response
    json = (try? JSONSerialization.jsonObject(with: Data(response.bytes)) as? [String: Any]) ?? [:]
  }

  var status: Int { response.status }
  var code: String? { (json["error"] as? [String: Any])?["code"] as? String }
  var notes: [[String: Any]] { json["notes"] as? [[String: Any]] ?? [] }
  var titles: [String] { notes.compactMap { $0["title"] as? String } }
  var text: String { String(decoding: response.bytes, as: UTF8.self) }
}
