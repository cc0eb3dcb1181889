import Bytes
import Text

extension TextPattern {
  /// Reads a text to search for by word; nil if it has nothing to search for.
  ///
  /// A star without quotes at the end is the rest of a word; elsewhere it matches anything on the line.
  init?(_ value: ArraySlice<QueryLetter>) {
    let pieces = value.split(omittingEmptySubsequences: false) { $0.isPlain("*") }.map(\.bytes)
    guard pieces.count > 1 else {
      self.init(plain: value.bytes)
      return
    }
    if pieces.count == 2, pieces[1].isEmpty, Self.endsInWord(pieces[0]),
      let pattern = WordPattern(pieces[0], isPrefix: true)
    {
      self = .words(pattern)
    } else if let pattern = WildcardPattern(pieces) {
      self = .wildcard(pattern)
    } else {
      return nil
    }
  }

  /// Makes the pattern of a text without operators; nil if it has nothing to search for.
  init?(plain text: [UInt8]) {
    if let pattern = WordPattern(text, isPrefix: false) {
      self = .words(pattern)
      return
    }
    let signs = Folding.fold(text[...])
    guard !signs.allSatisfy(ASCII.isBlank) else { return nil }
    self = .signs(ByteSearch(signs))
  }

  private static func endsInWord(_ text: [UInt8]) -> Bool {
    let folded = Folding.fold(text[...])
    return Words.ranges(in: folded[...]).last?.upperBound == folded.endIndex
  }
}

extension Glob {
  /// Reads a name in which `*` and `?` without quotes have a meaning.
  init(_ value: ArraySlice<QueryLetter>, folding: Bool, reach: Reach) {
    let steps = value.split(omittingEmptySubsequences: false) { $0.isPlain("*") || $0.isPlain("?") }
    var result: [Step] = []
    for part in steps {
      let bytes = folding ? Folding.fold(part.bytes[...]) : part.bytes
      result += bytes.map(Step.byte)
      guard part.endIndex < value.endIndex else { continue }
      result.append(value[part.endIndex].isPlain("*") ? .any : .one)
    }
    self.init(result, reach: reach)
  }
}

extension PathCondition {
  /// Reads a folder (`Books/`), a file, or either with wildcards, which also match slashes.
  init(_ value: ArraySlice<QueryLetter>, isExact: Bool) {
    let value = value.count > 2 && value.prefix(2).bytes.elementsEqual("./".utf8) ? value.dropFirst(2) : value
    if isExact {
      self.init(Glob(literal: value.bytes, reach: .whole), isExact: true)
    } else if let last = value.last, last.byte == UInt8(ascii: "/"), value.count > 1 {
      self.init(Glob(value.dropLast(), folding: true, reach: .below), isExact: false)
    } else {
      self.init(Glob(value, folding: true, reach: .wholeOrBelow), isExact: false)
    }
  }
}
