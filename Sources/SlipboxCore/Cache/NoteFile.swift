import Git
import NoteIndex
import Notes
import Platform
import Text

/// The cached record of a file with the name of a note, so that the file need not be read again.
struct NoteFile: Sendable {
  let path: [UInt8]
  let stamp: FileStamp
  /// Whether the file may have changed since without a new stamp, because it was read so soon after it was written.
  let isRacy: Bool
  let content: ContentID
  let verdict: IgnoreStatus
  /// The record of the note; nil if the file is not a note: it is ignored, or could not be read.
  let note: Kept?

  /// The cached record of a note.
  ///
  /// A class, so that tables of files stay small.
  final class Kept: Sendable {
    let record: [UInt8]
    /// The creation date of the note or in the name of its file, otherwise a placeholder.
    let key: EntryKey
    /// Whether neither has a creation date.
    let isUndated: Bool

    init(record: [UInt8], key: EntryKey, isUndated: Bool) {
      self.record = record
      self.key = key
      self.isUndated = isUndated
    }

    /// The tags of the front matter and of the text.
    var tags: [String] {
      record.withUnsafeBytes { record in
        guard let facts = NoteSummary.facts(in: record.bytes) else { return [] }
        return PackedFacts.names(in: facts.tags)
      }
    }
  }
}

extension NoteFile {
  /// Parses the bytes of a file.
  init(path: [UInt8], bytes: [UInt8], stamp: FileStamp, isRacy: Bool, verdict: IgnoreStatus) {
    let note = Note(path: path, text: NoteText(bytes))
    self.init(note, stamp: stamp, isRacy: isRacy, verdict: verdict)
  }

  /// Creates the record of a note that was parsed from the text of a file.
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

  /// Creates the record of a file that is not a note, or could not be read.
  init(noNote path: [UInt8], stamp: FileStamp, isRacy: Bool, verdict: IgnoreStatus) {
    self.path = path
    self.stamp = stamp
    self.isRacy = isRacy
    self.verdict = verdict
    content = ContentID([])
    note = nil
  }

  /// The file in the form for the writer of a snapshot.
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
  /// The time of the last change of the contents, in UTC.
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

/// Files by their paths. The many files of a first scan are in one sorted run, which takes a third of the memory of a
/// table. Later files are in a table.
struct NoteFiles: Sendable {
  /// The files of the run, by path, each once.
  private var run: [NoteFile] = []
  /// The later files, which override those of the run.
  private var table: [[UInt8]: NoteFile] = [:]

  init() {}

  init(_ table: [[UInt8]: NoteFile]) { self.table = table }

  /// The maximum number of files.
  var count: Int { run.count + table.count }

  /// The files, in no order.
  var values: [NoteFile] {
    table.isEmpty ? run : run.filter { table[$0.path] == nil } + table.values
  }

  var paths: [[UInt8]] { values.map(\.path) }

  /// - Complexity: O(log n); O(n) if a file of the run is removed.
  subscript(path: [UInt8]) -> NoteFile? {
    get { table[path] ?? place(of: path).map { run[$0] } }
    set {
      if newValue == nil, place(of: path) != nil { dissolveRun() }
      table[path] = newValue
    }
  }

  /// Adds a file. While the table is empty, files with ascending paths are appended to the run.
  mutating func append(_ file: NoteFile) {
    if table.isEmpty, run.last.map({ $0.path.lexicographicallyPrecedes(file.path) }) ?? true {
      run.append(file)
    } else {
      table[file.path] = file
    }
  }

  mutating func reserveCapacity(_ count: Int) { run.reserveCapacity(count) }

  /// Adds other files, which override existing ones.
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

/// The results of reading the files of a box that differ from the cached catalogue.
struct FileFindings: Sendable {
  /// The files that are missing in the snapshot or differ from it.
  var recent = NoteFiles()
  /// The files of these that were read just now, for later commands.
  var read: [NoteFile] = []
  /// The files of these to which only symbolic links lead.
  var linked: [[UInt8]: NoteFile] = [:]
  /// The symbolic links to files.
  var links: Set<[UInt8]> = []
  /// The documents of the snapshot that are left out.
  var hidden: Set<Int> = []
  var unreadable: [UnreadableNote] = []
  /// Temporary files that a command did not remove.
  var temporaries: [[UInt8]] = []
  /// The words of all notes by the rows of their files, if every file was read.
  var texts: TextIndexBuilders?
}
