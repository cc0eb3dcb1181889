import Bytes
import Git
package import Notes
package import SlipboxCore
import Text

/// The output of `slip sync`.
package enum SyncLines {
  /// So many files are named, the others counted.
  private static let mostFiles = 10

  /// The fetched changes, the changes of both sides, and the pushed changes.
  ///
  /// - Parameter prefix: the path of the box in its repository.
  package static func result(_ result: SyncResult, under prefix: [UInt8], _ style: Style) -> [String] {
    let name = Visible.escape(result.target.name)
    var lines: [String] = []
    if result.cameCommits > 0 {
      let authors = result.authors.isEmpty ? "" : " by \(Visible.escape(Sentence.list(result.authors)))"
      lines.append("from \(name): \(EnglishWord.count(result.cameCommits, "commit"))\(authors)")
    } else if !result.came.isEmpty {
      lines.append("from \(name):")
    }
    lines += files(result.came, style)
    if let kept = result.keptName { lines.append("your earlier commits are kept: git log \(kept)") }
    lines += conflicts(result, under: prefix, style)
    lines += receivedConflicts(result, under: prefix)
    lines += HealLines.summary(repaired: result.healed.repaired, left: result.healed.left)
    if result.wentCommits > 0 {
      lines.append(
        "to \(name): \(EnglishWord.count(result.wentCommits, "commit")), \(changed(result.went))")
      // Published files are always listed by name.
      lines += files(result.went.filter(isAttachment), style)
      lines += result.words.map { style.dim("  message: \(Visible.escape($0))") }
    }
    return lines.isEmpty ? ["up to date with \(name)"] : lines
  }

  private static func files(_ files: [SyncResult.File], _ style: Style) -> [String] {
    var lines = files.prefix(mostFiles).map { file in
      let title = file.title.map { Visible.escape($0) + "  " } ?? ""
      let mark = file.change == .deleted ? style.red : style.green
      return
        "  \(mark(CellWidth.pad(file.change.rawValue, to: 8))) \(title)\(style.dim(Visible.escape(file.path)))"
    }
    if files.count > mostFiles { lines.append("  and \(files.count - mostFiles) more: slip log") }
    return lines
  }

  private static func isAttachment(_ file: SyncResult.File) -> Bool {
    !FileName.isNote(file.path) && !file.path.starts(with: ".slipbox/".utf8)
  }

  /// How many notes were changed in each way, as in `1 new, 2 changed`.
  private static func changed(_ files: [SyncResult.File]) -> String {
    let files = files.filter { FileName.isNote($0.path) }
    let counts = [SyncResult.File.Change.new, .changed, .moved, .deleted].compactMap { change -> String? in
      let count = files.count { $0.change == change }
      return count == 0 ? nil : "\(count) \(change.rawValue)"
    }
    return counts.isEmpty ? "no note changed" : counts.joined(separator: ", ")
  }

  /// The notes that came with conflicts of a merge elsewhere.
  private static func receivedConflicts(_ result: SyncResult, under prefix: [UInt8]) -> [String] {
    let merged = Set(result.conflicts.map { Array($0.path.dropFirst(prefix.count)) })
    let count = result.came.count { $0.isConflicted && !merged.contains($0.path) }
    guard count > 0 else { return [] }
    let notes = count == 1 ? "1 received note has conflicts" : "\(count) received notes have conflicts"
    return ["\(notes); slip list is:conflicted lists them, slip resolve REF resolves them"]
  }

  private static func conflicts(
    _ result: SyncResult, under prefix: [UInt8], _ style: Style
  ) -> [String] {
    let conflicts = result.conflicts
    guard !conflicts.isEmpty else { return [] }
    let areNotes = conflicts.allSatisfy { FileName.isNote($0.path) }
    let count = areNotes ? Count.notes(conflicts.count) : EnglishWord.count(conflicts.count, "file")
    let titles = Dictionary(result.came.map { ($0.path, $0.title) }, uniquingKeysWith: { first, _ in first })
    var lines = ["both sides changed \(count); both versions are kept:"]
    lines += conflicts.prefix(mostFiles).map { conflict in
      let path = Array(conflict.path.dropFirst(prefix.count))
      let title = titles[path].flatMap { $0 } ?? String(decoding: path, as: UTF8.self)
      let origin = result.origin(of: conflict).map { "; \($0)" } ?? ""
      return "  \(style.red(Visible.escape(title))): \(words(conflict, under: prefix))\(origin)"
    }
    if conflicts.count > mostFiles { lines.append("  and \(conflicts.count - mostFiles) more") }
    if conflicts.contains(where: \.isInNote) {
      lines.append("slip list is:conflicted lists the conflicts, slip resolve REF resolves them")
    }
    let settings = Array("config.yaml".utf8)
    if let conflict = conflicts.first(where: { $0.path.suffix(settings.count).elementsEqual(settings) }),
      case .parts(let names) = conflict.kind, let name = names.first
    {
      lines.append(
        "slip config \(Visible.escape(name)) VALUE chooses a value; a comment in the file has the other one")
    }
    if conflicts.contains(where: \.isOfTwoFiles) {
      lines.append("if both versions are kept as files, delete the one you don't want")
    }
    return lines
  }

  static func words(_ conflict: MergeConflict, under prefix: [UInt8]) -> String {
    switch conflict.kind {
    case .parts(let names): "both versions of \(Visible.escape(Sentence.list(names)))"
    case .deleted: "deleted by one side and changed by the other; kept"
    case .joined: "created on both sides; the file has the lines of both"
    case .apart(let path):
      "both versions are kept; the other version is \(Visible.escape(Array(path.dropFirst(prefix.count))))"
    case .renamed(let path):
      "renamed from \(Visible.escape(Array(path.dropFirst(prefix.count)))), the path of another file; "
        + "links to it were updated"
    }
  }
}

extension MergeConflict {
  /// Whether the note itself contains the conflict.
  fileprivate var isInNote: Bool {
    switch kind {
    case .parts, .deleted: FileName.isNote(path)
    case .apart, .renamed, .joined: false
    }
  }

  fileprivate var isOfTwoFiles: Bool { if case .apart = kind { true } else { false } }
}

extension SyncLines {
  /// Commits that touch files outside the box: how many, and a line each.
  package static func outside(_ commits: [OutsideCommit]) -> (count: String, lines: [String]) {
    let lines = commits.prefix(mostFiles).map { commit in
      "\(commit.id.hex.prefix(8)) \(Visible.escape(commit.subject)): \(Visible.escape(commit.path))"
    }
    let more = commits.count > lines.count ? ["and \(commits.count - lines.count) more"] : []
    return (EnglishWord.count(commits.count, "commit"), lines + more)
  }

  /// The state of the box, as far as is known here.
  package static func status(_ status: SyncStatus, now: Int64) -> [String] {
    let address = status.target.remote.address?.shown ?? "no address"
    var lines = [
      "on \(Visible.escape(status.target.branch)), "
        + "syncs with \(Visible.escape(status.target.name)): \(Visible.escape(address))"
    ]
    switch (status.ahead, status.behind) {
    case (nil, _), (_, nil): lines.append("never synced")
    case (0?, 0?): lines.append("up to date as of the last fetch")
    case _ where status.isLevel:
      lines.append("up to date as of the last fetch (the histories differ only in merges)")
    case (let ahead?, let behind?):
      let parts = [
        ahead > 0 ? "\(EnglishWord.count(ahead, "commit")) to send" : nil,
        behind > 0 ? "\(EnglishWord.count(behind, "commit")) to receive" : nil,
      ]
      lines.append(parts.compactMap { $0 }.joined(separator: ", "))
    }
    if status.uncommittedCount > 0 {
      lines.append("\(EnglishWord.count(status.uncommittedCount, "file")) to commit: slip status")
    }
    if let fetched = status.fetchedSeconds { lines.append("last fetched \(age(now - fetched))") }
    return lines
  }

  /// How long ago something was.
  private static func age(_ seconds: Int64) -> String {
    let units: [(size: Int64, name: String)] = [(86_400, "day"), (3_600, "hour"), (60, "minute")]
    guard let unit = units.first(where: { seconds >= $0.size }) else { return "just now" }
    return "\(EnglishWord.count(Int(seconds / unit.size), unit.name)) ago"
  }
}

/// The conflicts of a note, version by version.
package struct ConflictLines {
  /// So many lines of a text are shown.
  private static let mostLines = 12

  private let note: Note
  private let display: Display

  package init(_ note: Note, _ display: Display) {
    self.note = note
    self.display = display
  }

  /// The versions with their numbers, and how one is chosen.
  package func lines(_ conflicts: [NoteConflict]) -> [String] {
    let style = display.style
    var lines = [style.bold("\(note.shownName)  \(Visible.escape(note.title))")]
    for conflict in conflicts { lines += [""] + self.lines(of: conflict) }
    let most = max(conflicts.map(\.versions.count).max() ?? 2, 2)
    let field = conflicts.count > 1 ? " \(ShellWord.quoted(Array(conflicts[0].name.utf8)))" : ""
    let keepsAll = conflicts.contains { $0.name == MergePart.body.name }
    if NoteConflict.mayMixSides(conflicts) {
      lines += ["", "the note does not name all sides: a number may mean another side in each part"]
    }
    return lines + ["", "keep one version: slip resolve \(note.shellName) --keep \(most)\(field)"]
      + (keepsAll ? ["keep all texts: slip resolve \(note.shellName) --keep all body"] : [])
  }

  /// The versions of one conflict with their numbers.
  package func lines(of conflict: NoteConflict) -> [String] {
    let style = display.style
    var lines = [style.bold(title(of: conflict))]
    for (index, version) in conflict.versions.enumerated() {
      let author = [version.when, version.device, version.who].filter { !$0.isEmpty }.map {
        Visible.escape($0)
      }
      let origin = author.isEmpty ? "" : style.dim("  \(author.joined(separator: "  "))")
      if let text = version.text {
        lines.append("  \(index + 1)\(origin)")
        lines += shown(text)
      } else {
        let place = version.isInNote ? style.dim("  in the note") : ""
        lines.append("  \(index + 1)  \(value(version, of: conflict))\(place)\(origin)")
      }
    }
    return lines
  }

  private func title(of conflict: NoteConflict) -> String {
    switch conflict.name {
    case ConflictEntry.note: "one side deleted the note, the other changed it"
    case ConflictEntry.path: "the note was moved to two paths"
    default: Visible.escape(conflict.name)
    }
  }

  private func value(_ version: NoteConflict.Version, of conflict: NoteConflict) -> String {
    if conflict.name == ConflictEntry.note {
      return version.isInNote ? "keep the note" : "delete the note"
    }
    if version.isInNote, conflict.name == ConflictEntry.path { return Visible.escape(note.path) }
    switch version.value {
    case .text(let text): return Visible.escape(text)
    case .list(let elements):
      return elements.map { Visible.escape($0.text ?? $0.json) }.joined(separator: ", ")
    case .map, .empty: return Visible.escape(version.value?.json ?? "")
    case nil: return "no value"
    }
  }

  private func shown(_ text: [UInt8]) -> [String] {
    var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      Visible.escape(Array($0))
    }
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    if lines.isEmpty { return ["     " + display.style.dim("no lines")] }
    let more = lines.count - Self.mostLines
    return lines.prefix(Self.mostLines).map { "     \($0)" }
      + (more > 0 ? ["     " + display.style.dim("and \(more) more lines")] : [])
  }
}

extension SyncResult {
  /// The result as a JSON object with its line end.
  ///
  /// - Parameter prefix: the path of the box in its repository.
  package func json(under prefix: [UInt8]) -> [UInt8] {
    JSONDocument.object { writer in
      writer.member("remote", target.remote.name)
      writer.member("branch", target.branchThere ?? target.branch)
      writer.member("committedFiles", committedCount)
      writer.member("notCommitted", of: refusals) { refusal, writer in
        writer.object {
          $0.member("path", bytes: refusal.path)
          $0.member("code", refusal.reason.code)
          $0.member("message", refusal.reason.message.description)
        }
      }
      writer.member("commitsReceived", cameCommits)
      writer.member("received", of: came) { $0.write(to: &$1) }
      writer.member("commitsSent", wentCommits)
      writer.member("sent", of: went) { $0.write(to: &$1) }
      writer.member("conflicts", of: conflicts) { conflict, writer in
        writer.object { conflict.write(to: &$0, under: prefix) }
      }
      for (name, findings) in [("repaired", healed.repaired), ("damaged", healed.left)] {
        writer.member(name, of: findings) { finding, writer in
          writer.object {
            $0.member("path", bytes: finding.path)
            $0.member("title", finding.title)
          }
        }
      }
      writer.member("kept", keptName)
      writer.key("messages")
      writer.strings(words)
    }
  }
}

extension StoppedNotes {
  /// The merged notes of a stopped merge as a JSON object with its line end.
  package func json(under prefix: [UInt8]) -> [UInt8] {
    JSONDocument.object { writer in
      writer.member("operation", operation.name)
      for (name, paths) in [("merged", paths), ("edited", editedPaths), ("left", left)] {
        writer.member(name, of: paths) { path, writer in writer.object { $0.member("path", bytes: path) } }
      }
      writer.member("conflicts", of: conflicts) { conflict, writer in
        writer.object { conflict.write(to: &$0, under: prefix) }
      }
    }
  }

  /// The JSON object if git did not stop at notes, with its line end.
  package static func noneJSON(operation: String?) -> [UInt8] {
    JSONDocument.object { $0.member("operation", operation) }
  }
}

extension SyncStatus {
  /// The status as a JSON object with its line end.
  package var json: [UInt8] {
    JSONDocument.object { writer in
      writer.member("remote", target.remote.name)
      writer.member("branch", target.branchThere ?? target.branch)
      writer.member("ahead", ahead)
      writer.member("behind", behind)
      writer.member("uncommittedFiles", uncommittedCount)
      writer.member("fetched", fetchedSeconds.map(Int.init))
    }
  }
}

extension SyncResult.File {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("path", bytes: path)
      $0.member("change", change.rawValue)
      $0.member("title", title)
    }
  }
}

extension MergeConflict {
  fileprivate func write(to writer: inout JSONWriter, under prefix: [UInt8]) {
    writer.member("path", bytes: Array(path.dropFirst(prefix.count)))
    switch kind {
    case .parts(let names):
      writer.key("parts")
      writer.strings(names)
    case .deleted: writer.member("deleted", true)
    case .joined: writer.member("joined", true)
    case .renamed(let path): writer.member("renamedFrom", bytes: Array(path.dropFirst(prefix.count)))
    case .apart(let other): writer.member("other", bytes: Array(other.dropFirst(prefix.count)))
    }
  }
}

extension NoteConflict {
  /// The conflicts of a note as JSON, with the numbers by which versions are chosen.
  package static func json(_ conflicts: [NoteConflict], of note: Note) -> [UInt8] {
    JSONDocument.object { writer in
      writer.member("id", note.id?.description)
      writer.member("path", bytes: note.path)
      writer.member("conflicts", of: conflicts) { conflict, writer in
        writer.object { writer in
          writer.member("name", conflict.name)
          writer.member("versions", of: Array(conflict.versions.enumerated())) { version, writer in
            version.element.write(number: version.offset + 1, to: &writer)
          }
        }
      }
    }
  }
}

extension NoteConflict.Version {
  fileprivate func write(number: Int, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("number", number)
      if let text {
        writer.member("value", bytes: text)
      } else if let value {
        writer.key("value")
        writer.json(value.json)
      }
      if isInNote { writer.member("inNote", true) }
      for (name, text) in [("when", when), ("device", device), ("who", who)] where !text.isEmpty {
        writer.member(name, text)
      }
    }
  }
}
