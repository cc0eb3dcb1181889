package import Git
package import Notes
import Text

/// The effect of one command on the box: one commit of slip's, or a commit that another program made.
///
/// A commit's message contains everything except author and time, see `OperationTrailers`. If many notes changed, it
/// contains only their number, and the changes are computed from the trees, see `init(of:in:below:)`.
package struct Operation: Sendable, Equatable {
  /// The id; nil if another program made the commit.
  package let id: OperationID?
  /// The command as it was typed, without its arguments; nil if another program made the commit.
  package let command: String?
  /// The face of slip that sent the command, such as `lsp`; nil for the command line.
  package let face: String?
  /// The name of the device on which the command ran; nil if the commit does not have it.
  package let device: String?
  /// The author's name.
  package let author: String
  /// The author's time and offset.
  package let time: Timestamp
  /// The change in one line.
  package let subject: String
  /// The user's reason for it (`-m`), or the other text of the message.
  package let reason: String?
  /// The changes; complete if `isWhole`.
  package let changes: [NoteChange]
  /// The number of changed notes; nil if it is not known.
  package let noteCount: Int?
  /// The operation that this one undoes or redoes; nil for any other.
  package let reversal: Reversal?
  /// The digest of the files that it changed; nil if the commit has none.
  var filesDigest: String?

  /// The effect of an operation on an earlier one.
  package enum Reversal: Sendable, Equatable {
    /// - Parameter passing: newer operations without changes to undo, which undo skipped; they are no longer next.
    case undo(OperationID, passing: [OperationID] = [])
    case redo(OperationID)
  }

  /// The new paths of the notes that moved, by the old ones, as far as `changes` lists them.
  var moves: [[UInt8]: [UInt8]] {
    var moves: [[UInt8]: [UInt8]] = [:]
    for change in changes { if case .moved(let old, let new) = change.file { moves[old] = new } }
    return moves
  }

  /// Whether `changes` is complete.
  package var isWhole: Bool { noteCount == changes.count }

  /// Returns the letters by which people name it: the first of its id, or of the id of its commit if it has none.
  package func shownID(in commit: ObjectID) -> String { String((id?.description ?? commit.hex).prefix(8)) }

  /// Creates an operation as a commit records it.
  init(
    recorded id: OperationID?, command: String?, face: String? = nil, device: String?, author: Signature,
    subject: String, reason: String?, changes: [NoteChange], noteCount: Int?, reversal: Reversal? = nil
  ) {
    self.id = id
    self.command = command
    self.face = face
    self.device = device
    self.author = author.name
    time = Timestamp(seconds: author.seconds, offsetSeconds: author.offsetMinutes * 60)
    self.subject = subject
    self.reason = reason
    self.changes = changes
    self.noteCount = noteCount
    self.reversal = reversal
  }

  /// Creates an operation that is to be committed.
  ///
  /// Texts get the form that they have in a commit: no control characters, one line (the reason: several) and for the
  /// subject at most 100 characters.
  /// - Parameter noteCount: the number of changed notes, if `changes` is incomplete.
  package init(
    id: OperationID, command: String, face: String? = nil, device: String, author: Signature, subject: String,
    reason: String? = nil, changes: [NoteChange], noteCount: Int? = nil, reversal: Reversal? = nil
  ) {
    self.init(
      recorded: id, command: Self.line(command), face: face.map(Self.line), device: Self.line(device),
      author: author, subject: Self.subjectLine(subject), reason: reason.flatMap(Self.paragraphs),
      changes: changes.filter { !$0.isEmpty }, noteCount: noteCount ?? Self.count(changes), reversal: reversal
    )
  }

  private static func count(_ changes: [NoteChange]) -> Int? {
    let count = changes.count { !$0.isEmpty }
    return count == 0 ? nil : count
  }
}

extension Operation {
  /// The operation with all its changes inverted; its other parts still describe the operation itself.
  package var inverse: Operation { with(changes.map(\.inverse), noteCount: noteCount) }

  /// Returns the operation with other changes.
  func with(_ changes: [NoteChange], noteCount: Int?) -> Operation {
    Operation(self, changes: changes, noteCount: noteCount)
  }

  private init(_ other: Operation, changes: [NoteChange], noteCount: Int?) {
    id = other.id
    command = other.command
    face = other.face
    device = other.device
    author = other.author
    time = other.time
    subject = other.subject
    reason = other.reason
    self.changes = changes
    self.noteCount = noteCount
    reversal = other.reversal
  }
}

extension Operation {
  /// Returns a text as the subject of a commit: one line without control characters, at most 100 characters.
  static func subjectLine(_ text: String) -> String {
    let line = line(text)
    return line.count <= 100 ? line : line.prefix(99) + "…"
  }

  /// Returns a text on one line, without control characters or surrounding spaces; "-" if nothing is left.
  private static func line(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in Phrase(text).description.unicodeScalars { scalars.append(scalar == "\t" ? " " : scalar) }
    let end = scalars.reversed().drop { $0 == " " }.reversed()
    let line = String(String.UnicodeScalarView(end.drop { $0 == " " }))
    return line.isEmpty ? "-" : line
  }

  /// Returns a text of several lines without control characters or surrounding blank lines; nil if nothing is left.
  static func paragraphs(_ text: String) -> String? {
    var lines = Visible.escape(text, keepingLines: true).utf8
      .split(separator: 10, omittingEmptySubsequences: false)[...]
    let isBlank: (Substring.UTF8View) -> Bool = { $0.allSatisfy { $0 == 32 || $0 == 9 } }
    while let line = lines.first, isBlank(line) { lines.removeFirst() }
    while let line = lines.last, isBlank(line) { lines.removeLast() }
    return lines.isEmpty ? nil : lines.map { String(Substring($0)) }.joined(separator: "\n")
  }
}

/// The permanent name of an operation: sixteen letters of the alphabet of note ids.
///
/// It is written into the commit, so it stays the same if a rebase or a cherry-pick gives the commit a new id.
package struct OperationID: Hashable, Sendable, CustomStringConvertible {
  private let first: NoteID
  private let second: NoteID

  /// Creates an id from the letters of two note ids.
  package init(_ first: NoteID, _ second: NoteID) {
    self.first = first
    self.second = second
  }

  /// Parses an id that is spelled exactly; returns nil for any other text.
  package init?(_ text: String) {
    let letters = Array(text.utf8)
    guard letters.count == 2 * NoteID.length, let first = NoteID(bytes: letters[..<NoteID.length]),
      let second = NoteID(bytes: letters[NoteID.length...])
    else { return nil }
    self.init(first, second)
  }

  /// Returns whether a text may be the beginning of an id: four of its letters or more.
  package static func mayBegin(_ text: String) -> Bool {
    let letters = Array("bcdfghjklmnpqrstvwxz".utf8)
    return (4...2 * NoteID.length).contains(text.utf8.count) && text.utf8.allSatisfy(letters.contains)
  }

  /// Returns a random id; all are equally likely.
  package static func random(using generator: inout some RandomNumberGenerator) -> OperationID {
    OperationID(.random(using: &generator), .random(using: &generator))
  }

  package var description: String { first.description + second.description }
}

extension NoteID {
  /// Returns the id that a note at a path gets if another note keeps this id; the same on every device.
  func another(at path: [UInt8]) -> NoteID {
    let sum = ObjectID(ofBlob: bytes + [0] + path).bytes.prefix(8)
    return NoteID(number: sum.reduce(0) { $0 << 8 | UInt64($1) })
  }
}

extension Operation {
  /// Creates the operation of a commit with all its changes, from its message. If the message does not list all of them,
  /// they are computed from its tree and its parents' trees. A merge changed only the files that differ from each of its
  /// parents.
  ///
  /// - Parameter prefix: the box's folder in the repository, with a slash at its end; empty at the top. Other files are
  ///   left out.
  /// - Throws: `missing` if the parent is beyond the boundary of a shallow clone.
  /// - Complexity: that of the message, or linear in the folders and notes that differ.
  package init(of commit: Commit, in repository: Repository, below prefix: [UInt8]) throws(GitError) {
    let read = OperationTrailers.operation(of: commit)
    guard !read.isWhole else {
      self = read
      return
    }
    let versions = try NoteVersion.changed(by: commit, in: repository, below: prefix)
    let changes = NoteChange.between(versions)
    self = read.with(changes, noteCount: changes.count)
  }
}

extension NoteVersion {
  /// Returns the versions of the box's changed files before and after a commit.
  ///
  /// - Parameter paths: the only files that are read, from the root of the repository; nil for all.
  /// - Throws: as `Operation.init(of:in:below:)`.
  static func changed(
    by commit: Commit, at paths: [[UInt8]]? = nil, in repository: Repository, below prefix: [UInt8]
  ) throws(GitError) -> [(old: NoteVersion?, new: NoteVersion?)] {
    let version = { (entry: TreeEntry?) throws(GitError) -> NoteVersion? in
      guard let entry else { return nil }
      return try NoteVersion(entry, in: repository, below: prefix)
    }
    var versions: [(old: NoteVersion?, new: NoteVersion?)] = []
    for file in try files(changedBy: commit, at: paths, in: repository, below: prefix) {
      versions.append((try version(file.old), try version(file.new)))
    }
    // If a merge changes and moves a note, its former file is gone on the other side too.
    let made = Set(versions.filter { $0.old == nil }.compactMap { $0.new?.id })
    if paths == nil, commit.parents.count > 1, !made.isEmpty {
      let known = Set(versions.compactMap { $0.old?.path })
      let all = try repository.changedFiles(
        from: commit.parents[0], to: commit.id, under: Array(prefix.dropLast()))
      for file in all where file.new == nil {
        guard let old = try version(file.old), let id = old.id, made.contains(id), !known.contains(old.path)
        else {
          continue
        }
        versions.append((old, nil))
      }
    }
    return versions
  }

  /// Returns the box's files that differ in a commit from each of its parents. Files with only another mode are left out.
  static func files(
    changedBy commit: Commit, at paths: [[UInt8]]?, in repository: Repository, below prefix: [UInt8]
  ) throws(GitError) -> [FileDifference] {
    var files: [FileDifference] = []
    if let paths {
      for path in paths {
        var old: TreeEntry?
        if let parent = commit.parents.first { old = try repository.file(path, at: parent) }
        files.append(FileDifference(path: path, old: old, new: try repository.file(path, at: commit.id)))
      }
    } else {
      files = try repository.changedFiles(
        from: commit.parents.first, to: commit.id, under: Array(prefix.dropLast()))
    }
    files = files.filter { $0.old?.id != $0.new?.id }
    for parent in commit.parents.dropFirst() {
      var kept: [FileDifference] = []
      for file in files where try repository.file(file.path, at: parent)?.id != file.new?.id {
        kept.append(file)
      }
      files = kept
    }
    return files
  }

  private static let symbolicLink: UInt32 = 0o120000

  /// Creates the version of a file in a commit; only notes are read.
  fileprivate init(_ entry: TreeEntry, in repository: Repository, below prefix: [UInt8]) throws(GitError) {
    let path = Array(entry.path.dropFirst(prefix.count))
    if entry.mode != Self.symbolicLink, FileName.isNote(path) {
      self.init(
        path: path, bytes: try repository.conversion.content(of: entry.id, at: entry.path), blob: entry.id)
    } else {
      self.init(path: path, blob: entry.id)
    }
  }
}
