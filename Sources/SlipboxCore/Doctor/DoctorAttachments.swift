import Bytes
import NoteIndex
import Notes
import Text

/// Attachments that no note speaks of.
extension BoxSnapshot {
  /// More files than these are not looked up one by one; the rest is counted.
  private static let mostAttachments = 200

  /// The files of kinds that notes embed which no note links to, embeds or names.
  ///
  /// - Complexity: O(n) in all links; none are read where the box has no such file.
  func attachmentFindings() throws(SlipboxError) -> [Finding] {
    var files: [[UInt8]] = []
    for path in try otherFiles().paths where Attachment.isOne(path) && !ConflictCopy.isOne(path) {
      if try belongs(path) { files.append(path) }
    }
    guard !files.isEmpty else { return [] }
    let linked = Set(try linkedFiles())
    let alone = files.filter { !linked.contains($0) }
    // A note outside the sparse checkout may link to them.
    if !alone.isEmpty, try LeftOutFiles(of: box) != nil { return [] }
    var findings: [Finding] = []
    for path in alone.prefix(Self.mostAttachments) where try !isNamed(path) {
      findings.append(
        Finding(
          .attachments, path, "no note links to it, embeds it or mentions it",
          remedy: "link to it, or rm \(ShellWord.quoted(path))"))
    }
    return findings
  }

  /// Whether the name of a file stands in the text or the fields of a note: HTML and other tools refer to files so.
  private func isNamed(_ path: [UInt8]) throws(SlipboxError) -> Bool {
    let name = String(decoding: BytePath.name(of: path), as: UTF8.self)
    let quoted = name.split(separator: "\"").joined(separator: " ")
    // A name without letters can't be asked for: nothing is said of it.
    guard let query = try? query(["\"\(quoted)\""]) else { return true }
    return try count(query) > 0
  }
}
