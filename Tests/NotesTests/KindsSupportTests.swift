import Notes
import Testing

/// What the tests of kinds share: today is Saturday, 2026-11-21.
enum Kinds {
  static let clock = ClockReading(now: Timestamp(rfc3339: "2026-11-21T09:30:00+01:00") ?? .distantPast) { _ in
    3600
  }

  /// References that are there: Home and Work are groups, "Twin" fits two.
  static func resolve(_ kind: String, _ typed: String) -> ReferenceAnswer {
    switch typed {
    case "Home", "bcdfghjk": .found("bcdfghjk")
    case "Work", "kjhgfdcb": .found("kjhgfdcb")
    case "Twin": .ambiguous(["bbbbbbbb", "cccccccc"])
    default: Int(typed) != nil ? .found(typed) : .none
    }
  }

  static func editor(_ schema: Schema = .builtIn, dropsInlineTags: Bool = false) -> RecordEditor {
    RecordEditor(schema: schema, clock: clock, dropsInlineTags: dropsInlineTags, resolve: resolve)
  }

  static func changes(_ words: String...) -> [Change] { words.compactMap { Change($0) } }

  static func text(_ lines: String...) -> NoteText {
    NoteText(Array((["---"] + lines + ["---", "Body", ""]).joined(separator: "\n").utf8))
  }

  static func lines(_ text: NoteText) -> [String] {
    String(decoding: text.bytes, as: UTF8.self).split(separator: "\n").map(String.init).filter {
      $0 != "---" && $0 != "Body"
    }
  }

  /// A new record as `new` makes it, without id and date.
  static func new(_ kind: String, _ title: String, _ changes: [Change], _ schema: Schema = .builtIn) throws
    -> NoteText
  {
    try editor(schema).apply(changes, to: text("title: \(title)", "kind: \(kind)"), isNew: true).text
  }

  static func set(_ text: NoteText, _ words: String..., schema: Schema = .builtIn) throws -> NoteText {
    try editor(schema).apply(words.compactMap { Change($0) }, to: text, isNew: false).text
  }

  /// The messages with which changes are refused; empty where they are not.
  static func refusals(_ text: NoteText, _ words: String..., isNew: Bool = false, schema: Schema = .builtIn)
    -> [String]
  {
    do {
      _ = try editor(schema).apply(words.compactMap { Change($0) }, to: text, isNew: isNew)
      return []
    } catch {
      guard case .refused(let problems) = error else { return ["\(error)"] }
      return problems.map(\.message)
    }
  }

  /// The problems with which a change is refused.
  static func problems(_ change: () throws -> Void) throws -> [RecordProblem] {
    let error = try #require(#expect(throws: RecordError.self, performing: change))
    guard case .refused(let problems) = error else { throw error }
    return problems
  }

  static func warnings(_ text: NoteText, _ words: String..., schema: Schema = .builtIn) throws -> [String] {
    try editor(schema).apply(words.compactMap { Change($0) }, to: text, isNew: false).warnings
  }

  static func note(_ text: NoteText) -> Note { Note(path: Array("2026/11/x.md".utf8), text: text) }

  static func field(_ name: String, _ text: NoteText) -> String? { FrontMatter(text)[name]?.text }

  static func reading(_ name: String, _ lines: String...) -> (schema: Schema, problems: [KindProblem]) {
    Schema.reading([(name, Array((lines + [""]).joined(separator: "\n").utf8))])
  }
}

extension Timestamp {
  fileprivate static let distantPast = Timestamp(seconds: 0, offsetSeconds: 0)
}
