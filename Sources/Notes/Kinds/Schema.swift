/// The kinds that a box knows.
package struct Schema: Sendable {
  /// The built-in kinds first, then the box's own by name.
  package let kinds: [Kind]

  /// The kinds that need no declaration.
  package static let builtIn = Schema(kinds: builtInKinds)

  package init(kinds: [Kind]) { self.kinds = kinds }

  /// Returns the kind of a name, without regard to case; nil for one that nobody declared.
  package func kind(named name: String) -> Kind? {
    kinds.first { $0.name.hasSameBytes(as: name) } ?? kinds.first { $0.name.isSameName(as: name) }
  }

  /// Returns the kind of a name, or a plain kind without fields where nobody declared it.
  package func kindOrPlain(named name: String) -> Kind { kind(named: name) ?? Kind(name) }

  /// The names of all actions of all kinds, each once, in alphabetical order.
  package var actionNames: [String] { Set(kinds.flatMap { $0.actions.map(\.name) }).sorted() }

  /// The fields by which records refer to those of a kind.
  package func references(to kind: String) -> [(kind: Kind, field: Field)] {
    kinds.flatMap { referrer in
      referrer.fields.filter { $0.target?.isSameName(as: kind) == true }.map { (referrer, $0) }
    }
  }
}
