import Git
import SlipboxTesting
import Testing

/// What git 2.39, OpenSSH 9.2, curl and some servers write, and what it is taken for.
@Suite struct RemoteFaultTests {
  private static let closing = """
    fatal: Could not read from remote repository.

    Please make sure you have the correct access rights
    and the repository exists.
    """

  static let messages: [(RemoteFault.Kind, String)] = [
    (.unknownHost, "ssh: Could not resolve hostname nowhere: Name or service not known\n\(closing)"),
    (.unknownHost, "fatal: unable to access 'https://nowhere/': Could not resolve host: nowhere"),
    (.unknownHost, "fatal: unable to look up nowhere (port 9418) (Name or service not known)"),
    (.unreachable, "ssh: connect to host hub port 22: Connection refused\n\(closing)"),
    (.unreachable, "ssh: connect to host hub port 22: No route to host\n\(closing)"),
    (.unreachable, "ssh: connect to host hub port 22: Connection timed out\n\(closing)"),
    (
      .unreachable,
      "fatal: unable to connect to localhost:\nlocalhost[0: 127.0.0.1]: errno=Connection refused\n"
    ),
    (
      .unreachable,
      "fatal: unable to access 'http://127.0.0.1:1/x/': Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server"
    ),
    (.unreachable, "kex_exchange_identification: Connection closed by remote host\n\(closing)"),
    (
      .silent,
      "Timeout, server hub not responding.\nfetch-pack: unexpected disconnect while reading sideband packet"
    ),
    (
      .silent,
      "error: RPC failed; curl 28 Operation too slow. Less than 1 bytes/sec transferred the last 30 seconds"
    ),
    (
      .certificate,
      "fatal: unable to access 'https://hub/': SSL certificate problem: certificate is not yet valid"
    ),
    (
      .certificate,
      "fatal: unable to access 'https://hub/': server certificate verification failed. CAfile: none CRLfile: none"
    ),
    (.unknownHostKey, "Host key verification failed.\n\(closing)"),
    (
      .changedHostKey,
      "@@@@\n@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\n@@@@\nHost key verification failed.\n\(closing)"
    ),
    (.noAccess, "ada@hub: Permission denied (publickey).\n\(closing)"),
    (.noAccess, "Received disconnect from 1.2.3.4 port 22:2: Too many authentication failures\n\(closing)"),
    (
      .noAccess,
      "remote: HTTP Basic: Access denied\nfatal: Authentication failed for 'https://hub/notes.git/'"
    ),
    (.noAccess, "fatal: could not read Username for 'https://hub': terminal prompts disabled"),
    (.noAccess, "fatal: unable to access 'https://hub/notes.git/': The requested URL returned error: 403"),
    (.noAccess, "fatal: remote error: access denied or repository not exported: /notes.git"),
    (.noAccess, "fatal: remote error: service not enabled: /notes.git"),
    (.noAccess, "ERROR: Permission to ada/notes.git denied to bob.\n\(closing)"),
    (.noRepository, "ERROR: Repository not found.\n\(closing)"),
    (
      .noRepository, "remote: Repository not found.\nfatal: repository 'https://hub/ada/notes.git/' not found"
    ),
    (.noRepository, "fatal: '/srv/notes.git' does not appear to be a git repository\n\(closing)"),
    (.noRepository, "fatal: unable to access 'https://hub/': The requested URL returned error: 404"),
    (.noBranch, "fatal: couldn't find remote ref refs/heads/main"),
    (
      .tooLarge,
      "error: RPC failed; HTTP 413 curl 22 The requested URL returned error: 413\nfatal: the remote end hung up unexpectedly"
    ),
    (.serverTrouble, "fatal: unable to access 'https://hub/': The requested URL returned error: 502"),
    (
      .cut,
      "Receiving objects:  45% (9/20)\rfetch-pack: unexpected disconnect while reading sideband packet\nfatal: early EOF\nfatal: fetch-pack: invalid index-pack output"
    ),
    (
      .cut,
      "send-pack: unexpected disconnect while reading sideband packet\nfatal: the remote end hung up unexpectedly"
    ),
    (.cut, "error: RPC failed; curl 18 transfer closed with outstanding read data remaining"),
    (.cut, "fatal: read error: Connection reset by peer"),
    (.address, "fatal: transport 'hg' not allowed"),
    (.address, "fatal: strange hostname '-oProxyCommand=x' blocked"),
    (
      .notOwned,
      "fatal: detected dubious ownership in repository at '/srv/notes.git'\nTo add an exception for this directory, call:"
    ),
    (
      .busy,
      "error: cannot lock ref 'refs/remotes/origin/main': Unable to create '/x/main.lock': File exists.\n"
    ),
    (.readOnly, "error: cannot open '/x/.git/FETCH_HEAD': Permission denied\n\(closing)"),
    (.readOnly, "error: cannot open '.git/FETCH_HEAD': Read-only file system"),
    (.full, "fatal: write error: No space left on device"),
    (.other, "fatal: something that nobody has heard of"),
    (
      .other,
      "fatal: the receiving end does not support push options\nfatal: the remote end hung up unexpectedly"
    ),
    (.other, ""),
  ]

  @Test(arguments: messages) func knowsWhatGitSays(_ expected: RemoteFault.Kind, _ text: String) {
    let fault = RemoteFault(errors: Array(text.utf8), status: 128)
    #expect(fault.kind == expected, "\(fault)")
    #expect(!fault.reason.isEmpty && !fault.reason.hasPrefix("fatal: ") && !fault.reason.contains("\n"))
  }

  @Test(arguments: [
    ("fetch first", RemoteFault.Kind.overtaken), ("non-fast-forward", .overtaken), ("stale info", .overtaken),
    ("failed to update ref", .overtaken),
    ("cannot lock ref 'refs/heads/main': is at 1 but expected 2", .overtaken),
    ("incorrect old value provided", .overtaken), ("pre-receive hook declined", .declined),
    ("protected branch hook declined", .declined), ("branch is currently checked out", .declined),
    ("shallow update not allowed", .shallow), ("unpacker error", .serverTrouble),
  ])
  func knowsWhyAPushIsRefused(_ reason: String, _ expected: RemoteFault.Kind) {
    let line = "!\t0123:refs/heads/main\t[remote rejected] (\(reason))"
    let said =
      "remote: Not on a Sunday.        \nremote: Resolving deltas: 100% (1/1)\nerror: failed to push some refs\n"
    let fault = RemoteFault(refusal: line, errors: Array(said.utf8))
    #expect(fault == RemoteFault(expected, reason, words: ["Not on a Sunday."]))
  }

  @Test func passwordsAreNotTold() {
    let text = "fatal: unable to access 'https://ada:secret@hub/': The requested URL returned error: 403"
    #expect(!RemoteFault(errors: Array(text.utf8), status: 128).reason.contains("secret"))
    #expect(RemoteAddress("https://ada:secret@hub/x").shown == "https://ada:***@hub/x")
  }
}
