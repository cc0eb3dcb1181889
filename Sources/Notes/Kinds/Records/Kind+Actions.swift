/// The effect of actions on records, told beforehand.
extension Kind {
  /// Whether an action of the kind would change a note, so that it may be meant by it.
  package func changes(_ note: Note, by action: Action, clock: ClockReading) -> Bool {
    action.changes.contains { change in
      switch change {
      case .set(let name, let text):
        guard let wanted = try? field(name)?.all(text, clock: clock) else { return true }
        return value(of: name, in: note) != wanted
      case .clear(let name): return !(note.value(named: name) ?? .empty).strings.allSatisfy(\.isEmpty)
      case .addTag, .removeTag, .add, .remove: return true
      }
    }
  }
}
