import Text

/// The paths of files that are notes by name and that a setting excludes.
package struct ExcludedPaths: Sendable {
  /// One entry of a setting.
  package struct Pattern: Sendable, Equatable {
    /// The entry as it is written.
    package let text: String
    /// The name of the setting and its file.
    package let source: String
    /// Whether the entry also covers every path that begins with it.
    package let isBeginning: Bool

    /// - Parameter isBeginning: whether the entry also covers every path that begins with it, as in Obsidian.
    package init(_ text: String, source: String, isBeginning: Bool = false) {
      self.text = text
      self.source = source
      self.isBeginning = isBeginning
    }
  }

  package let patterns: [Pattern]
  private let globs: [[PathPattern]]

  package init(_ patterns: [Pattern]) {
    self.patterns = patterns
    globs = patterns.map { pattern in
      Self.variants(of: pattern.text).map { PathPattern(folderOrGlob: $0, isBeginning: pattern.isBeginning) }
    }
  }

  package var isEmpty: Bool { patterns.isEmpty }

  /// Whether an entry covers a path in the box.
  package func covers(_ path: [UInt8]) -> Bool { pattern(covering: path) != nil }

  /// The first entry that covers a path in the box.
  package func pattern(covering path: [UInt8]) -> Pattern? {
    if isEmpty { return nil }
    return zip(patterns, globs).first { $0.1.contains { $0.covers(path) } }?.0
  }

  /// A pattern, and the pattern in which `**/` means no folder at all.
  private static func variants(of text: String) -> [[UInt8]] {
    let bytes = Array(text.utf8)
    let folders = Array("**/".utf8)
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: folders) }) else {
      return [bytes]
    }
    return [bytes, Array(bytes[..<start] + bytes[(start + folders.count)...])]
  }
}

extension PathPattern {
  /// Reads a folder (`Templates/`), a file, or either with `*` and `?`, which also match slashes.
  fileprivate init(folderOrGlob bytes: [UInt8], isBeginning: Bool) {
    var rest = bytes[...]
    if rest.starts(with: "./".utf8) { rest = rest.dropFirst(2) }
    rest = rest.drop { $0 == UInt8(ascii: "/") }
    let isFolder = rest.last == UInt8(ascii: "/")
    if isFolder { rest = rest.dropLast() }
    var steps: [Glob.Step] = []
    for part in rest.split(omittingEmptySubsequences: false, whereSeparator: Self.isWildcard) {
      steps += Folding.fold(part).map(Glob.Step.byte)
      if part.endIndex < rest.endIndex {
        steps.append(rest[part.endIndex] == UInt8(ascii: "*") ? .any : .one)
      }
    }
    let reach: Glob.Reach = isFolder ? .below : isBeginning ? .beginning : .wholeOrBelow
    self.init(Glob(steps, reach: reach), isExact: false)
  }

  private static func isWildcard(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?")
  }
}
