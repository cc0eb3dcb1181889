import Foundation
import Testing

@testable import SlipboxPage

/// Who is answered: the page of this server with its token, and nobody else.
struct RequestGuardTests {
  private static let own = (name: "Host", value: "127.0.0.1:8080")
  private static let token = (name: "Slip-Token", value: PageInTest.token)

  @Test(arguments: [
    "localhost.evil.com:8080", "evil.test:8080", "127.0.0.1", "127.0.0.1:8081", "127.0.0.1:8080.evil.com",
    "LOCALHOST:8080", "localhost:8080 ", "0.0.0.0:8080", "[::1]", "", "127.0.0.1:8080,evil.test",
  ])
  func refusesOtherHosts(_ host: String) throws {
    let page = try PageInTest()
    for target in ["/", "/assets/page.css", "/api/box", "/nothing"] {
      let request = PageRequest("GET", target, headers: [(name: "Host", value: host), Self.token])
      #expect(page.server.answer(request).status == 403, "\(host) \(target)")
    }
  }

  @Test(arguments: ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"])
  func answersItsOwnHosts(_ host: String) throws {
    let page = try PageInTest()
    let headers = [(name: "Host", value: host), Self.token, (name: "Origin", value: "http://\(host)")]
    #expect(page.server.answer(PageRequest("GET", "/api/box", headers: headers)).status == 200)
  }

  @Test func refusesNoHostAndTwo() throws {
    let page = try PageInTest()
    for headers in [[Self.token], [Self.own, Self.own, Self.token]] {
      #expect(page.server.answer(PageRequest("GET", "/api/box", headers: headers)).status == 400)
    }
  }

  @Test(arguments: [
    ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-site"), ("Sec-Fetch-Site", "none"),
    ("Origin", "null"), ("Origin", "http://localhost:8080"), ("Origin", "https://127.0.0.1:8080"),
    ("Origin", "http://evil.test"), ("Origin", ""),
  ])
  func refusesOtherPages(_ name: String, _ value: String) throws {
    let page = try PageInTest()
    let headers = [Self.own, Self.token, (name: name, value: value)]
    #expect(page.server.answer(PageRequest("GET", "/api/box", headers: headers)).status == 403)
  }

  @Test(arguments: [
    nil, "", "0", String(PageInTest.token.dropLast()), PageInTest.token + "0", PageInTest.token.uppercased(),
  ])
  func refusesOtherTokens(_ token: String?) throws {
    let page = try PageInTest()
    let given = token.map { [(name: "Slip-Token", value: $0)] } ?? []
    let answer = PageAnswerInTest(
      page.server.answer(PageRequest("GET", "/api/box", headers: [Self.own] + given)))
    #expect(answer.status == 401)
    #expect(answer.code == "unauthorized")
  }

  @Test func refusesTwoTokens() throws {
    let page = try PageInTest()
    let request = PageRequest("GET", "/api/box", headers: [Self.own, Self.token, Self.token])
    #expect(page.server.answer(request).status == 401)
  }

  @Test(arguments: ["PUT", "DELETE", "HEAD", "OPTIONS", "CONNECT", "get", "TRACE", ""])
  func refusesOtherMethods(_ method: String) throws {
    let page = try PageInTest()
    #expect(page.server.answer(PageRequest(method, "/api/box", headers: PageInTest.headers)).status == 405)
  }

  @Test func refusesMethodsOfOtherRoutes() throws {
    let page = try PageInTest()
    #expect(page.get("/api/new").status == 405)
    #expect(page.post("/api/box", "{}").status == 405)
    #expect(page.post("/", "{}").status == 404)
  }

  @Test(arguments: [
    nil, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx",
  ])
  func refusesOtherTypes(_ type: String?) throws {
    let page = try PageInTest()
    let given = type.map { [(name: "Content-Type", value: $0)] } ?? []
    let request = PageRequest(
      "POST", "/api/new", headers: PageInTest.headers + given, body: Array("{\"title\":\"A\"}".utf8))
    #expect(page.server.answer(request).status == 415)
    #expect(page.commits == 1)
  }

  @Test func refusesLongBodies() throws {
    let page = try PageInTest()
    let body = "{\"title\":\"A\",\"body\":\"\(String(repeating: "a", count: RequestGuard.mostBytes))\"}"
    #expect(page.post("/api/new", body).status == 413)
  }

  @Test(arguments: [
    "/assets/../../etc/passwd", "/assets/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd", "/assets/",
    "/assets",
    "/assets//page.css", "/assets/page.css/", "/Assets/page.css", "/assets/page.css%00", "/index.html",
    "/api/",
    "/api/box/", "/api//box", "/.git/config", "/assets/.git/config",
  ])
  func opensNoPathOfARequest(_ target: String) throws {
    let page = try PageInTest()
    #expect(page.get(target).status == 404, "\(target)")
  }

  @Test func everyResponseIsGuarded() throws {
    let page = try PageInTest()
    let requests = [
      page.get("/"), page.get("/assets/page.css"), page.get("/api/box"), page.get("/nothing"),
      page.post("/api/new", "["),
    ]
    for answer in requests {
      #expect(answer.response.header("Content-Security-Policy")?.contains("frame-ancestors 'none'") == true)
      #expect(answer.response.header("X-Content-Type-Options") == "nosniff")
      #expect(answer.response.header("Referrer-Policy") == "no-referrer")
      #expect(answer.response.header("Cross-Origin-Resource-Policy") == "same-origin")
      #expect(answer.response.header("Access-Control-Allow-Origin") == nil)
      #expect(answer.response.header("Set-Cookie") == nil)
    }
    #expect(page.get("/api/box").response.header("Cache-Control") == "no-store")
  }

  @Test func readOnlyChangesNothing() throws {
    let page = try PageInTest(isReadOnly: true)
    for route in WriteRoutes.all where route.path != RequestGuard.attachPath {
      let answer = page.post(route.path, "{}")
      #expect(answer.status == 403, "\(route.path)")
      #expect(answer.code == "read-only")
    }
    #expect(page.get("/api/box").json["readOnly"] as? Bool == true)
  }

  @Test func filesOfThePageAreThoseOfItsFolder() throws {
    let page = try PageInTest()
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let folder = tests.deletingLastPathComponent().appendingPathComponent("Sources/SlipboxPage/Assets")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(AssetFile.all.map(\.name)) == Set(names))
    for file in AssetFile.all where file.name != AssetFile.document {
      let answer = page.get("/assets/\(file.name)")
      #expect(answer.status == 200, "\(file.name)")
      #expect(!answer.response.bytes.isEmpty)
      let tag = answer.response.header("ETag") ?? ""
      let again = PageRequest(
        "GET", "/assets/\(file.name)", headers: PageInTest.headers + [(name: "If-None-Match", value: tag)])
      #expect(page.server.answer(again).status == 304)
    }
    #expect(page.get("/").response.header("Content-Type") == "text/html; charset=utf-8")
  }
}
