import Bytes
import Foreign
import NoteIndex
import Notes
import Text

/// What earlier imports brought from the same source and it does not hold any more.
extension ImportPlanning {
  /// Finds the notes of the box that came from the sources and are not in them now; they are left as they are.
  ///
  /// A record is known by the name in its source that its id was computed from, a file of a folder by its place.
  /// - Complexity: O(n) in the notes of the box; for those in the place of a folder also that of their history.
  mutating func findVanished() throws(SlipboxError) {
    let open = ActiveTest(.open, schema: schema, clock: snapshot.clock)
    for entry in catalogue.entries where !met.contains(entry.note.path) {
      let isRecord = request.files.contains { file in
        guard let id = entry.note.id else { return false }
        // What is done leaves todo.txt by itself.
        guard file.format != .todoTxt || open.isActive(entry) else { return false }
        return file.format.sourceNames(of: entry.note, file: file.contents.name).contains {
          Self.ids(ofName: $0, file.format).contains(id)
        }
      }
      let wasImported = isRecord ? true : try wasInFolder(entry)
      if wasImported { result.vanished.append(entry.note) }
    }
  }

  /// The ids that a record of a name may have; of several lines of todo.txt with the same words each has a number.
  private static func ids(ofName name: String, _ format: ForeignFormat) -> some Sequence<NoteID> {
    let numbers = format == .todoTxt ? 1...mostLines : 1...1
    return numbers.lazy.map { NoteID.computed(from: $0 == 1 ? name : "\(name) \($0)") }
  }

  /// How many lines with the same words are told from other tasks of the box.
  private static let mostLines = 9

  private mutating func wasInFolder(_ entry: Entry) throws(SlipboxError) -> Bool {
    guard places.contains(where: { $0.isEmpty || BytePath.relative(entry.note.path, to: $0) != nil }) else {
      return false
    }
    return try lastVersion(entry.note.path, id: entry.note.id) != nil
  }
}
