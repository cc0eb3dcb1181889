package import Git
package import Notes

/// The name of a note in an operation: its id, otherwise its path in the box.
package enum NoteName: Hashable, Sendable {
  case id(NoteID)
  case path([UInt8])
}

/// The changes of one note in an operation: of its file, its fields and its body.
///
/// Other files of the box, such as a kind's declaration, are named by their paths and have no fields.
package struct NoteChange: Sendable, Equatable {
  /// The creation, deletion or move of the file.
  package enum FileStep: Sendable, Equatable {
    case made([UInt8])
    case deleted([UInt8])
    case moved(from: [UInt8], to: [UInt8])
  }

  /// A front-matter field's value before and after; nil if the field was or is absent.
  package struct Field: Sendable {
    package let name: String
    package let old: FieldValue?
    package let new: FieldValue?
    /// Whether each scalar of the values has no quotes, so that it may be a number or boolean. Empty if that is not
    /// known, as in older commits. It is ignored when changes are compared.
    package let plainScalars: (old: [Bool], new: [Bool])

    package init(
      name: String, old: FieldValue?, new: FieldValue?, plainScalars: (old: [Bool], new: [Bool]) = ([], [])
    ) {
      self.name = name
      self.old = old
      self.new = new
      self.plainScalars = plainScalars
    }
  }

  /// The blobs of the note's whole file before and after a change of its text.
  ///
  /// Both are nil in the oldest commits, which record only that the body changed.
  package struct Body: Sendable, Equatable {
    package let old: ObjectID?
    package let new: ObjectID?

    package init(old: ObjectID?, new: ObjectID?) {
      self.old = old
      self.new = new
    }
  }

  package let note: NoteName
  /// The step of the file; nil if the file stayed at its path.
  package let file: FileStep?
  /// The fields that differ: first those of the old version, in their order, then the new ones.
  package let fields: [Field]
  /// Set if the body differs, or if only the layout or the comments of the front matter do.
  ///
  /// A note that is created or deleted has none: its text is the blob at its path.
  package let body: Body?

  package init(note: NoteName, file: FileStep? = nil, fields: [Field] = [], body: Body? = nil) {
    self.note = note
    self.file = file
    self.fields = fields
    self.body = body
  }

  /// Whether nothing changed.
  package var isEmpty: Bool { file == nil && fields.isEmpty && body == nil }

  /// The path before the operation, if the change has it; nil also if there was no file.
  package var pathBefore: [UInt8]? {
    switch file {
    case .made: nil
    case .deleted(let path), .moved(let path, _): path
    case nil: pathOfName
    }
  }

  /// The path after the operation, if the change has it; nil also if the file no longer exists.
  package var pathAfter: [UInt8]? {
    switch file {
    case .deleted: nil
    case .made(let path), .moved(_, let path): path
    case nil: pathOfName
    }
  }

  private var pathOfName: [UInt8]? {
    if case .path(let path) = note { return path }
    return nil
  }
}

extension NoteChange.Field: Equatable {
  /// Returns whether name and values are equal byte for byte.
  package static func == (left: Self, right: Self) -> Bool {
    left.name.hasSameBytes(as: right.name) && left.old == right.old && left.new == right.new
  }
}

extension NoteChange {
  /// The change that undoes this one.
  package var inverse: NoteChange {
    NoteChange(
      note: nameBefore, file: file?.inverse,
      fields: fields.map { field in
        let plain = field.plainScalars
        return Field(name: field.name, old: field.new, new: field.old, plainScalars: (plain.new, plain.old))
      },
      body: body.map { Body(old: $0.new, new: $0.old) })
  }

  /// The name before the operation: a note that is identified by its path changes its name when it moves.
  private var nameBefore: NoteName {
    guard case .moved(let from, let to) = file else { return note }
    switch note {
    case .path(to): return .path(from)
    case .path(from): return .path(to)
    default: return note
    }
  }
}

extension NoteChange.FileStep {
  fileprivate var inverse: Self {
    switch self {
    case .made(let path): .deleted(path)
    case .deleted(let path): .made(path)
    case .moved(let from, let to): .moved(from: to, to: from)
    }
  }
}

/// A file of the box at one moment, with the parts that changes record.
package struct NoteVersion: Sendable {
  package let path: [UInt8]
  package let blob: ObjectID
  let id: NoteID?
  /// The fields of the front matter; empty if the file is not a note.
  let fields: [FrontMatterField]
  /// The whole text; nil if the file is not a note.
  let bytes: [UInt8]?
  /// The bytes after the front matter; nil if the file is not a note.
  let body: ArraySlice<UInt8>?

  /// Creates the version of a parsed note.
  package init(_ note: Note, blob: ObjectID) {
    path = note.path
    self.blob = blob
    id = note.id
    fields = note.frontMatter.fields
    let text = note.wholeText
    bytes = text.bytes
    body = text.bytes[text.body]
  }

  /// Creates the version of a file that is not a note; its bytes are not read.
  package init(path: [UInt8], blob: ObjectID) {
    self.path = path
    self.blob = blob
    id = nil
    fields = []
    bytes = nil
    body = nil
  }

  /// Creates the version of a file; only that of a note has fields.
  package init(path: [UInt8], bytes: [UInt8], blob: ObjectID) {
    if FileName.isNote(path) {
      self.init(Note(path: path, text: NoteText(bytes)), blob: blob)
    } else {
      self.init(path: path, blob: blob)
    }
  }

  /// Returns whether two files that were created separately at one path are versions of one note. They are not if they
  /// have different ids, or no ids and different titles.
  func isSameNote(as other: NoteVersion) -> Bool {
    if let id, let otherID = other.id { return id == otherID }
    guard id == nil, other.id == nil, let title = ownTitle, let otherTitle = other.ownTitle else {
      return true
    }
    return title == otherTitle
  }

  /// The title in the note itself; nil if the title comes from the file name.
  private var ownTitle: String? {
    guard let bytes else { return nil }
    let note = Note(path: path, text: NoteText(bytes))
    return [.field, .heading].contains(note.titleSource) ? note.title : nil
  }

  /// Reads whether the scalars of fields have quotes.
  fileprivate var quotes: FieldQuotes? { bytes.map { FieldQuotes(NoteText($0)) } }

  /// Returns whether each scalar of the first field of a name has no quotes; empty if none of them may be a number or
  /// boolean.
  ///
  /// - Parameter place: that of the field; nil if the note has none.
  fileprivate func plainScalars(of name: String, at place: Int?, _ quotes: inout FieldQuotes?) -> [Bool] {
    guard !Field.isCommon(name), let place, fields[place].value.mayHaveTypes
    else { return [] }
    return quotes?.plainScalars(ofField: place) ?? []
  }

  /// The places of the first fields with each name.
  fileprivate var firstPlaces: [[UInt8]: Int] {
    Dictionary(
      fields.enumerated().map { (Array($1.name.utf8), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The value of the first field with each name.
  fileprivate var firstValues: [[UInt8]: FieldValue] {
    Dictionary(fields.map { (Array($0.name.utf8), $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}

extension NoteChange {
  /// Returns the change between two versions of a note; nil if there is none.
  ///
  /// The note is named by its new id, otherwise by its old one, otherwise by its path.
  package static func between(_ old: NoteVersion?, _ new: NoteVersion?) -> NoteChange? {
    guard let version = new ?? old else { return nil }
    return between(old, new, named: (new?.id ?? old?.id).map { .id($0) } ?? .path(version.path))
  }

  /// Returns the change between two versions of a note, under a name; nil if there is none.
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
    let (oldPlaces, newPlaces) = (old?.firstPlaces ?? [:], new?.firstPlaces ?? [:])
    for field in (old?.fields ?? []) + (new?.fields ?? []) {
      let name = Array(field.name.utf8)
      guard seen.insert(name).inserted, before[name] != after[name] else { continue }
      let plain = (
        old?.plainScalars(of: field.name, at: oldPlaces[name], &oldQuotes) ?? [],
        new?.plainScalars(of: field.name, at: newPlaces[name], &newQuotes) ?? []
      )
      fields.append(Field(name: field.name, old: before[name], new: after[name], plainScalars: plain))
    }
    return fields
  }

  /// Returns the change of the body. If the bytes differ, but no field and not the body does, the layout of the front
  /// matter differs.
  private static func body(_ old: NoteVersion?, _ new: NoteVersion?, isOnlyChange: Bool) -> Body? {
    guard let old, let new, old.blob != new.blob, isOnlyChange || old.body != new.body else { return nil }
    return Body(old: old.blob, new: new.blob)
  }
}

extension NoteVersion {
  /// Returns the versions with both paths of each note that is known to have moved in one pair, however much of its text
  /// changed.
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
