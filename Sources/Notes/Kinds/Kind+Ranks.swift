/// The rank of records, such as a priority, and the marks that stand for it.
extension Kind {
  /// The field that ranks records: the first choice beside the state.
  package var rankField: Field? {
    let state = stateField?.name
    return fields.first { $0.type == .choice && !$0.isList && $0.name != state }
  }

  /// The change that a word of exclamation marks stands for; nil if it stands for none.
  ///
  /// A sign of the row stands for its value. Otherwise `!!!` is the value with the longest sign, `!!` the next one, `!` the third.
  package func change(ofRankMark mark: String) -> Change? {
    guard Self.isRankMark(mark), let field = rankField else { return nil }
    let signs = (row.first { $0.content == .field(field.name) }?.symbols ?? []).filter {
      Self.isRankMark($0.sign) && field.values.contains($0.value)
    }
    if let sign = signs.first(where: { $0.sign == mark }) {
      return .set(field: field.name, value: sign.value)
    }
    let last = field.values.count - 1
    let down = Self.longestRankMark - mark.utf8.count
    guard let top = signs.max(by: { $0.sign.utf8.count < $1.sign.utf8.count }),
      let place = field.values.firstIndex(of: top.value), place == 0 || place == last,
      (0...last).contains(down)
    else { return nil }
    return .set(field: field.name, value: field.values[place == 0 ? down : last - down])
  }

  private static let longestRankMark = 3

  private static func isRankMark(_ word: String) -> Bool { !word.isEmpty && word.allSatisfy { $0 == "!" } }
}
