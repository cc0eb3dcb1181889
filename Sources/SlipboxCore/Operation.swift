package import Git
import Notes
import Text

/// One file's change: its bytes before and after. A missing side means the file is made or deleted.
package struct FileChange: Sendable, Equatable {
  package let path: [UInt8]
  package let before: [UInt8]?
  package let after: [UInt8]?

  package init(path: [UInt8], before: [UInt8]?, after: [UInt8]?) {
    self.path = path
    self.before = before
    self.after = after
  }

  /// Whether anything changes at all.
  package var isChange: Bool { before != after }
}

/// One command's effect on the box: what changes, and the sentence that history keeps of it.
package struct Operation: Sendable {
  /// The command as it was typed, without its arguments.
  package let command: String
  /// What a person would say was done, in one line.
  package let subject: String
  /// Why, as the user put it with `-m`.
  package let reason: String?
  package let changes: [FileChange]
  /// Whether the new text is kept in the file where it can't be committed now.
  package let savesAlways: Bool
  /// Whether the files hold the new bytes already, because another program wrote them.
  package let isAsFound: Bool

  package init(
    command: String, subject: String, reason: String? = nil, changes: [FileChange], savesAlways: Bool = false,
    isAsFound: Bool = false
  ) {
    self.command = command
    self.subject = subject
    self.reason = reason
    self.changes = changes
    self.savesAlways = savesAlways
    self.isAsFound = isAsFound
  }
}

/// What recording an operation came to.
package enum Outcome: Sendable, Equatable {
  /// Everything was in place already.
  case unchanged
  /// One commit holds it.
  case committed(ObjectID)
  /// The files are written; why they could not be committed, and the class of that condition.
  case saved(SlipboxError.Kind, reason: String, hints: [String])
}

extension Operation {
  /// The largest number of notes whose changes are spelt out in the trailers.
  static let trailerLimit = 20

  /// The commit message: subject, reason, trailers.
  ///
  /// - Parameter paths: the blobs of the changes, in their order.
  func message(id: String, device: String, paths: [PreparedCommit.Path] = []) -> String {
    var text = Self.subjectLine(subject) + "\n"
    if let reason, !reason.isEmpty { text += "\n" + Visible.escape(reason, keepingLines: true) + "\n" }
    text += "\nSlip-Operation: \(id)\nSlip-Command: \(command)\nSlip-Device: \(Self.oneLine(device))\n"
    if changes.count > Self.trailerLimit {
      text += "Slip-Notes: \(changes.count)\n"
    } else {
      for (change, blobs) in zip(changes, paths) {
        for line in Self.trailers(of: change, blobs) { text += "Slip-Change: \(line)\n" }
      }
    }
    return text
  }

  /// Titles as subjects: one line, no control characters, at most 100 characters.
  private static func subjectLine(_ text: String) -> String {
    let line = oneLine(text)
    return line.count <= 100 ? line : line.prefix(99) + "…"
  }

  private static func oneLine(_ text: String) -> String {
    let escaped = Visible.escape(text)
    let line = String(escaped.map { $0 == "\t" ? " " : $0 })
    return line.isEmpty ? "-" : line
  }

  /// `ID FIELD OLD NEW` for each field that differs; old and new as JSON, for the body the ids of the blobs.
  private static func trailers(of change: FileChange, _ blobs: PreparedCommit.Path) -> [String] {
    let old = change.before.map { Note(path: change.path, text: NoteText($0)) }
    let new = change.after.map { Note(path: change.path, text: NoteText($0)) }
    guard let note = new ?? old else { return [] }
    let name = note.id?.description ?? JSONText.string(String(decoding: change.path, as: UTF8.self))
    var lines: [String] = []
    if old == nil || new == nil {
      let path = JSONText.string(String(decoding: change.path, as: UTF8.self))
      lines.append(old == nil ? "\(name) path null \(path)" : "\(name) path \(path) null")
    }
    for field in fieldNames(old, new) {
      let before = old?.frontMatter[field]
      let after = new?.frontMatter[field]
      if before != after { lines.append("\(name) \(fieldName(field)) \(json(before)) \(json(after))") }
    }
    if let before = blobs.before, let after = blobs.after, body(old) != body(new) {
      lines.append("\(name) body \"\(before.hex)\" \"\(after.hex)\"")
    }
    return lines
  }

  private static func fieldNames(_ old: Note?, _ new: Note?) -> [String] {
    var seen: Set<String> = []
    let fields = (old?.frontMatter.fields ?? []) + (new?.frontMatter.fields ?? [])
    return fields.map(\.name).filter { seen.insert($0).inserted }
  }

  private static func fieldName(_ name: String) -> String {
    name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") }
      ? name : JSONText.string(name)
  }

  private static func body(_ note: Note?) -> ArraySlice<UInt8> {
    note.map { $0.text.bytes[$0.text.body] } ?? []
  }

  private static func json(_ value: FieldValue?) -> String {
    switch value {
    case nil: "null"
    case .empty?: "\"\""
    case .text(let text)?: JSONText.string(text)
    case .list(let elements)?: "[" + elements.map { json($0) }.joined(separator: ",") + "]"
    case .map(let entries)?:
      "{" + entries.map { JSONText.string($0.key) + ":" + json($0.value) }.joined(separator: ",") + "}"
    }
  }
}

/// JSON strings on one line of ASCII-safe text, for trailers.
enum JSONText {
  /// A string in quotes, control characters and line separators escaped.
  static func string(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): result += escaped(scalar)
      case "\u{2028}", "\u{2029}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": result += escaped(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
