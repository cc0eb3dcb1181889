import Git
import NoteIndex
import Notes
import Platform

/// The files of the box that a sparse checkout leaves out of the work tree. Git has them, so links to them lead somewhere.
struct LeftOutFiles: Sendable {
  private let others: OtherFiles
  private let notes: Entries
  private let resolver: LinkResolver

  /// Nil if the checkout leaves nothing out.
  ///
  /// In a partial clone the notes count by their paths alone: nothing is fetched.
  /// - Complexity: O(n) in the entries of git's index; the notes that are left out are read.
  init?(of box: Box) throws(SlipboxError) {
    guard box.withRepository({ $0.isSparse }) else { return nil }
    let isPartial = box.withRepository { $0.isPartialClone }
    let entries = try box.git { repository throws(GitError) in try repository.indexEntries() }
    var (notes, others): ([Entry], [[UInt8]]) = ([], [])
    for entry in entries where entry.skipWorktree && entry.isFile && entry.path.starts(with: box.prefix) {
      let path = Array(entry.path.dropFirst(box.prefix.count))
      guard !box.isThere(path) else { continue }
      if box.isNoteFile(entry.path) {
        let bytes = isPartial ? [] : try box.blob(entry.id)
        notes.append(Entry(undated: Note(path: path, text: NoteText(bytes))))
      } else {
        others.append(path)
      }
    }
    guard !notes.isEmpty || !others.isEmpty else { return nil }
    self.others = OtherFiles(others, links: [], leftovers: [])
    self.notes = Entries(notes)
    resolver = LinkResolver(self.notes, executor: BoxSnapshot.executor)
  }

  /// The file that a link in the note with a path leads to; of several notes with the name, the first.
  func file(of link: BodyScan.Link, from path: [UInt8]) -> [UInt8]? {
    switch resolver.meaning(of: link, from: path) {
    case .note(let place): notes.path(at: place)
    case .ambiguous(let places): places.first.map { notes.path(at: $0) }
    case .dangling: BoxSnapshot.linkedFile(of: link, from: path, among: others)
    case .itself, .url: nil
    }
  }
}
