import Notes
import SlipboxCore

/// The answer to `textDocument/semanticTokens`: five numbers a token, each place counted from the one before.
struct SemanticTokensAnswer: Encodable, Sendable {
  let data: [Int]
}

/// The parts of a document with a meaning in the box: links, tags, names of fields, and choices.
struct SemanticTokens {
  private struct Token {
    let range: Range<Int>
    let type: SemanticTokenType
    var modifier: SemanticTokenModifier?
  }

  private let place: DocumentPlace
  private let client: ClientCapabilities

  init(_ request: Request, _ place: DocumentPlace) {
    self.place = place
    client = request.client.capabilities
  }

  /// - Parameter part: the part that is shown; nil for all.
  func answer(in part: PositionRange?) throws -> SemanticTokensAnswer {
    let lines = place.document.lines
    let wanted = part.map(lines.offsets) ?? 0..<place.document.bytes.count
    var (data, before, end) = ([Int](), Position(line: 0, character: 0), 0)
    let tokens = try all().filter { client.tokenTypes.contains($0.type.rawValue) }
    for token in tokens.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      // Clients need not take tokens that lie over others.
      guard token.range.lowerBound >= end, token.range.overlaps(wanted) else { continue }
      end = token.range.upperBound
      for piece in pieces(of: token.range) {
        let range = lines.range(of: piece)
        guard range.end.character > range.start.character else { continue }
        let isSameLine = range.start.line == before.line
        data += [
          range.start.line - before.line,
          isSameLine ? range.start.character - before.character : range.start.character,
          range.end.character - range.start.character, number(of: token.type), bits(of: token.modifier),
        ]
        before = range.start
      }
    }
    return SemanticTokensAnswer(data: data)
  }

  /// The parts of a stretch, each in one line.
  private func pieces(of range: Range<Int>) -> [Range<Int>] {
    let lines = place.document.lines
    let numbers =
      lines.line(at: range.lowerBound)...lines.line(at: max(range.lowerBound, range.upperBound - 1))
    return numbers.map { lines.content(ofLine: $0).clamped(to: range) }
  }

  private func number(of type: SemanticTokenType) -> Int {
    SemanticTokenType.allCases.firstIndex(of: type) ?? 0
  }

  private func bits(of modifier: SemanticTokenModifier?) -> Int {
    guard let modifier, client.tokenModifiers.contains(modifier.rawValue),
      let number = SemanticTokenModifier.allCases.firstIndex(of: modifier)
    else { return 0 }
    return 1 << number
  }

  private func all() throws -> [Token] {
    let note = place.note
    let links = try LinkReader(place).all().compactMap(token)
    let tags = note.tagPlaces.map { Token(range: $0.range, type: .decorator) }
    return links + tags + fields(of: note)
  }

  /// Links to notes and files; one that leads nowhere is marked.
  private func token(_ link: FoundLink) -> Token? {
    switch link.target {
    case .url: nil
    case .broken, .ambiguous: Token(range: link.range, type: .class, modifier: .deprecated)
    case .note, .file, .itself: Token(range: link.range, type: .class)
    }
  }

  private func fields(of note: Note) -> [Token] {
    let schema = place.box?.snapshot.schema() ?? .builtIn
    let kind = schema.kindOrPlain(named: place.box?.snapshot.kind(of: note) ?? note.kind)
    return FieldPlace.all(in: note.head).flatMap { place in
      let type = kind.field(place.field.name)?.type
      let isChoice = type == .choice || type == .boolean || place.field.name.isSameName(as: "kind")
      let values = isChoice ? place.values.map { Token(range: $0.range, type: .enumMember) } : []
      return [Token(range: place.name, type: .property)] + values
    }
  }
}
