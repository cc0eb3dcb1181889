package import Notes
import Platform
package import SlipboxCore

/// Clock, random numbers and device name: the only inputs that differ between two runs of the same command.
package struct CommandEnvironment: Sendable {
  /// Reads the clock.
  package let clock: @Sendable () -> ClockReading
  /// The source of new ids.
  package let random: any RandomNumberGenerator & Sendable
  /// The name of this device, or of its host.
  package let device: @Sendable () -> String
  /// Whether the name is the host's, which may change.
  let isHostName: Bool
  /// The time for which a command works in silence before it shows how far it is.
  package let patienceMilliseconds: Int64

  package init(
    clock: @escaping @Sendable () -> ClockReading, random: any RandomNumberGenerator & Sendable,
    device: @escaping @Sendable () -> String, isHostName: Bool = false,
    patienceMilliseconds: Int64 = 500
  ) {
    self.clock = clock
    self.random = random
    self.device = device
    self.isHostName = isHostName
    self.patienceMilliseconds = patienceMilliseconds
  }

  /// The clock and host name of this machine, and random ids.
  package static let system = CommandEnvironment(
    clock: {
      let time = LocalClock.now()
      let now = Timestamp(seconds: time.seconds, offsetSeconds: LocalClock.offset(at: time.seconds))
      return ClockReading(now: now, offset: { LocalClock.offset(at: $0) })
    },
    random: SystemRandomNumberGenerator(), device: hostName, isHostName: true)

  private static func hostName() -> String { CurrentProcess.hostName ?? "unknown" }
}

extension CommandEnvironment {
  /// The environment variable that names the front end to the commands that it runs.
  package static let faceVariable = "SLIPBOX_FACE"
  private static let faces: Set<String> = ["browse"]

  /// The program that this process runs, wherever it was started from.
  package static let thisProgram = Array("/proc/self/exe".utf8)

  /// The circumstances of a command in a folder, read now.
  ///
  /// - Parameter slip: the path of slip, which does work in the background.
  package func context(
    in folder: [UInt8], _ reporter: Reporter, slip: [UInt8] = CommandEnvironment.thisProgram
  ) -> CommandContext {
    let clock = clock()
    LocalZone.use(clock)
    var context = CommandContext(
      clock: clock, workingDirectory: folder, configurationFolder: UserFolder.configuration.path,
      boxVariable: environment("SLIPBOX").map { Array($0.utf8) }, device: device(), ids: IDSource(random),
      reporter: reporter)
    context.isHostName = isHostName
    if let device = Settings.user(context)["device"] { context = context.named(device) }
    context.face = environment(Self.faceVariable).flatMap { Self.faces.contains($0) ? $0 : nil }
    context.hookMark = environment(CommandContext.hookVariable)
    context.startMaintenance = { box in Maintenance.start(box, by: slip) }
    return context
  }
}

/// Work on the kept catalogue of a box that is done in the background.
package enum Maintenance {
  /// The command of slip that does it.
  package static let command = "fold-catalogue"

  /// Starts the command for a box. If it can't be started, a later command will start it.
  ///
  /// - Parameter program: the path of slip.
  static func start(_ box: [UInt8], by program: [UInt8]) {
    let words = [program] + [command, "--quiet", "--box"].map { Array($0.utf8) }
    // The catalogue answers as well without it.
    try? ChildProcess.detach(words + [box])
  }
}

/// A folder of slip's own in the user's home.
///
/// Source: XDG Base Directory Specification 0.8.
package enum UserFolder: Sendable {
  /// Settings of the user.
  case configuration
  /// Data that may be lost: the servers that are running.
  case state

  /// The absolute path; nil if the user has no home.
  package var path: [UInt8]? {
    let (variable, place) =
      switch self {
      case .configuration: ("XDG_CONFIG_HOME", ".config")
      case .state: ("XDG_STATE_HOME", ".local/state")
      }
    if let folder = environment(variable), folder.hasPrefix("/") { return Array("\(folder)/slipbox".utf8) }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return Array("\(home)/\(place)/slipbox".utf8)
  }
}
