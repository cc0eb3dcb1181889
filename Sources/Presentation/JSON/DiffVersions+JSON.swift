import Git
import Notes
package import SlipboxCore

extension DiffVersions {
  /// The difference as one JSON object: the changes of fields, and the lines that differ.
  package func json(_ diff: NoteDiff, _ types: ChangeTypes) -> [UInt8] {
    JSONDocument.object(types.json) { writer in
      writer.member("note", note?.id?.description)
      if let note { writer.member("path", bytes: note.path) }
      writer.member("old", old?.name)
      writer.member("new", new?.name)
      writer.key("changes")
      writer.beginArray()
      diff.change?.write(types, to: &writer)
      writer.endArray()
      writer.member("text", of: diff.hunks) { hunk, writer in
        writer.object { writer in
          writer.member("oldLine", hunk.oldLines.lowerBound + 1)
          writer.member("newLine", hunk.newLines.lowerBound + 1)
          writer.member("old", bytes: Self.text(hunk) { if case .added = $0 { false } else { true } })
          writer.member("new", bytes: Self.text(hunk) { if case .removed = $0 { false } else { true } })
        }
      }
    }
  }

  private static func text(_ hunk: TextDiff.Hunk, _ isWanted: (TextDiff.Piece) -> Bool) -> [UInt8] {
    hunk.pieces.filter(isWanted).flatMap(\.bytes)
  }
}
