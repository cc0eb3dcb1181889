package import Git
package import Notes
import Text

/// What one command did to the box: one commit of slip's, or a commit that another program made.
///
/// A commit's message holds all of it but author and time, see `OperationTrailers`; of many notes it holds only their
/// number, and the changes follow from the trees, see `init(of:in:below:)`.
package struct Operation: Sendable, Equatable {
  /// Nil where another program made the commit.
  package let id: OperationID?
  /// The command as it was typed, without its arguments; nil where another program made the commit.
  package let command: String?
  /// The face of slip that the command came from, such as `lsp`; nil for the command line.
  package let face: String?
  /// The name of the device on which the command ran; nil where the commit does not tell.
  package let device: String?
  /// The author's name.
  package let author: String
  /// The author's time and offset.
  package let time: Timestamp
  /// The change in one line.
  package let subject: String
  /// The user's reason for it (`-m`), or what else the message says.
  package let reason: String?
  /// The changes, all where `isWhole`.
  package let changes: [NoteChange]
  /// How many notes changed; nil where it is not known.
  package let noteCount: Int?
  /// The operation that this one takes back or does again; nil for any other.
  package let reversal: Reversal?
  /// The digest of the files that it changed; nil if the commit holds none.
  var filesDigest: String?

  /// What an operation does to an earlier one.
  package enum Reversal: Sendable, Equatable {
    case undo(OperationID)
    case redo(OperationID)
  }

  /// The new paths of the notes that moved, by the old ones, as far as `changes` tells.
  var moves: [[UInt8]: [UInt8]] {
    var moves: [[UInt8]: [UInt8]] = [:]
    for change in changes { if case .moved(let old, let new) = change.file { moves[old] = new } }
    return moves
  }

  /// Whether `changes` holds all of them.
  package var isWhole: Bool { noteCount == changes.count }

  /// The letters by which people name it: the first of its id, or of the id of its commit where it has none.
  package func shownID(in commit: ObjectID) -> String { String((id?.description ?? commit.hex).prefix(8)) }

  /// Makes an operation as it stands in a commit.
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

  /// Makes an operation that is to be committed.
  ///
  /// Texts take the form that they have in a commit: no control characters, one line (the reason: several) and for the
  /// subject at most 100 characters.
  /// - Parameter noteCount: how many notes change, where `changes` does not hold all of them.
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
  /// The operation with all its changes taken back; its other parts still tell of the operation itself.
  package var inverse: Operation { with(changes.map(\.inverse), noteCount: noteCount) }

  /// The operation with other changes.
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
  /// A text as the subject of a commit: one line without control characters, at most 100 characters.
  static func subjectLine(_ text: String) -> String {
    let line = line(text)
    return line.count <= 100 ? line : line.prefix(99) + "…"
  }

  /// A text on one line, without control characters or blanks around it; "-" where nothing is left.
  private static func line(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in Visible.escape(text).unicodeScalars { scalars.append(scalar == "\t" ? " " : scalar) }
    let end = scalars.reversed().drop { $0 == " " }.reversed()
    let line = String(String.UnicodeScalarView(end.drop { $0 == " " }))
    return line.isEmpty ? "-" : line
  }

  /// A text of several lines without control characters or blank lines around it; nil where nothing is left.
  static func paragraphs(_ text: String) -> String? {
    var lines = Visible.escape(text, keepingLines: true).utf8
      .split(separator: 10, omittingEmptySubsequences: false)[...]
    let isBlank: (Substring.UTF8View) -> Bool = { $0.allSatisfy { $0 == 32 || $0 == 9 } }
    while let line = lines.first, isBlank(line) { lines.removeFirst() }
    while let line = lines.last, isBlank(line) { lines.removeLast() }
    return lines.isEmpty ? nil : lines.map { String(Substring($0)) }.joined(separator: "\n")
  }
}
