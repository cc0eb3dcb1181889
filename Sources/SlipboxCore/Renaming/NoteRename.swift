import NoteIndex
import Notes

/// One note that gets another name: another path, title or headings.
struct NoteRename {
  let entry: Entry
  /// The path afterwards.
  let path: [UInt8]
  /// Whether links by the old title are to say the new one.
  let rewritesTitle: Bool
  /// What else changes in the note, besides its links.
  let change: (Note) throws(SlipboxError) -> NoteText
  /// Where the headings are afterwards, by the text before and after; nil where they stay as they are.
  let headings: ((NoteText, NoteText) -> HeadingsMove)?

  init(
    _ entry: Entry, to path: [UInt8]? = nil, rewritesTitle: Bool = true,
    headings: ((NoteText, NoteText) -> HeadingsMove)? = nil,
    change: @escaping (Note) throws(SlipboxError) -> NoteText = { note throws(SlipboxError) in note.text }
  ) {
    self.entry = entry
    self.path = path ?? entry.note.path
    self.rewritesTitle = rewritesTitle
    self.headings = headings
    self.change = change
  }

  /// The same headings in the same order, some with other texts.
  static func inPlace(_ path: [UInt8]) -> (NoteText, NoteText) -> HeadingsMove {
    { before, after in
      let (old, new) = (HeadingAnchors(before), HeadingAnchors(after))
      return HeadingsMove(old, [.init(old.headings.indices, path: path, anchors: new, start: 0)])
    }
  }

  var isMove: Bool { path != entry.note.path }

  /// The note with its new name; its links are as they were.
  func successor() throws(SlipboxError) -> NoteSuccessor {
    let text = try change(entry.note)
    let note = Note(path: path, text: text)
    return NoteSuccessor(
      entry, becomes: Entry(note: note, created: entry.created, kind: entry.kind),
      rewritesTitle: rewritesTitle, headings: headings.map { $0(entry.note.text, text) })
  }
}
