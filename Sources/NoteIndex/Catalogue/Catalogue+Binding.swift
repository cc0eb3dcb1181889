package import Notes
import Text

extension Catalogue {
  /// Resolves the record names in the terms of a query that test reference fields, at any depth of the query.
  ///
  /// Refuses a value that the declared field can't have. If no `kind:` beside the term names a kind that declares the
  /// field, a value that a note of another kind has is accepted. Record names, ends of ranges and operands of comparisons
  /// are always checked.
  /// - Throws: `QueryError` for an invalid value, and for a name that matches no record or several; the error lists
  ///   candidates.
  /// - Complexity: one look-up per name; O(n) for a value that a note of another kind may have.
  package func binding(_ query: Query) throws(QueryError) -> Query {
    try refuseMistypedComparisons(of: query)
    guard query.needsCatalogue else { return query }
    try refuseMistypedFields(of: query)
    let root = try query.root.mappingTerms { (term, place) throws(QueryError) -> QueryCondition in
      guard case .declared(let test) = term.condition else { return term.condition }
      let asked = AskedFields(test, place, query)
      for misfit in test.misfits { try refuse(misfit, asked) }
      for reference in test.references { try refuse(reference, asked) }
      return test.references.isEmpty ? term.condition : .declared(naming(test, query.schema))
    }
    return query.replacing(root, needsCatalogue: false)
  }

  /// Refuses a comparison that is read as text because its field is mistyped.
  private func refuseMistypedComparisons(of query: Query) throws(QueryError) {
    let comparisons = query.comparisonsAsText
    if comparisons.isEmpty { return }
    let known = knownFields(query.schema)
    for (name, range) in comparisons {
      guard let name, !known.contains(where: { $0.isSameName(as: name) }),
        let near = Self.field(near: name, among: known)
      else { continue }
      throw QueryError(
        "no note has a field \(name)", query: String(decoding: query.source.text, as: UTF8.self),
        range: range,
        hint: "did you mean \(near):")
    }
  }

  /// Refuses a term about a field that no kind declares and no note has if its name resembles a known one.
  ///
  /// A filter may name a field that notes had when it was saved: its terms are not refused.
  private func refuseMistypedFields(of query: Query) throws(QueryError) {
    let unknown = unknownFields(of: query)
    if unknown.isEmpty { return }
    let known = knownFields(query.schema) + ["limit", "linked-by", "links", "sort", "todo", "todo-due"]
    _ = try query.root.mappingTerms { (term, place) throws(QueryError) -> QueryCondition in
      guard place.filter == nil else { return term.condition }
      for name in term.condition.fieldNames where unknown.contains(where: { $0.hasSameBytes(as: name) }) {
        guard let near = Self.field(near: name, among: known) else { continue }
        throw QueryError(
          "no note has a field \(name)", query: String(decoding: query.source.text, as: UTF8.self),
          range: term.range, hint: "did you mean \(near):")
      }
      return term.condition
    }
  }

  /// Returns the tree with the records that it names; a name that matches no record, or several, stays text.
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

  private func refuse(_ misfit: Misfit, _ asked: AskedFields) throws(QueryError) {
    if isValue(misfit, asked) || asked.allowsAnyChoice { return }
    let fault = misfit.fault(asked.fields)
    throw asked.error(fault.message, fault.hint, misfit.range)
  }

  /// Whether a queried kind, or a note of another kind, has the value.
  private func isValue(_ misfit: Misfit, _ asked: AskedFields) -> Bool {
    if asked.fields.contains(where: { !misfit.isUnfit(in: $0.kind) }) { return true }
    if asked.areNamed || (!asked.scope.isNarrow && misfit.isBound) { return false }
    // If no queried kind declares the field, the whole term is text.
    return isBorne(asked.scope.isNarrow ? asked.test.otherwise : misfit.plain, asked)
  }

  /// A line for each value of a query that no kind has as a choice and no note has; the query finds nothing for it.
  ///
  /// If `kind:` limits the query to kinds that declare the field, `binding(_:)` refuses such a value.
  /// - Complexity: as `binding(_:)`.
  package func unknownChoices(in query: Query) -> [String] {
    var lines: [String] = []
    _ = query.root.mappingTerms { term, place in
      guard case .declared(let test) = term.condition else { return term.condition }
      let asked = AskedFields(test, place, query)
      for misfit in test.misfits where asked.allowsAnyChoice && !isValue(misfit, asked) {
        let fault = misfit.fault(asked.fields)
        lines.append(fault.message + (fault.hint.map { "; \($0)" } ?? ""))
      }
      return term.condition
    }
    return lines
  }

  /// Throws if a name matches several records, or if no kind that declares the field has a value of that name.
  private func refuse(_ reference: ReferenceTest, _ asked: AskedFields) throws(QueryError) {
    guard asked.has(reference.kind), let target = target(of: reference, asked.query.schema) else { return }
    let keys = RecordKeys(asked.query.schema)
    let field = reference.field.name
    switch resolve(reference.name, .field(target), keys: keys) {
    case .found: return
    case .ambiguous(let entries):
      let names =
        entries.prefix(10).map { "\($0.name) \($0.note.title)" }.joined(separator: ", ")
        + Self.more(entries.count - 10)
      let message = "\(field): \(reference.name) matches more than one \(target.name)"
      throw asked.error(message, "one of: \(names)", reference.range)
    case .none(let candidates, let more):
      if isKnown(reference, asked, keys) { return }
      let names = candidates.map(\.note.title).joined(separator: ", ") + Self.more(more)
      let hint = names.isEmpty ? "the query kind:\(target.name) lists them" : "did you mean: \(names)"
      throw asked.error("\(field): there is no \(target.name) \(reference.name)", hint, reference.range)
    }
  }

  /// The end of a list of candidates that is cut.
  private static func more(_ count: Int) -> String { count > 0 ? " and \(count) more" : "" }

  /// Whether a name without a record of one kind is a value of the field in another kind.
  private func isKnown(_ reference: ReferenceTest, _ asked: AskedFields, _ keys: RecordKeys) -> Bool {
    let isRecord = asked.test.references.contains { other in
      asked.has(other.kind) && other.name.hasSameBytes(as: reference.name)
        && isNamed(other, asked.query.schema, keys)
    }
    let isValue = asked.fields.contains { kind, field in
      guard field.type != .reference else { return false }
      return !asked.test.misfits.contains { $0.range == reference.range && $0.isUnfit(in: kind) }
    }
    if isRecord || isValue { return true }
    // If the query is limited to kinds that do not declare the field, the term is text.
    return !asked.areNamed && asked.scope.isNarrow && isBorne(asked.test.otherwise, asked)
  }

  private func isNamed(_ reference: ReferenceTest, _ schema: Schema, _ keys: RecordKeys) -> Bool {
    target(of: reference, schema).map { place(named: reference.name, .field($0), keys: keys) != nil } ?? false
  }

  /// Whether a note of a queried kind that does not declare the field passes a test of its text.
  private func isBorne(_ node: QueryNode, _ asked: AskedFields) -> Bool {
    isBorne(node, FrontMatterFilter(asked.test.names)) { entry in
      asked.test.isAskedAsText(of: entry) && asked.scope.covers(entry.kind)
    }
  }

  /// Whether any note passes a test, among the queried notes that may contain one of some words.
  private func isBorne(
    _ node: QueryNode, _ words: FrontMatterFilter, _ isAsked: (Entry) -> Bool
  ) -> Bool {
    entries.indices.contains { place in
      guard entries.mayHold(words, at: place) else { return false }
      let entry = entries[place]
      return isAsked(entry) && node.matches(entry, modified: nil)
    }
  }

  /// The names and values of the notes, by which queries are read.
  package func knownNames(_ schema: Schema) -> KnownNames {
    let keys = RecordKeys(schema)
    let isMeant = { (name: String, rule: NameRule) in
      if case .none = resolve(name, rule, keys: keys) { false } else { true }
    }
    return KnownNames(
      hasField: { name in fieldNames.contains { $0.hasSameLetters(as: name) } },
      meansRecord: { name, kind in isMeant(name, .field(kind)) },
      meansNote: { name in isMeant(name, .typed(fuzzy: false)) },
      isThere: { node in
        !places(of: Query(root: node, schema: schema), TextAnswers(entries, nil), [], nil).isEmpty
      },
      isBorne: { node, field, isAsked in
        isBorne(node, FrontMatterFilter([field])) { isAsked($0.kind) }
      })
  }
}

/// The fields that a term of a query tests: those of the kinds that `kind:` beside it names, else those of all kinds.
private struct AskedFields {
  let test: DeclaredTest
  let scope: KindScope
  let query: Query
  let fields: [(kind: Kind, field: Field)]
  /// Whether a `kind:` names a kind that declares the field.
  let areNamed: Bool
  private let filter: String?

  init(_ test: DeclaredTest, _ place: TermPlace, _ query: Query) {
    self.test = test
    self.query = query
    scope = place.scope
    filter = place.filter
    let named = scope.isNarrow ? test.fields.filter { [scope] in scope.covers($0.kind.name) } : []
    areNamed = !named.isEmpty
    fields = named.isEmpty ? test.fields : named
  }

  /// Whether an unknown choice is not an error: another kind may have had it, and may have it again.
  var allowsAnyChoice: Bool { !areNamed && fields.contains { $0.field.type == .choice } }

  func has(_ kind: Kind) -> Bool { fields.contains { $0.kind.name.hasSameBytes(as: kind.name) } }

  func error(_ message: String, _ hint: String?, _ range: Range<Int>) -> QueryError {
    guard let filter else {
      return QueryError(
        message, query: String(decoding: query.source.text, as: UTF8.self), range: range, hint: hint)
    }
    return QueryError(
      "@\(filter): \(message)", query: query.source.filters[filter] ?? "", range: range, hint: hint,
      filterName: filter)
  }
}

extension Catalogue {
  /// Whether a query uses the computed urgency, which no field stores and no term can test.
  package func asksForUrgency(_ query: Query) -> Bool {
    query.schema.knowsUrgency && !query.schema.declares(SortKey.urgency)
      && query.termNames.contains { $0.isSameName(as: SortKey.urgency) }
      && !fieldNames.contains { $0.isSameName(as: SortKey.urgency) }
  }

  /// Returns the field names of a query that no kind declares and no note has.
  ///
  /// - Complexity: O(n), without decoding a note of a snapshot.
  package func unknownFields(of query: Query) -> [String] {
    let derived = query.schema.knowsUrgency ? [SortKey.urgency] : []
    let names = query.fieldNames.filter { !query.schema.declares($0) && !derived.contains($0) }
    if names.isEmpty { return [] }
    let known = fieldNames
    return names.filter { name in !known.contains { $0.hasSameLetters(as: name) } }
  }

  /// Returns the names of the fields that notes have or kinds declare and of those that every note has, in lower case.
  ///
  /// - Complexity: O(n), without decoding a note of a snapshot.
  package func knownFields(_ schema: Schema) -> [String] {
    let declared = schema.kinds.flatMap { $0.fields.map { $0.name.lowercased() } }
    let derived = QueryNames.fields.subtracting([
      "has", "is", "limit", "sort", "links", "linked-by", "todo", "todo-due",
    ])
    return Set(fieldNames.map { $0.lowercased() }).union(derived).union(declared).sorted()
  }

  /// Returns the known name that a name resembles: `category` for `categories` too, and `year` for `yeaz`.
  package static func field(near name: String, among known: [String]) -> String? {
    Spelling.slip(of: name, among: known) ?? Spelling.replacement(of: name, among: known)
      ?? (name.utf8.count > 5 ? Spelling.slip(of: String(name.dropLast()), among: known) : nil)
  }

  /// The names of the fields that notes have, as written, each once by its bytes, in no order.
  ///
  /// - Complexity: O(n), without decoding a note of a snapshot.
  package var fieldNames: [String] { entries.fieldNames(of: entries.indices) }
}

extension Entries {
  /// Returns the names of the fields that the notes at some places have, as written, each once by its bytes, in the order
  /// of occurrence.
  ///
  /// - Complexity: O(n) in the number of places, without decoding a note of a snapshot.
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
