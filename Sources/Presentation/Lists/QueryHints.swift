import Bytes
package import NoteIndex
import Notes
package import SlipboxCore
import Text

/// Warnings about a query that is probably mistyped, one line each.
package struct QueryHints {
  private let snapshot: BoxSnapshot
  private let query: Query
  private let schema: Schema

  package init(_ query: Query, in snapshot: BoxSnapshot) {
    self.query = query
    self.snapshot = snapshot
    schema = snapshot.schema()
  }

  /// Warns of a field or a kind that no note has: likely a slip of the finger.
  package func unknownNames() -> [String] {
    unknownKinds() + unknownFields() + unknownChoices() + unknownExcludedTags()
  }

  /// Explains why nothing was listed: an empty box, or how the query was read.
  package func emptyList(isQueried: Bool) -> [String] {
    if query.limit == 0 { return [] }
    var lines = isQueried ? ["no matches: \(Visible.escape(query.described()))"] : []
    lines += unfit() + smallOperators() + beginnings(besides: 0) + nearWords()
    if snapshot.source != .workTree {
      if !isQueried || !hasRecords(of: nil) { lines.append("the box had no notes at that time") }
    } else if let kind = query.kindName.flatMap({ schema.kind(named: $0) }), !hasRecords(of: kind.name) {
      lines.append("no \(kind.name) yet; create the first with: \(kind.firstCommand)")
    } else if (try? snapshot.unreadableNotes())?.isEmpty == false {
      // The warning names them.
    } else if !isQueried || !hasRecords(of: nil) {
      lines.append("no notes yet; create the first with: slip new \"A first thought\"")
    }
    return lines
  }

  /// Warns about the parts of a query that can never match: names, tags and values that are probably mistyped.
  package func unfit() -> [String] { unknownNames() + unknownTags() + unfitValues() }

  /// Warns of an operator in small letters, which is searched as a word.
  private func smallOperators() -> [String] {
    let words = Set(query.widened.map(\.word)).intersection(["and", "or", "not"])
    return words.sorted().map { "\($0) is searched as a word; the operator is \($0.uppercased())" }
  }

  /// Reports for each word the number of notes with longer words that it begins, if that exceeds the number of results.
  package func beginnings(besides found: Int) -> [String] {
    query.widened.compactMap { word, query in
      // An unreadable box fails when its notes are listed; here only the hint is missing.
      guard let count = try? snapshot.count(query), count > found else { return nil }
      return "\(Visible.escape(word))* matches \(Count.notes(count))"
    }
  }

  /// Suggests for each word that no note has the word of a note that it resembles.
  private func nearWords() -> [String] {
    let words = query.widened.map { $0.word.split(separator: ":").last.map(String.init) ?? "" }
      .filter { $0.unicodeScalars.count > 3 }
    // An unreadable box fails when its notes are listed; here only the hint is missing.
    guard !words.isEmpty, beginnings(besides: 0).isEmpty, let catalogue = try? snapshot.catalogue() else {
      return []
    }
    return zip(words, catalogue.nearWords(of: words, executor: Processors.all)).compactMap {
      word, near in
      near.map { "no note has the word \(Visible.escape(word)); did you mean \(Visible.escape($0))" }
    }
  }

  private func unknownFields() -> [String] {
    // An unreadable box fails when its notes are listed; here only the hint is missing.
    guard let catalogue = try? snapshot.catalogue() else { return [] }
    let known = catalogue.knownFields(schema)
    let compared = query.namesComparedAsText.filter { name in !known.contains { $0.isSameName(as: name) } }
    let unknown = catalogue.unknownFields(of: query) + compared
    guard !unknown.isEmpty else { return [] }
    return unknown.map { name in
      let near = Catalogue.field(near: name, among: known)
      let isSorted = query.sort.contains { $0.field.isSameName(as: name) }
      let meant = near.map { "; did you mean \(Visible.escape($0))\(isSorted ? "" : ":")" }
      return "no note has a field \(Visible.escape(name))"
        + (meant ?? (isSorted ? "; there are: \(Self.sortable(known))" : ""))
    }
  }

  /// Warns about values that no kind has as a choice: the query matches nothing for them.
  private func unknownChoices() -> [String] {
    // An unreadable box fails when its notes are listed; here only the hint is missing.
    ((try? snapshot.catalogue())?.unknownChoices(in: query) ?? []).map { Visible.escape($0) }
  }

  /// Warns of a field by its name alone, as an option takes it.
  package func unknownField(_ name: String) -> [String] {
    guard let catalogue = try? snapshot.catalogue() else { return [] }
    let known = catalogue.knownFields(schema)
    guard !known.contains(name.lowercased()) else { return [] }
    let meant = Catalogue.field(near: name, among: known).map { "; did you mean \(Visible.escape($0))" } ?? ""
    return ["no note has a field \(Visible.escape(name))\(meant)"]
  }

  /// The names of known query fields that can be sorted by.
  private static func sortable(_ known: [String]) -> String {
    known.filter { !unsorted.contains($0) }.map { Visible.escape($0) }.joined(separator: ", ")
  }

  private static let unsorted: Set = ["body", "tag"]

  private func unknownKinds() -> [String] {
    query.namedKinds.compactMap { name in
      guard schema.kind(named: name) == nil, schema.fault(ofKind: name) == nil, !hasRecords(of: name) else {
        return nil
      }
      let near = Spelling.slip(of: name, among: schema.kinds.map(\.name))
      return "there is no kind \(Visible.escape(name))" + (near.map { "; did you mean kind:\($0)" } ?? "")
    }
  }

  /// Warns about a query tag that no note has but that resembles an existing tag.
  private func unknownTags() -> [String] {
    unborne(query.namedTags).compactMap { name, near in
      near.map { "no note has the tag \(Visible.escape(name)); did you mean \(ShellWord.quoted("+" + $0))" }
    }
  }

  /// Warns about an excluded tag that no note has, so that nothing is excluded.
  private func unknownExcludedTags() -> [String] {
    unborne(query.excludedTags).map { name, near in
      "no note has the tag \(Visible.escape(name))"
        + (near.map { "; did you mean \(ShellWord.quoted("-" + $0))" } ?? "")
    }
  }

  /// The tags that no note has, each with the existing one that it resembles.
  private func unborne(_ asked: [String]) -> [(name: String, near: String?)] {
    // An unreadable box fails when its notes are listed; here only the hint is missing.
    // The number of active notes is not needed here.
    guard !asked.isEmpty, let tags = try? BoxTags(of: snapshot).counts(active: []) else { return [] }
    let known = tags.filter { $0.all > 0 }.map(\.name)
    return asked.compactMap { name in
      let isBorne = known.contains { tag in
        let tag = Folding.fold(tag)
        return tag == name || tag.hasPrefix(name + "/")
      }
      return isBorne ? nil : (name, Spelling.nearest(to: name, among: known))
    }
  }

  /// Warns about a value that no record can have: an undeclared choice, words for a number.
  private func unfitValues() -> [String] {
    let isMisspelt = query.hasComparisonAsText && query.namesComparedAsText.isEmpty
    var lines = isMisspelt ? ["write comparisons as 'rating:>=4'"] : []
    if asksForUrgency {
      lines.append("urgency is computed and can't be queried; sort:-urgency sorts by it")
    }
    let wanted = query.kindName
    let unfit = query.unfitFields { kind in wanted.map { $0 == kind.name } ?? hasRecords(of: kind.name) }
    for field in unfit where !field.declarations.contains(where: { $0.field.type == .choice }) {
      let values = field.declarations.map { "\($0.field.takes) in \($0.kind.name)" }
      lines.append("\(Visible.escape(field.declarations[0].field.name)) is \(values.joined(separator: "; "))")
    }
    return lines
  }

  private var asksForUrgency: Bool {
    // An unreadable box fails when its notes are listed; here only the hint is missing.
    (try? snapshot.catalogue())?.asksForUrgency(query) ?? false
  }

  private func hasRecords(of kind: String?) -> Bool {
    // Without a catalogue nothing is said of records that may be there.
    guard let entries = try? snapshot.catalogue().entries else { return true }
    return entries.contains { kind == nil || $0.kind == kind }
  }
}

/// The files that are notes by name but could not be read, as warnings.
package enum UnreadableNotes {
  private static let shown = 5

  /// A line for each of the first files, and one for the number of others.
  ///
  /// Files whose filter is missing in this clone are left to `slip status` and `slip doctor`.
  package static func lines(_ unreadable: [UnreadableNote]) -> [String] {
    let unreadable = unreadable.filter { !$0.isStoredForm }
    let lines = unreadable.prefix(shown).map {
      "\(Visible.escape($0.path)) can't be read: \($0.reason)"
    }
    let others = unreadable.count - shown
    return lines + (others > 0 ? ["and \(others) more files can't be read"] : [])
  }
}

extension Field {
  /// The values that it may have, in words.
  fileprivate var takes: String {
    switch type {
    case .choice: values.map { Visible.escape($0) }.joined(separator: ", ")
    case .boolean: "true or false"
    case .integer: "a number"
    case .date, .moment: "a date (2026-11, today, friday, 3d)"
    case .text, .tags, .reference: "text"
    case .recurrence: "a recurrence (weekly, 3d, +2w)"
    }
  }
}

extension Kind {
  /// The command that makes a first record, with the fields that it can't do without.
  fileprivate var firstCommand: String {
    let required = fields.filter { $0.isRequired && $0.name != "title" && $0.defaultValue == nil }
    return (["slip new \(ShellWord.quoted(name)) \"A title\""] + required.map { "\($0.name):VALUE" }).joined(
      separator: " ")
  }
}
