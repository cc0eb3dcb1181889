import Platform
import SlipboxCore

/// Commits saved notes by themselves where the settings ask for it.
final class AutomaticCommits: Sendable {
  private let boxes: Boxes

  init(_ boxes: Boxes) { self.boxes = boxes }

  /// Notes that the editor has saved a file.
  func saved(_ path: [UInt8]) {}
}
