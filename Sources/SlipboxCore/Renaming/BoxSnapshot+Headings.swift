import NoteIndex
import Notes
import Text

extension BoxSnapshot {
  /// The one heading of a note that a name means.
  ///
  /// - Throws: `.notFound` where there is none, `.badData` with the lines where there are several.
  func heading(
    _ name: String, of entry: Entry
  ) throws(SlipboxError) -> (anchors: HeadingAnchors, number: Int) {
    let text = entry.note.text
    let anchors = HeadingAnchors(text)
    let numbers = anchors.numbers(named: name)
    let lines = { (numbers: [Int]) in
      numbers.prefix(10).map { number in
        let line = text.position(of: anchors.headings[number].lines.lowerBound).line
        return "  line \(line): \(Visible.escape(anchors.texts[number]))"
      } + SlipboxError.more(numbers.count - 10)
    }
    guard let first = numbers.first else {
      let all = lines(Array(anchors.headings.indices))
      throw SlipboxError(
        .notFound, "\(entry.note.shownName) has no heading \(Visible.escape(name))",
        hints: all.isEmpty ? [] : ["its headings are:"] + all)
    }
    guard numbers.count == 1 else {
      throw SlipboxError(
        .badData, "\(Visible.escape(name)) fits \(numbers.count) headings of \(entry.note.shownName)",
        hints: lines(numbers) + ["add the heading above it: REF#ABOVE#HEADING"])
    }
    return (anchors, first)
  }
}
