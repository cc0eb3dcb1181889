import Bytes
import NoteIndex
import Notes
import Platform
import Text

/// Copies that sync programs made of two versions of one file.
extension BoxSnapshot {
  /// - Parameter paths: all files of the box.
  func copiesFindings(_ paths: [[UInt8]]) throws(SlipboxError) -> [Finding] {
    let known = Set(paths)
    var findings: [Finding] = []
    for path in paths {
      guard let copy = ConflictCopy(path), try isMeant(copy, path, known), try belongs(path) else { continue }
      findings.append(try finding(copy, path, hasOriginal: known.contains(copy.original)))
    }
    return findings
  }

  /// Whether a copy whose name alone does not say so is one: beside the file, and of the same note where both are notes.
  func isMeant(_ copy: ConflictCopy, _ path: [UInt8], _ known: Set<[UInt8]>) throws(SlipboxError) -> Bool {
    if copy.isCertain { return true }
    guard known.contains(copy.original), FileName.isNote(copy.original) else { return false }
    guard FileName.isNote(path) else { return true }
    let (catalogue, ids) = (try catalogue(), [path, copy.original])
    let found = ids.compactMap { catalogue.entry(path: $0)?.note.id }
    return found.count == 2 && found[0] == found[1]
  }

  private func finding(
    _ copy: ConflictCopy, _ path: [UInt8], hasOriginal: Bool
  ) throws(SlipboxError) -> Finding {
    let message = "a conflicted copy made by a sync program"
    guard hasOriginal else {
      return Finding(
        .copies, path, "\(message); that file, \(Visible.escape(copy.original)), is gone",
        remedy: "rename it to that, or delete it")
    }
    let original = ShellWord.quoted(copy.original)
    // What can't be read is compared by nobody.
    if let bytes = (try? self.bytes(at: path)) ?? nil,
      let other = (try? self.bytes(at: copy.original)) ?? nil,
      bytes == other, FileName.isNote(path)
    {
      return Finding(
        .copies, path, "\(message), identical to \(Visible.escape(copy.original))", way: .automatic,
        remedy: "deletes it", repair: .deleteCopy(bytes))
    }
    return Finding(
      .copies, path, "\(message), \(Visible.escape(copy.original))",
      remedy:
        "copy what you need from it, then rm \(ShellWord.quoted(path)): diff \(original) \(ShellWord.quoted(path))"
    )
  }
}
