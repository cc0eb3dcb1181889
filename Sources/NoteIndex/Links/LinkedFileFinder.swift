package import Notes

/// How links find folders and the files that are no notes, before and after some of them get other paths.
package struct LinkedFileFinder: Sendable {
  /// Finds the folder, or file other than a note, that a link leads to, in the note with a path.
  package typealias Finder = @Sendable (_ link: BodyScan.Link, _ path: [UInt8]) -> [UInt8]?

  let before: Finder
  let after: Finder
  /// The new paths of the files and folders that move, by their paths before.
  let moves: [[UInt8]: [UInt8]]

  package init(moves: [[UInt8]: [UInt8]], before: @escaping Finder, after: @escaping Finder) {
    (self.moves, self.before, self.after) = (moves, before, after)
  }

  /// Files that stay where they are.
  package init(_ find: @escaping Finder) { self.init(moves: [:], before: find, after: find) }
}
