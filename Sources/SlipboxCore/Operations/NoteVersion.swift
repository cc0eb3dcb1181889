package import Git
package import Notes

/// A file of the box at one moment, as far as changes are told of it.
package struct NoteVersion: Sendable {
  package let path: [UInt8]
  package let blob: ObjectID
  let id: NoteID?
  /// None where the file is no note.
  let fields: [FrontMatterField]
  /// The whole text; nil where the file is no note.
  let bytes: [UInt8]?
  /// The bytes after the front-matter; nil where the file is no note.
  let body: ArraySlice<UInt8>?

  /// The version of a note.
  package init(_ note: Note, blob: ObjectID) {
    path = note.path
    self.blob = blob
    id = note.id
    fields = note.frontMatter.fields
    let text = note.text
    bytes = text.bytes
    body = text.bytes[text.body]
  }

  /// The version of a file that is no note; its bytes are not looked at.
  package init(path: [UInt8], blob: ObjectID) {
    self.path = path
    self.blob = blob
    id = nil
    fields = []
    bytes = nil
    body = nil
  }

  /// The version of a file; only that of a note has fields.
  package init(path: [UInt8], bytes: [UInt8], blob: ObjectID) {
    if FileName.isNote(path) {
      self.init(Note(path: path, text: NoteText(bytes)), blob: blob)
    } else {
      self.init(path: path, blob: blob)
    }
  }

  /// Whether two files that were made apart at one path are versions of one note: not if they have different ids, or no
  /// ids and different titles.
  func isSameNote(as other: NoteVersion) -> Bool {
    if let id, let otherID = other.id { return id == otherID }
    guard id == nil, other.id == nil, let title = ownTitle, let otherTitle = other.ownTitle else {
      return true
    }
    return title == otherTitle
  }

  /// The title that the note gives itself; nil if it has that of its file.
  private var ownTitle: String? {
    guard let bytes else { return nil }
    let note = Note(path: path, text: NoteText(bytes))
    return [.field, .heading].contains(note.titleSource) ? note.title : nil
  }

  /// Reads whether the scalars of fields have quotes.
  fileprivate var quotes: FieldQuotes? { bytes.map { FieldQuotes(NoteText($0)) } }

  /// Whether each scalar of the first field of a name has no quotes; empty if none of them may be a number or boolean.
  fileprivate func plainScalars(of name: String, _ quotes: inout FieldQuotes?) -> [Bool] {
    guard !Field.isCommon(name), let place = fields.firstIndex(where: { $0.name.hasSameBytes(as: name) }),
      fields[place].value.mayHaveTypes
    else { return [] }
    return quotes?.plainScalars(ofField: place) ?? []
  }

  /// The value of the first field with each name.
  fileprivate var firstValues: [[UInt8]: FieldValue] {
    Dictionary(fields.map { (Array($0.name.utf8), $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}

extension NoteChange {
  /// The change between two versions of a note; nil where there is none.
  ///
  /// The note goes by the id that it has afterwards, else by the one it had, else by its path.
  package static func between(_ old: NoteVersion?, _ new: NoteVersion?) -> NoteChange? {
    guard let version = new ?? old else { return nil }
    return between(old, new, named: (new?.id ?? old?.id).map { .id($0) } ?? .path(version.path))
  }

  /// The change between two versions of a note, under a name; nil where there is none.
  static func between(_ old: NoteVersion?, _ new: NoteVersion?, named name: NoteName) -> NoteChange? {
    let fields = fields(old, new)
    let change = NoteChange(
      note: name, file: step(old, new), fields: fields,
      body: body(old, new, isOnlyChange: fields.isEmpty))
    return change.isEmpty ? nil : change
  }

  private static func step(_ old: NoteVersion?, _ new: NoteVersion?) -> FileStep? {
    switch (old, new) {
    case (nil, let new?): .made(new.path)
    case (let old?, nil): .deleted(old.path)
    case (let old?, let new?): old.path == new.path ? nil : .moved(from: old.path, to: new.path)
    case (nil, nil): nil
    }
  }

  private static func fields(_ old: NoteVersion?, _ new: NoteVersion?) -> [Field] {
    let (before, after) = (old?.firstValues ?? [:], new?.firstValues ?? [:])
    var seen: Set<[UInt8]> = []
    var fields: [Field] = []
    var (oldQuotes, newQuotes) = (old?.quotes, new?.quotes)
    for field in (old?.fields ?? []) + (new?.fields ?? []) {
      let name = Array(field.name.utf8)
      guard seen.insert(name).inserted, before[name] != after[name] else { continue }
      let plain = (
        old?.plainScalars(of: field.name, &oldQuotes) ?? [],
        new?.plainScalars(of: field.name, &newQuotes) ?? []
      )
      fields.append(Field(name: field.name, old: before[name], new: after[name], plainScalars: plain))
    }
    return fields
  }

  /// A text whose bytes differ in no field and not in the body differs in its front-matter's layout.
  private static func body(_ old: NoteVersion?, _ new: NoteVersion?, isOnlyChange: Bool) -> Body? {
    guard let old, let new, old.blob != new.blob, isOnlyChange || old.body != new.body else { return nil }
    return Body(old: old.blob, new: new.blob)
  }
}

extension NoteVersion {
  /// The versions with both ends of each note that is known to have moved in one pair, however much of its text changed.
  ///
  /// - Parameter moves: the new paths by the old ones.
  static func joined(
    _ files: [(old: NoteVersion?, new: NoteVersion?)], _ moves: [[UInt8]: [UInt8]]
  ) -> [(old: NoteVersion?, new: NoteVersion?)] {
    if moves.isEmpty { return files }
    var files = files
    var places: [[UInt8]: Int] = [:]
    for (place, file) in files.enumerated() where file.old == nil {
      if let new = file.new { places[new.path] = place }
    }
    for index in files.indices {
      guard let old = files[index].old, files[index].new == nil, let target = moves[old.path],
        let place = places[target]
      else { continue }
      (files[place].old, files[index].old) = (old, nil)
    }
    return files.filter { $0.old != nil || $0.new != nil }
  }
}
