import Bytes
import Git
import NoteIndex
import Notes
import Platform
import Text

/// Checks the names of files, locks, drafts, copies and attachments.
struct FilesCheck {
  private let snapshot: BoxSnapshot
  private var box: Box { snapshot.box }

  init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Returns the findings about the names of files.
  func findings() throws(SlipboxError) -> [Finding] {
    let (others, entries) = (try snapshot.otherFiles(), try snapshot.catalogue().entries)
    let notes = entries.indices.map { entries.path(at: $0) } + (try snapshot.unreadableNotes().map(\.path))
    let copies = try snapshot.originalsOfCopies().keys
    let paths = (notes + copies + others.paths + others.links).sorted { $0.lexicographicallyPrecedes($1) }
    var findings = others.leftovers.map(Self.finding)
    let known = others.repositories.isEmpty ? nil : try snapshot.committedFiles()
    // A submodule is a repository that git knows.
    findings += others.repositories.filter { known?.staged($0)?.isSubmodule != true }.map { folder in
      Finding(
        .repositories, folder, "a nested repository, whose files aren't notes of this box",
        remedy: "make it a separate box with \(slip: "init"), or move it out of this box")
    }
    findings += try copiesFindings(paths)
    for (path, other) in SimilarNames(paths).pairs {
      guard try belongs(path) else { continue }
      findings.append(
        Finding(
          .names, path,
          "differs from \(other) only in case or Unicode composition, so other systems "
            + "treat them as one file",
          remedy: "rename one of them"))
    }
    return findings
  }

  private static func finding(_ file: OtherFiles.Leftover) -> Finding {
    let message: Phrase = "a temporary file of an interrupted change"
    guard file.isKept else {
      return Finding(
        .temporaries, file.path, "\(message); its content is not in git",
        remedy: "check it, then delete it")
    }
    return Finding(
      .temporaries, file.path, message, way: .automatic, remedy: "deletes it: its content is in git")
  }

  /// Returns whether a file is in the last commit or not ignored by git: ignored files get no findings.
  private func belongs(_ path: [UInt8]) throws(SlipboxError) -> Bool {
    if try snapshot.committedFiles().isTracked(path) { return true }
    return try !box.isIgnored(path)
  }
}

/// Files and folders with different paths that are one path on systems which ignore case or Unicode normalization.
struct SimilarNames {
  /// Each later spelling with the first one, by bytes.
  private(set) var pairs: [(path: [UInt8], other: [UInt8])] = []

  /// - Complexity: O(n) in the bytes of all paths.
  init(_ paths: [[UInt8]]) {
    // Strings are equal if they are canonically equivalent, which is the test needed here.
    var firsts: [String: [UInt8]] = [:]
    firsts.reserveCapacity(paths.count)
    // Few names have more than one spelling.
    var spellings: [String: Set<[UInt8]>] = [:]
    let add = { (path: [UInt8]) in
      let name = Self.common(path)
      guard let first = firsts[name] else {
        firsts[name] = path
        return
      }
      if first != path { spellings[name, default: [first]].insert(path) }
    }
    var folders: Set<[UInt8]> = []
    for path in paths {
      add(path)
      var folder = BytePath.folder(of: path)
      while !folder.isEmpty, folders.insert(folder).inserted {
        add(folder)
        folder = BytePath.folder(of: folder)
      }
    }
    for (name, paths) in spellings {
      let sorted = paths.sorted { $0.lexicographicallyPrecedes($1) }
      let parent = Self.common(BytePath.folder(of: Array(name.utf8)))
      if !parent.isEmpty, spellings[parent] != nil { continue }
      for path in sorted.dropFirst() { pairs.append((path, sorted[0])) }
    }
  }

  private static func common(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self).lowercased() }
}

/// Stale locks in the git directory.
extension FilesCheck {
  /// Returns the files that a git killed in a merge left in the work tree.
  func mergeFileFindings() -> [Finding] {
    let start = Array(".merge_file_".utf8)
    let names = ((try? Files.list(box.workTree)) ?? []).filter { $0.starts(with: start) && $0.count == 18 }
    guard box.prefix.isEmpty, !names.isEmpty, ProcessTable.commandLines(of: "git", in: box.workTree).isEmpty
    else { return [] }
    return names.sorted(by: { ByteOrder.precedes($0, $1) }).map { name in
      Finding(
        .temporaries, name, "a temporary file of an interrupted git merge", remedy: "rm \(typed: name)")
    }
  }

  /// Returns the locks of other programs; empty while a git or a slip is running here, which may own them.
  func lockFindings() -> [Finding] {
    let locks = box.whileNobodyWrites(lockFiles) ?? []
    guard !locks.isEmpty, ProcessTable.commandLines(of: "git", in: box.workTree).isEmpty else { return [] }
    return locks.map { lock in
      let shown = Phrase(typed: lock)
      return Finding(
        .locks, BytePath.relative(lock, to: box.root) ?? lock,
        "\(GitError.lockState(lock)): this lock blocks all commits",
        remedy: "if no git command is running, run: rm \(shown)")
    }
  }

  /// Returns the lock files of the index, of HEAD, of refs and of the settings.
  private func lockFiles() -> [[UInt8]] {
    let own = ["index.lock", "HEAD.lock"].map { box.gitDirectory / $0 }
    let common = ["packed-refs.lock", "config.lock"].map { box.commonDirectory / $0 }
    // A lock whose status can't be read blocks no possible write.
    let found = (own + common).filter { ((try? Files.status($0)) ?? nil) != nil }
    return found + box.withRepository { $0.references.locks(under: "refs") }
  }
}

/// Texts that are in no note.
extension FilesCheck {
  func draftFindings() -> [Finding] {
    box.keptTexts().map { text in
      Finding(
        .drafts, BytePath.relative(text.file, to: box.root) ?? text.file,
        "an unfinished draft\(text.title.isEmpty ? "" : ": \(text.title)")",
        remedy: "\(text.command) continues it, \(text.removal) deletes it")
    }
  }
}

extension Baking {
  /// The findings about blocks that are out of date or can't be answered.
  package var findings: [Finding] {
    stale.map {
      Finding(.blocks, $0.path, line: $0.line, "the list is out of date", remedy: "\(slip: "bake")")
    }
      + faulty.map { place in
        Finding(
          .blocks, place.path, line: place.line, "the list has an error: \(place.problem ?? "")",
          remedy: "correct the block; \(slip: "bake", "--help") describes it")
      }
  }
}

/// Copies that sync programs made of two versions of one file.
extension FilesCheck {
  /// - Parameter paths: all files of the box.
  private func copiesFindings(_ paths: [[UInt8]]) throws(SlipboxError) -> [Finding] {
    let known = Set(paths)
    let originals = try snapshot.originalsOfCopies()
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

  /// Returns whether a file that is not a copy of a note in the catalogue has the name of a copy.
  private func isMeant(_ copy: ConflictCopy, _ path: [UInt8], _ known: Set<[UInt8]>) -> Bool {
    if copy.isCertain { return true }
    return !FileName.isNote(path) && FileName.isNote(copy.original) && known.contains(copy.original)
  }

  /// - Parameters:
  ///   - note: the note of the catalogue that the file is a copy of.
  ///   - isThere: whether there is a file of the original's name, which the name of the copy contains.
  private func finding(
    _ copy: ConflictCopy, _ path: [UInt8], of note: [UInt8]?, isThere: Bool
  ) throws(SlipboxError) -> Finding {
    let message = "a conflicted copy made by a sync program"
    guard note != nil || isThere else {
      return Finding(
        .copies, path, "\(message); the original, \(copy.original), does not exist",
        remedy: "rename it to \(copy.original), or delete it")
    }
    let source = note ?? copy.original
    if note == nil, FileName.isNote(path) {
      return Finding(
        .copies, path, "\(message), but its id is not that of \(source)",
        remedy: "rename it")
    }
    let original = Phrase(typed: source)
    // Files that can't be read are not compared.
    if let bytes = (try? snapshot.bytes(at: path)) ?? nil,
      let other = (try? snapshot.bytes(at: source)) ?? nil,
      bytes == other, FileName.isNote(path)
    {
      return Finding(
        .copies, path, "\(message), identical to \(source)", way: .automatic,
        remedy: "deletes it", repair: .deleteCopy(bytes))
    }
    let isReadable = try snapshot.box.isReadableCopy(path, of: source)
    return Finding(
      .copies, path, "\(message), \(source)",
      remedy:
        FileName.isNote(path) && !isReadable
        ? "\(slip: "heal") merges it with \(original)"
        : "copy what you need from it, then rm \(typed: path): diff \(original) \(typed: path)"
    )
  }
}

/// Attachments that no note mentions.
extension FilesCheck {
  /// The maximum number of files that are searched for one by one; the rest is counted.
  private static let mostAttachments = 200

  /// Returns the files of embeddable kinds that no note links to, embeds or names.
  ///
  /// - Parameter repairs: the findings about links: a file that a repair links to is excluded.
  /// - Complexity: O(n) in all links; none are read if the box has no such file.
  func attachmentFindings(besides repairs: [Finding]) throws(SlipboxError) -> [Finding] {
    var files: [[UInt8]] = []
    for path in try snapshot.otherFiles().paths where Attachment.isOne(path) && !ConflictCopy.isOne(path) {
      if try belongs(path) { files.append(path) }
    }
    guard !files.isEmpty else { return [] }
    let linked = Set(try LinkedFiles(in: snapshot).all())
    let alone = files.filter { !linked.contains($0) }
    // A note outside the sparse checkout may link to them.
    if !alone.isEmpty, try LeftOutFiles(of: box, snapshot.settings.sameNames) != nil { return [] }
    let linkedByRepair = Set(repairs.filter { $0.repair != nil }.map(\.remedy))
    let committed = try snapshot.committedFiles()
    var findings: [Finding] = []
    for path in alone.prefix(Self.mostAttachments) where try !isNamed(path) {
      if linkedByRepair.contains(LinksCheck.relinking(to: path)) { continue }
      let name = Phrase(typed: path)
      findings.append(
        Finding(
          .attachments, path, "no note links to it, embeds it or mentions it",
          // A file that is in no commit can't be restored.
          remedy: try committed.isTracked(path)
            ? "link to it, or rm \(name)" : "link to it; slip does not commit it, git add \(name) does"))
    }
    return findings
  }

  /// Returns whether the name of a file is in the text or the fields of a note: HTML and other tools refer to files so.
  private func isNamed(_ path: [UInt8]) throws(SlipboxError) -> Bool {
    let name = String(decoding: BytePath.name(of: path), as: UTF8.self)
    let quoted = name.split(separator: "\"").joined(separator: " ")
    // A name without letters can't be searched for: it gets no finding.
    guard let query = try? snapshot.query(["\"\(quoted)\""]) else { return true }
    return try snapshot.count(query) > 0
  }
}
