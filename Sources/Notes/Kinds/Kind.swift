internal import Bytes
import Text

/// The declaration of a kind of record: a row of the table that `new`, `set`, lists and checks use.
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
  /// The terms that make an open record more or less urgent; empty if its kind has no urgency.
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

  /// The field that says whether a record is open: the first choice or boolean in `active:`.
  package var stateField: Field? {
    fields.first { [.choice, .boolean].contains($0.type) && Self.query(active, asks: $0) }
  }

  /// The field with the day to which a record is put off: the first date in `waiting:`.
  package var waitField: Field? { fields.first { $0.isTime && Self.query(waiting, asks: $0) } }

  private static func query(_ query: String?, asks field: Field) -> Bool {
    (query ?? "").split { " ()".contains($0) }.contains { $0.hasPrefix("\(field.name):") }
  }

  /// Whether it is the kind of notes that name none.
  package var isOfPlainNotes: Bool { name.isSameName(as: "note") }

  /// Whether the kind declares fields beside those that every note has.
  package var isOfRecords: Bool {
    fields.contains { field in !Field.common.contains { $0.name.isSameName(as: field.name) } }
  }

  /// Returns the known fields whose names resemble a word; none if it is one of them.
  ///
  /// A word of one letter or two is near to names that it begins, and one of two letters to names with one more letter: by
  /// any other measure each such word is near to some field.
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

extension Kind {
  /// The declaration as a file of `.slipbox/kinds` would say it; read back, it gives the same kind.
  package var declaration: String {
    var text = ""
    let lines = [
      ("comment", comment), ("active", active), ("waiting", waiting), ("match", match), ("key", key),
      ("sort", sort),
    ]
    for (key, value) in lines {
      if let value { text += "\(key): \(Self.scalar(value))\n" }
    }
    if !fields.isEmpty {
      text += "fields:\n" + fields.map { "  \(Self.name($0.name)): \($0.declaration)\n" }.joined()
    }
    text += Self.list("constraints", constraints.map { Self.scalar($0.sentence) })
    text += Self.list("transitions", transitions.map(\.declaration))
    if !actions.isEmpty {
      text += "actions:\n"
      text += actions.map { "  \(Self.name($0.name)): \(Self.oneOrList($0.words))\n" }.joined()
    }
    text += Self.list("urgency", urgency.map { Self.scalar($0.sentence) })
    return text + Self.list("row", row.map(\.declaration))
  }

  private static func list(_ key: String, _ elements: [String]) -> String {
    elements.isEmpty ? "" : "\(key):\n" + elements.map { "  - \($0)\n" }.joined()
  }

  fileprivate static func scalar(_ text: String) -> String {
    String(decoding: YAMLScalar.write(text, in: .value), as: UTF8.self)
  }

  fileprivate static func name(_ text: String) -> String {
    String(decoding: YAMLScalar.write(text, in: .key), as: UTF8.self)
  }

  fileprivate static func element(_ text: String) -> String {
    String(decoding: YAMLScalar.write(text, in: .flowElement), as: UTF8.self)
  }

  fileprivate static func oneOrList(_ texts: [String]) -> String {
    texts.count == 1 ? element(texts[0]) : "[\(texts.map(element).joined(separator: ", "))]"
  }

  fileprivate static func map(_ entries: [(String, String)]) -> String {
    "{\(entries.map { "\(name($0)): \($1)" }.joined(separator: ", "))}"
  }
}

extension Field {
  /// The type alone if the field declares nothing else.
  fileprivate var declaration: String {
    var entries = [("type", typeWord)]
    if !values.isEmpty { entries.append(("values", "[\(values.map(Kind.element).joined(separator: ", "))]")) }
    if let target { entries.append(("to", Kind.element(target))) }
    if onDelete != .deny { entries.append(("on-delete", onDelete.rawValue)) }
    if isBlocking { entries.append(("blocking", "true")) }
    if isRequired { entries.append(("required", "true")) }
    if isNotEmpty { entries.append(("not-empty", "true")) }
    if let defaultValue { entries.append(("default", Kind.element(defaultValue))) }
    if let minimum { entries.append(("min", String(minimum))) }
    if let maximum { entries.append(("max", String(maximum))) }
    if looksBack { entries.append(("looks", "back")) }
    if usesCommas { entries.append(("commas", "true")) }
    if let merge { entries.append(("merge", merge.rawValue)) }
    if let comment { entries.append(("comment", Kind.element(comment))) }
    return entries.count == 1 ? typeWord : Kind.map(entries)
  }
}

extension Transition {
  fileprivate var declaration: String {
    var entries = [("field", Kind.element(field))]
    if !from.isEmpty { entries.append(("from", Kind.oneOrList(from))) }
    if !to.isEmpty { entries.append(("to", Kind.oneOrList(to))) }
    var (sets, copies, appends): ([(String, String)], [(String, String)], [(String, String)]) = ([], [], [])
    var cleared: [String] = []
    var next: Succession?
    for effect in effects {
      switch effect {
      case .set(let field, let value): sets.append((field, Kind.element(value)))
      case .copy(let field, let source): copies.append((field, Kind.element(source)))
      case .clear(let field): cleared.append(field)
      case .append(let field, let sources): appends.append((field, Kind.oneOrList(sources)))
      case .next(let succession): next = succession
      }
    }
    if !appends.isEmpty { entries.append(("append", Kind.map(appends))) }
    if !sets.isEmpty { entries.append(("set", Kind.map(sets))) }
    if !copies.isEmpty { entries.append(("copy", Kind.map(copies))) }
    if !cleared.isEmpty { entries.append(("clear", Kind.oneOrList(cleared))) }
    if let next { entries.append(("next", next.declaration)) }
    return Kind.map(entries)
  }
}

extension Succession {
  fileprivate var declaration: String {
    var entries = [("by", Kind.element(by)), ("move", Kind.oneOrList(moves))]
    if let until { entries.append(("until", Kind.element(until))) }
    if !clears.isEmpty { entries.append(("clear", Kind.oneOrList(clears))) }
    return Kind.map(entries)
  }
}

extension RowColumn {
  fileprivate var declaration: String {
    var entries: [(String, String)]
    switch content {
    case .field(let name) where symbols.isEmpty && !isStars && empty.isEmpty && state == nil:
      return Kind.scalar(name)
    case .field(let name): entries = [("field", Kind.element(name))]
    case .count(let kind): entries = [("count", Kind.element(kind))]
    }
    if !symbols.isEmpty {
      entries.append(("as", Kind.map(symbols.map { ($0.value, Kind.oneOrList($0.signs)) })))
    }
    if isStars { entries.append(("stars", "true")) }
    if !empty.isEmpty { entries.append(("empty", Kind.element(empty))) }
    if !label.isEmpty { entries.append(("label", Kind.oneOrList(label))) }
    if let state { entries.append(("only", Kind.element(state.term))) }
    return Kind.map(entries)
  }
}

extension RowColumn.Symbol {
  fileprivate var signs: [String] { [sign] + (ascii.map { [$0] } ?? []) }
}

/// One column of the row in which a record is listed.
package struct RowColumn: Sendable, Equatable {
  /// The content of the column.
  package enum Content: Sendable, Equatable {
    /// A field: a day without its time, a reference by its title, tags parted by commas.
    case field(String)
    /// How many records of a kind refer to this one.
    case count(of: String)
  }

  /// The sign of a value, or of a state such as `is:waiting`, which goes before values.
  package struct Symbol: Sendable, Equatable {
    package var value: String
    package var sign: String
    /// The sign for a terminal without Unicode; nil for the same one.
    package var ascii: String?

    package init(_ value: String, _ sign: String, ascii: String? = nil) {
      self.value = value
      self.sign = sign
      self.ascii = ascii
    }
  }

  package var content: Content
  /// The signs of the field's values; other values show nothing. Empty: values are shown as they are.
  package var symbols: [Symbol]
  /// Whether a number is shown as that many stars.
  package var isStars: Bool
  /// The text of a missing value.
  package var empty: String
  /// The word after a count: for one, and for any other number.
  package var label: [String]
  /// The state of records for which alone the column shows something.
  package var state: RecordStanding?

  package init(
    _ content: Content, symbols: [Symbol] = [], isStars: Bool = false, empty: String = "",
    label: [String] = [], state: RecordStanding? = nil
  ) {
    self.content = content
    self.symbols = symbols
    self.isStars = isStars
    self.empty = empty
    self.label = label
    self.state = state
  }
}

/// A state of a record that follows from the declarations of its kind; `is:` queries it.
package enum RecordStanding: String, Sendable, CaseIterable {
  /// Open, and put off to no later day.
  case active
  /// Open, and put off.
  case waiting
  /// Open, and it refers by a field that blocks to another open record.
  case blocked
  /// Open, and another open record refers to it so.
  case blocking

  /// The term of rows and queries for it.
  package var term: String { "is:" + rawValue }

  /// Reads `is:waiting`.
  package init?(term: String) {
    guard let state = Self.allCases.first(where: { $0.term == term }) else { return nil }
    self = state
  }
}

/// A number with two decimals at most: how much something counts.
package struct Weight: Sendable, Hashable, Comparable, CustomStringConvertible {
  package let hundredths: Int

  package init(hundredths: Int) { self.hundredths = hundredths }

  /// Reads `8`, `-3` or `0.25`, up to six digits before the point; nil for anything else.
  package init?(_ text: String) {
    var digits = Array(text.utf8)[...]
    let sign = digits.first
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { digits.removeFirst() }
    let whole = digits.prefix { $0 != UInt8(ascii: ".") }
    let fraction = digits.dropFirst(whole.count)
    guard (1...6).contains(whole.count), let units = CivilDate.number(whole) else { return nil }
    var hundredths = units * 100
    if !fraction.isEmpty {
      guard (2...3).contains(fraction.count), let parts = CivilDate.number(fraction.dropFirst()) else {
        return nil
      }
      hundredths += fraction.count == 2 ? parts * 10 : parts
    }
    self.hundredths = sign == UInt8(ascii: "-") ? -hundredths : hundredths
  }

  /// The number without zeros at its end.
  package var description: String {
    let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
    let fraction = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : ".\(rest / 10)\(rest % 10)"
    return (hundredths < 0 ? "-" : "") + String(whole) + fraction
  }

  package static func < (left: Weight, right: Weight) -> Bool { left.hundredths < right.hundredths }
}

/// A query with its weight: a reason why a record of a kind is more or less urgent.
package struct UrgencyTerm: Sendable, Equatable {
  package let query: String
  package let weight: Weight

  package init(_ query: String, _ weight: Weight) {
    self.query = query
    self.weight = weight
  }

  /// Reads `is:blocking 8`: the weight is the last word; nil if there is none, or no query before it.
  package init?(sentence: String) {
    let bytes = Array(sentence.withoutBlanksAround.utf8)
    guard let blank = bytes.lastIndex(of: 0x20) else { return nil }
    let query = String(decoding: bytes[..<blank], as: UTF8.self).withoutBlanksAround
    guard !query.isEmpty, let weight = Weight(String(decoding: bytes[(blank + 1)...], as: UTF8.self)) else {
      return nil
    }
    self.init(query, weight)
  }

  /// The sentence that declares the term.
  package var sentence: String { "\(query) \(weight)" }
}
