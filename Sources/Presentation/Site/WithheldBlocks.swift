import NoteIndex
import Notes
import SlipboxCore

/// The contents of baked blocks that a site does not show, since they may tell of notes that are not on it.
///
/// A block is shown if its answer is up to date and comes from notes of the site alone.
struct WithheldBlocks: Sendable {
  /// The bytes of the contents, by the paths of the notes.
  private var ranges: [[UInt8]: [Range<Int>]] = [:]

  /// Works out the answer of each block on the site; none if all notes are on it.
  ///
  /// - Complexity: that of the commands of the blocks.
  init(_ snapshot: BoxSnapshot, _ entries: Entries, shown: [Int]) throws(SlipboxError) {
    guard shown.count < entries.count else { return }
    let paths = Set(shown.map { entries.path(at: $0) })
    let presenter = NotePresenter(snapshot)
    var places: [String] = []
    for entry in try snapshot.entriesWithBlocks() where paths.contains(entry.note.path) {
      for block in BakedBlock.all(in: entry.note.text) {
        guard !Self.isPublic(block, of: entry.note, in: snapshot, presenter, paths) else { continue }
        ranges[entry.note.path, default: []].append(block.content)
        places.append("\(entry.note.shownName):\(block.line)")
      }
    }
    guard let first = places.first else { return }
    let others = places.count == 1 ? "" : " and \(places.count - 1) more"
    snapshot.reporter.warn(
      "the list at \(first)\(others) is left out: it is out of date, or comes from notes that are left out")
  }

  private static func isPublic(
    _ block: BakedBlock, of note: Note, in snapshot: BoxSnapshot, _ presenter: NotePresenter,
    _ paths: Set<[UInt8]>
  ) -> Bool {
    guard let view = try? View(line: block.command, forms: View.Form.ofBlocks),
      let answer = try? ViewAnswer(view, in: snapshot)
    else { return false }
    let lines = answer.markdown(presenter, from: note.path)
    let content = BoxSnapshot.content(ofBlock: lines, lineEnd: note.text.lineEnd)
    guard note.text.bytes[block.content].elementsEqual(content) else { return false }
    let entries =
      switch answer {
      case .agenda, .todos: answer.entries
      // Counts and sums come from all notes of the query.
      default: (try? ViewNotes(view, in: snapshot).matches.map(\.entry)) ?? []
      }
    return entries.allSatisfy { paths.contains($0.note.path) }
  }

  /// The text of a note with blanks in the place of these contents.
  ///
  /// - Parameter text: the text, or one in which all stands where it stood.
  func blanked(_ text: NoteText, of note: Note) -> NoteText {
    guard let ranges = ranges[note.path] else { return text }
    var bytes = text.bytes
    for place in ranges.joined() where bytes[place] != 0x0A && bytes[place] != 0x0D { bytes[place] = 0x20 }
    return NoteText(bytes)
  }
}
