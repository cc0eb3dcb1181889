import Git
import Notes

extension NoteID {
  /// The id that a note at a path gets where another one keeps this id; the same on every device.
  func another(at path: [UInt8]) -> NoteID {
    let sum = ObjectID(ofBlob: bytes + [0] + path).bytes.prefix(8)
    return NoteID(number: sum.reduce(0) { $0 << 8 | UInt64($1) })
  }
}
