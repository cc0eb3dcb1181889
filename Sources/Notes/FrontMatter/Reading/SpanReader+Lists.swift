/// A list as the span reader finds it.
struct SpannedList {
  var values: [FieldValue] = []
  var spans: [ElementSpan] = []
  /// A flow list with its brackets.
  var range = 0..<0
  /// The start of the line after the last element.
  var next = 0
  /// The number of that line in the file.
  var line = 0
}

extension SpanReader {
  /// Returns the next line that is neither blank nor a comment, and where its text begins.
  func significantLine(from next: Int) -> (start: Int, text: Int, lines: Int)? {
    var start = next
    var lines = 0
    while start < end {
      guard let following = emptyLineEnd(from: start) else { return (start, afterBlanks(start), lines) }
      start = following
      lines += 1
    }
    return nil
  }

  /// Says whether a dash that begins an element of a block list stands at an offset.
  func isEntry(_ offset: Int) -> Bool { bytes[offset] == UInt8(ascii: "-") && isBlankOrEnd(offset + 1) }

  /// Reads a block list of scalars, or returns nil where one of its lines is not recognised.
  func blockList(at first: (start: Int, text: Int, lines: Int)) -> SpannedList? {
    let column = first.text - first.start
    var list = SpannedList()
    var entry = first
    list.line = line + 1
    while true {
      let value = afterBlanks(entry.text + 1)
      guard let scalar = scalar(at: value, inFlow: false),
        let next = lineEnd(afterValue: scalar.range.upperBound)
      else { return nil }
      list.values.append(scalar.value)
      if keepsShapes {
        list.spans.append(
          ElementSpan(range: scalar.range, style: scalar.style, lines: entry.start..<next))
      }
      list.next = next
      list.line += entry.lines + 1
      guard let below = significantLine(from: next) else { return list }
      if below.text - below.start == column, isEntry(below.text) {
        entry = below
      } else {
        return below.text == below.start ? list : nil
      }
    }
  }

  /// Reads a one-line flow list of scalars, or returns nil where it is not one.
  func flowList(at bracket: Int) -> SpannedList? {
    var list = SpannedList()
    var index = afterBlanks(bracket + 1)
    while index < end {
      if bytes[index] == UInt8(ascii: "]") {
        list.range = bracket..<index + 1
        return list
      }
      guard let scalar = scalar(at: index, inFlow: true) else { return nil }
      list.values.append(scalar.value)
      if keepsShapes {
        list.spans.append(ElementSpan(range: scalar.range, style: scalar.style, lines: scalar.range))
      }
      index = afterBlanks(scalar.range.upperBound)
      guard index < end else { return nil }
      if bytes[index] == UInt8(ascii: ",") {
        index = afterBlanks(index + 1)
      } else if bytes[index] != UInt8(ascii: "]") {
        return nil
      }
    }
    return nil
  }
}
