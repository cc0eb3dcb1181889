/// All that is known of a note's front-matter: fields, their shapes and problems.
struct FrontMatterReading: Equatable {
  /// Blocks above this are not read.
  static let longestBlock = 1 << 20
  /// Maps and lists nested deeper are not read.
  static let deepest = 64

  var fields: [FrontMatterField] = []
  /// One for each field, or none at all where they were not asked for.
  var shapes: [FieldShape] = []
  /// For each field, whether each scalar of its value is written without quotes; none at all if shapes were not kept.
  var plainScalars: [[Bool]] = []
  var problems: [Problem] = []
  /// The column of the keys.
  var indentation = 0
  /// Whether the block is one `{a: b}`.
  var isFlow = false
}

extension FrontMatterReading {
  /// Reads front-matter by the quick reader where it recognises all of it, else by libyaml.
  init(_ text: NoteText, keepsShapes: Bool) {
    guard let range = text.frontMatter, text.format == .yaml, range.count <= Self.longestBlock,
      !text.bytes.hasNULOrHighBit, FrontMatterBytes.areSimple(text.bytes, in: range),
      let quick = SpanReader.read(text.bytes, in: range, keepsShapes: keepsShapes)
    else {
      self.init(slowly: text, keepsShapes: keepsShapes)
      return
    }
    self = quick
    addDuplicates(in: text)
  }

  /// Reads front-matter by libyaml alone.
  init(libyaml text: NoteText) {
    self.init(slowly: text, keepsShapes: true, skippingQuick: true)
  }

  private init(slowly text: NoteText, keepsShapes: Bool, skippingQuick: Bool = false) {
    self.init()
    let unreadable = FrontMatterBytes.firstUnreadable(text.bytes)
    if let unreadable {
      let message = text.bytes[unreadable] == 0 ? "a NUL byte" : "not UTF-8 text"
      problems.append(text.problem(at: unreadable, message))
    }
    if text.isUnclosed { problems.append(Self.unclosed(text)) }
    guard let range = text.frontMatter else { return }
    if text.format == .toml {
      readTOML(text, in: range)
    } else if range.count > Self.longestBlock {
      problems.append(text.problem(at: range.lowerBound, "front-matter of more than 1 MB is not read"))
    } else if let unreadable, range.contains(unreadable) {
      fields = SpanReader.salvage(text.bytes, in: range)
    } else {
      readYAML(text, in: range, keepsShapes: keepsShapes, skippingQuick: skippingQuick)
    }
  }

  private mutating func readYAML(
    _ text: NoteText, in range: Range<Int>, keepsShapes: Bool, skippingQuick: Bool
  ) {
    if !skippingQuick, FrontMatterBytes.areSimple(text.bytes, in: range),
      let quick = SpanReader.read(text.bytes, in: range, keepsShapes: keepsShapes)
    {
      take(quick)
    } else {
      switch YAMLReader.read(text.bytes, in: range) {
      case .success(let reading):
        take(reading)
      case .failure(let fault):
        problems.append(text.problem(at: fault.offset, fault.message))
        fields = SpanReader.salvage(text.bytes, in: range)
      }
    }
    addDuplicates(in: text)
  }

  /// Takes over what was read and keeps the problems.
  private mutating func take(_ reading: FrontMatterReading) {
    let found = problems
    self = reading
    problems = found + reading.problems
  }

  /// Adds a problem for the first key that stands there twice.
  private mutating func addDuplicates(in text: NoteText) {
    guard let (name, offset) = firstDuplicate() else { return }
    problems.append(text.problem(at: offset, "the key '\(name)' occurs twice here"))
  }

  private func firstDuplicate() -> (name: String, offset: Int)? {
    guard fields.count > 1 else { return nil }
    if fields.count > 32 { return firstDuplicateOfMany() }
    for (index, field) in fields.enumerated() {
      for earlier in 0..<index where fields[earlier].name.hasSameBytes(as: field.name) {
        return (field.name, field.span.lowerBound)
      }
    }
    return nil
  }

  private func firstDuplicateOfMany() -> (name: String, offset: Int)? {
    var seen: Set<[UInt8]> = []
    for field in fields where !seen.insert(Array(field.name.utf8)).inserted {
      return (field.name, field.span.lowerBound)
    }
    return nil
  }

  private static func unclosed(_ text: NoteText) -> Problem {
    text.problem(at: text.body.lowerBound, "front matter begins here without a closing line of dashes")
  }
}
