package import Notes

extension ForeignFormat {
  /// Reads the records of a file; nil for a folder, whose files are notes as they are.
  ///
  /// - Parameters:
  ///   - name: the last part of the file's path.
  ///   - clock: tells days and their beginnings for the user.
  ///   - columns: the fields that columns or members of other names are; only where these are the user's own.
  package func read(
    _ bytes: [UInt8], name: String, clock: ClockReading, columns: ColumnNames = ColumnNames()
  ) -> ForeignFile? {
    var file = contents(of: bytes, name: name, clock: clock, columns)
    file?.name = name
    return file
  }

  /// Whether the names of its fields are the user's own.
  package var hasOwnNames: Bool { [.json, .jsonl, .csv].contains(self) }

  private func contents(
    of bytes: [UInt8], name: String, clock: ClockReading, _ columns: ColumnNames
  ) -> ForeignFile? {
    switch self {
    case .folder: nil
    case .json, .jsonl: JSONRecords.read(bytes, file: name, columns)
    case .csv: CSVRecords.read(bytes, file: name, columns)
    case .taskwarrior: TaskwarriorTasks.read(bytes, clock: clock)
    case .todoTxt: TodoTxtTasks.read(bytes, clock: clock)
    case .goodreads: GoodreadsBooks.read(bytes, clock: clock)
    }
  }
}
