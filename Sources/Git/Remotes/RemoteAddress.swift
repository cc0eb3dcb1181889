import Bytes
import Platform

/// The address of a repository elsewhere, as git takes it: a URL, `user@host:path`, or a folder.
package struct RemoteAddress: Sendable, Equatable {
  /// The way to the other repository.
  package enum Way: Sendable, Equatable {
    case folder, ssh, http, daemon
    /// By a remote helper of that name, the program `git-remote-NAME`.
    case program(String)
  }

  package let text: String
  package let way: Way
  /// The name of the machine; nil for a folder of this one.
  package let host: String?
  /// The user that is named before the machine.
  package let user: String?
  /// The place on that machine.
  package let path: String

  package init(_ text: String) {
    self.text = text
    let parts = Parts(text)
    (way, host, user, path) = (parts.way, parts.host, parts.user, parts.path)
  }

  /// The address without the password in it.
  package var shown: String {
    guard let scheme = text.firstRange(of: "://"), let at = text[scheme.upperBound...].firstIndex(of: "@"),
      let colon = text[scheme.upperBound..<at].firstIndex(of: ":")
    else { return text }
    return text[...colon] + "***" + text[at...]
  }

  /// Why git is not given this address; nil if it is.
  /// - Parameter helpers: the names of the remote helpers that the user allows; see `Remotes.allowedHelpers(for:)`.
  package func refusal(allowing helpers: Set<String>) -> RemoteFault? {
    if case .program(let name) = way, !helpers.contains(name) {
      return RemoteFault(.address, "git would run the program git-remote-\(name) for it")
    }
    if text.isEmpty { return RemoteFault(.address, "it is empty") }
    if text.utf8.contains(where: { $0 < 32 || $0 == 127 }) {
      return RemoteFault(.address, "it has control characters")
    }
    let parts = [text, host ?? "", user ?? "", way == .ssh ? path : ""]
    if parts.contains(where: { $0.hasPrefix("-") }) {
      return RemoteFault(.address, "a part of it begins with a dash and would be read as an option")
    }
    return nil
  }

  /// Whether it is a folder below another one, or that one: a folder inside a copied box is no other place.
  package func isFolder(below outer: [UInt8], seenFrom folder: [UInt8]) -> Bool {
    guard way == .folder else { return false }
    let place = BytePath.join(folder, Array(path.utf8))
    // A word such as DISABLE, by which people forbid pushes, is not a folder.
    guard let real = Files.realPath(place) else { return false }
    return BytePath.relative(real, to: Files.realPath(outer) ?? outer) != nil
  }
}

/// An address taken apart by git's own rules.
///
/// Source: gitremote-helpers(7) and git-fetch(1), "Git URLs".
private struct Parts {
  var way = RemoteAddress.Way.folder
  var host: String?
  var user: String?
  var path: String

  init(_ text: String) {
    path = text
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    let rest = text[scheme.endIndex...]
    if !scheme.isEmpty, rest.hasPrefix("::") {
      way = .program(String(scheme))
    } else if !scheme.isEmpty, rest.hasPrefix("://") {
      readURL(scheme.lowercased(), rest.dropFirst(3))
    } else if let colon = text.firstIndex(of: ":"), !text[..<colon].contains("/") {
      way = .ssh
      path = String(text[text.index(after: colon)...])
      readHost(text[..<colon])
    }
  }

  private mutating func readURL(_ scheme: String, _ rest: Substring) {
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    path = String(rest[end...])
    switch scheme {
    case "file": return
    case "http", "https": way = .http
    case "ssh", "git+ssh", "ssh+git": way = .ssh
    case "git": way = .daemon
    default: way = .program(scheme)
    }
    readHost(rest[..<end])
    // ~user is a home folder there.
    if path.hasPrefix("/~") || path.hasPrefix("/-") { path.removeFirst() }
  }

  private mutating func readHost(_ text: Substring) {
    var name = text
    if let at = text.lastIndex(of: "@") {
      user = String(text[..<at].prefix { $0 != ":" })
      name = text[text.index(after: at)...]
    }
    if name.hasPrefix("[") {
      name = name.dropFirst().prefix { $0 != "]" }
    } else if let colon = name.firstIndex(of: ":") {
      name = name[..<colon]
    }
    host = String(name)
  }
}
