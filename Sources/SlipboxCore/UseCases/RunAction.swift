package import NoteIndex
import Notes
import Text

extension Slipbox {
  /// The plan that runs an action of their kinds on records.
  ///
  /// - Throws: `.badData` where a kind has no such action, naming those it has; `.usage` where no kind has it.
  package func acting(
    _ name: String, on entries: [Entry], reason: String? = nil
  ) throws(SlipboxError) -> Plan {
    let schema = schema()
    guard schema.actionNames.contains(name) else {
      let near = Spelling.nearest(to: name, among: schema.actionNames).map { ["did you mean: slip do \($0)"] }
      throw SlipboxError(
        .usage, "no kind has an action \(Visible.escape(name))",
        hints: near ?? ["the actions are: \(schema.actionNames.joined(separator: ", "))"])
    }
    let editor = try recordEditor()
    var edits: [FileEdit] = []
    for entry in entries {
      let kind = schema.kindOrPlain(named: entry.kind)
      guard let action = kind.action(named: name) else {
        let known = kind.actions.map(\.name)
        throw SlipboxError(
          .badData,
          "\(Self.name(of: entry.note)) is of the kind \(Visible.escape(kind.name)), which has no action \(name)",
          hints: known.isEmpty ? [] : ["its actions are: \(known.joined(separator: ", "))"])
      }
      let changes = action.changes
      edits.append(
        .changing(entry.note) { [self] (note) throws(SlipboxError) in
          try applying(changes, to: note, kind: entry.kind, editor)
        })
    }
    let kinds = Set(entries.map(\.kind))
    let what = kinds.count == 1 ? kinds.first ?? "note" : "record"
    return Plan(command: name, reason: reason, edits: edits) { changes in
      let verb = name.prefix(1).uppercased() + name.dropFirst()
      return changes.count == 1
        ? "\(verb) \(what): \(Plan.described(changes))" : "\(verb) \(changes.count) \(what)s"
    }
  }
}
