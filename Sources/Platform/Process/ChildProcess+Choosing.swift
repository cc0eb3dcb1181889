import Glibc

extension ChildProcess {
  /// Runs a program that lets the user choose among the lines of its input, and returns those that it prints.
  ///
  /// It draws on the terminal, also where errors are redirected: they go to the controlling terminal then. SIGINT and
  /// SIGQUIT are ignored here while it runs, as by system(3).
  /// - Throws: `ENOENT` and the like where it can't be started.
  package static func choose(
    _ arguments: [[UInt8]], among input: [UInt8]
  ) throws(SystemError) -> (exit: Exit, output: [UInt8]) {
    let dispositions = Dispositions(ignoring: [SIGINT, SIGQUIT])
    defer { dispositions.restore() }
    let lines = try Descriptor.anonymousFile(holding: input)
    let output = try Descriptor.anonymousFile(holding: [])
    var setup = try SpawnSetup(standardSignals: dispositions.changed)
    try setup.pass(lines, as: STDIN_FILENO)
    try setup.pass(output, as: STDOUT_FILENO)
    if !Terminal.isTerminal(STDERR_FILENO), Terminal.isControlled {
      try setup.open(Array("/dev/tty".utf8), O_WRONLY, as: STDERR_FILENO)
    }
    let exit = try wait(for: try setup.spawn(arguments, nil), arguments)
    return (exit, try output.readAll([], limit: nil).bytes)
  }
}
