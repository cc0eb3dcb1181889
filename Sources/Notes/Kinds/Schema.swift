import Text

/// The kinds that a box knows.
package struct Schema: Sendable {
  /// The built-in kinds first, then the box's own by name.
  package let kinds: [Kind]
  /// The kinds whose file has a mistake, each with the first one: their records can be read, but not written.
  package private(set) var faults: [KindFault]

  /// The kinds that need no declaration.
  package static let builtIn = Schema(kinds: builtInKinds)

  /// The places of many kinds by name, as they are written and in lower case; nil where a look at each is quicker.
  private let places: [[UInt8]: Int]?
  private static let mostToLookAt = 32

  package init(kinds: [Kind], faults: [KindFault] = []) {
    self.kinds = kinds
    self.faults = faults
    guard kinds.count > Self.mostToLookAt else {
      places = nil
      return
    }
    // A name as it is written comes before one that differs in case.
    var places: [[UInt8]: Int] = [:]
    for (place, kind) in kinds.enumerated() where places[Array(kind.name.utf8)] == nil {
      places[Array(kind.name.utf8)] = place
    }
    for (place, kind) in kinds.enumerated() where places[KindNames.key(kind.name)] == nil {
      places[KindNames.key(kind.name)] = place
    }
    self.places = places
  }

  /// Takes note of more kinds with a mistake.
  package mutating func add(_ more: [KindFault]) { faults += more }

  /// Returns the mistake in the file of a kind; nil where there is none.
  package func fault(ofKind name: String) -> KindFault? { faults.first { $0.kind.isSameName(as: name) } }

  /// Returns the kind of a name, without regard to case; nil for an undeclared one.
  package func kind(named name: String) -> Kind? {
    if let places { return (places[Array(name.utf8)] ?? places[KindNames.key(name)]).map { kinds[$0] } }
    return kinds.first { $0.name.hasSameBytes(as: name) } ?? kinds.first { $0.name.isSameName(as: name) }
  }

  /// Returns the kind of a name, or a plain kind without fields for an undeclared name.
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

/// The names of many kinds, found without regard to case.
struct KindNames {
  /// Above this many names no other one is suggested: each look takes in all of them.
  private static let mostForSuggestions = 500

  private let all: [String]
  private let keys: Set<[UInt8]>

  init(_ names: [String]) {
    all = names
    keys = Set(names.map(Self.key))
  }

  /// What two names that are equal but for case have in common.
  static func key(_ name: String) -> [UInt8] { Array(name.lowercased().utf8) }

  /// Whether a kind has a name.
  func contain(_ name: String) -> Bool { keys.contains(Self.key(name)) }

  /// The name most like another one, but for one that is left out.
  func nearest(to name: String, except left: String? = nil) -> String? {
    guard all.count <= Self.mostForSuggestions else { return nil }
    return Spelling.nearest(to: name, among: all.filter { $0 != left })
  }
}

/// A kind that can't be used because of a mistake in its file.
package struct KindFault: Equatable, Sendable {
  /// The kind, as its file is named.
  package let kind: String
  /// The file, the line and what is wrong, on one line, safe for a terminal.
  package let message: String

  package init(kind: String, message: String) {
    self.kind = kind
    self.message = message
  }
}
