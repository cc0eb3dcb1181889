import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

/// Repairs front-matter that breaks the rules of its kind.
struct KindFixes {
  private let place: ActionPlace

  init(_ place: ActionPlace) { self.place = place }

  func offers() throws(SlipboxError) -> [ActionOffer] {
    let wanted = place.diagnostics.filter { $0.recordProblem != nil }
    guard !wanted.isEmpty else { return [] }
    let snapshot = place.view.snapshot
    let kind = snapshot.schema().kind(named: snapshot.kind(of: place.note))
    var offers: [ActionOffer] = []
    for (number, problem) in try RecordTable.problems(of: place.note, in: snapshot).enumerated() {
      guard let diagnostic = wanted.first(where: { $0.recordProblem == number }) else { continue }
      var own: [ActionOffer] = []
      if let fix = problem.fix { own += offer(fix, isPreferred: true) }
      if let field = kind?.field(problem.field) {
        own += values(field, problem, besides: problem.fix)
        own += references(field)
      }
      if !problem.isMissing, problem.line != nil, problem.fix != .clear(field: problem.field) {
        own += offer(.clear(field: problem.field))
      }
      for number in own.indices { own[number].diagnostic = diagnostic }
      offers += own
    }
    return offers
  }

  private func offer(_ change: Change, isPreferred: Bool = false) -> [ActionOffer] {
    let way = place.way(
      of: { () throws(SlipboxError) in try ChangeNotes(in: place.view.snapshot).plan([place.entry], [change])
      },
      command: nil)
    return way.map {
      [ActionOffer(title: Self.title(change), kind: .quickFix, way: $0, isPreferred: isPreferred)]
    } ?? []
  }

  private static func title(_ change: Change) -> String {
    switch change {
    case .set(let field, let value): "Set \(Visible.escape(field)) to \(Visible.escape(value))"
    case .clear(let field): "Remove \(Visible.escape(field))"
    case .add(let element, let field): "Add \(Visible.escape(element)) to \(Visible.escape(field))"
    case .remove(let element, let field): "Remove \(Visible.escape(element)) from \(Visible.escape(field))"
    case .addTag(let tag): "Add the tag \(Visible.escape(tag))"
    case .removeTag(let tag): "Remove the tag \(Visible.escape(tag))"
    }
  }

  /// The values that a field may have, or the field without one where any text will do.
  private func values(_ field: Field, _ problem: RecordProblem, besides fix: Change?) -> [ActionOffer] {
    var values: [String] = []
    switch field.type {
    case .choice: values = field.values
    case .boolean: values = ["true", "false"]
    case .date, .moment: values = problem.isMissing ? ["today"] : days(field)
    default: break
    }
    if problem.isMissing, let standard = field.defaultValue {
      values = [standard] + values.filter { $0 != standard }
    }
    let changes = values.map { Change.set(field: field.name, value: $0) }.filter { $0 != fix }
    if !changes.isEmpty || !problem.isMissing { return changes.flatMap { offer($0) } }
    return added(field)
  }

  /// The words of a field that mean a day.
  private func days(_ field: Field) -> [String] {
    let written = place.note.frontMatter.fields.first { $0.name.isSameName(as: field.name) }?.value.text
    guard let written,
      DateInterval.point(written, clock: place.view.snapshot.clock, looking: field.direction) != nil
    else { return [] }
    return [written]
  }

  /// The line of a field whose value is still to be typed.
  private func added(_ field: Field) -> [ActionOffer] {
    guard let block = place.text.frontMatter, place.text.format == .yaml else { return [] }
    let line = "\(field.name): \(String(decoding: place.text.lineEnd, as: UTF8.self))"
    let way = place.replacing(block.upperBound..<block.upperBound, by: line)
    return [ActionOffer(title: "Add \(Visible.escape(field.name))", kind: .quickFix, way: way)]
  }

  /// The records that a reference may mean, and the one that it names and that is not there.
  private func references(_ field: Field) -> [ActionOffer] {
    guard field.type == .reference, let target = field.target,
      let written = place.note.frontMatter.fields.first(where: { $0.name.isSameName(as: field.name) })
    else { return [] }
    return written.value.strings.flatMap { name -> [ActionOffer] in
      guard !isKnown(name, target) else { return [] }
      let near = place.view.names.matches(name, ofKind: target, most: 3).map(\.note.title)
      let title = "Create the \(Visible.escape(target)) \(Visible.escape(name))"
      let command = ClientCommand(
        title, .new,
        ["kind": .string(target), "title": .string(name), "uri": .string(place.document.uri)])
      let choices = near.flatMap { value -> [ActionOffer] in
        guard field.isList else { return offer(.set(field: field.name, value: value)) }
        return []
      }
      return choices + [ActionOffer(title: title, kind: .quickFix, way: .command(command))]
    }
  }

  private func isKnown(_ name: String, _ target: String) -> Bool {
    let schema = place.view.snapshot.schema()
    guard let kind = schema.kind(named: target), let catalogue = try? place.view.snapshot.catalogue() else {
      return true
    }
    if case .none = catalogue.resolve(name, .field(kind), keys: RecordKeys(schema), suggests: false) {
      return false
    }
    return true
  }
}

/// The actions of the record and of a record that is linked at the place, and actions on whole notes.
struct RecordActions {
  private let place: ActionPlace

  init(_ place: ActionPlace) { self.place = place }

  func offers() throws(SlipboxError) -> [ActionOffer] {
    var offers = try linked().flatMap { actions(of: $0, shown: ": \(Visible.escape($0.note.title))") }
    offers += actions(of: place.entry, shown: "")
    let uri = ["uri": JSONValue.string(place.document.uri)]
    let commit = "Commit this note"
    let undo = "Undo the last change by slip"
    offers.append(
      ActionOffer(title: commit, kind: .record, way: .command(ClientCommand(commit, .commit, uri))))
    offers.append(ActionOffer(title: undo, kind: .record, way: .command(ClientCommand(undo, .undo, uri))))
    return offers
  }

  /// The actions of its kind that would change a record.
  private func actions(of entry: Entry, shown: String) -> [ActionOffer] {
    let snapshot = place.view.snapshot
    let kind = snapshot.schema().kindOrPlain(named: entry.kind)
    return kind.actions.filter { RunAction(in: snapshot).mayAct($0.name, on: entry) }.compactMap { action in
      let words = action.name.split(separator: "-").joined(separator: " ")
      let title = words.prefix(1).uppercased() + words.dropFirst() + shown
      let command = ClientCommand(
        title, .act,
        ["action": .string(action.name), "uri": .string(place.view.uri(of: entry.note.path))])
      // A note that is not open changes on disk. The change is computed once it is chosen.
      let isOpen = place.view.documents[entry.note.path] != nil
      let way =
        isOpen
        ? place.way(
          of: { () throws(SlipboxError) in try RunAction(in: snapshot).plan(action.name, on: [entry]) },
          command: command)
        : .command(command)
      return way.map { ActionOffer(title: title, kind: .record, way: $0) }
    }
  }

  /// The record that a link at the place leads to.
  private func linked() throws(SlipboxError) -> [Entry] {
    let finder = try RenameFinder(place.note, at: place.range.lowerBound, in: place.view)
    guard case .note(let entry)? = try finder.find()?.target, entry.note.path != place.note.path else {
      return []
    }
    return [entry]
  }
}
