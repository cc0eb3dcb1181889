import Bytes

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

  /// Reads what stands between `{{` and `}}`.
  ///
  /// - Throws: `PlaceholderFault` for what is none of the forms.
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
    default: throw PlaceholderFault("unknown placeholder {{\(text)}}")
    }
  }

  /// Reads what follows `date`: a distance such as ` +1d`, and a format after a colon.
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

/// Why a placeholder can't be read, in words with control characters as they stand.
struct PlaceholderFault: Error, Equatable {
  let message: String

  static let unclosed = PlaceholderFault("{{ without }} on its line")

  init(_ message: String) { self.message = message }
}
