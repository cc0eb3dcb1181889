package import Notes

/// Reads tasks of todo.txt: one a line, with a mark when it is done, a priority, dates, `+projects`, `@contexts` and
/// `key:value`.
///
/// Ids are computed from the words and the date of creation, so that a task keeps its id after it is done and has gone to
/// `done.txt`.
///
/// Source: the rules of the format at github.com/todotxt/todo.txt; `t:` and `rec:` are those of Simpletask.
package enum TodoTxtTasks {
  /// The record of one line, as it is read from a file.
  package static func record(of line: String, clock: ClockReading) -> ForeignRecord {
    var names = SourceNames()
    return TodoTxtTask(Note.titleOnOneLine(line)).record(line: 1, clock, &names)
  }

  /// - Parameter clock: tells when a day begins for the user.
  package static func read(_ bytes: [UInt8], clock: ClockReading) -> ForeignFile {
    var file = ForeignFile()
    var names = SourceNames()
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let end: UInt8 = bytes.contains(0x0A) ? 0x0A : 0x0D
    for (index, line) in bytes[start...].split(separator: end, omittingEmptySubsequences: false).enumerated()
    {
      guard line.contains(where: { $0 > 0x20 }) else { continue }
      guard let text = String(validating: line, as: UTF8.self) else {
        file.problems.append(ForeignProblem(line: index + 1, "the line is not UTF-8"))
        continue
      }
      let task = TodoTxtTask(Note.titleOnOneLine(text))
      guard !task.title.isEmpty, task.title != "x" else {
        file.problems.append(ForeignProblem(line: index + 1, "the task has no title"))
        continue
      }
      if let word = task.relativeDay(clock) {
        file.problems.append(
          ForeignProblem(
            line: index + 1, "\(word): relative dates aren't read from files; write a date such as 2026-12-31"
          ))
        continue
      }
      file.records.append(task.record(line: index + 1, clock, &names))
    }
    return file
  }
}
