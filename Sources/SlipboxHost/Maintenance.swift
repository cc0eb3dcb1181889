import Platform

/// Work on the kept catalogue of a box that is done in the background.
package enum Maintenance {
  /// The command of slip that does it.
  package static let command = "fold-catalogue"

  /// Starts the command for a box; where that can't be, a later command will.
  ///
  /// - Parameter program: the path of slip.
  static func start(_ box: [UInt8], by program: [UInt8]) {
    let words = [program] + [command, "--quiet", "--box"].map { Array($0.utf8) }
    // The catalogue answers as well without it.
    try? ChildProcess.detach(words + [box])
  }
}
