internal import Text

/// The declaration of a kind of record: a row of the table that `new`, `set`, lists and checks go by.
package struct Kind: Sendable, Equatable {
  package var name: String
  package var comment: String?
  /// The declared fields in their order.
  package var fields: [Field]
  package var constraints: [Constraint]
  package var transitions: [Transition]
  package var actions: [Action]
  /// The query that says which records are open; nil: all of them. An open one is active unless it waits.
  package var active: String?
  /// The query that says which open records are put off to a later day; nil: none of them.
  package var waiting: String?
  /// The query that says which notes without a kind of their own are of this one.
  package var match: String?
  /// The field by which references name a record; nil: the id.
  package var key: String?
  /// Sort keys as `--sort` takes them; nil: newest first.
  package var sort: String?
  /// What makes an open record more urgent, or less; empty: its kind knows no urgency.
  package var urgency: [UrgencyTerm]
  package var row: [RowColumn]

  package init(
    _ name: String, comment: String? = nil, fields: [Field] = [], constraints: [Constraint] = [],
    transitions: [Transition] = [], actions: [Action] = [], active: String? = nil, waiting: String? = nil,
    match: String? = nil, key: String? = nil, sort: String? = nil, urgency: [UrgencyTerm] = [],
    row: [RowColumn] = []
  ) {
    self.name = name
    self.comment = comment
    self.fields = fields
    self.constraints = constraints
    self.transitions = transitions
    self.actions = actions
    self.active = active
    self.waiting = waiting
    self.match = match
    self.key = key
    self.sort = sort
    self.urgency = urgency
    self.row = row
  }
}

extension Kind {
  /// Returns the field of a name, without regard to case: a declared one, else one that every note has.
  package func field(_ name: String) -> Field? {
    fields.first { $0.name.isSameName(as: name) } ?? Field.common.first { $0.name.isSameName(as: name) }
  }

  /// Returns the action of a name.
  package func action(named name: String) -> Action? { actions.first { $0.name.isSameName(as: name) } }

  /// The fields of every note and the declared ones, in the order in which new ones are written.
  package var fieldOrder: [String] {
    let common = Field.common.map(\.name)
    return common + fields.map(\.name).filter { name in !common.contains { $0.isSameName(as: name) } }
  }

  /// The fields by which records of the kind are blocked.
  package var blockingFields: [Field] { fields.filter { $0.isBlocking && $0.target != nil } }

  /// Whether it is the kind of notes that name none.
  package var isOfPlainNotes: Bool { name.isSameName(as: "note") }

  /// Whether the kind declares fields beside those that every note has.
  package var isOfRecords: Bool {
    fields.contains { field in !Field.common.contains { $0.name.isSameName(as: field.name) } }
  }

  /// Returns the known fields whose names a word almost is; none where it is one.
  ///
  /// A word of one letter or two is near to what it begins, and of two letters to what one more letter makes of it: by any
  /// other measure each such word is near to some field.
  package func fieldsNear(_ word: String) -> [String] {
    guard field(word) == nil else { return [] }
    if word.unicodeScalars.count > 2 {
      return Spelling.slip(of: word, among: fieldOrder).map { [$0] } ?? []
    }
    guard isOfRecords else { return [] }
    let (key, names) = (Folding.fold(word), fields.map(\.name))
    let begun = names.filter { Folding.fold($0).utf8.starts(with: key.utf8) }
    if !begun.isEmpty || key.utf8.count < 2 { return begun }
    return names.filter { name in
      name.unicodeScalars.count == 3 && name.utf8.first == key.utf8.first
        && Spelling.nearest(to: key, among: [name]) != nil
    }
  }

  /// The declared fields, and those of every note that are not declared more strictly.
  var allFields: [Field] { fieldOrder.compactMap { field($0) } }
}
