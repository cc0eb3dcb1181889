import Notes

extension Catalogue {
  /// Returns the query with the records that its terms about reference fields name, wherever they stand in it.
  ///
  /// What is no value of a declared field is refused, unless notes of other kinds have a field of that name. A name means a record as one that is typed after `set` does. Where it means none and notes of other kinds have a
  /// field of that name, these are asked for its text.
  /// - Throws: `QueryError` for what is no value, and with candidates for a name that means no record, or several.
  /// - Complexity: that of a look-up for each name.
  package func binding(_ query: Query) throws(QueryError) -> Query {
    guard query.needsCatalogue else { return query }
    let root = try query.root.mappingTerms { (term, filter) throws(QueryError) -> QueryCondition in
      guard case .declared(let test) = term.condition else { return term.condition }
      if let misfit = test.misfits.first, !isAskedOfOthers(test) {
        throw error(misfit.message, misfit.hint, misfit.range, query, filter)
      }
      for reference in test.references { try refuse(reference, test, query, filter) }
      return test.references.isEmpty ? term.condition : .declared(naming(test, query.schema))
    }
    return query.replacing(root, needsCatalogue: false)
  }

  /// The tree with the records that it names; a name that means none, or several, stays text.
  func namingRecords(in node: QueryNode, _ schema: Schema) -> QueryNode {
    node.mappingTerms { term, _ in
      guard case .declared(let test) = term.condition, !test.references.isEmpty else { return term.condition }
      return .declared(naming(test, schema))
    }
  }

  private func naming(_ test: DeclaredTest, _ schema: Schema) -> DeclaredTest {
    let keys = RecordKeys(schema)
    return test.mappingReferences { reference in
      guard let target = target(of: reference, schema),
        let place = place(named: reference.name, .field(target), keys: keys)
      else { return reference }
      return reference.naming(ReferredRecord(place, of: names, .stored(target), keys))
    }
  }

  private func target(of reference: ReferenceTest, _ schema: Schema) -> Kind? {
    reference.field.target.map { schema.kindOrPlain(named: $0) }
  }

  /// Throws where a name means several records, or none by any kind that declares the field.
  private func refuse(
    _ reference: ReferenceTest, _ test: DeclaredTest, _ query: Query, _ filter: String?
  ) throws(QueryError) {
    guard let target = target(of: reference, query.schema) else { return }
    let keys = RecordKeys(query.schema)
    let start = "\(reference.field.name): \(reference.name)"
    switch resolve(reference.name, .field(target), keys: keys) {
    case .found: return
    case .ambiguous(let entries):
      let names = entries.prefix(10).map { "\($0.name) \($0.note.title)" }.joined(separator: ", ")
      throw error(
        "\(start) fits more than one \(target.name)", "one of: \(names)", reference.range, query, filter)
    case .none(let candidates):
      let isKnown = test.references.contains { other in
        other.name.hasSameBytes(as: reference.name) && isNamed(other, query.schema, keys)
      }
      if isKnown || isAskedOfOthers(test) { return }
      let names = candidates.map(\.note.title).joined(separator: ", ")
      let hint = names.isEmpty ? "kind:\(target.name) shows them" : "did you mean: \(names)"
      throw error("\(start) is no \(target.name)", hint, reference.range, query, filter)
    }
  }

  private func isNamed(_ reference: ReferenceTest, _ schema: Schema, _ keys: RecordKeys) -> Bool {
    target(of: reference, schema).map { place(named: reference.name, .field($0), keys: keys) != nil } ?? false
  }

  /// Whether a note of a kind that does not declare the fields of a term has one of them.
  private func isAskedOfOthers(_ test: DeclaredTest) -> Bool {
    let words = FrontMatterFilter(test.names)
    return entries.indices.contains { place in
      guard entries.mayHold(words, at: place) else { return false }
      let entry = entries[place]
      return test.isAsked(of: entry) && test.names.contains { entry.note.value(of: $0) != nil }
    }
  }

  private func error(
    _ message: String, _ hint: String?, _ range: Range<Int>, _ query: Query, _ filter: String?
  ) -> QueryError {
    guard let filter else {
      return QueryError(
        message, query: String(decoding: query.source.text, as: UTF8.self), range: range, hint: hint)
    }
    return QueryError(
      "@\(filter): \(message)", query: query.source.filters[filter] ?? "", range: range, hint: hint)
  }
}
