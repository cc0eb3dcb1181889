import NoteIndex
import Notes
import SlipboxCore
import Synchronization

/// The notes around an embedded one, and how much a page may still embed.
struct Embedding: Sendable {
  /// The note of the page; nil if none is shown.
  var host: Int?
  /// The numbers of the embedded notes, the outermost first.
  var trail: [Int] = []
  let budget = EmbedBudget()

  /// Notes are embedded in each other so deep.
  static let deepest = 4
}

/// The bytes of embedded notes that a page may still have.
final class EmbedBudget: Sendable {
  private let left = Mutex(1 << 20)

  var isUsedUp: Bool { left.withLock { $0 <= 0 } }

  func use(_ count: Int) { left.withLock { $0 -= count } }
}

extension NoteMarks {
  /// A note, or the part of it that a link names, as it is shown inside of another note; nil if a link to it is shown.
  ///
  /// That is so if the note is around itself, deeper than `Embedding.deepest`, or if the page has enough of such notes.
  func embedded(_ number: Int, _ link: BodyScan.Link) -> MarkupWriter? {
    guard embedding.trail.count < Embedding.deepest, !embedding.trail.contains(number),
      embedding.host != number, !embedding.budget.isUsedUp
    else { return nil }
    let note = contents.entry(number).note
    let spelling = LinkSpelling(link, reading: 1)
    var whole = note.text
    var shift = 0
    if let mark = spelling.suffix.firstIndex(of: UInt8(ascii: "#")) {
      let name = String(
        decoding: spelling.decodedHeading(spelling.suffix[(mark + 1)...]), as: UTF8.self)
      let part: NotePart = name.hasPrefix("^") ? .block(name) : .heading(name)
      guard let span = try? whole.span(of: part, takesFirst: true) else { return nil }
      // A line end before the part keeps it from being front-matter.
      shift = 1 - span.whole.lowerBound
      whole = NoteText([0x0A] + whole.bytes[span.whole])
    }
    let shown = shift == 0 ? note : Note(path: note.path, text: whole)
    var inner = self
    inner.embedding.trail.append(number)
    var out = MarkupWriter()
    NoteBody(embedding: shown, whole, inner, number: number, shift: shift).write(&out)
    embedding.budget.use(out.bytes.count + 100)
    return out
  }
}
