import Notes
import Text

extension Catalogue {
  /// Whether a query asks for the urgency that is worked out, which no field holds and no term can ask for.
  package func asksForUrgency(_ query: Query) -> Bool {
    query.schema.knowsUrgency && !query.schema.declares(SortKey.urgency)
      && query.termNames.contains { $0.isSameName(as: SortKey.urgency) }
      && !fieldNames.contains { $0.isSameName(as: SortKey.urgency) }
  }

  /// The names that a query speaks of, no kind declares and no note has a field of.
  ///
  /// - Complexity: O(n), without making a note of a snapshot.
  package func unknownFields(of query: Query) -> [String] {
    let derived = query.schema.knowsUrgency ? [SortKey.urgency] : []
    let names = query.fieldNames.filter { !query.schema.declares($0) && !derived.contains($0) }
    if names.isEmpty { return [] }
    let known = fieldNames
    return names.filter { name in !known.contains { $0.hasSameLetters(as: name) } }
  }

  /// The names of the fields that notes have, as they are written, each once by its bytes, in no order.
  ///
  /// - Complexity: O(n), without making a note of a snapshot.
  package var fieldNames: [String] {
    var names: [[UInt8]: String] = [:]
    let add = { (field: String) in names[Array(field.utf8)] = field }
    let facts = entries.facts
    var areUsed = [Bool](repeating: false, count: facts?.fieldLists.count ?? 0)
    for place in entries.indices {
      if let facts, let number = entries.storedNumber(at: place), let list = facts.fieldsNumber(of: number) {
        areUsed[list] = true
      } else {
        for field in entries[place].note.frontMatter.fields { add(field.name) }
      }
    }
    for (list, isUsed) in zip(facts?.fieldLists ?? [], areUsed) where isUsed {
      for field in list { add(field) }
    }
    return Array(names.values)
  }
}
