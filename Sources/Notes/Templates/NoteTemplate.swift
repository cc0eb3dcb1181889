import Bytes
internal import Text

/// A note with placeholders, of which new notes are made. Nothing in it is executed.
///
/// Its front-matter gives fields and tags, comments and quotes included; its text is the text of the note. All of it is
/// read and checked before anything is made of it.
package struct NoteTemplate: Sendable {
  private let fields: TemplateFields
  private let body: TemplateText
  /// The kind that the template declares; nil if it leaves that open, or has a placeholder for it.
  package let kind: String?
  /// The lines of a template of Templater on which commands stay as they are written.
  package private(set) var commandLines: [Int] = []

  /// Reads the bytes of a template.
  ///
  /// - Throws: a problem with line and column for front-matter that can't be read or written, for text that is not UTF-8,
  ///   and for a placeholder that is not known.
  package init(_ bytes: [UInt8]) throws(Problem) {
    let text = NoteText(bytes)
    fields = try TemplateFields(text)
    body = try TemplateText(bytes, in: text.body)
    let named = FrontMatter(text)["kind"]?.text.map(Note.oneLine)
    kind = named.flatMap { $0.isEmpty || $0.utf8.contains(UInt8(ascii: "{")) ? nil : $0 }
  }

  /// Reads the bytes of another program's template: placeholders that slip does not know stay as they are written, and so
  /// do the commands of Templater. Front matter that can't be read because of these becomes text.
  ///
  /// - Throws: as `init(_:)`, but for such placeholders.
  package init(foreign bytes: [UInt8]) throws(Problem) {
    let templater = TemplaterText(bytes)
    do throws(Problem) {
      try self.init(TemplateText.escapingUnknown(in: templater.bytes))
    } catch {
      guard !templater.lines.isEmpty else { throw error }
      if let quoted = try? NoteTemplate(TemplateText.escapingUnknown(in: templater.quotingValues)) {
        self = quoted
      } else {
        try self.init(body: TemplateText.escapingUnknown(in: templater.bytes))
      }
    }
    commandLines = templater.lines
  }

  /// A template of text alone.
  private init(body bytes: [UInt8]) throws(Problem) {
    fields = try TemplateFields(NoteText([]))
    body = try TemplateText(bytes)
    kind = nil
  }

  /// Whether the text that is given with the command has a place of its own; else it follows the template's.
  package var holdsSelection: Bool { fields.holdsSelection || body.holdsSelection }

  /// Whether a field uses the value of another one.
  package var asksFields: Bool { fields.asksFields }

  /// The template with its fields filled, and its text as it was written.
  ///
  /// - Throws: a problem with its line for a value that can't be written.
  package func head(_ values: TemplateValues) throws(Problem) -> NoteText { try fields.filled(values) }

  /// The text with its placeholders filled.
  package func body(_ values: TemplateValues) -> [UInt8] { body.filled(values) }
}

/// The values of the placeholders of a template.
package struct TemplateValues: Sendable {
  package var title: String
  package var id: NoteID?
  /// The day of the note.
  package var day: CivilDate
  /// The time of the command.
  package var now: Timestamp
  /// The text that was given with the command.
  package var selection: [UInt8]
  /// The new note as far as it is made; nil if no field has a value yet.
  package var note: Note?

  package init(
    title: String = "", id: NoteID? = nil, day: CivilDate, now: Timestamp, selection: [UInt8] = [],
    note: Note? = nil
  ) {
    self.title = title
    self.id = id
    self.day = day
    self.now = now
    self.selection = selection
    self.note = note
  }

  func bytes(of placeholder: Placeholder) -> [UInt8] {
    switch placeholder {
    case .title: return Array(title.utf8)
    case .id: return id?.bytes ?? []
    case .date(let distance, let format):
      let day = distance?.day(from: day, looking: .ahead) ?? day
      return Array(format.text(of: day, at: now).utf8)
    case .field(let name):
      let texts = note?.value(named: name)?.strings ?? []
      return Array(texts.joined(separator: ", ").utf8)
    case .selection: return Self.withoutLastLineEnd(selection)
    }
  }

  /// The bytes without their last line end: the text continues after the placeholder.
  private static func withoutLastLineEnd(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.last == 0x0A else { return bytes }
    return Array(bytes.dropLast(bytes.dropLast().last == 0x0D ? 2 : 1))
  }
}

/// A place in a template that is filled when a note is made of it.
enum Placeholder: Sendable, Equatable {
  case title
  case id
  /// The day of the note so far away, with the time of the command.
  case date(distance: DateInterval.Distance?, format: DateFormat)
  /// The value of a field of the new note.
  case field(String)
  /// The text that was given with the command.
  case selection

  /// Whether it is the value of a field.
  var isField: Bool {
    if case .field = self { true } else { false }
  }

  /// Reads the text between `{{` and `}}`.
  ///
  /// - Throws: `PlaceholderFault` for a text that is not a placeholder.
  init(_ inside: some Sequence<UInt8>) throws(PlaceholderFault) {
    let text = String(decoding: Array(inside), as: UTF8.self).withoutBlanksAround
    let name = text.unicodeScalars.prefix { $0 != ":" && $0 != " " }
    let rest = String(text.unicodeScalars.dropFirst(name.count))
    switch (String(name), rest) {
    case ("title", ""): self = .title
    case ("id", ""): self = .id
    case ("selection", ""): self = .selection
    case ("time", ""): self = .date(distance: nil, format: .time)
    case ("time", _) where rest.utf8.first == UInt8(ascii: ":"): self = try Self.date(rest)
    case ("date", _): self = try Self.date(rest)
    case ("field", _) where rest.utf8.first == UInt8(ascii: ":"):
      let field = String(rest.unicodeScalars.dropFirst()).withoutBlanksAround
      guard !field.isEmpty else { throw PlaceholderFault("{{\(text)}} matches no field") }
      self = .field(field)
    default: throw PlaceholderFault("unknown placeholder {{\(text)}}", isUnknown: true)
    }
  }

  /// Reads the text after `date`: a distance such as ` +1d`, and a format after a colon.
  private static func date(_ rest: String) throws(PlaceholderFault) -> Placeholder {
    let scalars = rest.unicodeScalars
    let written = String(scalars.prefix { $0 != ":" }).withoutBlanksAround
    var distance: DateInterval.Distance?
    if !written.isEmpty {
      distance = DateInterval.Distance(Array(written.utf8))
      guard distance?.sign != nil else {
        throw PlaceholderFault("\(written) in {{date\(rest)}} is not an offset such as +1d or -2w")
      }
    }
    guard let colon = scalars.firstIndex(of: ":") else { return .date(distance: distance, format: .day) }
    let format = String(scalars[scalars.index(after: colon)...]).withoutBlanksAround
    return .date(distance: distance, format: try DateFormat(format))
  }
}

/// A text with placeholders between `{{` and `}}`; `\{{` writes the braces themselves.
///
/// A placeholder is filled once: braces in a value that is put in mean nothing.
package struct TemplateText: Sendable {
  private enum Piece: Sendable {
    case text(Range<Int>)
    case placeholder(Placeholder)
  }

  private let bytes: [UInt8]
  private let pieces: [Piece]

  /// Reads a text, such as the value of a setting.
  ///
  /// - Throws: a problem with line and column for a placeholder that is not known, and for `{{` without `}}` on its line.
  package init(_ bytes: [UInt8]) throws(Problem) {
    try self.init(bytes, in: 0..<bytes.count)
  }

  /// Reads a part of a file; problems have the lines of the whole.
  init(_ bytes: [UInt8], in range: Range<Int>) throws(Problem) {
    var pieces: [Piece] = []
    var start = range.lowerBound
    for span in Self.spans(in: bytes, range) {
      pieces.append(.text(start..<span.range.lowerBound))
      start = span.range.upperBound
      do throws(PlaceholderFault) {
        switch span.mark {
        case .placeholder(let inside): pieces.append(.placeholder(try Placeholder(bytes[inside])))
        // The braces without the backslash before them.
        case .escape: pieces.append(.text((span.range.lowerBound + 1)..<span.range.upperBound))
        case .unclosed: throw PlaceholderFault.unclosed
        }
      } catch {
        throw NoteText(bytes).problem(at: span.range.lowerBound, error)
      }
    }
    pieces.append(.text(start..<range.upperBound))
    self.bytes = bytes
    self.pieces = pieces
  }

  /// A text with a backslash before each placeholder that is not known.
  static func escapingUnknown(in bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var start = 0
    for span in spans(in: bytes, 0..<bytes.count) {
      result += bytes[start..<span.range.lowerBound]
      start = span.range.lowerBound
      switch span.mark {
      case .placeholder(let inside):
        if (try? Placeholder(bytes[inside])) == nil { result.append(UInt8(ascii: "\\")) }
      case .unclosed: result.append(UInt8(ascii: "\\"))
      case .escape: break
      }
    }
    return result + bytes[start...]
  }

  /// Whether the text that is given with the command has a place of its own.
  package var holdsSelection: Bool { holds { $0 == .selection } }

  /// Whether it uses facts that only a note has.
  package var asksNote: Bool { holds { $0.isField || $0 == .title || $0 == .id } }

  private func holds(_ isWanted: (Placeholder) -> Bool) -> Bool {
    pieces.contains { piece in
      if case .placeholder(let placeholder) = piece { isWanted(placeholder) } else { false }
    }
  }

  /// The text with its placeholders filled.
  package func filled(_ values: TemplateValues) -> [UInt8] {
    var result: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .text(let range): result += bytes[range]
      case .placeholder(let placeholder): result += values.bytes(of: placeholder)
      }
    }
    return result
  }
}

extension TemplateText {
  /// The meaning of two braces.
  enum Mark {
    case placeholder(inside: Range<Int>)
    /// `\{{`
    case escape
    /// `{{` without `}}` on its line.
    case unclosed
  }

  /// The placeholders of a text and its other pairs of braces, in their order.
  static func spans(in bytes: [UInt8], _ range: Range<Int>) -> [(range: Range<Int>, mark: Mark)] {
    var spans: [(range: Range<Int>, mark: Mark)] = []
    var position = range.lowerBound
    while let open = opening(in: bytes, position..<range.upperBound) {
      if open > position, bytes[open - 1] == UInt8(ascii: "\\") {
        spans.append(((open - 1)..<(open + 2), .escape))
      } else if let close = closing(in: bytes, (open + 2)..<range.upperBound) {
        spans.append((open..<(close + 2), .placeholder(inside: (open + 2)..<close)))
      } else {
        spans.append((open..<(open + 2), .unclosed))
      }
      position = spans.last?.range.upperBound ?? range.upperBound
    }
    return spans
  }

  /// The offset of the next `{{`.
  private static func opening(in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    let brace = UInt8(ascii: "{")
    return range.dropLast().first { bytes[$0] == brace && bytes[$0 + 1] == brace }
  }

  /// The offset of the next `}}`, on the same line.
  private static func closing(in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    let brace = UInt8(ascii: "}")
    for index in range.dropLast() {
      if bytes[index] == 0x0A { return nil }
      if bytes[index] == brace, bytes[index + 1] == brace { return index }
    }
    return nil
  }
}

extension NoteText {
  /// Describes a fault in a placeholder at a byte of the note.
  func problem(at offset: Int, _ fault: PlaceholderFault) -> Problem {
    let place = position(of: offset)
    return Problem(
      severity: .error, line: place.line, column: place.column, message: Visible.escape(fault.message),
      isUnknownPlaceholder: fault.isUnknown)
  }
}
