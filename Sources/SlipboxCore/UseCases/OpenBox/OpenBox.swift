extension BoxSnapshot {
  /// Finds the box of a command, finishes what a killed command left, and makes a snapshot of the work tree.
  ///
  /// - Parameter named: the box that was named; nil looks for it as `BoxLocation.find` does.
  /// - Throws: as `BoxLocation.find` and `Box.init(at:)`; `.configuration` where the settings can't be read.
  package static func open(named: [UInt8]?, _ context: CommandContext) throws(SlipboxError) -> BoxSnapshot {
    let box = try Box(at: try BoxLocation.find(named: named, in: context))
    BoxWriter(box, context).takeUpInterrupted()
    // A box of which the history can't be read must not look like a new one, also where nothing is asked of history.
    do throws(SlipboxError) { _ = try box.tip() } catch {
      context.reporter.warnUnlessRefused("history could not be read: \(error.message)", fact: error.message)
    }
    return try WorkTreeReader(box, context).snapshot()
  }
}
