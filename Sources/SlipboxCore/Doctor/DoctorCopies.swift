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
    let originals = try originalsOfCopies()
    var findings: [Finding] = []
    for path in paths {
      let original = originals[path]
      guard original != nil || ConflictCopy.mayBeOne(path), let copy = ConflictCopy(path),
        original != nil || isMeant(copy, path, known), try belongs(path)
      else { continue }
      findings.append(try finding(copy, path, of: original, isThere: known.contains(copy.original)))
    }
    return findings
  }

  /// Whether the name of a file that is no copy of a note in the catalogue is that of a copy.
  private func isMeant(_ copy: ConflictCopy, _ path: [UInt8], _ known: Set<[UInt8]>) -> Bool {
    if copy.isCertain { return true }
    return !FileName.isNote(path) && FileName.isNote(copy.original) && known.contains(copy.original)
  }

  /// - Parameters:
  ///   - note: the note of the catalogue that the file is a copy of.
  ///   - isThere: whether there is a file of the name that the copy's own name tells.
  private func finding(
    _ copy: ConflictCopy, _ path: [UInt8], of note: [UInt8]?, isThere: Bool
  ) throws(SlipboxError) -> Finding {
    let message = "a conflicted copy made by a sync program"
    guard note != nil || isThere else {
      return Finding(
        .copies, path, "\(message); the original, \(Visible.escape(copy.original)), does not exist",
        remedy: "rename it to \(Visible.escape(copy.original)), or delete it")
    }
    let source = note ?? copy.original
    if note == nil, FileName.isNote(path) {
      return Finding(
        .copies, path, "\(message), but its id is not that of \(Visible.escape(source))",
        remedy: "rename it")
    }
    let original = ShellWord.quoted(source)
    // What can't be read is compared by nobody.
    if let bytes = (try? self.bytes(at: path)) ?? nil, let other = (try? self.bytes(at: source)) ?? nil,
      bytes == other, FileName.isNote(path)
    {
      return Finding(
        .copies, path, "\(message), identical to \(Visible.escape(source))", way: .automatic,
        remedy: "deletes it", repair: .deleteCopy(bytes))
    }
    return Finding(
      .copies, path, "\(message), \(Visible.escape(source))",
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
    if !alone.isEmpty, try LeftOutFiles(of: box, settings.sameNames) != nil { return [] }
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
