internal import Bytes

extension NoteID {
  /// The id that follows from a name alone, so that two devices which make the same note give it the same id.
  ///
  /// It must never change, for notes have it: the checksum of the name's UTF-8 bytes, XXH64 with seed 0, modulo the number
  /// of all ids.
  package static func computed(from name: String) -> NoteID {
    Array(name.utf8).withUnsafeBytes { NoteID(number: Checksum.of($0)) }
  }

  /// The id of the note of a day.
  package static func computed(fromDay day: CivilDate) -> NoteID { computed(from: "daily \(day)") }
}

extension NoteID {
  /// The id of the record that comes next after one, by the id or the path of that.
  package static func next(after name: String) -> NoteID { computed(from: "next \(name)") }
}
