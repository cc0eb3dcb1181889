import Text

/// What `path:` asks: a folder, a file or a pattern, whatever case, diacritics and composition; or one exact path.
struct PathPattern: Sendable {
  private let glob: Glob
  private let isExact: Bool

  /// Reads a folder (`Books/`), a file, or either with wildcards that also stand for slashes.
  init(_ value: ArraySlice<QueryLetter>, isExact: Bool) {
    self.isExact = isExact
    let value = value.count > 2 && value.prefix(2).bytes.elementsEqual("./".utf8) ? value.dropFirst(2) : value
    if isExact {
      glob = Glob(literal: value.bytes, reach: .whole)
    } else if let last = value.last, last.byte == UInt8(ascii: "/"), value.count > 1 {
      glob = Glob(value.dropLast(), folding: true, reach: .below)
    } else {
      glob = Glob(value, folding: true, reach: .wholeOrBelow)
    }
  }

  /// Says whether a path is covered.
  func covers(_ path: [UInt8]) -> Bool { glob.covers(isExact ? path : Folding.fold(path[...])) }
}
