import Text

/// The pattern of `path:`: a folder, a file or a pattern, whatever case, diacritics and composition; or one exact path.
struct PathPattern: Sendable {
  private let glob: Glob
  private let isExact: Bool

  /// - Parameter isExact: whether the pattern is compared with the path as it stands, not with its folded form.
  init(_ glob: Glob, isExact: Bool) {
    self.glob = glob
    self.isExact = isExact
  }

  /// Says whether a path is covered.
  func covers(_ path: [UInt8]) -> Bool { glob.covers(isExact ? path : Folding.fold(path[...])) }
}
