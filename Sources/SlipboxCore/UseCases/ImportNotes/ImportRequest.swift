package import Foreign
package import Notes

/// What is to be imported, and how.
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
  /// Where the files of a folder go, in place of a folder of its name.
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
