import NoteIndex
import Notes
import Platform

extension WorkTreeNotes {
  /// A note's file with its status and the id of its content.
  struct File: Sendable {
    let path: [UInt8]
    let stamp: FileStamp
    let content: ContentID
  }

  /// Visits the files of all notes, by path.
  /// - Complexity: O(n + m log m) for m files that differ from the kept catalogue.
  func visitFiles(_ visit: (File) throws(SlipboxError) -> Void) throws(SlipboxError) {
    let recent = findings.recent.values.filter { $0.note != nil }.sorted {
      $0.path.lexicographicallyPrecedes($1.path)
    }
    var next = 0
    func visitRecent(before path: [UInt8]?) throws(SlipboxError) {
      while next < recent.count, path.map({ recent[next].path.lexicographicallyPrecedes($0) }) ?? true {
        try visit(File(path: recent[next].path, stamp: recent[next].stamp, content: recent[next].content))
        next += 1
      }
    }
    if let kept {
      for row in 0..<kept.table.count {
        guard let document = kept.snapshot.document(ofFile: row), !findings.hidden.contains(document) else {
          continue
        }
        let path = kept.table.path(of: row)
        // A file that was read anew stands among the recent ones.
        if findings.recent[path] != nil { continue }
        if next < recent.count { try visitRecent(before: path) }
        try visit(
          File(path: path, stamp: kept.table.stamp(of: row), content: kept.snapshot.content(ofFile: row)))
      }
    }
    try visitRecent(before: nil)
  }
}
