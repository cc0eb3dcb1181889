import Platform

/// The work on the kept catalogue of a box that is done in the background.
enum Maintenance {
  /// The command that does it.
  static let command = "fold-catalogue"

  /// Starts the command for a box; where that can't be, a later command will.
  static func start(_ box: [UInt8]) {
    let words = ["/proc/self/exe", command, "--quiet", "--box"].map { Array($0.utf8) }
    // The catalogue answers as well without it.
    try? ChildProcess.detach(words + [box])
  }
}
