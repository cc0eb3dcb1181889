import ArgumentParser

/// A command of slip, which is handed the session that it runs in.
protocol SlipCommand: ParsableCommand {
  /// The options that every command has.
  var global: GlobalOptions { get }

  /// Does what the command is for.
  func run(in session: Session) throws
}

/// Ends a command with an exit code and nothing more to say.
struct EarlyExit: Error {
  let code: Int32
}
