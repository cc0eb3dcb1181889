import ArgumentParser
import Platform
import SlipboxCore

/// Puts what is kept of a box together; started by other commands, which do not wait for it.
struct FoldCatalogue: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fold-catalogue", abstract: "Put the kept catalogue of a box together.", shouldDisplay: false
  )

  @OptionGroup var global: GlobalOptions

  func run() throws { try Session(global).openBox().foldCatalogue() }

  /// Starts the command in the background; where that can't be, a later command will.
  static func start(_ box: [UInt8]) {
    let words = ["/proc/self/exe", "fold-catalogue", "--quiet", "--box"].map { Array($0.utf8) }
    try? ChildProcess.detach(words + [box])
  }
}
