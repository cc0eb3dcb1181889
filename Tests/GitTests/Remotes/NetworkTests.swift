import Foundation
import Git
import SlipboxTesting
import Testing

/// Running git for the network: what it may run, and that it ends.
@Suite struct NetworkTests {
  private let use = NetworkUse(mayAsk: false)

  @Test(arguments: [
    ("core.sshCommand", "x", "core.sshcommand"), ("core.askPass", "x", "core.askpass"),
    ("core.gitProxy", "x", "core.gitproxy"), ("credential.helper", "store", "credential.helper"),
    ("credential.https://hub.helper", "x", "credential.https://hub.helper"),
    ("remote.r.uploadPack", "x", "remote.r.uploadpack"),
    ("remote.r.receivePack", "x", "remote.r.receivepack"),
    ("remote.r.vcs", "hg", "remote.r.vcs"), ("include.path", "x", "include.path"),
    ("includeIf.gitdir:/.path", "x", "includeif.gitdir:/.path"),
  ])
  func programsOfTheRepositorysOwnSettingsAreRefused(_ key: String, _ value: String, _ name: String) throws {
    let test = try TestRepository(settings: [key: value])
    guard case .remote(let fault)? = gitError({ try test.repository.remotes.refuseForeignPrograms() })?.reason
    else {
      Issue.record("not refused")
      return
    }
    #expect(fault.kind == .foreignProgram && fault.reason == name)
  }

  @Test func otherSettingsAreNot() throws {
    let test = try TestRepository(settings: [
      "remote.vcs.url": "https://hub/include/helper.git", "merge.x.driver": "include", "pack.threads": "1",
    ])
    try test.repository.remotes.refuseForeignPrograms()
  }

  @Test func fetchesAndPushes() throws {
    let test = try TestRepository()
    let hub = try TemporaryFolder()
    try hub.git("init", "-q", "--bare", "-b", "main")
    try test.git("remote", "add", "hub", hub.path)
    let repository = try test.reopened()
    let remote = try #require(try repository.remotes.all().first)
    #expect(try repository.remotes.branches(of: remote, use).branches.isEmpty)
    #expect(try repository.remotes.fetch("main", of: remote, use) == nil)
    let tip = try test.id("HEAD")
    _ = try repository.remotes.push(tip, of: "main", to: "main", of: remote, use)
    #expect(try repository.remotes.fetch("main", of: remote, use) == tip)
    let found = try repository.remotes.branches(of: remote, use)
    #expect(found.head == "main" && found.branches == ["main": tip])
    try test.git("commit", "-q", "--amend", "--allow-empty", "-m", "Other")
    guard
      case .remote(let fault)? = gitError({
        try repository.remotes.push(test.id("HEAD"), of: "main", to: "main", of: remote, use)
      })?
      .reason
    else {
      Issue.record("pushed over it")
      return
    }
    #expect(fault.kind == .overtaken)
  }

  /// A server that takes the connection and says nothing.
  @Test func silenceEnds() throws {
    let test = try TestRepository()
    let (socket, port) = try SilentPort.open()
    defer { close(socket) }
    try test.git("remote", "add", "hub", "git://127.0.0.1:\(port)/x")
    let repository = try test.reopened()
    let remote = try #require(try repository.remotes.all().first)
    let impatient = NetworkUse(mayAsk: false, patienceMilliseconds: 700)
    guard
      case .remote(let fault)? = gitError({ try repository.remotes.fetch("main", of: remote, impatient) })?
        .reason
    else {
      Issue.record("no end")
      return
    }
    #expect(fault.kind == .silent)
  }
}

/// A port on which nobody answers.
enum SilentPort {
  static func open() throws -> (socket: Int32, port: Int) {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(socket, pointer, length) | listen(socket, 4) | getsockname(socket, pointer, &length)
      }
    }
    try #require(status == 0)
    return (socket, Int(UInt16(bigEndian: address.sin_port)))
  }
}
