import Notes
package import SlipboxCore
import Text

/// The difference between two versions of a note in lines.
package struct DiffLines {
  /// The number of equal lines around those that differ.
  private static let context = 1

  private let style: Style

  package init(_ style: Style) { self.style = style }

  /// A line each field, then the lines of the text that differ; none if nothing does.
  package func lines(_ diff: NoteDiff) -> [String] {
    let fields = diff.change.map(fieldLines) ?? []
    let text = textLines(diff)
    return fields + (fields.isEmpty || text.isEmpty ? [] : [""]) + text
  }

  // MARK: Fields

  private func fieldLines(_ change: NoteChange) -> [String] {
    var lines: [String] = []
    if let paths = change.file?.paths {
      lines.append(line("path", paths.old.map(shown), paths.new.map(shown)))
    }
    for field in change.fields {
      if let lists = elements(field) {
        let removed = lists.old.filter { old in !lists.new.contains { $0.hasSameBytes(as: old) } }
        let added = lists.new.filter { new in !lists.old.contains { $0.hasSameBytes(as: new) } }
        if !removed.isEmpty || !added.isEmpty {
          let words =
            removed.map { style.red("-" + Visible.escape($0)) }
            + added.map { style.green("+" + Visible.escape($0)) }
          lines.append("\(Visible.escape(field.name)): \(words.joined(separator: " "))")
          continue
        }
      }
      lines.append(line(field.name, field.old.map(\.inOneLine), field.new.map(\.inOneLine)))
    }
    return lines
  }

  private func elements(_ field: NoteChange.Field) -> (old: [String], new: [String])? {
    let lists = [field.old, field.new].map { value -> [String]? in
      switch value {
      case nil: []
      case .list(let elements): elements.allSatisfy { $0.text != nil } ? elements.compactMap(\.text) : nil
      default: nil
      }
    }
    guard let old = lists[0], let new = lists[1] else { return nil }
    return (old, new)
  }

  private func line(_ name: String, _ old: String?, _ new: String?) -> String {
    let arrow = style.unicode ? "→" : "->"
    let (old, new) = (value(old, style.red), value(new, style.green))
    return "\(Visible.escape(name)): \(old) \(arrow) \(new)"
  }

  private func value(_ text: String?, _ paint: (String) -> String) -> String {
    guard let text, !text.isEmpty else { return "-" }
    return paint(Visible.escape(text))
  }

  private func shown(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }

  // MARK: Text

  private func textLines(_ diff: NoteDiff) -> [String] {
    let all = diff.text.split(separator: 10, omittingEmptySubsequences: false).map { Array($0) }
    let count = diff.text.last == 10 ? all.count - 1 : all.count
    var lines: [String] = []
    var next = 0
    for hunk in diff.hunks {
      let start = max(next, hunk.newLines.lowerBound - Self.context)
      if start > next { lines.append(style.dim(style.ellipsis)) }
      if hunk.newLines.lowerBound > start {
        lines += context(all[start..<min(count, hunk.newLines.lowerBound)])
      }
      lines += changed(hunk.pieces)
      next = min(count, hunk.newLines.upperBound)
      let following = diff.hunks.first { $0.newLines.lowerBound >= next && $0 != hunk }?.newLines.lowerBound
      let end = min(count, next + Self.context, following ?? count)
      if end > next { lines += context(all[next..<end]) }
      next = max(next, end)
    }
    if !diff.hunks.isEmpty, next < count { lines.append(style.dim(style.ellipsis)) }
    return lines
  }

  private func context(_ lines: ArraySlice<[UInt8]>) -> [String] {
    lines.map { style.dim(Visible.escape(String(decoding: $0, as: UTF8.self))) }
  }

  /// Lines by their words; without colour, removed words are between `[-` and `-]`, added ones between `{+` and `+}`.
  private func changed(_ pieces: [TextDiff.Piece]) -> [String] {
    var lines = [""]
    for piece in pieces {
      let parts = piece.bytes.split(separator: 10, omittingEmptySubsequences: false)
      for (number, part) in parts.enumerated() {
        if number > 0 { lines.append("") }
        let text = Visible.escape(String(decoding: part, as: UTF8.self))
        if !text.isEmpty { lines[lines.count - 1] += marked(text, piece) }
      }
    }
    // Each line of a hunk has its end, so the last is empty.
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  private func marked(_ text: String, _ piece: TextDiff.Piece) -> String {
    switch piece {
    case .same: text
    case .removed: style.colour ? style.red(text) : "[-\(text)-]"
    case .added: style.colour ? style.green(text) : "{+\(text)+}"
    }
  }
}

extension FieldValue {
  /// The value in one line: the elements of a list with commas between them.
  var inOneLine: String {
    switch self {
    case .empty: ""
    case .text(let text): text
    case .list(let elements): elements.map(\.inOneLine).joined(separator: ", ")
    case .map(let entries): entries.map { "\($0.key): \($0.value.inOneLine)" }.joined(separator: ", ")
    }
  }
}
