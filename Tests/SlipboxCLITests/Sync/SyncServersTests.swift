import Foundation
import SlipboxTesting
import Testing

/// Syncs over real servers on this machine: git daemon, a web server with a password, and sshd.
@Suite(.serialized) struct SyncServersTests {
  /// A box and the program under test, with a server.
  private struct Place {
    let shell: Shell
    let server: NoteServer

    init(_ way: NoteServer.Way, hasAccess: Bool = true) throws {
      server = try NoteServer(way, hasAccess: hasAccess)
      shell = try Shell()
      try slip(["init", "a", "-q"])
      try slip(["--box", "a", "new", "Sourdough"])
    }

    @discardableResult
    func slip(
      _ words: [String], port: Int? = nil, with extra: [String: String] = [:], expecting status: Int32? = 0
    ) throws -> (status: Int32, output: String, errors: String) {
      let environment = shell.environment.merging(try server.environment(port: port)) { $1 }.merging(extra) {
        $1
      }
      let ran = try run("slip", words, in: shell.folder.path, environment: environment)
      if let status { #expect(ran.status == status, "\(words): \(ran.output)\(ran.errors)") }
      return ran
    }

    func git(_ words: [String]) throws -> String {
      let environment = shell.environment.merging(try server.environment()) { $1 }
      let ran = try run("git", words, in: shell.folder.path, environment: environment)
      #expect(ran.status == 0, "\(words): \(ran.errors)")
      return ran.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The commit of a branch on the server; empty where there is none.
    func tipThere() throws -> String {
      try run("git", ["rev-parse", "-q", "--verify", "main"], in: server.repository).output
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  @Test(.enabled(if: NoteServer.hasDaemon, "needs git-daemon")) func exchangesWithADaemon() throws {
    try exchangesWithEachServer(.daemon)
  }

  @Test(.enabled(if: NoteServer.hasWeb, "needs lighttpd")) func exchangesOverHTTP() throws {
    try exchangesWithEachServer(.web)
  }

  @Test(.enabled(if: NoteServer.hasSSH, "needs sshd")) func exchangesOverSSH() throws {
    try exchangesWithEachServer(.ssh)
  }

  private func exchangesWithEachServer(_ way: NoteServer.Way) throws {
    let place = try Place(way)
    try place.slip(["--box", "a", "remote", "add", place.server.url()])
    let first = try place.slip(["--box", "a", "sync"])
    #expect(first.output.contains("2 commits, 1 new"), "\(first.output)")
    _ = try place.git(["clone", "-q", place.server.url(), "b"])
    try place.slip(["--box", "b", "set", "Sourdough", "rating:5"])
    try place.slip(["--box", "b", "sync"])
    try place.slip(["--box", "a", "set", "Sourdough", "+food"])
    let merged = try place.slip(["--box", "a", "sync"])
    #expect(merged.output.contains("changed"))
    try place.slip(["--box", "b", "sync"])
    #expect(try place.slip(["--box", "b", "sync"]).output == "up to date with origin/main\n")
    let trees = try ["a", "b"].map { try place.git(["-C", $0, "rev-parse", "main^{tree}"]) }
    #expect(trees[0] == trees[1])
    #expect(try place.tipThere() == place.git(["-C", "a", "rev-parse", "main"]))
  }

  @Test(
    .enabled(if: NoteServer.hasSSH, "needs sshd"), .enabled(if: Machine.has("ssh-agent"), "needs ssh-agent"))
  func keysInAnAgentServe() throws {
    let place = try Place(.ssh)
    try place.slip(["--box", "a", "remote", "add", place.server.url()])
    let files = place.server.folder.path
    let script = """
      eval "$(ssh-agent -s)" > /dev/null; ssh-add -q \(files)/key; mv \(files)/key \(files)/away
      slip --box a sync; status=$?; ssh-agent -k > /dev/null; exit $status
      """
    var environment = place.shell.environment.merging(try place.server.environment()) { $1 }
    environment["GIT_SSH_COMMAND"] = environment["GIT_SSH_COMMAND"].map { $0 + " -o IdentitiesOnly=no" }
    let ran = try run("sh", ["-c", script], in: place.shell.folder.path, environment: environment)
    #expect(ran.status == 0, "\(ran.errors)")
  }

  @Test(.enabled(if: NoteServer.hasSSH, "needs sshd")) func whoIsNotLetInIsToldSoAtOnceOverSSH() throws {
    let place = try Place(.ssh)
    try place.slip(["--box", "a", "remote", "add", place.server.url()])
    try place.server.folder.write("known", "")
    let unknown = try place.slip(["--box", "a", "sync"], expecting: 77)
    #expect(unknown.errors.contains("the host key of hub is unknown"), "\(unknown.errors)")
    let key = try String(contentsOfFile: place.server.folder.path + "/otherkey.pub", encoding: .utf8)
    try place.server.folder.write("known", "hub \(key)")
    let changed = try place.slip(["--box", "a", "sync"], expecting: 77)
    #expect(changed.errors.contains("this may be a man-in-the-middle attack"), "\(changed.errors)")
    let host = try String(contentsOfFile: place.server.folder.path + "/hostkey.pub", encoding: .utf8)
    try place.server.folder.write("known", "hub \(host)")
    try place.server.folder.write("authorized", key)
    let refused = try place.slip(["--box", "a", "sync"], expecting: 77)
    #expect(refused.errors.contains("Permission denied (publickey)"), "\(refused.errors)")
  }

  @Test(.enabled(if: NoteServer.hasWeb, "needs lighttpd")) func whoIsNotLetInIsToldSoAtOnceOverHTTP() throws {
    let place = try Place(.web)
    try place.slip(["--box", "a", "remote", "add", place.server.url()])
    let none = try place.slip(
      ["--box", "a", "sync"], with: ["GIT_CONFIG_GLOBAL": "/dev/null"], expecting: 77)
    #expect(none.errors.contains("no access"), "\(none.errors)")
    try place.server.folder.write("users", "ada:other\n")
    let wrong = try place.slip(["--box", "a", "sync"], expecting: 77)
    #expect(wrong.errors.contains("Authentication failed"), "\(wrong.errors)")
  }

  @Test(.enabled(if: NoteServer.hasDaemon, "needs git-daemon")) func whoIsNotLetInIsToldSoAtOnceByADaemon()
    throws
  {
    let place = try Place(.daemon, hasAccess: false)
    try place.slip(["--box", "a", "remote", "add", place.server.url()])
    let readOnly = try place.slip(["--box", "a", "sync"], expecting: 77)
    #expect(readOnly.errors.contains("no access"), "\(readOnly.errors)")
    let (socket, port) = try TestServer.listening()
    close(socket)
    _ = try place.git(["-C", "a", "config", "remote.origin.url", place.server.url(port: port)])
    let dead = try place.slip(["--box", "a", "sync"], expecting: 69)
    #expect(dead.errors.contains("can't be reached"), "\(dead.errors)")
    _ = try place.git(["-C", "a", "config", "remote.origin.url", "git://no.such.host.invalid/x"])
    let unknown = try place.slip(["--box", "a", "sync"], expecting: 69)
    #expect(unknown.errors.contains("can't resolve the host name no.such.host.invalid"), "\(unknown.errors)")
  }

  @Test(.enabled(if: NoteServer.hasDaemon, "needs git-daemon")) func aCutOfADaemonLosesNothing() throws {
    try aCutLosesNothing(.daemon)
  }

  @Test(.enabled(if: NoteServer.hasWeb, "needs lighttpd")) func aCutOfHTTPLosesNothing() throws {
    try aCutLosesNothing(.web)
  }

  @Test(.enabled(if: NoteServer.hasSSH, "needs sshd")) func aCutOfSSHLosesNothing() throws {
    try aCutLosesNothing(.ssh)
  }

  /// Wherever a connection is cut, both sides stay whole, and the next sync finishes.
  private func aCutLosesNothing(_ way: NoteServer.Way) throws {
    let place = try Place(way)
    let root = place.shell.folder.path
    try place.slip(["--box", "a", "remote", "add", place.server.url()])
    try place.slip(["--box", "a", "sync"])
    _ = try place.git(["clone", "-q", place.server.url(), "b"])
    // What hardly shrinks, so that most bytes are those of the note.
    var random = SplitMix64(seed: 7)
    for box in ["a", "b"] {
      let text = (0..<600).map { _ in "\(random.next()) \(random.next()) \(random.next())\n" }.joined()
      try place.shell.folder.write("\(box)/large-\(box).md", text)
      try place.slip(["--box", box, "commit"])
    }
    _ = try place.git(["-C", "b", "push", "-q"])
    _ = try run("cp", ["-a", place.server.repository, root + "/server"])
    let total = try carried(place, root, cuttingAfter: .max).bytes
    for point in 1...20 {
      let ran = try carried(place, root, cuttingAfter: total * point / 21)
      #expect(ran.status == 69, "\(way) at \(point): \(ran.errors)")
      for folder in [root + "/work", place.server.repository] {
        let check = try run("git", ["fsck", "--strict"], in: folder)
        #expect(check.status == 0, "\(way) at \(point): \(check.output)\(check.errors)")
      }
      _ = try place.git(["-C", "work", "config", "remote.origin.url", place.server.url()])
      let again = try place.slip(["--box", "work", "sync"])
      #expect(try place.tipThere() == place.git(["-C", "work", "rev-parse", "main"]), "\(again.errors)")
      #expect(FileManager.default.fileExists(atPath: root + "/work/large-b.md"))
    }
  }

  /// Syncs a copy of the box with a copy of the server's repository through a proxy.
  private func carried(
    _ place: Place, _ root: String, cuttingAfter limit: Int
  ) throws -> (status: Int32, bytes: Int, errors: String) {
    let copy =
      "rm -rf work \(place.server.repository) && cp -a a work && cp -a server \(place.server.repository)"
    #expect(try run("sh", ["-c", copy], in: root).status == 0)
    let proxy = try CuttingProxy(to: place.server.server.port, cuttingAfter: limit)
    defer { proxy.stop() }
    _ = try place.git(["-C", "work", "config", "remote.origin.url", place.server.url(port: proxy.port)])
    let ran = try place.slip(["--box", "work", "sync"], port: proxy.port, expecting: nil)
    return (ran.status, proxy.carried, ran.errors)
  }
}
