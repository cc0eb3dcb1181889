package import Notes

extension ForeignFormat {
  /// Reads the records of a file; nil for a folder, whose files are notes as they are.
  ///
  /// - Parameters:
  ///   - name: the last part of the file's path.
  ///   - clock: tells days and their beginnings for the user.
  package func read(_ bytes: [UInt8], name: String, clock: ClockReading) -> ForeignFile? {
    var file = contents(of: bytes, name: name, clock: clock)
    file?.name = name
    return file
  }

  private func contents(of bytes: [UInt8], name: String, clock: ClockReading) -> ForeignFile? {
    switch self {
    case .folder: nil
    case .json, .jsonl: JSONRecords.read(bytes, file: name)
    case .csv: CSVRecords.read(bytes, file: name)
    case .taskwarrior: TaskwarriorTasks.read(bytes, clock: clock)
    case .todoTxt: TodoTxtTasks.read(bytes, clock: clock)
    case .goodreads: GoodreadsBooks.read(bytes, clock: clock)
    }
  }
}
