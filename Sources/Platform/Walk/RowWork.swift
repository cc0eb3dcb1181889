import Glibc

/// Rows of one folder that are looked at apart from the others, so that threads share a large folder.
struct RowWork: Sendable {
  /// How many rows are worth being handed to another thread.
  static let length = 2048

  let folder: Descriptor
  let path: [UInt8]
  let rows: Range<Int>

  /// Looks at the rows.
  func scan(_ table: FileTable) -> RowScan {
    // Threads that use one descriptor wait for each other's count of its users. "." leads to the same folder.
    let own = try? Descriptor.open([UInt8(ascii: ".")], LinuxCalls.pathOnly | O_DIRECTORY, in: folder.number)
    var scan = RowScan()
    scan.look(at: rows, in: own ?? folder, path, table)
    return scan
  }

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
