extension NoteText {
  /// The comments in the front-matter, each from its `#` to the end of its line, without blanks at the end.
  ///
  /// - Complexity: that of reading the front-matter.
  var comments: [ArraySlice<UInt8>] {
    guard let frontMatter, format == .yaml, bytes[frontMatter].contains(UInt8(ascii: "#")) else { return [] }
    let texts = FieldPlace.all(in: self).flatMap { [$0.name] + $0.values.map(\.range) }
      .sorted { $0.lowerBound < $1.lowerBound }
    var (comments, place): ([ArraySlice<UInt8>], Int) = ([], 0)
    for line in bytes[frontMatter].split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      // Whether a quote is open that belongs to a value of no known range.
      var (isSingle, isDouble) = (false, false)
      for index in line.indices {
        while place < texts.count, texts[place].upperBound <= index { place += 1 }
        if place < texts.count, texts[place].contains(index) { continue }
        switch line[index] {
        case UInt8(ascii: "'") where !isDouble: isSingle.toggle()
        case UInt8(ascii: "\"") where !isSingle: isDouble.toggle()
        case UInt8(ascii: "#") where !isSingle && !isDouble && Self.isApart(index, in: line):
          let end = line.lastIndex { $0 != 0x20 && $0 != 0x09 } ?? index
          comments.append(line[index...end])
        default: continue
        }
        if comments.last?.startIndex == index { break }
      }
    }
    return comments
  }

  /// Whether a byte is the first of its line or follows a blank.
  private static func isApart(_ index: Int, in line: ArraySlice<UInt8>) -> Bool {
    index == line.startIndex || line[index - 1] == 0x20 || line[index - 1] == 0x09
  }

  /// Returns the block with lines of comments before its closing fence; nil if a field would change by that.
  func adding(comments: [ArraySlice<UInt8>]) -> NoteText? {
    guard let frontMatter else { return nil }
    let added = comments.flatMap { $0 + lineEnd }
    let fields = FrontMatter(self).fields.map { ($0.name, $0.value) }
    for place in [frontMatter.upperBound, frontMatter.lowerBound] {
      let text = NoteText(bytes[..<place] + added + bytes[place...])
      let reading = FrontMatter(text)
      guard reading.isWritable, reading.fields.count == fields.count else { continue }
      let isSame = zip(reading.fields, fields).allSatisfy {
        $0.name.hasSameBytes(as: $1.0) && $0.value == $1.1
      }
      if isSame { return text }
    }
    return nil
  }
}
