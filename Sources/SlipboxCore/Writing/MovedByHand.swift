import Git
import NoteIndex
import Notes
import Platform

/// Finds the former paths of notes that another program moved and that are not committed.
///
/// A commit of such a note at its new path alone would contain it twice: every clone would have two notes with one id.
struct MovedByHand {
  private let box: Box
  /// The notes of the last commit that are gone from the work tree, by their blobs.
  private var byBlob: [ObjectID: TreeEntry] = [:]
  /// The same by the notes' ids.
  private var byID: [NoteID: TreeEntry] = [:]
  /// The notes without an id, with their texts.
  private var withoutID: [(file: TreeEntry, text: TextChunks)] = []

  /// - Parameters:
  ///   - gonePaths: the paths of notes that are gone; nil if they are not known, and each file is looked for.
  ///   - kept: paths whose removal is committed anyway.
  init(
    _ box: Box, at tip: ObjectID?, gonePaths: [[UInt8]]?, without kept: Set<[UInt8]>
  ) throws(SlipboxError) {
    self.box = box
    let committed = try CommittedFiles(box, at: tip, withIndex: true)
    if let gonePaths {
      for path in gonePaths where !kept.contains(path) {
        if let file = try committed.file(path) { try add(file) }
      }
      return
    }
    for file in try committed.files() where file.isRegular && box.isNoteFile(file.path) {
      let path = Array(file.path.dropFirst(box.prefix.count))
      if kept.contains(path) || box.isThere(path) || committed.hidingFlag(path) != nil { continue }
      try add(file)
    }
  }

  private mutating func add(_ file: TreeEntry) throws(SlipboxError) {
    byBlob[file.id] = file
    let path = Array(file.path.dropFirst(box.prefix.count))
    let bytes = try box.content(of: file.id, at: path)
    if let id = Note(path: path, text: NoteText(bytes)).id {
      byID[id] = file
    } else {
      withoutID.append((file, TextChunks(bytes)))
    }
  }

  /// Returns the entry of the last commit that a note at a new path comes from. The file of that entry is gone. It has
  /// the note's id or, for a note without an id, its bytes.
  func origin(of path: [UInt8], _ bytes: [UInt8], blob: ObjectID) -> TreeEntry? {
    guard FileName.isNote(path), !byBlob.isEmpty else { return nil }
    if let id = Note(path: path, text: NoteText(bytes)).id { return byID[id] }
    return byBlob[blob]
  }

  /// A note without an id at a new path, with its text.
  struct NewNote {
    let path: [UInt8]
    let text: TextChunks

    /// Returns nil for a file that is not a note, and for a note with an id.
    init?(_ path: [UInt8], _ bytes: [UInt8]) {
      guard FileName.isNote(path), Note(path: path, text: NoteText(bytes)).id == nil else { return nil }
      (self.path, text) = (path, TextChunks(bytes))
    }
  }

  /// The maximum number of comparisons of whole texts. If more were necessary, none is made.
  private static let mostComparisons = 40_000

  /// Returns the entry that a new note was edited from: the only entry whose file is gone and that has half of the text,
  /// as git finds renames.
  ///
  /// - Parameters:
  ///   - others: the other new notes. If one of them comes from the same entry, it is not certain which one moved.
  ///   - taken: paths of the box that other notes came from.
  func similarOrigin(
    of note: NewNote, among others: [NewNote], without taken: Set<[UInt8]>
  ) -> TreeEntry? {
    guard withoutID.count * (others.count + 1) <= Self.mostComparisons else { return nil }
    let fitting = withoutID.filter { gone in
      !taken.contains(Array(gone.file.path.dropFirst(box.prefix.count)))
        && gone.text.similarity(to: note.text) >= TextChunks.leastOfRename
    }
    guard fitting.count == 1, let origin = fitting.first else { return nil }
    let isContested = others.contains { other in
      other.path != note.path && origin.text.similarity(to: other.text) >= TextChunks.leastOfRename
    }
    return isContested ? nil : origin.file
  }

  var hasNotesWithoutID: Bool { !withoutID.isEmpty }
}

extension BoxWriter {
  /// Returns the removals that belong to the changes of a draft: removals of the former paths of notes that the last
  /// commit does not have at their new paths. A former path qualifies if it has no file any more.
  ///
  /// - Parameters:
  ///   - files: the changes as git has them, in their order.
  ///   - heads: the blobs that the last commit has for them.
  func origins(
    of draft: CommitDraft, _ files: [FileDifference], _ heads: [ObjectID?]
  ) throws(SlipboxError) -> [FileDifference] {
    if case .saved = draft.files { return [] }
    var finder: MovedByHand?
    var known = Set(draft.changes.map(\.path))
    var origins: [FileDifference] = []
    var edited: [MovedByHand.NewNote] = []
    for (number, change) in draft.changes.enumerated() where heads[number] == nil {
      let found =
        draft.files == .asFound ? (change.to, files[number].new) : (change.from, files[number].old)
      guard case .file(let bytes, _) = found.0, let blob = found.1?.id else { continue }
      if finder == nil {
        finder = try MovedByHand(box, at: try box.tip(), gonePaths: try gonePaths(), without: known)
      }
      guard let origin = finder?.origin(of: change.path, bytes, blob: blob) else {
        if finder?.hasNotesWithoutID == true, let note = MovedByHand.NewNote(change.path, bytes) {
          edited.append(note)
        }
        continue
      }
      let path = Array(origin.path.dropFirst(box.prefix.count))
      guard known.insert(path).inserted else { continue }
      origins.append(FileDifference(path: path, old: origin, new: nil))
    }
    guard let finder, !edited.isEmpty else { return origins }
    let others = try newNotes(besides: known)
    for note in edited {
      guard let origin = finder.similarOrigin(of: note, among: edited + others, without: known) else {
        continue
      }
      let path = Array(origin.path.dropFirst(box.prefix.count))
      known.insert(path)
      origins.append(FileDifference(path: path, old: origin, new: nil))
    }
    return origins
  }

  /// Returns the notes that are not committed yet, as this command has read the box.
  private func newNotes(besides known: Set<[UInt8]>) throws(SlipboxError) -> [MovedByHand.NewNote] {
    guard let snapshot, snapshot.knownContents != nil else { return [] }
    var notes: [MovedByHand.NewNote] = []
    for change in try OutsideChanges(in: snapshot).notes()
    where change.difference == .new && !known.contains(change.path) {
      if let bytes = try box.bytes(at: change.path), let note = MovedByHand.NewNote(change.path, bytes) {
        notes.append(note)
      }
    }
    return notes
  }

  /// Returns the notes that are gone, as this command has read the box; nil if it has not read it.
  private func gonePaths() throws(SlipboxError) -> [[UInt8]]? {
    guard let snapshot, snapshot.knownContents != nil else { return nil }
    return try OutsideChanges(in: snapshot).notes().filter { $0.difference == .deleted }.map(\.path)
  }
}
