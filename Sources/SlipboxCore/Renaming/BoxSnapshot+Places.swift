import Bytes
import NoteIndex
import Notes
import Platform
import Text

/// Places for notes.
extension BoxSnapshot {
  /// Refuses a path in a repository inside the box, whose files are no notes of the box.
  func refuseNestedRepository(_ path: [UInt8], hints: [String] = []) throws(SlipboxError) {
    guard box.isInNestedRepository(path) else { return }
    throw SlipboxError(
      .cannotCreate,
      "\(Visible.escape(path)) is in a nested repository, whose files aren't notes of this box",
      hints: hints)
  }

  /// Refuses a path that a setting excludes from the notes.
  func refuseExcluded(_ path: [UInt8], hint: String) throws(SlipboxError) {
    guard let pattern = box.excluded.pattern(covering: path) else { return }
    throw SlipboxError(
      .cannotCreate,
      "\(Visible.escape(path)) would not be a note: \(pattern.source) has \(Visible.escape(pattern.text))",
      hints: [hint])
  }

  /// Refuses a path that no note can have: taken, hidden, ignored or not plain.
  func refuseAsPlace(_ path: [UInt8]) throws(SlipboxError) {
    let shown = Visible.escape(path)
    if let problem = FileName.problem(in: path) { throw SlipboxError(.cannotCreate, "\(shown): \(problem)") }
    if path.split(separator: UInt8(ascii: "/")).contains(where: { $0.first == UInt8(ascii: ".") }) {
      throw SlipboxError(
        .cannotCreate, "\(shown) is hidden: a name that begins with a dot is not read as a note",
        hints: ["choose a path without such a name"])
    }
    if box.isThere(path) { throw Self.taken(path) }
    guard box.folder.isOpen(path) else {
      throw SlipboxError(.cannotCreate, "\(shown) is in a folder whose files are not read as notes")
    }
    try refuseNestedRepository(path)
    if mayBeIgnored(path), try box.isIgnored(path) {
      let rule = box.ignoreRule(path).map { " by \(Visible.escape($0))" } ?? ""
      throw SlipboxError(
        .cannotCreate, "\(shown) would be ignored\(rule)", hints: ["change that rule, or choose another path"]
      )
    }
  }
}
