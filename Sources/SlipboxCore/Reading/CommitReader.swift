import Bytes
package import Git
import NoteIndex
import Notes
import Platform
import Synchronization

/// Makes snapshots of commits: facts by content id from the kept catalogue, other blobs read; nothing is checked out.
package struct CommitReader: Sendable {
  private let box: Box
  private let context: CommandContext

  package init(_ box: Box, _ context: CommandContext) {
    self.box = box
    self.context = context
  }

  /// The box as a commit has it, with the settings and kinds of that commit.
  ///
  /// - Parameter isLenient: whether settings that can't be read are taken to be the standard ones.
  /// - Throws: `.configuration` where its settings can't be read, `.notFound` where there is no such commit.
  package func snapshot(of commit: ObjectID, isLenient: Bool = false) throws(SlipboxError) -> BoxSnapshot {
    try snapshot(of: commit, sharing: nil, isLenient: isLenient)
  }

  /// The same, with the notes of other commits that it may share.
  func snapshot(
    of commit: ObjectID, sharing shared: SharedNotes?, isLenient: Bool = false
  ) throws(SlipboxError) -> BoxSnapshot {
    let bytes = try box.bytes(at: Settings.boxFile, in: commit)
    let settings = try Settings.ofBox(bytes, isLenient: isLenient)
    return BoxSnapshot(
      box, .commit(commit), settings: settings, context, textFailures: shared?.textFailures ?? TextFailures()
    ) { [self] (snapshot) throws(SlipboxError) in .commit(try notes(of: snapshot, shared)) }
  }

  private func notes(of snapshot: BoxSnapshot, _ shared: SharedNotes?) throws(SlipboxError) -> CommitNotes {
    let kept = snapshot.keptCatalogue()
    let files = try noteFiles(of: snapshot)
    let (hidden, added) = matched(files, kept)
    // Where nothing is left of what is kept, nothing need be merged with it.
    let shown = kept.flatMap { hidden.count < $0.snapshot.documentCount ? $0 : nil }
    let making = CatalogueMaking(snapshot, kept)
    let known = shared?.entries(of: added, making) ?? (entries: [], missing: added)
    let read = try BlobNotes(snapshot, making, kept).entries(of: known.missing)
    shared?.keep(read.entries, of: known.missing)
    let notes = try CatalogueMaking(snapshot, shown).notes(
      hiding: hidden, adding: known.entries + read.entries, redating: true)
    return CommitNotes(notes: notes, unreadable: read.unreadable, kept: shown, files: files)
  }

  /// The files of the commit that are notes, by path. Symbolic links name notes that have their own path.
  private func noteFiles(of snapshot: BoxSnapshot) throws(SlipboxError) -> [CommitNotes.File] {
    let all = try snapshot.committedFiles().files()
    let excluded = box.excluded
    var files: [CommitNotes.File] = []
    var links: [(path: [UInt8], id: ObjectID)] = []
    for file in all {
      let path = Array(file.path.dropFirst(box.prefix.count))
      guard FileName.isNote(path), !FileName.isHidden(path), !excluded.covers(path) else { continue }
      if file.mode == TreeEntry.symbolicLink {
        links.append((path, file.id))
      } else {
        files.append(CommitNotes.File(path: path, content: ContentID(file.id.bytes)))
      }
    }
    guard !links.isEmpty else { return files }
    var known = Set(files.map(\.path))
    for link in links {
      let target = BytePath.join(BytePath.folder(of: link.path), try box.stored(link.id))
      guard let path = BytePath.normalised(target), !FileName.isHidden(path), !known.contains(path),
        !excluded.covers(path),
        let file = try snapshot.committedFiles().file(path), file.mode != TreeEntry.symbolicLink
      else { continue }
      known.insert(path)
      files.append(CommitNotes.File(path: path, content: ContentID(file.id.bytes)))
    }
    return files.sorted { $0.path.lexicographicallyPrecedes($1.path) }
  }

  /// The kept documents that the commit does not have, and the files without a kept document.
  private func matched(
    _ files: [CommitNotes.File], _ kept: KeptCatalogue?
  ) -> (hidden: Set<Int>, added: [CommitNotes.File]) {
    guard let kept else { return ([], files) }
    var hidden: Set<Int> = []
    var added: [CommitNotes.File] = []
    var next = 0
    for row in 0..<kept.table.count {
      guard let document = kept.snapshot.document(ofFile: row) else { continue }
      let path = kept.table.path(of: row)
      while next < files.count, files[next].path.lexicographicallyPrecedes(path) {
        added.append(files[next])
        next += 1
      }
      guard next < files.count, files[next].path == path else {
        hidden.insert(document)
        continue
      }
      if files[next].content != kept.snapshot.content(ofFile: row) {
        hidden.insert(document)
        added.append(files[next])
      }
      next += 1
    }
    return (hidden, added + files[next...])
  }
}

/// The notes of a commit.
struct CommitNotes: Sendable {
  /// A note's file: its path in the box and the id of its blob.
  struct File: Sendable {
    let path: [UInt8]
    let content: ContentID
  }

  let notes: ListedNotes
  /// The notes whose blobs could not be read.
  let unreadable: [UnreadableNote]
  /// The kept catalogue whose documents stand behind the stored entries; nil where there is none.
  let kept: KeptCatalogue?
  /// All notes' files, by path.
  let files: [File]

  /// The content of a note's file; nil where there is none.
  /// - Complexity: O(log n).
  func content(of path: [UInt8]) -> ContentID? {
    var (low, high) = (0, files.count)
    while low < high {
      let middle = (low + high) / 2
      if files[middle].path.lexicographicallyPrecedes(path) { low = middle + 1 } else { high = middle }
    }
    return low < files.count && files[low].path == path ? files[low].content : nil
  }
}

/// The notes of the commits that were read before, for the next one: those that did not change are not made again.
///
/// Of each path the last note is kept.
final class SharedNotes: Sendable {
  private struct Known {
    let content: ContentID
    let note: Note
  }

  /// The failures of all texts: a note that is shared has the source of the snapshot that made it.
  let textFailures = TextFailures()
  private let notes = Mutex<[[UInt8]: Known]>([:])

  /// The note of a file, where the last one at its path had the same content.
  func note(at path: [UInt8], _ content: ContentID) -> Note? {
    notes.withLock { notes in
      guard let known = notes[path], known.content == content else { return nil }
      return known.note
    }
  }

  /// Keeps the note of a file in place of an older one at its path.
  func keep(_ note: Note, _ content: ContentID) {
    notes.withLock { $0[note.path] = Known(content: content, note: note) }
  }
}

extension SharedNotes {
  /// The entries of those files whose notes are known, and the files that are left.
  func entries(
    of files: [CommitNotes.File], _ making: CatalogueMaking
  ) -> (entries: [Entry], missing: [CommitNotes.File]) {
    var entries: [Entry] = []
    var missing: [CommitNotes.File] = []
    for file in files {
      if let note = note(at: file.path, file.content) {
        entries.append(making.entry(of: note))
      } else {
        missing.append(file)
      }
    }
    return (entries, missing)
  }

  /// Keeps the notes of files that were read.
  func keep(_ entries: [Entry], of files: [CommitNotes.File]) {
    let contents = Dictionary(files.map { ($0.path, $0.content) }, uniquingKeysWith: { first, _ in first })
    for entry in entries {
      if let content = contents[entry.note.path] { keep(entry.note, content) }
    }
  }
}
