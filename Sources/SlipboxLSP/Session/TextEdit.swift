import Notes
import Presentation
import Text

/// A part of a text that is to be another one.
struct TextEdit: Codable, Hashable, Sendable {
  let range: PositionRange
  let newText: String
}

/// Changes of documents and files that the client makes.
struct WorkspaceEdit: Encodable, Sendable {
  /// One change.
  enum Change: Encodable, Sendable {
    case edits(VersionedDocument, [TextEdit])
    case create(uri: String)
    case rename(old: String, new: String)

    private struct Edits: Encodable {
      let textDocument: VersionedDocument
      let edits: [TextEdit]
    }

    private struct Creation: Encodable {
      let kind = "create"
      let uri: String
    }

    private struct Renaming: Encodable {
      let kind = "rename"
      let oldUri: String
      let newUri: String
    }

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .edits(let document, let edits):
        try Edits(textDocument: document, edits: edits).encode(to: encoder)
      case .create(let uri): try Creation(uri: uri).encode(to: encoder)
      case .rename(let old, let new): try Renaming(oldUri: old, newUri: new).encode(to: encoder)
      }
    }
  }

  private let documentChanges: [Change]?
  private let changes: [String: [TextEdit]]?

  /// - Parameter list: the changes in their order; for a client that knows neither versions nor changes of files, those of
  ///   texts alone remain.
  init(_ list: [Change], for client: ClientCapabilities) {
    guard !client.hasDocumentChanges, client.resourceOperations.isEmpty else {
      documentChanges = list
      changes = nil
      return
    }
    documentChanges = nil
    var texts: [String: [TextEdit]] = [:]
    for case .edits(let document, let edits) in list { texts[document.uri, default: []] += edits }
    changes = texts
  }
}

/// The parts in which two texts differ.
enum TextDifference {
  /// The edits that make one text of another: line by line, and within a changed line only what differs.
  static func edits(from old: [UInt8], to new: [UInt8], _ lines: LineTable) -> [TextEdit] {
    guard old != new else { return [] }
    var edits: [TextEdit] = []
    for (before, after) in hunks(old, new) {
      let (before, after) = trimmed(old, before, new, after)
      edits.append(
        TextEdit(
          range: lines.range(of: before), newText: String(decoding: new[after], as: UTF8.self)))
    }
    return edits
  }

  /// The runs of lines that differ, as bytes of either text.
  private static func hunks(_ old: [UInt8], _ new: [UInt8]) -> [(Range<Int>, Range<Int>)] {
    let (oldLines, newLines) = (lines(of: old), lines(of: new))
    var numbers: [ArraySlice<UInt8>: Int32] = [:]
    let number = { (line: ArraySlice<UInt8>) -> Int32 in
      let number = numbers[line] ?? Int32(numbers.count)
      numbers[line] = number
      return number
    }
    return LineDiff.hunks(oldLines.map { number(old[$0]) }, newLines.map { number(new[$0]) }).map { hunk in
      (range(hunk.old, oldLines, old.count), range(hunk.new, newLines, new.count))
    }
  }

  private static func range(_ numbers: Range<Int>, _ lines: [Range<Int>], _ end: Int) -> Range<Int> {
    let start = numbers.lowerBound < lines.count ? lines[numbers.lowerBound].lowerBound : end
    return start..<(numbers.isEmpty ? start : lines[numbers.upperBound - 1].upperBound)
  }

  private static func lines(of text: [UInt8]) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    for (place, byte) in text.enumerated() where byte == 0x0A {
      lines.append(start..<place + 1)
      start = place + 1
    }
    if start < text.count { lines.append(start..<text.count) }
    return lines
  }

  /// Two ranges without what their texts have in common at either end, never within a character.
  private static func trimmed(
    _ old: [UInt8], _ before: Range<Int>, _ new: [UInt8], _ after: Range<Int>
  ) -> (Range<Int>, Range<Int>) {
    let most = min(before.count, after.count)
    var start = 0
    while start < most, old[before.lowerBound + start] == new[after.lowerBound + start] { start += 1 }
    while start > 0, isInside(old, before.lowerBound + start) || isInside(new, after.lowerBound + start) {
      start -= 1
    }
    var end = 0
    while end < most - start, old[before.upperBound - 1 - end] == new[after.upperBound - 1 - end] { end += 1 }
    while end > 0, isInside(old, before.upperBound - end) || isInside(new, after.upperBound - end) {
      end -= 1
    }
    return (
      before.lowerBound + start..<before.upperBound - end, after.lowerBound + start..<after.upperBound - end
    )
  }

  /// Whether an offset lies within a character or between a carriage return and its line feed.
  private static func isInside(_ text: [UInt8], _ offset: Int) -> Bool {
    guard offset < text.count else { return false }
    return text[offset] & 0xC0 == 0x80 || text[offset] == 0x0A && offset > 0 && text[offset - 1] == 0x0D
  }
}

/// A command that the client may have the server run.
struct ClientCommand: Codable, Sendable {
  let title: String
  let command: String
  let arguments: [JSONValue]?
}

/// The commands of the server.
enum ServerCommand: String, CaseIterable, Sendable {
  case new = "slip.new"
  case list = "slip.list"
  case act = "slip.do"
  case undo = "slip.undo"
  case redo = "slip.redo"
  case daily = "slip.daily"
  case commit = "slip.commit"
  case extract = "slip.extract"
  case promote = "slip.promote"
  case resolve = "slip.resolve"
  case apply = "slip.apply"

  /// The commands that do the same as the verb of slip with their name, for the open note or the last change.
  private static let verbs: [ServerCommand] = [.undo, .redo, .commit]

  /// The command that does the same as a verb of slip; nil if there is none.
  static func named(like verb: String) -> String? {
    let name = "slip.\(verb)"
    return verbs.contains { $0.rawValue == name } ? name : nil
  }
}

extension WindowMessage {
  /// A message to the client: names the server's command if there is one, otherwise that for a terminal if it is the only
  /// way out.
  init(toClient message: Phrase, hints: [Phrase] = []) {
    self.init(inEditor: message, hints: hints, serverCommand: ServerCommand.named)
  }
}

extension ClientCommand {
  /// A command of the server with its arguments by name.
  init(_ title: String, _ command: ServerCommand, _ arguments: [String: JSONValue] = [:]) {
    self.init(title: title, command: command.rawValue, arguments: [.object(arguments)])
  }
}

/// The kinds of code actions.
enum CodeActionKind: String, CaseIterable, Codable, Sendable {
  case quickFix = "quickfix"
  case extract = "refactor.extract"
  case rewrite = "refactor.rewrite"
  case record = "source.slip"
}

/// The types of semantic tokens.
enum SemanticTokenType: String, CaseIterable, Sendable {
  case property, enumMember, decorator, `class`
}

/// The modifiers of semantic tokens.
enum SemanticTokenModifier: String, CaseIterable, Sendable {
  case deprecated
}
