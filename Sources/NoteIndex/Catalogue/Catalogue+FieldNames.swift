package import Notes
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

  /// The names of the fields that notes have or kinds declare and of those that every note has, in small letters.
  ///
  /// - Complexity: O(n), without making a note of a snapshot.
  package func knownFields(_ schema: Schema) -> [String] {
    let declared = schema.kinds.flatMap { $0.fields.map { $0.name.lowercased() } }
    let derived = QueryNames.fields.subtracting(["has", "is", "limit", "sort", "links", "linked-by"])
    return Set(fieldNames.map { $0.lowercased() }).union(derived).union(declared).sorted()
  }

  /// The known name that a name resembles: `category` for `categories` too.
  package static func field(near name: String, among known: [String]) -> String? {
    Spelling.slip(of: name, among: known)
      ?? (name.utf8.count > 5 ? Spelling.slip(of: String(name.dropLast()), among: known) : nil)
  }

  /// The names of the fields that notes have, as they are written, each once by its bytes, in no order.
  ///
  /// - Complexity: O(n), without making a note of a snapshot.
  package var fieldNames: [String] { entries.fieldNames(of: entries.indices) }
}

extension Entries {
  /// The names of the fields that the notes at some places have, as they are written, each once by its bytes, in the order
  /// in which they come.
  ///
  /// - Complexity: O(n) in the number of places, without making a note of a snapshot.
  package func fieldNames(of places: some Sequence<Int>) -> [String] {
    var names: [String] = []
    var seen: Set<[UInt8]> = []
    let add = { (field: String) in if seen.insert(Array(field.utf8)).inserted { names.append(field) } }
    let facts = facts
    var areUsed = [Bool](repeating: false, count: facts?.fieldLists.count ?? 0)
    for place in places {
      if let facts, let number = storedNumber(at: place), let list = facts.fieldsNumber(of: number) {
        if !areUsed[list] { facts.fieldLists[list].forEach(add) }
        areUsed[list] = true
      } else {
        for field in self[place].note.frontMatter.fields { add(field.name) }
      }
    }
    return names
  }
}
