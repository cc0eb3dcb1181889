import Git
import Notes
import Platform

/// Finds the former paths of notes that another program moved and nobody committed.
///
/// A commit of such a note at its new path alone would hold it twice: every clone would have two notes with one id.
struct MovedByHand {
  private let box: Box
  /// The notes of the last commit that are gone from the work tree, by their blobs.
  private var byBlob: [ObjectID: TreeEntry] = [:]
  /// The same by the notes' ids.
  private var byID: [NoteID: TreeEntry] = [:]

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
    if let id = Note(path: path, text: NoteText(try box.blob(file.id))).id { byID[id] = file }
  }

  /// The entry of the last commit that a note at a new path comes from: one that is gone and has the note's id, or, for
  /// a note without an id, its bytes.
  func origin(of path: [UInt8], _ bytes: [UInt8], blob: ObjectID) -> TreeEntry? {
    guard FileName.isNote(path), !byBlob.isEmpty else { return nil }
    if let id = Note(path: path, text: NoteText(bytes)).id { return byID[id] }
    return byBlob[blob]
  }
}

extension BoxWriter {
  /// The removals that belong to the changes of a draft: those of notes at paths that the last commit does not have, and
  /// that it has at another path where nothing is any more.
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
    for (number, change) in draft.changes.enumerated() where heads[number] == nil {
      let found =
        draft.files == .asFound ? (change.to, files[number].new) : (change.from, files[number].old)
      guard case .file(let bytes, _) = found.0, let blob = found.1?.id else { continue }
      if finder == nil {
        finder = try MovedByHand(box, at: try box.tip(), gonePaths: try gonePaths(), without: known)
      }
      guard let origin = finder?.origin(of: change.path, bytes, blob: blob) else { continue }
      let path = Array(origin.path.dropFirst(box.prefix.count))
      guard known.insert(path).inserted else { continue }
      origins.append(FileDifference(path: path, old: origin, new: nil))
    }
    return origins
  }

  /// The notes that are gone, as this command has read the box; nil if it has not.
  private func gonePaths() throws(SlipboxError) -> [[UInt8]]? {
    guard let snapshot, snapshot.knownContents != nil else { return nil }
    return try snapshot.outsideChanges().filter { $0.difference == .deleted }.map(\.path)
  }
}
