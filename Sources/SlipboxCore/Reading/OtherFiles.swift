import Bytes
import Notes
import Platform
import Text

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
  /// Whether any of them is a note by its name, which a setting excludes.
  let holdsNotes: Bool
  /// The paths of the files by their folded paths, and by their folded names.
  private let folded = Computed<FoldedPaths>()

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
    holdsNotes = paths.contains { FileName.isNote($0) }
    named = Dictionary(paths.map { (BytePath.name(of: $0), $0) }, uniquingKeysWith: { $1 })
  }

  var isEmpty: Bool { paths.isEmpty }

  /// Whether there is a file at a path.
  func contains(_ path: [UInt8]) -> Bool { known.contains(path) }

  /// The path of a file with a name.
  func path(named name: [UInt8]) -> [UInt8]? { named[name] }

  /// The path of the one file whose path differs from a path in case and diacritics alone.
  func path(like path: [UInt8]) -> [UInt8]? { Self.only(foldedFiles.paths[Folding.fold(path[...])]) }

  /// The path of the one file whose name differs from a name in case and diacritics alone.
  func path(namedLike name: [UInt8]) -> [UInt8]? { Self.only(foldedFiles.names[Folding.fold(name[...])]) }

  private static func only(_ paths: [[UInt8]]?) -> [UInt8]? { paths?.count == 1 ? paths?[0] : nil }

  private var foldedFiles: FoldedPaths {
    let made = { FoldedPaths(paths) }
    return (try? folded.value(made)) ?? made()
  }

  /// Paths by their forms without case and diacritics, whole and by their last parts.
  private struct FoldedPaths {
    let paths: [[UInt8]: [[UInt8]]]
    let names: [[UInt8]: [[UInt8]]]

    init(_ paths: [[UInt8]]) {
      self.paths = Dictionary(grouping: paths) { Folding.fold($0[...]) }
      names = Dictionary(grouping: paths) { Folding.fold(BytePath.name(of: $0)[...]) }
    }
  }
}
