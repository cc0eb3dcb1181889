import Bytes
import Platform

/// How git is run for the network.
package struct NetworkUse: Sendable {
  /// Whether git and ssh may ask for passwords and unknown keys on the terminal.
  package let mayAsk: Bool
  /// How long git may be silent, in milliseconds.
  package internal(set) var patienceMilliseconds: Int64
  /// Receives how many objects of how many have come or gone.
  package let report: @Sendable (_ done: Int, _ total: Int) -> Void

  package init(
    mayAsk: Bool, patienceMilliseconds: Int64 = 120_000,
    report: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) {
    self.mayAsk = mayAsk
    self.patienceMilliseconds = patienceMilliseconds
    self.report = report
  }

  /// The environment of git: the user's own, with messages in English and only ways that git itself knows.
  /// - Parameter helpers: remote helpers that git may run besides.
  func variables(
    _ environment: GitEnvironment, sshCommand: String?, helpers: Set<String>
  ) -> [String: String] {
    var variables = environment.forChildren
    variables["LC_ALL"] = "C"
    variables["LANGUAGE"] = nil
    if !mayAsk { variables["GIT_TERMINAL_PROMPT"] = "0" }
    // A rewritten address may need another transport.
    if variables["GIT_ALLOW_PROTOCOL"] == nil {
      variables["GIT_ALLOW_PROTOCOL"] = (["file:git:http:https:ssh"] + helpers.sorted()).joined(
        separator: ":")
    }
    if let command = self.sshCommand(environment, configured: sshCommand) {
      variables["GIT_SSH_COMMAND"] = command
    }
    return variables
  }

  /// The user's ssh with options by which a dead link ends; nil if it is another program, which may not know them.
  ///
  /// Of an option that is given twice ssh takes the first, so the user's own stay in force.
  private func sshCommand(_ environment: GitEnvironment, configured: String?) -> String? {
    let command =
      environment["GIT_SSH_COMMAND"] ?? configured
      ?? environment["GIT_SSH"].map { ShellWord.quoted(Array($0.utf8)) } ?? "ssh"
    let program = command.split(separator: " ").first?.split(separator: "/").last ?? ""
    guard program.filter({ !"'\"".contains($0) }) == "ssh" else { return nil }
    let patience = "-o ConnectTimeout=15 -o ServerAliveInterval=5 -o ServerAliveCountMax=3"
    return "\(command) \(patience)" + (mayAsk ? "" : " -o BatchMode=yes")
  }

  /// Reads how far git has come from a piece of its standard error, such as `Writing objects:  45% (9/20)`.
  func hear(_ piece: ArraySlice<UInt8>) {
    guard let open = piece.lastIndex(of: UInt8(ascii: "(")) else { return }
    let line = piece[..<open].split { $0 == 10 || $0 == 13 }.last ?? []
    let stages = ["Receiving objects", "Writing objects"].map { Array($0.utf8) }
    guard stages.contains(where: { line.starts(with: $0) }) else { return }
    let counts = piece[(open + 1)...].prefix { $0 != UInt8(ascii: ")") }.split(separator: UInt8(ascii: "/"))
    let numbers = counts.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    if numbers.count == 2 { report(numbers[0], numbers[1]) }
  }
}

extension GitProgram {
  /// Settings that limit git to the programs that the network needs: the user's ssh and the user's credential helpers.
  ///
  /// They are on the command line, so they override every file. Settings for ssh and credentials in a repository's own file
  /// can't be overridden there: see `Repository.refuseForeignPrograms`. Fetched objects are synced to the disk: a
  /// merge commit that outlives a power cut must not name commits that do not.
  ///
  /// A remote helper passes the settings on to the git of a folder, which would run an empty command.
  private static let networkSettings = [
    "core.alternateRefsCommand=true", "core.editor=false", "core.fsmonitor=false",
    "core.fsync=all", "core.pager=cat", "diff.external=", "gc.auto=0", "gpg.program=false",
    "log.showSignature=false",
    "maintenance.auto=false", "protocol.ext.allow=never", "push.gpgSign=false", "sequence.editor=false",
    "submodule.recurse=false",
  ]

  /// The lowest speed of http, in bytes a second, and how long it may be lower, in seconds: a server that works sends a
  /// sign of life every five seconds.
  private static let lowSpeed = ["http.lowSpeedLimit=1", "http.lowSpeedTime=30"]

  /// Runs a command of git's that uses the network.
  /// - Parameters:
  ///   - hooks: the folder of the hooks that git may run; nil: none.
  ///   - input: the bytes of its standard input.
  /// - Throws: `remote` if git was silent for too long, `io` if it can't be started.
  static func overNetwork(
    _ words: [String], _ repository: Repository, _ use: NetworkUse, hooks: [UInt8]? = nil, input: [UInt8] = []
  ) throws(GitError) -> Answer {
    let isOwnSpeed =
      repository.environment["GIT_HTTP_LOW_SPEED_LIMIT"] != nil
      || repository.settings["http.lowSpeedLimit"] != nil
    let settings =
      networkSettings + (isOwnSpeed ? [] : lowSpeed)
      + ["core.hooksPath=\(hooks.map { GitError.text($0) } ?? "/dev/null")"]
    let folder = repository.workTree ?? repository.gitDirectory
    let line =
      [Array("git".utf8), Array("-C".utf8), folder]
      + (settings.flatMap { ["-c", $0] } + words).map { Array($0.utf8) }
    let addresses = try repository.remotes.all().flatMap { [$0.address, $0.pushAddress].compactMap { $0 } }
    let variables = use.variables(
      repository.environment, sshCommand: repository.settings["core.sshCommand"],
      helpers: try repository.remotes.allowedHelpers(for: addresses))
    let patience = ChildProcess.Patience(
      milliseconds: use.patienceMilliseconds, beginsWithFirstByte: use.mayAsk)
    let ran = try GitError.wrapping("run", Array("git".utf8)) { () throws(SystemError) in
      try ChildProcess.follow(line, environment: variables, input: input, patience: patience) { use.hear($0) }
    }
    if ran.wasSilent {
      let seconds = use.patienceMilliseconds / 1_000
      throw .remote(RemoteFault(.silent, "no data was received for \(seconds) seconds"))
    }
    let status: Int32 =
      switch ran.exit {
      case .code(let code): code
      case .signal(let signal): 128 + signal
      }
    return Answer(status: status, output: ran.output, errors: ran.errors)
  }
}
