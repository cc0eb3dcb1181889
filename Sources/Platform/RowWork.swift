/// Rows of one folder that are looked at apart from the others, so that threads share a large folder.
struct RowWork: Sendable {
  /// How many rows are worth being handed to another thread.
  static let length = 2048

  let folder: Descriptor
  let path: [UInt8]
  let rows: Range<Int>

  /// Cuts runs of rows into parts.
  static func parts(of runs: [Range<Int>], in folder: Descriptor, _ path: [UInt8]) -> [RowWork] {
    var parts: [RowWork] = []
    for run in runs {
      for start in stride(from: run.lowerBound, to: run.upperBound, by: length) {
        let rows = start..<min(start + length, run.upperBound)
        parts.append(RowWork(folder: folder, path: path, rows: rows))
      }
    }
    return parts
  }
}
