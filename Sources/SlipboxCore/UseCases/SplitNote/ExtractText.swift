package import NoteIndex
import Notes
import Text

extension BoxSnapshot {
  /// The plan that makes a note of a part of another one's text and leaves a link in its place.
  ///
  /// Its first line is the title; a part that is a single line leaves nothing but that. Relative links in the part lead
  /// where they led.
  /// - Parameter range: the part, in bytes of the note; blanks around it stay.
  /// - Throws: `.usage` where the part is empty or not of the body, `.badData` where no link would lead to the new note.
  package func extracting(
    _ range: Range<Int>, from entry: Entry, ids: IDSource
  ) throws(SlipboxError) -> SplitNote.Result {
    let old = entry.note
    let range = Self.withoutBlanks(range, of: old.text)
    guard !range.isEmpty, range.lowerBound >= old.text.body.lowerBound else {
      throw SlipboxError(.usage, "select text in the note's body")
    }
    let part = Array(old.text.bytes[range])
    let (title, rest) = Self.titled(part)
    guard !title.isEmpty else { throw SlipboxError(.usage, "the selected text has no words for a title") }
    try settings.refuseBad("path")
    let id = try freeID(ids)
    let head = try text(of: Draft(title: title), id: id)
    let path = newPath(Note(path: [], text: head), id: id)
    try refuseAsPlace(path)
    let whole = keepingRelativeLinks(of: rest.isEmpty ? head : head.appending(rest), from: old.path, at: path)
    let made = Entry(note: Note(path: path, text: whole), created: clock.now)
    let kept = try KeptLinks([], made: [made], in: self)
    guard let link = kept.mending.wikiLink(to: made.note, from: old.path) else {
      throw SlipboxError(
        .badData, "links to a note titled \(Visible.escape(title)) would be ambiguous",
        hints: ["change the first line of the selection"])
    }
    let edits = [
      FileEdit(path: old.path) { bytes throws(SlipboxError) in
        guard let bytes else { throw FileEdit.gone(old) }
        guard range.upperBound <= bytes.count, bytes[range].elementsEqual(part) else {
          throw SlipboxError(.busy, "\(old.shownName) changed meanwhile", hints: ["try again"])
        }
        return bytes[..<range.lowerBound] + Array("[[\(link)]]".utf8) + bytes[range.upperBound...]
      },
      FileEdit(path: path) { bytes throws(SlipboxError) in
        guard bytes == nil else { throw Self.taken(path) }
        return whole.bytes
      },
    ]
    let plan = Plan(command: "split", edits: edits) { _ in "Split \(title) from \(old.title)" }
    return SplitNote.Result(note: made.note, plan: plan)
  }

  private static func withoutBlanks(_ range: Range<Int>, of text: NoteText) -> Range<Int> {
    let isBlank = { (byte: UInt8) in [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
    let bytes = text.bytes[range]
    guard let first = bytes.firstIndex(where: { !isBlank($0) }),
      let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return range.lowerBound..<range.lowerBound }
    return first..<last + 1
  }

  /// The longest title that a line gives, in bytes.
  private static let longestTitle = 80

  /// The title that the first line gives, and the text of the note.
  private static func titled(_ part: [UInt8]) -> (title: String, text: [UInt8]) {
    let end = part.firstIndex(of: 0x0A) ?? part.endIndex
    let line = part[..<end].drop { "#*+-> \t".utf8.contains($0) }
    let isHeading = part.first == UInt8(ascii: "#")
    let title = Note.titleOnOneLine(PlainText.of(Array(line)))
    if title.utf8.count <= longestTitle {
      let rest =
        end < part.endIndex && !isHeading ? part : Array(part[end...].drop { $0 == 0x0A || $0 == 0x0D })
      return (title, rest)
    }
    var words = ""
    for word in title.split(separator: " ") where words.utf8.count + word.utf8.count < longestTitle {
      words += words.isEmpty ? String(word) : " \(word)"
    }
    return (words.isEmpty ? String(title.prefix(longestTitle / 4)) : words, part)
  }
}
