internal import Text

extension RecordDraft {
  /// Refuses to write the state field of another kind, such as `status`, to a record whose own state its actions change.
  ///
  /// - Returns: Whether the change was refused.
  mutating func isForeignState(_ change: Change) -> Bool {
    guard editor.refusesForeignStates, !editor.allowsNewFields, case .set(let name, let value) = change,
      !kind.actions.isEmpty, editor.schema.kinds.contains(where: { $0.hasState(in: name) })
    else { return false }
    let action = kind.actions.first { $0.leads(to: value) }
    let names = kind.actions.map(\.name).joined(separator: ", ")
    let command = action.map { "run: \($0.command) REF" } ?? "run: slip do ACTION REF, with one of: \(names)"
    refuse(
      name, "\(Visible.escape(name)) is not a field of kind \(kind.name)",
      hint: "\(command); add --new-field to create it")
    return true
  }
}

extension Kind {
  /// Whether actions of the kind set a choice of that name.
  fileprivate func hasState(in name: String) -> Bool {
    guard let field = field(name), field.type == .choice else { return false }
    return actions.contains { action in
      action.changes.contains { change in
        if case .set(let set, _) = change { set.isSameName(as: field.name) } else { false }
      }
    }
  }
}

extension Action {
  /// Whether a state's name means what the action does: `done` for an action that sets `done:true`.
  fileprivate func leads(to state: String) -> Bool {
    if name.isSameName(as: state) { return true }
    return changes.contains { change in
      guard case .set(let field, let value) = change else { return false }
      return value.isSameName(as: state) || (field.isSameName(as: state) && value == "true")
    }
  }

  /// The command that runs the action: actions of built-in kinds are commands themselves.
  fileprivate var command: String {
    let isBuiltIn = Schema.builtIn.kinds.contains { $0.actions.contains { $0.name == name } }
    return isBuiltIn ? "slip \(name)" : "slip do \(name)"
  }
}
