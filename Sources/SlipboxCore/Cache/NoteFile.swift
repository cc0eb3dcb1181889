import Git
import NoteIndex
import Notes
import Platform
import Text

/// A file that is a note by its name, as it was read: what is kept of it, so that it need not be read again.
struct NoteFile: Sendable {
  let path: [UInt8]
  let stamp: FileStamp
  /// Whether the file may have changed since without another stamp, because it was read so soon after it was written.
  let isRacy: Bool
  let content: ContentID
  let verdict: IgnoreStatus
  /// nil if the file is no note: it is ignored, or could not be read.
  let note: Kept?

  /// What is kept of a note.
  ///
  /// An object, so that tables of files stay small.
  final class Kept: Sendable {
    let record: [UInt8]
    /// The creation date that the note or the name of its file gives, else a stand-in.
    let key: EntryKey
    /// Whether neither says when it was made.
    let isUndated: Bool

    init(record: [UInt8], key: EntryKey, isUndated: Bool) {
      self.record = record
      self.key = key
      self.isUndated = isUndated
    }

    /// The tags of the front-matter and of the text.
    var tags: [String] {
      record.withUnsafeBytes { record in
        guard let facts = NoteSummary.facts(in: record.bytes) else { return [] }
        return PackedFacts.names(in: facts.tags)
      }
    }
  }
}

extension NoteFile {
  /// Reads the bytes of a file.
  init(path: [UInt8], bytes: [UInt8], stamp: FileStamp, isRacy: Bool, verdict: IgnoreStatus) {
    let note = Note(path: path, text: NoteText(bytes))
    self.init(note, stamp: stamp, isRacy: isRacy, verdict: verdict)
  }

  /// Takes a note that was made of the text of a file.
  init(_ note: Note, stamp: FileStamp, isRacy: Bool, verdict: IgnoreStatus) {
    path = note.path
    self.stamp = stamp
    self.isRacy = isRacy
    self.verdict = verdict
    content = ContentID(ObjectID(ofBlob: note.wholeText.bytes).bytes)
    self.note = Kept(
      record: NoteSummary.bytes(of: note),
      key: EntryKey(created: note.created ?? stamp.modificationTime, id: note.id),
      isUndated: note.created == nil)
  }

  /// A file that is no note, or could not be read.
  init(noNote path: [UInt8], stamp: FileStamp, isRacy: Bool, verdict: IgnoreStatus) {
    self.path = path
    self.stamp = stamp
    self.isRacy = isRacy
    self.verdict = verdict
    content = ContentID([])
    note = nil
  }

  /// The file as the writer of a snapshot takes it.
  var forSnapshot: CatalogueFileWriter.File {
    CatalogueFileWriter.File(
      content: content, verdict: verdict,
      document: note.map { note in
        CatalogueFileWriter.Document(
          record: note.record, path: path, key: note.key, isUndated: note.isUndated)
      })
  }
}

extension FileStamp {
  /// When the contents last changed, in UTC.
  var modificationTime: Timestamp {
    Timestamp(seconds: FileTime(nanosecondsSince1970: modified).seconds, offsetSeconds: 0)
  }
}

extension FileTime {
  init(nanosecondsSince1970 nanoseconds: Int64) {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    self =
      rest < 0
      ? FileTime(seconds: seconds - 1, nanoseconds: Int32(rest + 1_000_000_000))
      : FileTime(seconds: seconds, nanoseconds: Int32(rest))
  }
}

/// Files by their paths: the many of a first look at a box in one run, which takes a third of the memory of a table, those
/// that come later in a table.
struct NoteFiles: Sendable {
  /// By path, each once.
  private var run: [NoteFile] = []
  /// These go before the run.
  private var table: [[UInt8]: NoteFile] = [:]

  init() {}

  init(_ table: [[UInt8]: NoteFile]) { self.table = table }

  /// How many there are at most.
  var count: Int { run.count + table.count }

  /// The files, in no order.
  var values: [NoteFile] {
    table.isEmpty ? run : run.filter { table[$0.path] == nil } + table.values
  }

  var paths: [[UInt8]] { values.map(\.path) }

  /// - Complexity: O(log n); O(n) where one of the run is taken out.
  subscript(path: [UInt8]) -> NoteFile? {
    get { table[path] ?? place(of: path).map { run[$0] } }
    set {
      if newValue == nil, place(of: path) != nil { dissolveRun() }
      table[path] = newValue
    }
  }

  /// Adds a file; those whose paths come in order to an empty table make the run.
  mutating func append(_ file: NoteFile) {
    if table.isEmpty, run.last.map({ $0.path.lexicographicallyPrecedes(file.path) }) ?? true {
      run.append(file)
    } else {
      table[file.path] = file
    }
  }

  mutating func reserveCapacity(_ count: Int) { run.reserveCapacity(count) }

  /// Adds other files, which go before those that are here.
  mutating func merge(_ others: NoteFiles) {
    for file in others.values { table[file.path] = file }
  }

  private mutating func dissolveRun() {
    for file in run where table[file.path] == nil { table[file.path] = file }
    run = []
  }

  private func place(of path: [UInt8]) -> Int? {
    var (low, high) = (0, run.count)
    while low < high {
      let middle = (low + high) / 2
      if run[middle].path.lexicographicallyPrecedes(path) { low = middle + 1 } else { high = middle }
    }
    return low < run.count && run[low].path == path ? low : nil
  }
}

/// The results of reading the files of a box that differ from what is kept of them.
struct FileFindings: Sendable {
  /// The files that the snapshot does not have as they are.
  var recent = NoteFiles()
  /// Those of them that were read just now, for later commands.
  var read: [NoteFile] = []
  /// Those of them to which only symbolic links lead.
  var linked: [[UInt8]: NoteFile] = [:]
  /// The symbolic links to files.
  var links: Set<[UInt8]> = []
  /// The documents of the snapshot that are left out.
  var hidden: Set<Int> = []
  var unreadable: [UnreadableNote] = []
  /// Temporary files that a command did not remove.
  var temporaries: [[UInt8]] = []
  /// The words of all notes by the rows of their files, where every file was read.
  var texts: TextIndexBuilders?
}
