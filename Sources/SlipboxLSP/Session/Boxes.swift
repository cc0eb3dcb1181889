import Bytes
import Notes
import Platform
package import SlipboxCore
import Synchronization

/// The boxes of the client's folders and open documents, each opened when it is first asked for.
final class Boxes: Sendable {
  private let circumstances: Circumstances
  private let onChange: @Sendable (OpenBox) -> Void
  private let state = Mutex(State())

  private struct State {
    var open: [[UInt8]: OpenBox] = [:]
    /// The boxes of folders with files that were asked about; nil for those in none.
    var known: [[UInt8]: OpenBox?] = [:]
  }

  init(_ circumstances: Circumstances, onChange: @escaping @Sendable (OpenBox) -> Void) {
    self.circumstances = circumstances
    self.onChange = onChange
  }

  /// The boxes that are open, by their paths.
  var all: [OpenBox] {
    state.withLock { $0.open.values.sorted { $0.root.lexicographicallyPrecedes($1.root) } }
  }

  /// The box of a file with an absolute path, and the file's path in it; nil if it is in none, or hidden in it.
  ///
  /// - Parameter includesExcluded: whether a file that a setting excludes from the notes counts.
  func box(of path: [UInt8], includesExcluded: Bool = false) -> (box: OpenBox, path: [UInt8])? {
    guard let box = box(at: BytePath.folder(of: path)), let relative = BytePath.relative(path, to: box.root)
    else {
      return nil
    }
    let isHidden = relative.split(separator: UInt8(ascii: "/")).contains { $0.first == UInt8(ascii: ".") }
    if isHidden || !includesExcluded && box.excludes(relative) { return nil }
    return (box, relative)
  }

  /// The box at or above a folder with an absolute path.
  @discardableResult
  func box(at folder: [UInt8]) -> OpenBox? {
    state.withLock { state in
      if let known = state.known[folder] { return known }
      let root = BoxLocation.upwards(from: folder)
      let box = root.map { root in
        state.open[root] ?? OpenBox(root, circumstances, onChange: onChange)
      }
      // A folder in no box may be made one later.
      if let root, let box {
        state.open[root] = box
        state.known[folder] = box
      }
      return box
    }
  }

  /// A box with those of the open documents laid over it that are in it.
  func view(of box: OpenBox, _ documents: Documents) throws(SlipboxError) -> BoxView {
    try box.view(own(documents, of: box))
  }

  /// The same, with all files looked at anew.
  func viewForChange(of box: OpenBox, _ documents: Documents) throws(SlipboxError) -> BoxView {
    try box.viewForChange(own(documents, of: box))
  }

  /// The documents of a box, by their paths in it.
  private func own(_ documents: Documents, of box: OpenBox) -> [[UInt8]: OpenDocument] {
    var own: [[UInt8]: OpenDocument] = [:]
    for document in documents.all {
      if let path = document.path, let (other, relative) = self.box(of: path), other === box {
        own[relative] = document
      }
    }
    return own
  }
}

/// What the server is told by the program that starts it: clock, chance, device and streams.
package struct Circumstances: Sendable {
  private let makeContext: @Sendable (_ folder: [UInt8], Reporter) -> CommandContext
  private let receive: @Sendable (String) -> Void
  /// The descriptor that messages come from.
  package let input: Int32
  /// The descriptor that messages go to.
  package let output: Int32

  /// - Parameters:
  ///   - context: makes the circumstances of a command in a folder, with the clock read now.
  ///   - say: receives warnings, one line each.
  package init(
    input: Int32, output: Int32,
    context: @escaping @Sendable (_ folder: [UInt8], Reporter) -> CommandContext,
    say: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.input = input
    self.output = output
    makeContext = context
    receive = say
  }

  /// The same, with another receiver of warnings.
  func saying(_ say: @escaping @Sendable (String) -> Void) -> Circumstances {
    Circumstances(input: input, output: output, context: makeContext, say: say)
  }

  func context(in folder: [UInt8]) -> CommandContext {
    makeContext(folder, Reporter(warn: { [receive] message in receive(message) }))
  }

  func say(_ message: String) { receive(message) }
}
