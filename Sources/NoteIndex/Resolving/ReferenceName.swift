import Notes
import Text

/// A reference, held against the names of one note after another.
///
/// It tells of a note what `NoteNames` would, without making those names.
struct ReferenceName {
  let bytes: [UInt8]
  let folded: [UInt8]
  /// Whether it may be a slug at all: no blanks and no ASCII signs but dashes.
  private let mayBeSlug: Bool

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    folded = Folding.fold(bytes[...])
    mayBeSlug = folded.allSatisfy { $0 >= 0x80 || $0 == UInt8(ascii: "-") || ASCII.isWord($0) }
  }

  /// Whether it is a name of the note as it stands.
  func isExact(for note: Note) -> Bool {
    let last = FileName.lastPart(of: note.path)
    let stem = FileName.stem(of: note.path)
    let ending = last.count - stem.count
    if note.title.utf8.elementsEqual(bytes) || stem.elementsEqual(bytes) || last.elementsEqual(bytes) {
      return true
    }
    if note.path == bytes || note.path.dropLast(ending).elementsEqual(bytes) { return true }
    if let id = note.id, bytes.count == NoteID.length, id.bytes == bytes { return true }
    if let name = note.foreignID, name.utf8.elementsEqual(bytes) { return true }
    return note.aliases.contains { $0.utf8.elementsEqual(bytes) }
  }

  /// Whether it is a name of the note without case and diacritics, or a slug of it.
  func isFolded(for note: Note) -> Bool {
    if isSame(note.title) || isSame(FileName.stem(of: note.path)) { return true }
    if let name = note.foreignID, isSame(name) { return true }
    if note.aliases.contains(where: { isSame($0) }) { return true }
    guard mayBeSlug else { return false }
    return isSlug(of: note.title) || note.aliases.contains(where: { isSlug(of: $0) })
      || isSlug(inNameOf: note)
  }

  private func isSlug(inNameOf note: Note) -> Bool {
    guard let id = note.id else { return false }
    if folded.count == NoteID.length, id.bytes == folded { return true }
    let stem = FileName.stem(of: note.path)
    guard stem.count > folded.count, stem.starts(with: folded) else { return false }
    return stem.dropFirst(folded.count).elementsEqual([UInt8(ascii: "-")] + id.bytes)
  }

  private func isSame(_ text: String) -> Bool {
    var text = text
    let verdict: Bool? = text.withUTF8 { utf8 in
      guard ASCII.isAll(UnsafeRawBufferPointer(utf8)) else { return nil }
      return utf8.count == folded.count && zip(utf8, folded).allSatisfy { ASCII.lowerCased($0) == $1 }
    }
    return verdict ?? (Folding.fold(Array(text.utf8)[...]) == folded)
  }

  private func isSame(_ name: ArraySlice<UInt8>) -> Bool {
    if ASCII.isAll(name) {
      return name.count == folded.count && zip(name, folded).allSatisfy { ASCII.lowerCased($0) == $1 }
    }
    return Folding.fold(name) == folded
  }

  private func isSlug(of title: String) -> Bool {
    mayBeSlug(of: title) && Slug.make(title).utf8.elementsEqual(folded)
  }

  /// Tells cheaply of an ASCII title that its letters and digits can't make this slug.
  private func mayBeSlug(of title: String) -> Bool {
    var title = title
    return title.withUTF8 { utf8 in
      guard ASCII.isAll(UnsafeRawBufferPointer(utf8)) else { return true }
      var rest = utf8[...]
      for byte in folded where byte != UInt8(ascii: "-") {
        guard let next = rest.firstIndex(where: { ASCII.isWord($0) && $0 != UInt8(ascii: "_") }),
          ASCII.lowerCased(rest[next]) == byte
        else { return false }
        rest = rest[(next + 1)...]
      }
      return true
    }
  }
}
