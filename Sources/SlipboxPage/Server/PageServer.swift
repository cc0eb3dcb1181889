import Bytes
import Git
package import Platform
import Presentation
import SlipboxCore

/// Answers the requests of the page of one box.
///
/// A function of a request and of the box as it is: it opens no socket, and any thread may ask.
package final class PageServer: RequestAnswering {
  package var box: PageBox? { served }
  private let served: PageBox
  private let guarding: RequestGuard
  private let assets: PageAssets

  /// - Parameter assets: the folder that the files of the page are read from; nil for those in the program.
  package init(_ box: PageBox, _ guarding: RequestGuard, assets: [UInt8]? = nil) {
    served = box
    self.guarding = guarding
    self.assets = PageAssets(folder: assets)
  }

  /// The answer to any request.
  ///
  /// May wait for the disk, and for other changes to complete.
  /// - Parameter caller: the client: an answer is not completed after the client has disconnected.
  package func answer(_ request: PageRequest, for caller: Caller = Caller()) -> PageResponse {
    let target: RequestTarget
    do throws(PageError) {
      target = try guarding.check(request)
    } catch {
      return error.response.guarded
    }
    guard target.path.hasPrefix(PageRoutes.prefix) else {
      return (assets.response(to: request, target) ?? Self.missing.response).guarded
    }
    let response: PageResponse
    do {
      try guarding.checkData(request)
      response = try answer(PageCall(request: request, target: target, box: served, caller: caller))
    } catch {
      response = PageError(any: error).response
    }
    let state = response.header(PageResponse.stateHeader) ?? served.state
    return response.with(PageResponse.stateHeader, state).guarded
  }

  /// The queue of a request.
  package func queue(of request: PageRequest) -> PageQueue {
    guard let target = RequestTarget(request.target) else { return .questions }
    let route = Self.routes(of: target).first { $0.method == request.method }
    return route?.queue(of: target) ?? .questions
  }

  private static let missing = PageError(.notFound, "no such page")

  private static func routes(of target: RequestTarget) -> [PageRoute] {
    PageRoutes.all.filter { $0.path.utf8.elementsEqual(target.path.utf8) }
  }

  private func answer(_ call: PageCall) throws -> PageResponse {
    let routes = Self.routes(of: call.target)
    guard !routes.isEmpty else { throw Self.missing }
    guard let route = routes.first(where: { $0.method == call.request.method }) else {
      throw PageError(.badRequest, "\(call.target.path) supports only \(routes[0].method)", status: 405)
    }
    try call.refuseUnknown(route.arguments)
    if route.method == "POST", served.circumstances.isReadOnly {
      throw PageError(
        .readOnly, "this page is read-only",
        hints: ["to make changes, run slip page without --read-only"])
    }
    if !route.queue.outlivesCaller { try call.caller.refuseGone() }
    return try route.answer(call)
  }
}

extension PageServer {
  /// The answer to a request whose body is longer than any may be.
  package static func tooLong(_ target: String) -> PageResponse {
    RequestGuard.tooLong(target).response.guarded
  }

  /// The answer to a request that can't be read.
  package static var unreadable: PageResponse {
    PageError(.badRequest, "invalid request").response.guarded
  }

  /// The answer where too many are at work.
  package static var overrun: PageResponse {
    PageError(.busy, "too many connections").response.guarded
  }
}

/// Everything that the server answers besides the files of the page.
enum PageRoutes {
  /// The prefix of the paths of all data.
  static let prefix = "/api/"

  static let all: [PageRoute] = ReadRoutes.all + WriteRoutes.all + ShapingRoutes.all
}

/// The questions that pages ask.
enum ReadRoutes {
  static let all: [PageRoute] = [
    .get("/api/box", ["brief", "at"], OverviewAnswer.answer),
    .get("/api/list", ["q", "from", "limit", "sort", "at"], ListAnswer.answer),
    .get("/api/hint", ["q", "at"], HintAnswer.answer),
    .get("/api/note", ["ref", "etag", "at"], NoteAnswer.answer),
    .get("/api/history", ["ref", "field", "limit", "at"], in: .past, HistoryAnswer.answer),
    .get("/api/diff", ["ref", "commit", "at"], in: .past, DiffAnswer.answer),
    .get("/api/deleted", ["q", "from", "limit", "at"], in: .past, DeletedAnswer.answer),
    .get("/api/titles", ["q", "kind", "limit", "from", "fit", "refs", "at"], TitlesAnswer.answer),
    .get("/api/complete", ["q", "cursor", "at"], CompletionAnswer.answer),
    .get("/api/file", ["path", "at"], FileAnswer.answer),
    .get("/api/todos", ["q", "at"], TodosAnswer.answer),
    .get(
      "/api/view", ["view", "q", "column", "from", "limit", "first", "last", "columns", "sort", "at"],
      SavedViewAnswer.answer),
    .get("/api/state") { _ in .json(JSONDocument.object { _ in }) },
    .get("/api/events") { _ in PageResponse(200, .events, headers: [("Content-Type", "application/x-ndjson")])
    },
  ]
}

/// The port of the server of a box, and the token of the user's browser. They are stored so that a second
/// `slip page` finds the first, and so that a page continues after a restart of its server.
package struct ServerRecord: Sendable, Equatable {
  package let port: Int
  /// 32 hexadecimal digits.
  package let token: String

  package init(port: Int, token: String) {
    self.port = port
    self.token = token
  }

  /// A new secret of 128 bits.
  package static func newToken() -> String {
    var random = SystemRandomNumberGenerator()
    return Hexadecimal.text((0..<16).map { _ in random.next() as UInt8 })
  }

  /// The address that opens the page.
  package var address: String { "http://127.0.0.1:\(port)/#token=\(token)" }
}

extension ServerRecord {
  /// The file of the record of a box.
  ///
  /// - Parameter folder: the folder of slip's state of this user.
  package static func file(ofBox root: [UInt8], isReadOnly: Bool, in folder: [UInt8]) -> [UInt8] {
    let name = String(ObjectID(ofBlob: root).hex.prefix(16))
    return BytePath.join(folder, Array("page-\(name)\(isReadOnly ? "-read-only" : "")".utf8))
  }

  /// Reads a record; nil if there is none, if it is damaged, or if others could read it.
  package init?(at file: [UInt8]) {
    guard let bytes = Files.readPrivate(file) else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: { $0 == " " || $0 == "\n" })
    guard words.count == 2, let port = Int(words[0]), (1...65_535).contains(port),
      let secret = Hexadecimal.bytes(words[1]), secret.count == 16, Hexadecimal.text(secret) == words[1]
    else { return nil }
    self.init(port: port, token: String(words[1]))
  }

  /// Writes the record with access for this user only.
  package func write(to file: [UInt8]) throws(SystemError) {
    try Files.writePrivate(Array("\(port) \(token)\n".utf8), to: file)
  }
}
