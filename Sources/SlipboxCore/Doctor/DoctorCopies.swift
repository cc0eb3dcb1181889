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

  private func finding(
    _ copy: ConflictCopy, _ path: [UInt8], hasOriginal: Bool
  ) throws(SlipboxError) -> Finding {
    let message = "a conflicted copy made by a sync program"
    guard hasOriginal else {
      return Finding(
        .copies, path, "\(message); the original, \(Visible.escape(copy.original)), does not exist",
        remedy: "rename it to \(Visible.escape(copy.original)), or delete it")
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
        FileName.isNote(path)
        ? "slip heal merges it with \(original)"
        : "copy what you need from it, then rm \(ShellWord.quoted(path)): diff \(original) \(ShellWord.quoted(path))"
    )
  }
}

/// Attachments that no note speaks of.
extension BoxSnapshot {
  /// More files than these are not looked up one by one; the rest is counted.
  private static let mostAttachments = 200

  /// The files of kinds that notes embed which no note links to, embeds or names.
  ///
  /// - Parameter repairs: the findings about links: a file that a repair links to is none of these.
  /// - Complexity: O(n) in all links; none are read where the box has no such file.
  func attachmentFindings(besides repairs: [Finding]) throws(SlipboxError) -> [Finding] {
    var files: [[UInt8]] = []
    for path in try otherFiles().paths where Attachment.isOne(path) && !ConflictCopy.isOne(path) {
      if try belongs(path) { files.append(path) }
    }
    guard !files.isEmpty else { return [] }
    let linked = Set(try linkedFiles())
    let alone = files.filter { !linked.contains($0) }
    // A note outside the sparse checkout may link to them.
    if !alone.isEmpty, try LeftOutFiles(of: box) != nil { return [] }
    let linkedByRepair = Set(repairs.filter { $0.repair != nil }.map(\.remedy))
    let committed = try committedFiles()
    var findings: [Finding] = []
    for path in alone.prefix(Self.mostAttachments) where try !isNamed(path) {
      if linkedByRepair.contains(Self.relinking(to: path)) { continue }
      let name = ShellWord.quoted(path)
      findings.append(
        Finding(
          .attachments, path, "no note links to it, embeds it or mentions it",
          // A file that is in no commit can't be restored.
          remedy: try committed.isTracked(path)
            ? "link to it, or rm \(name)" : "link to it; slip does not commit it, git add \(name) does"))
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
