import Glibc
import NoteIndex
import Notes
import Text

/// What a note shows by itself.
extension Slipbox {
  func noteFindings(_ entry: Entry) -> [Finding] {
    frontMatterFindings(entry.note) + mergeFindings(entry.note) + dateFindings(entry)
  }

  private func frontMatterFindings(_ note: Note) -> [Finding] {
    // TOML is read-only here, which is no fault of the note.
    guard note.text.format != .toml else { return [] }
    var problems = note.frontMatter.problems
    // What is no text hinders every change of a note, also where it stands in the body.
    if let unreadable = note.text.unreadable, !problems.contains(where: { $0.line == unreadable.line }) {
      problems.append(unreadable)
    }
    return problems.map { problem in
      Finding(
        .frontMatter, note.path, line: problem.line, column: problem.column, Visible.escape(problem.message),
        remedy: "slip edit \(Self.name(of: note))")
    }
  }

  private func mergeFindings(_ note: Note) -> [Finding] {
    guard let line = MergeMarkers.firstLine(in: note.text.bytes) else { return [] }
    return [
      Finding(
        .merge, note.path, line: line, "a marker of a merge that was not finished",
        remedy: "choose between the versions: slip edit \(Self.name(of: note))")
    ]
  }

  /// How far clocks may differ, in seconds.
  private static let clockTolerance: Int64 = 300

  private func dateFindings(_ entry: Entry) -> [Finding] {
    guard let created = entry.note.created else { return [] }
    let now = surroundings.clock.now
    // A date alone counts as midnight UTC: today's may lie ahead.
    let isDateAlone = created.offsetSeconds == 0 && created.seconds % 86_400 == 0
    let isAhead =
      isDateAlone
      ? created.civilDate > now.civilDate : created.seconds > now.seconds + Self.clockTolerance
    guard isAhead else { return [] }
    let field = entry.note.frontMatter.fields.first { Note.createdFields.contains($0.name.lowercased()) }
    return [
      Finding(
        .dates, entry.note.path, line: field?.line, "created \(created.rfc3339) lies in the future",
        remedy: "slip set \(Self.name(of: entry.note)) created:DATE")
    ]
  }
}

/// The lines that git leaves around what it could not merge.
enum MergeMarkers {
  private static let markers = [Array("<<<<<<< ".utf8), Array(">>>>>>> ".utf8)]
  private static let fences = [Array("```".utf8), Array("~~~".utf8)]

  /// The first such line, from 1; those in fenced code, where a note may speak of them, don't count.
  /// - Complexity: O(n).
  static func firstLine(in bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { buffer in
      var line = 1
      var start = 0
      var isCode = false
      while start < buffer.count {
        let rest = buffer[start...]
        if fences.contains(where: { rest.starts(with: $0) }) {
          isCode.toggle()
        } else if !isCode, rest[start] == markers[0][0] || rest[start] == markers[1][0],
          markers.contains(where: { rest.starts(with: $0) })
        {
          return line
        }
        guard let base = buffer.baseAddress, let found = memchr(base + start, 0x0A, buffer.count - start)
        else {
          return nil
        }
        start = base.distance(to: UnsafeRawPointer(found)) + 1
        line += 1
      }
      return nil
    }
  }
}
