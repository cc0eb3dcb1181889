import Bytes
package import Foreign
package import Notes
package import Text

/// The sources of an import, and its options.
package struct ImportRequest {
  /// The records of a file.
  package struct File {
    /// The name of the file in messages.
    package let name: String
    package let contents: ForeignFile
    package let format: ForeignFormat

    package init(name: String, contents: ForeignFile, format: ForeignFormat) {
      self.name = name
      self.contents = contents
      self.format = format
    }

    /// Whether a cell with commas may be a list.
    var isTable: Bool { format == .csv }

    /// Whether the names of its fields are the user's own, and may be mistyped.
    var hasOwnNames: Bool { format.hasOwnNames }
  }

  package var folders: [ImportFolder] = []
  package var files: [File] = []
  /// Made to each note and record that is imported.
  package var changes: [Change] = []
  /// The same as they were typed, kept in the commit for the next import.
  package var typedChanges: [String] = []
  /// The target folder for the files of a folder, in place of a folder of its name.
  package var place: [UInt8]?
  /// Whether notes come again that were deleted in the box.
  package var takesDeleted = false
  /// Whether notes without a date get that of their file.
  package var writesDates = false
  /// Whether a field may be new to the box although it almost is a declared one.
  package var allowsNewFields = false
  package var reason: String?
  /// The records that an export of the box in a format holds, as the import reads them.
  package var exported: (BoxSnapshot, ForeignFormat) throws(SlipboxError) -> [ForeignRecord] = { _, _ in [] }

  package init() {}
}

extension Change {
  /// The field that it gives a value, in small letters.
  var givenField: String? {
    switch self {
    case .set(let field, _), .clear(let field): field.lowercased()
    case .add, .remove, .addTag, .removeTag: nil
    }
  }
}

/// Imports notes and records of other programs.
package struct ImportNotes {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Computes the effects of an import on the box; nothing is written.
  ///
  /// Sources that can't be imported are among the failures of the result, with their places.
  /// - Parameter mayBring: called before linked files of more than 100 MB in total are imported, with their size in bytes.
  /// - Throws: if nothing can be imported at all: `.usage` for a folder in the box itself, `.configuration` for a kind or
  ///   a setting with a mistake.
  /// - Complexity: linear in the sources; for each note that differs from its source also that of its history.
  package func result(
    _ request: ImportRequest, _ context: CommandContext, mayBring: @escaping (Int64) -> Bool = { _ in true }
  ) throws(SlipboxError) -> ImportResult {
    if !request.files.isEmpty { try snapshot.settings.refuseBad("path", in: snapshot.box) }
    try ChangeNotes(in: snapshot).warnOfNearDuplicates(request.changes)
    var planning = try ImportPlanning(snapshot, request, context, mayBring: mayBring)
    for folder in request.folders { try planning.add(folder) }
    for file in request.files { try planning.add(file) }
    try planning.findVanished()
    planning.nameUnknownKinds()
    var result = planning.result
    let order = request.files.map(\.name)
    result.failures.sort { left, right in
      let (one, two) = (
        order.firstIndex(of: left.place.file) ?? -1, order.firstIndex(of: right.place.file) ?? -1
      )
      return (one, left.place.line ?? 0) < (two, right.place.line ?? 0)
    }
    result.plan = planning.plan(named: request.folders.map(\.name) + request.files.map(\.name))
    return result
  }
}

/// The effects of an import on a box: the plan, and each note with its source.
package struct ImportResult {
  /// A place in a source.
  package struct Place: Sendable, Equatable {
    /// The file, as it is shown.
    package let file: String
    /// From 1; nil for a file that is a note as a whole.
    package let line: Int?

    /// The place as messages name it.
    package var shown: Phrase { line.map { "\(file):\($0)" } ?? Phrase(file) }
  }

  /// A note of the box with the place that it came from.
  package struct Item: Sendable {
    package let note: Note
    package let place: Place
    /// Whether it was made for records to belong to.
    package var isGroup = false
  }

  /// A source that could not be imported.
  package struct Failure: Sendable {
    package let place: Place
    package let message: Phrase
    /// Whether the note of the line is imported without its unreadable parts.
    package let isPartial: Bool
  }

  /// A note of which something stays as it is in the box although the source says something else.
  package struct Kept: Sendable {
    package let item: Item
    /// The fields, or `body`; empty if no import has created the note, so that changes are unknown.
    package let parts: [String]
    /// Whether other parts of the note follow the source, so that it is among those that change too.
    let isChanged: Bool
  }

  package internal(set) var plan: Plan
  package internal(set) var made: [Item] = []
  package internal(set) var changed: [Item] = []
  package internal(set) var unchanged = 0
  package internal(set) var kept: [Kept] = []
  /// The notes that were deleted in the box, and stay so.
  package internal(set) var deleted: [Item] = []
  /// The notes that an earlier import brought from the sources and that are not in them now.
  package internal(set) var vanished: [Note] = []
  package internal(set) var failures: [Failure] = []
  /// Omissions and side effects, a sentence each.
  package internal(set) var remarks: [Phrase] = []
  /// How many files that notes link to come along.
  package internal(set) var attachments = 0
  /// How many made notes have no date of their own.
  package internal(set) var undated = 0

  /// How many notes and records the sources have that can be read.
  package var count: Int {
    made.count(where: { !$0.isGroup }) + changed.count + unchanged + deleted.count
      + kept.count { !$0.isChanged }
  }
}
