import Bytes
package import Platform
import Presentation
import SlipboxCore

/// Answers the requests of a server: those of the page of a box, or those of the preview of a site.
package protocol RequestAnswering: Sendable {
  /// The box whose states are sent to pages; nil if there is none.
  var box: PageBox? { get }
  /// The queue of a request.
  func queue(of request: PageRequest) -> PageQueue
  /// The answer to a request, whatever it is.
  func answer(_ request: PageRequest, for caller: Caller) -> PageResponse
}

/// Serves the files of a site below an address that contains the token, and notifies its pages of changes.
///
/// Only a browser that was given the address gets an answer: pages of other sites can neither load the files nor link to
/// them.
package final class SiteServer: RequestAnswering {
  package let box: PageBox? = nil
  private let folder: BoxFolder
  private let token: String
  private let guarding: RequestGuard

  private static let longestFile = 1 << 30
  private static let script = ".reload.js"
  private static let state = ".state.js"

  package init(_ folder: BoxFolder, port: Int, token: String) {
    self.folder = folder
    self.token = token
    guarding = RequestGuard(port: port, token: token)
  }

  package func queue(of request: PageRequest) -> PageQueue { .questions }

  package func answer(_ request: PageRequest, for caller: Caller) -> PageResponse {
    do throws(PageError) {
      return try response(to: request).with("Content-Security-Policy", Self.policy).guarded
    } catch {
      return error.response.guarded
    }
  }

  /// Pages have a policy of their own; they can't be shown in frames.
  private static let policy =
    "default-src 'self'; script-src 'self' \(GraphPage.scriptSource); style-src 'self' 'unsafe-inline'; "
    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  private func response(to request: PageRequest) throws(PageError) -> PageResponse {
    let target = try guarding.check(request)
    let sites = request.values(of: "sec-fetch-site")
    guard sites.allSatisfy({ ["same-origin", "none"].contains($0) }) else {
      throw PageError(.forbidden, "cross-origin requests are refused")
    }
    try guarding.checkOrigin(request)
    guard request.method == "GET" else { throw PageError(.badRequest, "only GET is supported", status: 405) }
    let parts = target.path.utf8.split(
      separator: UInt8(ascii: "/"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, RequestGuard.areSame(Array(parts[1]), Array(token.utf8)) else {
      throw PageError(
        .unauthorized, "the token is missing or invalid", hints: ["open the address that slip export printed"]
      )
    }
    guard let path = PercentEncoding.strictlyDecoded(Array(parts[2])) else {
      throw PageError(.badRequest, "invalid request target")
    }
    switch String(decoding: path, as: UTF8.self) {
    case Self.script: return PageResponse(200, .bytes(Array(Self.javaScript.utf8)), headers: Self.scriptType)
    case Self.state:
      let state = "slipState(\"\(state(of: target.bytes("page") ?? []))\");\n"
      return PageResponse(200, .bytes(Array(state.utf8)), headers: Self.scriptType)
    default: return try file(path)
    }
  }

  private static let scriptType = [("Content-Type", "text/javascript; charset=utf-8")]

  // MARK: Files

  /// The path of the file for an address.
  private static func path(_ address: [UInt8]) -> [UInt8] {
    address.isEmpty || address.last == UInt8(ascii: "/") ? address + Array("index.html".utf8) : address
  }

  private func file(_ address: [UInt8]) throws(PageError) -> PageResponse {
    let path = Self.path(address)
    let isHidden = path.split(separator: UInt8(ascii: "/")).contains { $0.first == UInt8(ascii: ".") }
    guard !isHidden, let bytes = try? folder.read(path, limit: Self.longestFile).bytes else {
      return try missing()
    }
    let type = Self.type(of: path)
    let isPage = type.hasPrefix("text/html")
    return PageResponse(
      200, .bytes(isPage ? reloading(bytes, path) : bytes), headers: [("Content-Type", type)])
  }

  /// The page of the site for addresses without one. On a host its links begin at the root.
  private func missing() throws(PageError) -> PageResponse {
    guard let bytes = try? folder.read(Array("404.html".utf8), limit: Self.longestFile).bytes else {
      throw PageError(.notFound, "the site has no such page")
    }
    var text = String(decoding: bytes, as: UTF8.self)
    for name in ["href", "src"] { text = text.replacing("\(name)=\"/", with: "\(name)=\"/\(token)/") }
    return PageResponse(
      404, .bytes(Array(text.utf8)), headers: [("Content-Type", Self.type(of: Array("404.html".utf8)))])
  }

  private static let types: [String: String] = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "xml": "application/xml", "txt": "text/plain; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "avif": "image/avif",
    "ico": "image/x-icon", "pdf": "application/pdf", "mp3": "audio/mpeg", "ogg": "audio/ogg",
    "mp4": "video/mp4",
    "webm": "video/webm",
  ]

  private static func type(of path: [UInt8]) -> String {
    let name = BytePath.name(of: path)
    let ending = name.lastIndex(of: UInt8(ascii: ".")).map {
      String(decoding: name[($0 + 1)...], as: UTF8.self)
    }
    return types[ending?.lowercased() ?? ""] ?? "application/octet-stream"
  }

  // MARK: Changes

  /// A text that is another one once the page, or how it looks, has changed.
  private func state(of address: [UInt8]) -> String {
    let files = [Self.path(address)] + ["site.css", "theme.css"].map { Array($0.utf8) }
    return files.map { path in
      guard let status = (try? folder.status(path)) ?? nil else { return "none" }
      return "\(status.inode).\(status.modified.seconds).\(status.modified.nanoseconds)"
    }.joined(separator: "-")
  }

  /// A page with the script that loads it again.
  private func reloading(_ bytes: [UInt8], _ path: [UInt8]) -> [UInt8] {
    let head = Array("</head>".utf8)
    let end = bytes.indices.first { bytes[$0] == head[0] && bytes[$0...].starts(with: head) }
    guard let end else { return bytes }
    let script =
      "<script defer src=\"/\(token)/\(Self.script)\" data-state=\"\(state(of: path))\"></script>\n"
    return bytes[..<end] + Array(script.utf8) + bytes[end...]
  }

  private static let javaScript = """
    (() => {
    "use strict";
    const own = document.currentScript, root = own.src.slice(0, own.src.lastIndexOf("/") + 1);
    const page = decodeURIComponent(location.href.split(/[?#]/)[0].slice(root.length));
    window.slipState = (state) => { if (state !== own.dataset.state) location.reload(); };
    setInterval(() => {
      if (document.visibilityState !== "visible") return;
      const script = document.createElement("script");
      script.src = root + "\(state)?page=" + encodeURIComponent(page) + "&time=" + Date.now();
      script.onload = script.onerror = () => script.remove();
      document.head.append(script);
    }, 1000);
    })();

    """
}
