import Git
package import NoteIndex
import Notes
import Text

/// Deleted notes by the names that people type.
extension DeletedNotes {
  /// The most candidates that a refusal names.
  private static let mostNamed = 10
  /// With more deleted files than this, a note that is not found is not looked for among them.
  private static let mostForHints = 5_000

  /// The deleted note that a REF names: by its id, its path, or the title that it last had.
  /// - Throws: `.badData` where several fit, with their dates; `.notFound` where none does.
  package func entry(_ reference: String) throws(SlipboxError) -> Entry {
    do throws(SlipboxError) {
      return try snapshot.entry(reference, fuzzy: false)
    } catch {
      guard error.kind == .badData,
        case .ambiguous(let entries) = try snapshot.catalogue().resolve(
          reference, .typed(fuzzy: false), keys: RecordKeys(snapshot.schema()))
      else { throw error }
      let sorted = entries.map { ($0, deletion(of: $0.note)) }
        .sorted { ($0.1?.time.seconds ?? 0) > ($1.1?.time.seconds ?? 0) }
      let lines = sorted.prefix(Self.mostNamed).map { entry, deletion in
        "  \(entry.note.shownName)  \(Visible.escape(entry.note.title))\(Self.said(deletion))"
      }
      throw SlipboxError(
        .badData, "\(Visible.escape(reference)) fits \(entries.count) deleted notes",
        hints: ["name it by its \(entries.allSatisfy { $0.note.id != nil } ? "id" : "id or path"):"] + lines
          + SlipboxError.more(entries.count - lines.count))
    }
  }

  /// The deleted note that a REF names; nil where none has the name.
  /// - Throws: `.badData` where several fit, with their dates.
  package func entry(named reference: String) throws(SlipboxError) -> Entry? {
    do throws(SlipboxError) { return try entry(reference) } catch {
      guard error.kind == .notFound else { throw error }
      return nil
    }
  }

  private static func said(_ deletion: PastDeletion?) -> String {
    deletion.map { ", deleted \($0.said)" } ?? ""
  }

  /// What to say of a note that was not found, where a deleted one has the name.
  package static func hints(
    for reference: String, _ now: BoxSnapshot, _ context: CommandContext
  ) -> [String] {
    // Where history can't be read there is only no hint.
    guard let deleted = try? DeletedNotes(of: now, context), deleted.files.count <= mostForHints,
      let entry = try? deleted.entry(reference), let deletion = deleted.deletion(of: entry.note)
    else { return [] }
    let (note, name) = (entry.note, Visible.escape(entry.note.shellName))
    return [
      "\(note.shownName)  \(Visible.escape(note.title)) was deleted \(deletion.said)",
      "slip restore \(name) restores it, slip show \(name) --at \(deletion.commit.hex.prefix(8))~ shows it",
    ]
  }
}

extension PastDeletion {
  /// The minute and the command, as a part of a sentence.
  var said: String {
    let minute = String(time.rfc3339.prefix(16)).split(separator: "T").joined(separator: " ")
    return "\(minute)\(command.map { " by slip \($0)" } ?? "")"
  }
}
