import NoteIndex
import Notes
import Platform

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
