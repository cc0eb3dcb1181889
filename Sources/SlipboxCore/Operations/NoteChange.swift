package import Git
package import Notes

/// The name of a note in an operation: its id, else its path in the box.
package enum NoteName: Hashable, Sendable {
  case id(NoteID)
  case path([UInt8])
}

/// One note's share in an operation: what happened to its file, its fields and its body.
///
/// Other files of the box, such as a kind's declaration, are named by their paths and have no fields.
package struct NoteChange: Sendable, Equatable {
  /// The file's coming, going or change of place.
  package enum FileStep: Sendable, Equatable {
    case made([UInt8])
    case deleted([UInt8])
    case moved(from: [UInt8], to: [UInt8])
  }

  /// A front-matter field's value before and after; nil where the field was or is absent.
  package struct Field: Sendable {
    package let name: String
    package let old: FieldValue?
    package let new: FieldValue?
    /// Whether each scalar of the values has no quotes, so that it may be a number or boolean; empty if it is not known, as in
    /// older commits. Changes are equal whatever it is.
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
  /// Both are nil in the oldest commits, which say only that the body changed.
  package struct Body: Sendable, Equatable {
    package let old: ObjectID?
    package let new: ObjectID?

    package init(old: ObjectID?, new: ObjectID?) {
      self.old = old
      self.new = new
    }
  }

  package let note: NoteName
  /// Nil where the file stayed in its place.
  package let file: FileStep?
  /// The fields that differ: first those that were there before, in their order, then the new ones.
  package let fields: [Field]
  /// Set where the body differs, and where only the layout or the comments of the front-matter do.
  ///
  /// A note that is made or deleted has none: its text is the blob at its path.
  package let body: Body?

  package init(note: NoteName, file: FileStep? = nil, fields: [Field] = [], body: Body? = nil) {
    self.note = note
    self.file = file
    self.fields = fields
    self.body = body
  }

  /// Whether nothing changed.
  package var isEmpty: Bool { file == nil && fields.isEmpty && body == nil }

  /// The path before the operation, where the change tells it; nil also where there was no file.
  package var pathBefore: [UInt8]? {
    switch file {
    case .made: nil
    case .deleted(let path), .moved(let path, _): path
    case nil: pathOfName
    }
  }

  /// The path after the operation, where the change tells it; nil also where there is no file any more.
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
  /// Says whether name and values are equal byte for byte.
  package static func == (left: Self, right: Self) -> Bool {
    left.name.hasSameBytes(as: right.name) && left.old == right.old && left.new == right.new
  }
}

extension NoteChange {
  /// The change that takes this one back.
  package var inverse: NoteChange {
    NoteChange(
      note: nameBefore, file: file?.inverse,
      fields: fields.map { field in
        let plain = field.plainScalars
        return Field(name: field.name, old: field.new, new: field.old, plainScalars: (plain.new, plain.old))
      },
      body: body.map { Body(old: $0.new, new: $0.old) })
  }

  /// A note that goes by its path changes its name when it moves.
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
