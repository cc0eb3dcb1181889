/// Values of a row that do not come from the note itself.
package struct RowSurroundings: Sendable {
  /// When the note was made, for notes that do not say it themselves.
  package let created: Timestamp?
  /// How many records of a kind refer to the note.
  package let count: @Sendable (_ kind: String) -> Int
  /// The title of the record of a kind that a reference names; nil if there is none.
  package let title: @Sendable (_ kind: String, _ reference: String) -> String?
  /// Whether the record is in a state.
  package let isIn: @Sendable (_ state: RecordStanding) -> Bool

  package init(
    created: Timestamp? = nil, count: @escaping @Sendable (_ kind: String) -> Int = { _ in 0 },
    title: @escaping @Sendable (_ kind: String, _ reference: String) -> String? = { _, _ in nil },
    isIn: @escaping @Sendable (_ state: RecordStanding) -> Bool = { _ in false }
  ) {
    self.created = created
    self.count = count
    self.title = title
    self.isIn = isIn
  }
}

extension RowColumn {
  /// Returns the text of the column for a note, not yet escaped for a terminal.
  ///
  /// A wrong value is shown as it is typed.
  package func text(
    for note: Note, kind: Kind, unicode: Bool, _ surroundings: RowSurroundings = RowSurroundings()
  ) -> String {
    if let state, !surroundings.isIn(state) { return "" }
    for symbol in symbols {
      if let state = RecordStanding(term: symbol.value), surroundings.isIn(state) {
        return symbol.sign(unicode: unicode)
      }
    }
    switch content {
    case .count(let referrer): return labelled(surroundings.count(referrer))
    case .field(let name):
      let field = kind.field(name) ?? Field(name, .text, isList: true)
      let values: [TypedValue]
      do throws(ValueRefusal) {
        values = try kind.value(of: field, in: note)?.elements ?? derived(field, surroundings)
      } catch {
        values = (note.value(named: name)?.strings ?? []).map(TypedValue.text)
      }
      let shown = values.map { text($0, of: field, unicode, surroundings) }.filter { !$0.isEmpty }
      return shown.isEmpty ? empty : shown.joined(separator: ", ")
    }
  }

  /// Returns the number that the column shows, with its word; empty for the column of a field.
  package func text(counting count: (_ kind: String) -> Int) -> String {
    if case .count(let referrer) = content { labelled(count(referrer)) } else { "" }
  }

  private func derived(_ field: Field, _ surroundings: RowSurroundings) -> [TypedValue] {
    guard field.name.isSameName(as: "created"), let created = surroundings.created else { return [] }
    return [.moment(created, created.rfc3339)]
  }

  private func text(
    _ value: TypedValue, of field: Field, _ unicode: Bool, _ surroundings: RowSurroundings
  ) -> String {
    let written = value.day?.description ?? field.written(value)
    if !symbols.isEmpty {
      guard let symbol = symbols.first(where: { $0.value.isSameName(as: written) }) else { return "" }
      return symbol.sign(unicode: unicode)
    }
    switch value {
    case .integer(let number) where isStars:
      return String(repeating: unicode ? "★" : "*", count: min(max(number, 0), Self.mostStars))
    case .reference(let reference):
      return field.target.flatMap { surroundings.title($0, reference) } ?? written
    default: return written
    }
  }

  /// A field without a range may hold any number.
  private static let mostStars = 10

  private func labelled(_ count: Int) -> String {
    guard let one = label.first, let many = label.last else { return String(count) }
    return "\(count) \(count == 1 ? one : many)"
  }
}

extension RowColumn.Symbol {
  fileprivate func sign(unicode: Bool) -> String { unicode ? sign : ascii ?? sign }
}
