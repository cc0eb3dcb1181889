extension NoteText {
  /// The comments of the front-matter: those on lines of their own, and those after values, without blanks around them.
  package var frontMatterComments: [String] {
    guard let block = frontMatter, format == .yaml else { return [] }
    let reading = FrontMatterReading(self, keepsShapes: true)
    var comments: [String] = []
    var position = block.lowerBound
    for (field, shape) in zip(reading.fields, reading.shapes) where field.span.lowerBound >= position {
      comments += Self.comments(in: bytes[position..<field.span.lowerBound])
      for end in shape.ends { comments += Self.comments(in: bytes[end..<bytes.lineEnd(of: end)]) }
      position = field.span.upperBound
    }
    return comments + Self.comments(in: bytes[position..<max(position, block.upperBound)])
  }

  private static func comments(in bytes: ArraySlice<UInt8>) -> [String] {
    bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).compactMap { line in
      let comment = line.drop { $0 == 0x20 || $0 == 0x09 }
      return comment.first == UInt8(ascii: "#") ? String(decoding: comment, as: UTF8.self) : nil
    }
  }
}

extension FieldShape {
  /// Where the values on the lines of the field end.
  fileprivate var ends: [Int] {
    switch form {
    case .empty: [colon]
    case .scalar(let range, _), .flow(let range, _): [range.upperBound]
    case .block(let elements): [colon] + elements.map(\.range.upperBound)
    case .whole, .opaque: []
    }
  }
}
