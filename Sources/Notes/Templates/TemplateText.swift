internal import Text

/// A text with placeholders between `{{` and `}}`; `\{{` stands for the braces themselves.
///
/// A placeholder is filled once: braces in a value that is put in mean nothing.
package struct TemplateText: Sendable {
  private enum Piece: Sendable {
    case text(Range<Int>)
    case placeholder(Placeholder)
  }

  private let bytes: [UInt8]
  private let pieces: [Piece]

  /// Reads a text, such as the value of a setting.
  ///
  /// - Throws: a problem with line and column for a placeholder that is not known, and for `{{` without `}}` on its line.
  package init(_ bytes: [UInt8]) throws(Problem) {
    try self.init(bytes, in: 0..<bytes.count)
  }

  /// Reads a part of a file; problems have the lines of the whole.
  init(_ bytes: [UInt8], in range: Range<Int>) throws(Problem) {
    var pieces: [Piece] = []
    var start = range.lowerBound
    for span in Self.spans(in: bytes, range) {
      pieces.append(.text(start..<span.range.lowerBound))
      start = span.range.upperBound
      do throws(PlaceholderFault) {
        switch span.mark {
        case .placeholder(let inside): pieces.append(.placeholder(try Placeholder(bytes[inside])))
        // The braces without the backslash before them.
        case .escape: pieces.append(.text((span.range.lowerBound + 1)..<span.range.upperBound))
        case .unclosed: throw PlaceholderFault.unclosed
        }
      } catch {
        throw NoteText(bytes).problem(at: span.range.lowerBound, Visible.escape(error.message))
      }
    }
    pieces.append(.text(start..<range.upperBound))
    self.bytes = bytes
    self.pieces = pieces
  }

  /// A text with a backslash before each placeholder that is not known.
  static func escapingUnknown(in bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var start = 0
    for span in spans(in: bytes, 0..<bytes.count) {
      result += bytes[start..<span.range.lowerBound]
      start = span.range.lowerBound
      switch span.mark {
      case .placeholder(let inside):
        if (try? Placeholder(bytes[inside])) == nil { result.append(UInt8(ascii: "\\")) }
      case .unclosed: result.append(UInt8(ascii: "\\"))
      case .escape: break
      }
    }
    return result + bytes[start...]
  }

  /// Whether the text that is given with the command has a place of its own.
  package var holdsSelection: Bool { holds { $0 == .selection } }

  /// Whether it asks for anything that only a note has.
  package var asksNote: Bool { holds { $0.isField || $0 == .title || $0 == .id } }

  private func holds(_ isWanted: (Placeholder) -> Bool) -> Bool {
    pieces.contains { piece in
      if case .placeholder(let placeholder) = piece { isWanted(placeholder) } else { false }
    }
  }

  /// The text with its placeholders filled.
  package func filled(_ values: TemplateValues) -> [UInt8] {
    var result: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .text(let range): result += bytes[range]
      case .placeholder(let placeholder): result += values.bytes(of: placeholder)
      }
    }
    return result
  }
}

extension TemplateText {
  /// What stands at two braces.
  enum Mark {
    case placeholder(inside: Range<Int>)
    /// `\{{`
    case escape
    /// `{{` without `}}` on its line.
    case unclosed
  }

  /// The placeholders of a text and its other pairs of braces, in their order.
  static func spans(in bytes: [UInt8], _ range: Range<Int>) -> [(range: Range<Int>, mark: Mark)] {
    var spans: [(range: Range<Int>, mark: Mark)] = []
    var position = range.lowerBound
    while let open = opening(in: bytes, position..<range.upperBound) {
      if open > position, bytes[open - 1] == UInt8(ascii: "\\") {
        spans.append(((open - 1)..<(open + 2), .escape))
      } else if let close = closing(in: bytes, (open + 2)..<range.upperBound) {
        spans.append((open..<(close + 2), .placeholder(inside: (open + 2)..<close)))
      } else {
        spans.append((open..<(open + 2), .unclosed))
      }
      position = spans.last?.range.upperBound ?? range.upperBound
    }
    return spans
  }

  /// The offset of the next `{{`.
  private static func opening(in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    let brace = UInt8(ascii: "{")
    return range.dropLast().first { bytes[$0] == brace && bytes[$0 + 1] == brace }
  }

  /// The offset of the next `}}`, on the same line.
  private static func closing(in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    let brace = UInt8(ascii: "}")
    for index in range.dropLast() {
      if bytes[index] == 0x0A { return nil }
      if bytes[index] == brace, bytes[index + 1] == brace { return index }
    }
    return nil
  }
}
