import Bytes
import Platform

extension GitProgram {
  /// Settings by which git runs nothing but what the network needs: the user's ssh and the user's helpers for passwords.
  ///
  /// They stand on the command line, so they win over every file. What a repository's own file says about ssh and
  /// passwords can't be taken back there: see `Repository.refuseForeignPrograms`. What is fetched is synced to the disk: a
  /// merge commit that outlives a power cut must not name commits that do not.
  private static let networkSettings = [
    "core.alternateRefsCommand=", "core.editor=false", "core.fsmonitor=false",
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
  /// - Throws: `remote` where git was silent for too long, `io` where it can't be started.
  static func overNetwork(
    _ words: [String], _ repository: Repository, _ use: NetworkUse, hooks: [UInt8]? = nil, input: [UInt8] = []
  ) throws(GitError) -> Answer {
    let isOwnSpeed =
      repository.environment["GIT_HTTP_LOW_SPEED_LIMIT"] != nil
      || repository.configuration("http.lowSpeedLimit") != nil
    let settings =
      networkSettings + (isOwnSpeed ? [] : lowSpeed)
      + ["core.hooksPath=\(hooks.map { GitError.text($0) } ?? "/dev/null")"]
    let folder = repository.workTree ?? repository.gitDirectory
    let line =
      [Array("git".utf8), Array("-C".utf8), folder]
      + (settings.flatMap { ["-c", $0] } + words).map { Array($0.utf8) }
    let variables = use.variables(
      repository.environment, sshCommand: repository.configuration("core.sshCommand"))
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
