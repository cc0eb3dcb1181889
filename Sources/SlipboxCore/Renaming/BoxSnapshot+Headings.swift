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
    guard let first = numbers.first, numbers.count == 1 else {
      let problem: PartProblem = numbers.isEmpty ? .noHeading : .severalHeadings(numbers)
      throw Self.refusal(of: problem, .heading(name), in: entry.note, text)
    }
    return (anchors, first)
  }
}
