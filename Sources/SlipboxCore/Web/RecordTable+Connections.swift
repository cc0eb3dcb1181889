import NoteIndex
import Notes

/// References of records as connections of the catalogue's notes.
extension RecordTable {
  /// The references of the record at a place, field by field; those to the record itself are none.
  func connections(
    at place: Int, in entries: Entries, _ memo: ReferenceMemo = ReferenceMemo()
  ) -> [Connection] {
    let entry = entries[place]
    return references(of: entry).compactMap { reference in
      guard let kind = reference.field.target,
        let field = entry.note.frontMatter.fields.first(where: {
          $0.name.isSameName(as: reference.field.name)
        })
      else { return nil }
      let targets = memo.places(of: kind, named: reference.name) { places(of: kind, named: reference.name) }
      if targets == [place] { return nil }
      return Connection(
        source: place, form: nil, field: field.name, text: reference.name, line: field.line,
        range: field.span,
        target: targets.count == 1 ? .note(targets[0]) : targets.isEmpty ? .broken : .ambiguous(targets))
    }
  }

  /// The references of all records, or of those alone that may refer to records of some kinds, by ascending places.
  ///
  /// - Complexity: linear in the notes whose front-matter has a name of a field that may refer to them; none are looked
  ///   at where no kind refers to these kinds.
  func connections(
    of entries: Entries, toKinds kinds: [String]? = nil, executor: ParallelExecutor?
  ) -> [Connection] {
    let names = Set(
      schema.kinds.flatMap { kind in
        kind.fields.filter { field in
          guard field.type == .reference, let target = field.target else { return false }
          return kinds?.contains { $0.isSameName(as: target) } ?? true
        }.map(\.name)
      })
    guard !names.isEmpty else { return [] }
    let words = FrontMatterFilter(names.sorted())
    let memo = ReferenceMemo()
    return entries.flatMapChunks(executor: executor) { [self] places in
      places.flatMap { place in
        entries.mayHold(words, at: place) ? connections(at: place, in: entries, memo) : []
      }
    }
  }
}
