/// Looks up one file after another in a table of times, in the order of their paths, without a search for each.
///
/// For a listing of all notes it goes through the table once, beside the list. A path that is out of order is found
/// too, by a search.
package struct PathTimesCursor {
  private var base: Place
  private var recent: Place?

  init(_ table: PathTimesTable) {
    base = Place(run: table.base)
    recent = table.recent.map { Place(run: $0) }
  }

  /// The times of a file, by its path below the folder that the table was made for.
  package mutating func times(of path: [UInt8]) -> PathTimes? {
    path.withUnsafeBytes { times(of: $0) }
  }

  /// The times of a file, by its path below the folder that the table was made for.
  package mutating func times(of path: UnsafeRawBufferPointer) -> PathTimes? {
    if recent?.seek(path) == true { return recent?.times }
    return base.seek(path) ? base.times : nil
  }

  /// A place in one run.
  private struct Place {
    /// Steps from row to row before a search.
    private static let steps = 8

    let run: PathTimesRun
    private var number = 0

    init(run: PathTimesRun) { self.run = run }

    /// Goes to the row of a path, or to where it would be; tells whether it is there.
    mutating func seek(_ path: UnsafeRawBufferPointer) -> Bool {
      if number > 0, Bytes.compare(run.path(number - 1), path) >= 0 {
        number = run.lowerBound(path)
      }
      for _ in 0..<Self.steps {
        guard number < run.count else { return false }
        let order = Bytes.compare(run.path(number), path)
        if order >= 0 { return order == 0 }
        number += 1
      }
      number = run.lowerBound(path, from: number)
      return number < run.count && Bytes.compare(run.path(number), path) == 0
    }

    var times: PathTimes? { run.times(number) }
  }
}
