extension BoxSnapshot {
  /// Finds the box of a command, finishes what a killed command left, and makes a snapshot of the work tree.
  ///
  /// - Parameters:
  ///   - named: the box that was named; nil looks for it as `BoxLocation.find` does.
  ///   - isLenient: whether settings that can't be read are taken to be the standard ones.
  /// - Throws: as `BoxLocation.find` and `Box.init(at:)`; `.configuration` where the settings can't be read.
  package static func open(
    named: [UInt8]?, isLenient: Bool = false, _ context: CommandContext
  ) throws(SlipboxError) -> BoxSnapshot {
    try WorkTreeReader(try box(named: named, context), context).snapshot(isLenient: isLenient)
  }

  /// As `open(named:_:)`, but a snapshot of a point in the past, with the settings and the clock of then.
  ///
  /// - Parameter point: a revision or a date, as `Box.pastPoint` reads it.
  package static func open(
    named: [UInt8]?, asOf point: String, isLenient: Bool = false, _ context: CommandContext
  ) throws(SlipboxError) -> BoxSnapshot {
    let box = try box(named: named, context)
    return try box.snapshot(at: try box.pastPoint(point, context), isLenient: isLenient, context)
  }

  private static func box(named: [UInt8]?, _ context: CommandContext) throws(SlipboxError) -> Box {
    let box = try Box(at: try BoxLocation.find(named: named, in: context))
    box.fetchLeftHistory(context)
    BoxWriter(box, context).takeUpInterrupted()
    // A box of which the history can't be read must not look like a new one, also where nothing is asked of history.
    do throws(SlipboxError) { _ = try box.tip() } catch {
      context.reporter.warnUnlessRefused("history could not be read: \(error.message)", fact: error.message)
    }
    return box
  }
}
