import Bytes
import Platform

/// The files of a box that are no notes, and the symbolic links to files.
struct OtherFiles: Sendable {
  /// The paths of the files, in order.
  let paths: [[UInt8]]
  /// The paths of symbolic links to files, in order.
  let links: [[UInt8]]
  /// Temporary files that an interrupted change has left, in order.
  let leftovers: [Leftover]
  /// Folders that are repositories of their own; no file in them belongs to the box.
  let repositories: [[UInt8]]
  /// Of the files with one name the last, by its name.
  private let named: [[UInt8]: [UInt8]]
  private let known: Set<[UInt8]>

  /// A temporary file of a change that was interrupted.
  struct Leftover: Sendable {
    let path: [UInt8]
    /// Whether git has what it holds.
    let isKept: Bool
  }

  init(_ paths: [[UInt8]], links: [[UInt8]], leftovers: [Leftover], repositories: [[UInt8]] = []) {
    self.paths = paths
    self.links = links
    self.leftovers = leftovers
    self.repositories = repositories
    known = Set(paths)
    named = Dictionary(paths.map { (BytePath.name(of: $0), $0) }, uniquingKeysWith: { $1 })
  }

  var isEmpty: Bool { paths.isEmpty }

  /// Whether there is a file at a path.
  func contains(_ path: [UInt8]) -> Bool { known.contains(path) }

  /// The path of a file with a name.
  func path(named name: [UInt8]) -> [UInt8]? { named[name] }
}
