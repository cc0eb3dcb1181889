import Text

/// A name with `*` (any letters) and `?` (one letter), and the part of a name that it must cover.
struct Glob: Sendable, Equatable {
  /// One step of a pattern.
  enum Step: Sendable, Equatable {
    case byte(UInt8)
    /// One character of UTF-8.
    case one
    case any
  }

  /// Which names a pattern covers.
  enum Reach: Sendable, Equatable {
    /// The name alone.
    case whole
    /// The name and the names below it: `work` and `work/clients`.
    case wholeOrBelow
    /// Names below this one, without it.
    case below
    /// All names with this prefix.
    case beginning
  }

  let steps: [Step]
  let reach: Reach
  private let isPlain: Bool

  /// Makes a pattern.
  init(_ steps: [Step], reach: Reach) {
    self.steps = steps
    self.reach = reach
    isPlain = steps.allSatisfy { $0 != .one && $0 != .any }
  }

  /// Makes a pattern of literal bytes.
  init(literal bytes: some Sequence<UInt8>, reach: Reach) {
    self.init(bytes.map(Step.byte), reach: reach)
  }

  /// Whether a name is covered.
  ///
  /// - Complexity: O(n) without wildcards, O(n * m) at worst with them.
  func covers(_ name: some RandomAccessCollection<UInt8>) -> Bool {
    let name = Array(name)
    if isPlain {
      guard name.count >= steps.count else { return false }
      for (index, step) in steps.enumerated() where step != .byte(name[index]) { return false }
      return reaches(name[steps.count...])
    }
    let below: [Step] = [.byte(UInt8(ascii: "/")), .one, .any]
    return switch reach {
    case .whole: Self.matches(steps, name)
    case .wholeOrBelow: Self.matches(steps, name) || Self.matches(steps + below, name)
    case .below: Self.matches(steps + below, name)
    case .beginning: Self.matches(steps + [.any], name)
    }
  }

  private func reaches(_ rest: ArraySlice<UInt8>) -> Bool {
    let isBelow = rest.first == UInt8(ascii: "/") && rest.count > 1
    return switch reach {
    case .whole: rest.isEmpty
    case .wholeOrBelow: rest.isEmpty || isBelow
    case .below: isBelow
    case .beginning: true
    }
  }

  /// Matches by going back to the last star only.
  private static func matches(_ steps: [Step], _ name: [UInt8]) -> Bool {
    var (step, position) = (0, 0)
    var star: (step: Int, position: Int)?
    while position < name.count {
      if step < steps.count, steps[step] == .any {
        star = (step, position)
        step += 1
      } else if step < steps.count, let next = advanced(over: steps[step], position, name) {
        position = next
        step += 1
      } else if let last = star {
        star = (last.step, last.position + 1)
        (step, position) = (last.step + 1, last.position + 1)
      } else {
        return false
      }
    }
    return steps[step...].allSatisfy { $0 == .any }
  }

  private static func advanced(over step: Step, _ position: Int, _ name: [UInt8]) -> Int? {
    switch step {
    case .any: return nil
    case .byte(let byte): return name[position] == byte ? position + 1 : nil
    case .one:
      var end = position + 1
      while end < name.count, name[end] & 0xC0 == 0x80 { end += 1 }
      return end
    }
  }
}

/// The pattern of `path:`: a folder, a file or a pattern, regardless of case, diacritics and composition; or one exact
/// path.
struct PathCondition: Sendable {
  private let glob: Glob
  private let isExact: Bool

  /// - Parameter isExact: whether the pattern is compared with the exact path, not with its folded form.
  init(_ glob: Glob, isExact: Bool) {
    self.glob = glob
    self.isExact = isExact
  }

  /// Whether a path is covered.
  func covers(_ path: [UInt8]) -> Bool { glob.covers(isExact ? path : Folding.fold(path[...])) }
}

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
  private let globs: [[PathCondition]]

  package init(_ patterns: [Pattern]) {
    self.patterns = patterns
    globs = patterns.map { pattern in
      Self.variants(of: pattern.text).map {
        PathCondition(folderOrGlob: $0, isBeginning: pattern.isBeginning)
      }
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

extension PathCondition {
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
