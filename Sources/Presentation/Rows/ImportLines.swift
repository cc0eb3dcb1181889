import Notes
package import SlipboxCore
import Text

/// The result of an import in words.
package enum ImportLines {
  /// How many notes, places or sentences are named one by one.
  private static let most = 20
  /// How many notes are named that are in the source no more; a source is often a part.
  private static let mostVanished = 3

  /// The done or planned changes, and the remarks.
  package static func lines(_ result: ImportResult, isDone: Bool) -> [String] {
    var lines = [summary(result, isDone: isDone)]
    lines += result.remarks.map(\.description)
    lines += vanished(result)
    lines += kept(result)
    lines += named(
      result.deleted.map { "\($0.note.shownName)  \(Visible.escape($0.note.title))" },
      "\(Count.notes(result.deleted.count)) deleted or moved in the box "
        + (result.deleted.count == 1
          ? "is not imported; --again imports it:" : "are not imported; --again imports them:")
    )
    if result.undated > 0 {
      let count =
        result.undated == 1
        ? "1 note has no date and counts" : "\(result.undated) notes have no date and count"
      lines.append("\(count) as created now; --dates uses the date of the file")
    }
    return lines
  }

  private static func summary(_ result: ImportResult, isDone: Bool) -> String {
    var parts: [String] = []
    let (changed, same) = (result.changed.count, result.unchanged)
    let verb = isDone ? "imported" : "to import"
    if !result.made.isEmpty { parts.append("\(made(result)) \(verb)") }
    if result.attachments > 0 {
      parts.append(result.attachments == 1 ? "1 linked file" : "\(result.attachments) linked files")
    }
    if changed > 0 {
      parts.append("\(Count.notes(changed)) \(isDone ? "updated" : "to update")")
    }
    if same > 0 { parts.append("\(Count.notes(same)) unchanged") }
    return parts.isEmpty ? "nothing to import" : parts.joined(separator: ", ")
  }

  /// Such as `9 tasks, 3 groups`: by kind, groups that were made for records last; notes of no kind of records as notes.
  private static func made(_ result: ImportResult) -> String {
    let records = result.made.filter { !$0.isGroup }
    let kinds = Set(records.map(\.note.kind))
    let groups = counted(result.made.filter(\.isGroup), by: { $0.note.kind })
    let own = kinds.count == 1 ? counted(records, by: { $0.note.kind }) : [Count.notes(records.count)]
    return ((records.isEmpty ? [] : own) + groups).joined(separator: ", ")
  }

  private static func counted(
    _ items: [ImportResult.Item], by kind: (ImportResult.Item) -> String
  ) -> [String] {
    let counts = Dictionary(items.map { (kind($0), 1) }, uniquingKeysWith: +)
    return counts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
      EnglishWord.count($0.value, $0.key)
    }
  }

  private static func kept(_ result: ImportResult) -> [String] {
    let (foreign, merged) = (result.kept.filter(\.parts.isEmpty), result.kept.filter { !$0.parts.isEmpty })
    let isOne = foreign.count == 1
    return named(
      foreign.map { "\($0.item.note.shownName)  \(Visible.escape($0.item.note.title))" },
      "\(Count.notes(foreign.count)) in the box \(isOne ? "was" : "were") not imported and "
        + "\(isOne ? "differs" : "differ") from the source; kept as in the box:"
    )
      + named(
        merged.map { kept in
          let parts = Sentence.list(kept.parts.map { Visible.escape($0) })
          return "\(kept.item.note.shownName)  \(Visible.escape(kept.item.note.title)): \(parts)"
        }, "changed both in the source and in the box; the values of the box are kept:")
  }

  /// Such as `3 notes are no longer in the source; they are left as they are: A, B, C`.
  private static func vanished(_ result: ImportResult) -> [String] {
    let notes = result.vanished
    guard !notes.isEmpty else { return [] }
    let what =
      notes.count == 1
      ? "1 note is no longer in the source; it is kept"
      : "\(notes.count) notes are no longer in the source; they are kept"
    let names = notes.prefix(mostVanished).map { Visible.escape($0.title) }
    let rest = notes.count > mostVanished ? ["\(notes.count - mostVanished) more"] : []
    return ["\(what): \(Sentence.list(names + rest))"]
  }

  private static func named(_ lines: [String], _ heading: String) -> [String] {
    guard !lines.isEmpty else { return [] }
    let rest = lines.count > most ? ["  and \(lines.count - most) more"] : []
    return [heading] + lines.prefix(most).map { "  \($0)" } + rest
  }

  /// The error of an import with failures; nil if nothing failed.
  package static func refusal(_ result: ImportResult, isDone: Bool) -> SlipboxError? {
    let failures = result.failures
    guard !failures.isEmpty else { return nil }
    let partial = failures.count(where: \.isPartial)
    let whole = failures.count - partial
    let what =
      whole == 0
      ? EnglishWord.count(partial, "value")
      : (whole == 1 ? "1 note or line" : "\(whole) notes or lines")
        + (partial == 0 ? "" : " and \(EnglishWord.count(partial, "value"))")
    let rest =
      result.count == 0
      ? "nothing was imported" : isDone ? "the others are imported" : "the others would be imported"
    let lines: [Phrase] = failures.prefix(most).map { "\($0.place.shown): \($0.message)" }
    let more: [Phrase] =
      failures.count > most ? ["and \(failures.count - most) more; --json lists them all"] : []
    return SlipboxError(.badData, "\(what) can't be imported; \(rest)", hints: lines + more)
  }
}

extension ImportResult {
  /// The result for each note as a JSON object with its line end.
  package var json: [UInt8] {
    JSONDocument.object { writer in
      writer.member("made", of: made) { $0.write(to: &$1) }
      writer.member("changed", of: changed) { $0.write(to: &$1) }
      writer.member("unchanged", unchanged)
      writer.member("kept", of: kept) { kept, writer in
        writer.object { writer in
          kept.item.writeMembers(to: &writer)
          writer.key("parts")
          writer.strings(kept.parts)
        }
      }
      writer.member("deleted", of: deleted) { $0.write(to: &$1) }
      writer.member("vanished", of: vanished) { note, writer in
        writer.object { $0.names(of: note) }
      }
      writer.member("files", attachments)
      writer.member("failed", of: failures) { failure, writer in
        writer.object {
          $0.member("file", failure.place.file)
          $0.member("line", failure.place.line)
          $0.member("message", failure.message.description)
        }
      }
      writer.key("messages")
      writer.strings(remarks.map(\.description))
    }
  }
}

extension ImportResult.Item {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writeMembers(to: &$0) }
  }

  /// The note as lists name it, and its source.
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("id", note.id?.description)
    writer.member("path", bytes: note.path)
    writer.member("title", note.title)
    writer.member("kind", note.kind)
    writer.member("file", place.file)
    writer.member("line", place.line)
  }
}
