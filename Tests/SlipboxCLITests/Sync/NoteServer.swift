import Foundation
import SlipboxTesting

/// A server with an empty repository of notes, and what a client has to know to reach it.
final class NoteServer {
  enum Way: String, CaseIterable, Sendable { case daemon, web, ssh }

  let way: Way
  /// Its files; the repository is `notes.git`.
  let folder: TemporaryFolder
  let server: TestServer

  static let hasDaemon = Machine.has("/usr/lib/git-core/git-daemon")
  static let hasWeb = Machine.has("/usr/sbin/lighttpd", "/usr/lib/git-core/git-http-backend")
  static let hasSSH = Machine.has("/usr/sbin/sshd", "ssh", "ssh-keygen")

  /// Starts one. Tests that use it are enabled if its programs are installed.
  init(_ way: Way, hasAccess: Bool = true) throws {
    let folder = try TemporaryFolder()
    (self.way, self.folder) = (way, folder)
    try folder.git("init", "-q", "--bare", "-b", "main", "notes.git")
    switch way {
    case .daemon:
      server = try TestServer(in: folder.path) { port in
        "git daemon --reuseaddr --listen=127.0.0.1 --port=\(port) --base-path=\(folder.path) --export-all "
          + (hasAccess ? "--enable=receive-pack" : "")
      }
    case .web: server = try Self.startWeb(folder)
    case .ssh: server = try Self.startSSH(folder)
    }
  }

  var repository: String { folder.path + "/notes.git" }

  /// The address of the repository by a port; ssh has it in its configuration.
  func url(port: Int? = nil) -> String {
    let port = port ?? server.port
    return switch way {
    case .daemon: "git://127.0.0.1:\(port)/notes.git"
    case .web: "http://127.0.0.1:\(port)/git/notes.git"
    case .ssh: "hub:\(repository)"
    }
  }

  /// The variables of a client who is let in.
  func environment(port: Int? = nil) throws -> [String: String] {
    switch way {
    case .daemon: return [:]
    case .web:
      let helper = "!f() { test \"$1\" = get && echo username=ada && echo password=secret; }; f"
      let file = folder.path + "/gitconfig"
      _ = try run("git", ["config", "--file", file, "credential.helper", helper])
      return ["GIT_CONFIG_GLOBAL": file]
    case .ssh:
      let name = "ssh_config-\(port ?? server.port)"
      try folder.write(
        name,
        """
        Host hub
          HostName 127.0.0.1
          HostKeyAlias hub
          Port \(port ?? server.port)
          IdentityFile \(folder.path)/key
          IdentitiesOnly yes
          UserKnownHostsFile \(folder.path)/known
          GlobalKnownHostsFile /dev/null

        """)
      return ["GIT_SSH_COMMAND": "ssh -F \(folder.path)/\(name)"]
    }
  }

  private static func startWeb(_ folder: TemporaryFolder) throws -> TestServer {
    try folder.write("users", "ada:secret\n")
    return try TestServer(in: folder.path) { port in
      try folder.write(
        "lighttpd.conf",
        """
        server.document-root = "\(folder.path)"
        server.bind = "127.0.0.1"
        server.port = \(port)
        server.modules = ("mod_auth", "mod_authn_file", "mod_alias", "mod_setenv", "mod_cgi")
        auth.backend = "plain"
        auth.backend.plain.userfile = "\(folder.path)/users"
        $HTTP["url"] =~ "^/git/" {
          alias.url = ("/git" => "/usr/lib/git-core/git-http-backend")
          setenv.set-environment = ("GIT_PROJECT_ROOT" => "\(folder.path)", "GIT_HTTP_EXPORT_ALL" => "1")
          cgi.assign = ("" => "")
          auth.require = ("" => ("method" => "basic", "realm" => "notes", "require" => "valid-user"))
        }

        """)
      return "/usr/sbin/lighttpd -D -f lighttpd.conf"
    }
  }

  private static func startSSH(_ folder: TemporaryFolder) throws -> TestServer {
    for name in ["hostkey", "key", "otherkey"] {
      _ = try run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", folder.path + "/" + name])
    }
    let text = { (name: String) in String(decoding: folder.read(name) ?? [], as: UTF8.self) }
    try folder.write("authorized", text("key.pub"))
    try folder.write("known", "hub \(text("hostkey.pub"))")
    // Without rights for it, sshd needs no such folder.
    try? FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true)
    return try TestServer(in: folder.path) { port in
      try folder.write(
        "sshd_config",
        """
        ListenAddress 127.0.0.1
        Port \(port)
        HostKey \(folder.path)/hostkey
        PidFile none
        AuthorizedKeysFile \(folder.path)/authorized
        StrictModes no
        UsePAM no
        PasswordAuthentication no
        KbdInteractiveAuthentication no
        PermitRootLogin yes

        """)
      return "/usr/sbin/sshd -D -e -f \(folder.path)/sshd_config"
    }
  }
}
