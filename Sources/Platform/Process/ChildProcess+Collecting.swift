import Glibc

extension ChildProcess {
  /// Runs a program with its input, output and errors in files in memory, which need no thread to serve them.
  ///
  /// Signals stay as they are: Ctrl-C ends this process and the program. Any number of threads may call this at once.
  /// - Throws: `ENOENT` and the like where it can't be started.
  package static func collect(
    _ arguments: [[UInt8]], environment: [String: String]? = nil, in folder: [UInt8]? = nil,
    input: [UInt8] = []
  ) throws(SystemError) -> (exit: Exit, output: [UInt8], errors: [UInt8]) {
    let input = try Descriptor.anonymousFile(holding: input)
    let output = try Descriptor.anonymousFile(holding: [])
    let errors = try Descriptor.anonymousFile(holding: [])
    var setup = try SpawnSetup(standardSignals: [])
    try setup.enter(folder)
    try setup.pass(input, as: STDIN_FILENO)
    try setup.pass(output, as: STDOUT_FILENO)
    try setup.pass(errors, as: STDERR_FILENO)
    let exit = try wait(for: try setup.spawn(arguments, environment), arguments)
    return (exit, try output.readAll([], limit: nil).bytes, try errors.readAll([], limit: nil).bytes)
  }
}
