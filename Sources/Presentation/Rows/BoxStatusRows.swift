import Git
import Notes
package import SlipboxCore
import Text

extension BoxStatus {
  /// The status as lines for people.
  package func lines(in snapshot: BoxSnapshot, _ style: Style) -> [String] {
    var lines = ["\(Visible.escape(snapshot.box.root)), \(branchText)", headline]
    if let operation { lines.append(style.red("a \(operation.name) is in progress")) }
    for change in changes {
      let title = change.title(in: snapshot.box).map { "  " + Visible.escape($0) } ?? ""
      lines.append(
        Self.line(style.red, change.difference.rawValue, Visible.escape(change.path) + style.dim(title)))
    }
    lines += settingsFiles.map { Self.line(style.red, "settings", Visible.escape($0)) }
    lines += linkedFiles.map { Self.line(style.red, "linked", Visible.escape($0)) }
    for note in unreadable {
      lines.append(Self.line(style.red, "unreadable", "\(Visible.escape(note.path)): \(note.reason)"))
    }
    for change in hiddenChanges {
      let flag = style.dim("  \(change.flag): not committed and not synced")
      lines.append(Self.line(style.red, "hidden", Visible.escape(change.path) + flag))
    }
    // A sync merges these notes, also those without a file.
    let isMergeable = operation != nil && snapshot.box.hasStoppedMerge
    let merged = leftToGit.filter { isMergeable && $0.change == .conflicted && FileName.isNote($0.path) }
    lines += merged.map { Self.line(style.red, "conflicted", Visible.escape($0.path)) }
    for change in leftToGit where !merged.contains(change) {
      let text = Visible.escape(change.path) + style.dim("  \(change.change.rawValue)")
      lines.append(Self.line(style.red, "for git", text))
    }
    let changed = Set(changes.map(\.path))
    lines += copies.filter { !changed.contains($0) }.map { Self.line(style.red, "copy", Visible.escape($0)) }
    let isCommitted = changes.isEmpty && settingsFiles.isEmpty && linkedFiles.isEmpty
    let isConflicted = changes.contains { $0.difference == .conflicted }
    if let operation {
      lines += snapshot.box.wayOut(of: operation).map(\.description)
    } else if isConflicted {
      // Git has a message for the commit of a squash.
      let commit = snapshot.box.hasPreparedMessage ? "git commit" : "slip commit"
      lines += linesOfMovedNotes(in: snapshot)
      lines.append("edit the conflicted files, run git add FILE for each that stays, then \(commit)")
    } else if !isCommitted, snapshot.box.hasPreparedChanges {
      lines.append("git has prepared a message for the staged changes; commit them with: git commit")
    } else if !isCommitted, branch == nil {
      lines.append("switch to a branch with git switch BRANCH, then run: slip commit")
    } else if !isCommitted {
      // A repair commits the copies first.
      if !taken.paths.allSatisfy(copies.contains) { lines.append("run: slip commit") }
    } else if unreadChanges.isEmpty, leftToGit.isEmpty {
      lines.append("nothing to commit")
    }
    lines += taken.reasons.map(\.description)
    // The way out names the files in conflict.
    if leftToGit.contains(where: {
      $0.change != .unstorable && !(operation != nil && $0.change == .conflicted)
    }) {
      lines.append("slip does not commit changes marked 'for git'; use git add FILE and git commit")
    }
    if leftToGit.contains(where: { $0.change == .unstorable }) {
      lines.append("rename the files that git can't store")
    }
    var remedies: [Phrase] = []
    // git-crypt unlocks nothing in the middle of a merge; the way out says so.
    for note in unreadable
    where note.isStoredForm && !remedies.contains(note.remedy) && !(operation != nil && note.needsKey) {
      remedies.append(note.remedy)
    }
    lines += remedies.map(\.description)
    if !unreadChanges.isEmpty { lines.append("slip commit skips the unreadable notes") }
    if conflictCount > 0 {
      lines.append(Count.conflicts(conflictCount))
    }
    if !copies.isEmpty {
      lines.append("\(EnglishWord.count(copies.count, "copy")) made by a sync program: slip heal")
    }
    if otherFileCount > 0 {
      lines.append(
        otherFileCount == 1
          ? "1 other file is untracked; slip does not commit it"
          : "\(otherFileCount) other files are untracked; slip does not commit them")
    }
    if operation == nil, let stash = snapshot.box.stashOfEdits {
      lines.append("your edits from before git went on are in a stash: git stash pop \(stash)")
    }
    return lines + keptLines(in: snapshot.box, style)
  }

  /// The ways out for notes that both sides moved: each has files in conflict at several paths.
  private func linesOfMovedNotes(in snapshot: BoxSnapshot) -> [String] {
    var paths: [NoteID: [[UInt8]]] = [:]
    for change in changes where change.difference == .conflicted {
      guard let bytes = try? snapshot.bytes(at: change.path),
        let id = Note(path: change.path, text: NoteText(bytes)).id
      else { continue }
      paths[id, default: []].append(change.path)
    }
    let moved = paths.values.filter { $0.count > 1 }.sorted { $0[0].lexicographicallyPrecedes($1[0]) }
    let gone = leftToGit.filter { $0.change == .conflicted && !snapshot.box.isThere($0.path) }
    let lines = moved.map { paths in
      let names = paths.map { Visible.escape($0) }.joined(separator: ", ")
      return "one note is in \(names): keep one of these files, and remove the others with: git rm -f FILE"
    }
    return lines
      + gone.map { Phrase("\(Phrase($0.path)) is gone; run: git rm \(typed: $0.path)").description }
  }

  /// The texts that are in no note, and the commands that go on with one and that throw one away.
  private func keptLines(in box: Box, _ style: Style) -> [String] {
    guard !keptTexts.isEmpty else { return [] }
    let lines = keptTexts.map { text in
      Self.line(style.red, "draft", box.shownPath(of: text).description + style.dim("  " + text.title))
    }
    let isOne = keptTexts.count == 1
    let goOn = isOne ? keptTexts[0].command : "slip new --draft NAME"
    let removal = isOne ? keptTexts[0].removal : "rm FILE"
    return lines + [
      "\(goOn) continues \(isOne ? "it" : "one") in your editor", "\(removal) deletes it",
    ]
  }

  private static func line(_ paint: (String) -> String, _ mark: String, _ text: String) -> String {
    "  \(paint(CellWidth.pad(mark, to: 10))) \(text)"
  }

  private var branchText: String { branch.map { "on \(Visible.escape($0))" } ?? "HEAD is detached" }

  /// The number of notes, and the commits that the branch is ahead of and behind its upstream.
  private var headline: String {
    let notes = Count.notes(noteCount)
    guard let upstream else { return notes }
    let name = Visible.escape(upstream.name)
    let ahead = EnglishWord.count(upstream.ahead, "commit")
    let behind = EnglishWord.count(upstream.behind, "commit")
    return switch (upstream.ahead, upstream.behind) {
    case (0, 0): "\(notes), up to date with \(name)"
    case _ where isLevel: "\(notes), up to date with \(name) (the histories differ only in merges)"
    case (_, 0): "\(notes), \(ahead) ahead of \(name)"
    case (0, _): "\(notes), \(behind) behind \(name)"
    default: "\(notes), \(ahead) ahead of and \(behind) behind \(name)"
    }
  }
}

extension Finding {
  /// The finding on a line, and under it its repair.
  package func lines(_ style: Style) -> [String] {
    let place = [line, column].compactMap { $0 }.map { ":\($0)" }.joined()
    return ["\(style.bold(Visible.escape(path) + place)): \(message)", "  \(style.dim(fix.description))"]
  }
}

extension Finding.Rule {
  /// The check on a line, and under it what `--fix` does.
  package func lines(_ style: Style) -> [String] {
    ["\(style.bold(rawValue)): \(purpose)", "  \(style.dim(treatment.description))"]
  }
}

extension BoxStatus {
  /// The status as a JSON object with its line end.
  package var json: [UInt8] {
    JSONDocument.object { writer in
      writer.member("notes", noteCount)
      writer.member("conflicts", conflictCount)
      writer.member("branch", branch)
      writer.member("upstream", upstream?.name)
      writer.member("ahead", upstream?.ahead)
      writer.member("behind", upstream?.behind)
      writer.member("operation", operation?.rawValue)
      writer.member("changes", of: changes) { change, writer in
        writer.object {
          $0.member("path", bytes: change.path)
          $0.member("state", change.difference.rawValue)
        }
      }
      writer.member("hidden", of: hiddenChanges) { change, writer in
        writer.object {
          $0.member("path", bytes: change.path)
          $0.member("flag", change.flag)
        }
      }
      writer.member("leftToGit", of: leftToGit) { change, writer in
        writer.object {
          $0.member("path", bytes: change.path)
          $0.member("change", change.change.rawValue)
        }
      }
      writer.member("settingsFiles", of: settingsFiles) { $1.string(bytes: $0) }
      writer.member("linkedFiles", of: linkedFiles) { $1.string(bytes: $0) }
      writer.member("copies", of: copies) { $1.string(bytes: $0) }
      writer.member("otherFiles", otherFileCount)
      writer.member("drafts", of: keptTexts) { text, writer in
        writer.object {
          $0.member("name", text.name)
          $0.member("path", bytes: text.file)
          $0.member("title", text.title)
        }
      }
    }
  }
}

extension Finding {
  /// Findings of the doctor as a JSON object with its line end.
  package static func json(_ findings: [Finding]) -> [UInt8] {
    JSONDocument.list("findings", findings) { finding, writer in
      writer.object { writer in
        writer.member("path", bytes: finding.path)
        writer.member("line", finding.line)
        writer.member("column", finding.column)
        writer.member("rule", finding.rule.rawValue)
        writer.member("message", finding.message.description)
        writer.member("fix", finding.fix.description)
        writer.member("fixable", finding.way != .byHand)
      }
    }
  }
}
