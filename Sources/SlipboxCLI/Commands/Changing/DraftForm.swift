import Notes

/// The lines that show in an editor which fields a new record may have.
///
/// They are comments, and a title without a value; lines that nobody filled in are taken out again.
struct DraftForm {
  private let lines: [String]

  /// - Parameters:
  ///   - text: the draft, whose own fields need no line.
  ///   - asksTitleAlone: whether other fields than the title need none either.
  init(_ kind: Kind, for text: NoteText, today: CivilDate, asksTitleAlone: Bool = false) {
    let present = FrontMatter(text)
    let missing = kind.fields.filter { field in
      present.field(field.name) == nil && !Self.isSetBySlip(field.name)
        && (!asksTitleAlone || field.name == "title")
    }
    lines = missing.map { field in
      field.name == "title" ? "title:" : "# \(field.name): \(field.form(today: today))"
    }
  }

  /// Fields that actions set, or that every new note has.
  private static func isSetBySlip(_ name: String) -> Bool { name == "created" || name == "id" }

  /// The draft with the lines at the end of its front-matter.
  func added(to text: NoteText) -> [UInt8] {
    guard let block = text.frontMatter else { return text.bytes }
    let form = lines.flatMap { Array($0.utf8) + text.lineEnd }
    return Array(text.bytes[..<block.upperBound]) + form + text.bytes[block.upperBound...]
  }

  /// What an editor saved without the lines that are as they were.
  func removed(from bytes: [UInt8]) -> [UInt8] {
    let text = NoteText(bytes)
    guard let block = text.frontMatter else { return bytes }
    var kept: [[UInt8]] = []
    for line in bytes[block].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let shown = String(decoding: line, as: UTF8.self)
      let isForm = lines.contains(shown.hasSuffix("\r") ? String(shown.dropLast()) : shown)
      if !isForm { kept.append(Array(line)) }
    }
    return Array(bytes[..<block.lowerBound]) + kept.joined(separator: [UInt8(ascii: "\n")])
      + bytes[block.upperBound...]
  }
}

extension Field {
  /// The values that it may have, in the form of a file.
  fileprivate func form(today: CivilDate) -> String {
    let one =
      switch type {
      case .choice: values.joined(separator: ", ")
      case .boolean: "true or false"
      case .integer: Self.range(minimum, maximum)
      case .date, .moment: "a date such as \(today)"
      case .reference: "the id of a \(target ?? "note")"
      case .tags: "[one, two]"
      case .recurrence: "a recurrence such as weekly, 3d or +2w"
      case .text: comment ?? "text"
      }
    return isList && type != .tags ? "a list of: \(one)" : one
  }

  private static func range(_ minimum: Int?, _ maximum: Int?) -> String {
    switch (minimum, maximum) {
    case (let low?, let high?): "\(low) to \(high)"
    case (let low?, nil): "\(low) or more"
    case (nil, let high?): "up to \(high)"
    case (nil, nil): "a number"
    }
  }
}
