import Glibc
import Platform
import SlipboxTesting
import Testing

/// Serialized: a child's parent changes signal dispositions, which belong to the whole process.
@Suite(.serialized) struct ChildProcessTests {
  private func shell(_ script: String) -> [[UInt8]] { [b("sh"), b("-c"), b(script)] }

  private func code(_ script: String, environment: [String: String]? = nil, in folder: [UInt8]? = nil) throws
    -> ChildProcess.Exit
  {
    try ChildProcess.run(shell(script), environment: environment, in: folder, input: .null)
  }

  @Test func reportsTheEnd() throws {
    #expect(try code("exit 0") == .code(0))
    #expect(try code("exit 255") == .code(255))
    #expect(try code("kill -TERM $$") == .signal(SIGTERM))
    #expect(try code("kill -KILL $$") == .signal(SIGKILL))
  }

  @Test func reportsWhatCannotStart() throws {
    func failing(_ arguments: [[UInt8]], in folder: [UInt8]? = nil) -> Int32? {
      failure { () throws(SystemError) in _ = try ChildProcess.run(arguments, in: folder) }?.code
    }
    #expect(failing([b("slip-no-such-program")]) == ENOENT)
    #expect(failing([b("/etc")]) == EACCES)
    #expect(failing([]) == EINVAL)
    #expect(failing([b("echo"), [65, 0, 66]]) == EINVAL)
    #expect(failing([b("true")], in: b("/nonexistent")) == ENOENT)
  }

  @Test func staysInTheProcessGroup() throws {
    #expect(try code("test $(ps -o pgid= -p $$) -eq \(getpgrp())") == .code(0))
  }

  @Test func isNotInterruptedWithItsChild() throws {
    // A job in the background of a script begins with an ignored signal.
    signal(SIGINT, SIG_DFL)
    #expect(try code("kill -INT $PPID; kill -QUIT $PPID; exit 3") == .code(3))
    #expect(try code("kill -INT $$") == .signal(SIGINT))
    var action = sigaction()
    sigaction(SIGINT, nil, &action)
    #expect(unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 0)
  }

  @Test func holdsNoSignalsBackInChildren() throws {
    let exits = try Signals.deferring {
      [try code("kill -TERM $$"), try ChildProcess.capture(shell("kill -PIPE $$")).exit]
    }
    #expect(exits == [.signal(SIGTERM), .signal(SIGPIPE)])
  }

  @Test func passesEnvironmentAndFolder() throws {
    let folder = try TemporaryFolder()
    let environment = ["PATH": "/usr/bin:/bin", "WORD": "ä\n="]
    #expect(try code("test \"$WORD\" = 'ä\n='", environment: environment) == .code(0))
    #expect(try code("test -z \"$HOME\"", environment: environment) == .code(0))
    let captured = try ChildProcess.capture([b("pwd")], in: folder.bytes)
    #expect(s(captured.output) == folder.path + "\n")
  }

  @Test func passesBytesAsTheyAre() throws {
    let strange: [UInt8] = [0xFF, 0x0A, 0x27, 0x22, 0x24]
    let captured = try ChildProcess.capture([b("printf"), b("%s|"), strange, b(""), b("-x")])
    #expect(captured.output == strange + b("||-x|"))
  }

  @Test func capturesBothStreams() throws {
    let result = try ChildProcess.capture(shell("cat; echo bad >&2; exit 4"), input: b("text"))
    #expect(result.exit == .code(4))
    #expect(s(result.output) == "text")
    #expect(s(result.errors) == "bad\n")
  }

  @Test func doesNotDeadlock() throws {
    let size = 3_000_000
    let input = (0..<size).map { UInt8(truncatingIfNeeded: $0 >> 8) }
    let result = try ChildProcess.capture(shell("tee /dev/stderr"), input: input)
    #expect(result.output == input)
    #expect(result.errors == input)
  }

  @Test func survivesAChildThatDoesNotRead() throws {
    let input = [UInt8](repeating: 65, count: 1_000_000)
    #expect(try ChildProcess.capture([b("true")], input: input).exit == .code(0))
    let slow = try ChildProcess.capture(shell("exec >&- 2>&-; exec wc -c > /dev/null"), input: input)
    #expect(slow.exit == .code(0))
  }

  @Test func doesNotWaitForGrandchildren() throws {
    let clock = ContinuousClock()
    let time = try clock.measure {
      let result = try ChildProcess.capture(shell("sleep 20 & echo done"))
      #expect(s(result.output) == "done\n")
    }
    #expect(time < .seconds(5))
  }

  @Test func detachesIntoASession() throws {
    let folder = try TemporaryFolder()
    let script = "ps -o sid= -p $$ > \(folder.path)/sid.tmp; mv \(folder.path)/sid.tmp \(folder.path)/sid"
    try ChildProcess.detach(shell(script))
    while access(folder.path + "/sid", F_OK) != 0 { usleep(2_000) }
    let session = s(folder.read("sid")).flatMap { Int32($0.filter { $0.isNumber }) }
    #expect(session != nil && session != getsid(0))
  }

  @Test func leavesNoZombies() throws {
    for _ in 0..<3 { _ = try code("exit 1") }
    _ = try ChildProcess.capture([b("true")])
    let zombies = try run("sh", ["-c", "ps -o stat=,comm= --ppid \(getpid()) | grep -c '^Z.*true'"])
    #expect(zombies.output == "0\n")
  }
}
