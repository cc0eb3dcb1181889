import Notes
import Platform
package import SlipboxCore

extension CommandEnvironment {
  /// The variable by which a face tells the commands that it runs who asks for them.
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
