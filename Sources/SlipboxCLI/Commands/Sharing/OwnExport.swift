import Foreign
import NoteIndex
import Presentation
import SlipboxCore

/// What an export of a box holds, as an import reads it: what a file says that nobody has changed since.
enum OwnExport {
  /// The records of all notes that the format can say; none for a format whose records have ids.
  static func records(
    of snapshot: BoxSnapshot, as format: ForeignFormat
  ) throws(SlipboxError) -> [ForeignRecord] {
    guard format == .taskwarrior else { return [] }
    let entries = try snapshot.catalogue().entries
    var bytes: [UInt8] = []
    try TaskwarriorExport(snapshot, entries.indices.map { Match(entries, $0) }).write { bytes += $0 }
    return format.read(bytes, name: "", clock: snapshot.clock)?.records ?? []
  }
}
