import NoteIndex
import Notes
import SlipboxCore
import Text

/// Words without a mark that name something to list: `overdue` is `@overdue`, `issues` is `@issues`, `closed` is
/// `status:closed`.
enum MeantTerm {
  /// Hints at words that found nothing, where each of them names something.
  static func hints(in words: [String], of snapshot: BoxSnapshot) -> [String] {
    let filters = snapshot.allFilters.map(\.name)
    var terms: [String] = []
    for word in words {
      guard let term = term(for: word, snapshot.schema(), filters: filters) else { return [] }
      terms.append(term)
    }
    let line = terms.map { Visible.escape($0) }.joined(separator: " ")
    return terms.isEmpty ? [] : ["did you mean: slip list \(line)"]
  }

  /// The term that a word stands for: a filter, a kind, a choice of a field, or a field that is set.
  static func term(for word: String, _ schema: Schema, filters: [String]) -> String? {
    let name = Folding.fold(word)
    if let filter = filters.first(where: { Folding.fold($0) == name }) { return "@\(filter)" }
    for kind in schema.kinds where [kind.name, kind.name + "s"].contains(name) { return "kind:\(kind.name)" }
    for field in schema.kinds.flatMap(\.fields) {
      switch field.type {
      case .choice where field.values.contains { Folding.fold($0) == name }: return "\(field.name):\(name)"
      case .boolean where Folding.fold(field.name) == name: return "\(field.name):true"
      default: continue
      }
    }
    return ["today", "tomorrow", "yesterday"].contains(name) ? "due:\(name)" : nil
  }
}
