/// The merge of the fields of two sides with those of a base; values only, nothing is written.
struct FieldsMerge {
  /// The source of the text of a field.
  enum Source: Equatable {
    /// Both sides have the value.
    case both
    case side(MergeSide)
    /// A list made of both, on the text of a side.
    case joined(MergeSide, removing: [String], adding: [String])
  }

  struct Decision: Equatable {
    let name: String
    let source: Source
    let value: FieldValue?
  }

  /// In the order of the base, then of what each side added.
  private(set) var decisions: [Decision] = []
  /// The values that were not taken.
  private(set) var entries: [ConflictEntry] = []
  /// The fields that both sides changed to different values.
  private(set) var contested: [String] = []

  private let base: FieldValues
  private let sides: (one: FieldValues, other: FieldValues)
  private let times: MergeTimes
  private let rules: MergeRules
  private let kind: String?
  /// The fields of which each side settled a conflict of the base. A side that kept the value has decided on it too.
  private let settled: (one: Set<String>, other: Set<String>)

  /// - Parameters:
  ///   - primary: the side on whose lists the elements of the other are put.
  ///   - rules: groups with a field in common are one group.
  init(
    base: FrontMatter, one: FrontMatter, other: FrontMatter, primary: MergeSide, rules: MergeRules,
    times: MergeTimes
  ) {
    let values = (base: FieldValues(base), one: FieldValues(one), other: FieldValues(other))
    self.base = values.base
    sides = (values.one, values.other)
    self.times = times
    self.rules = rules
    let kinds = [one, other].compactMap { $0["kind"]?.text }
    kind = kinds.min(by: Self.precedes)
    settled = (
      Self.settled(of: values.base, in: values.one), Self.settled(of: values.base, in: values.other)
    )
    var (names, seen): ([String], Set<[UInt8]>) = ([], [])
    for field in base.fields + (primary == .one ? one.fields + other.fields : other.fields + one.fields)
    where seen.insert(Array(field.name.utf8)).inserted {
      names.append(field.name)
    }
    var winners: [String: MergeSide] = [:]
    for component in Self.components(rules.groups, names) {
      let fields = component.filter { isContested($0) }.sorted(by: Self.precedes)
      guard !fields.isEmpty else { continue }
      contested += fields
      let winner = winner(of: fields)
      for name in component { winners[name] = winner }
    }
    for name in names { decide(name, primary, winners[name]) }
    dropReplacedVersions()
    let known = Set(contested)
    contested = names.filter { known.contains($0) }
  }

  private subscript(side: MergeSide) -> FieldValues { side == .one ? sides.one : sides.other }

  /// The groups that hold a name, joined if they overlap, and every other name by itself.
  private static func components(_ groups: [Set<String>], _ names: [String]) -> [[String]] {
    var components: [Set<String>] = []
    for group in groups {
      let touched = components.filter { !$0.isDisjoint(with: group) }
      components.removeAll { !$0.isDisjoint(with: group) }
      components.append(touched.reduce(group) { $0.union($1) })
    }
    let grouped = components.reduce(into: Set<String>()) { $0.formUnion($1) }
    return components.map { component in names.filter { component.contains($0) } }.filter { !$0.isEmpty }
      + names.filter { !grouped.contains($0) }.map { [$0] }
  }

  private mutating func decide(_ name: String, _ primary: MergeSide, _ winner: MergeSide?) {
    let (first, second) = (sides.one[name], sides.other[name])
    let old = base[name]
    if first == second {
      decisions.append(Decision(name: name, source: .both, value: first))
    } else if let winner {
      let value = self[winner][name]
      let lost = self[winner.opposite][name]
      let source: Source = .side(winner)
      decisions.append(Decision(name: name, source: source, value: value))
      if lost != value, isDecided(name, winner.opposite) {
        entries.append(ConflictEntry(field: name, value: lost, times[.field(name)]?[winner.opposite]))
      }
    } else if second == old {
      decisions.append(Decision(name: name, source: .side(.one), value: first))
    } else if first == old {
      decisions.append(Decision(name: name, source: .side(.other), value: second))
    } else if let joined = joined(name, primary) {
      decisions.append(joined)
    } else {
      let side = ruledSide(name) ?? primary
      decisions.append(Decision(name: name, source: .side(side), value: self[side][name]))
    }
  }

  /// Takes out the entries of conflicts whose value is that of the base and which the other side has replaced: a rebase picks
  /// each commit of a series onto the merge of the earlier ones.
  private mutating func dropReplacedVersions() {
    let name = ConflictEntry.fieldName
    guard let index = decisions.firstIndex(where: { $0.name == name }), case .list? = decisions[index].value
    else { return }
    let old = Set(Self.elements(base[name], .texts) ?? [])
    var replaced: [String] = []
    for side in [MergeSide.one, .other] {
      for text in Self.elements(self[side][name], .texts) ?? [] where !old.contains(text) {
        guard let entry = ConflictEntry(text), let value = entry.value, value == base[entry.field],
          contested.contains(entry.field)
        else { continue }
        replaced.append(text)
      }
    }
    let left = (Self.elements(decisions[index].value, .texts) ?? []).filter { !replaced.contains($0) }
    let source: Source
    switch decisions[index].source {
    case .side(let side): source = .joined(side, removing: replaced, adding: [])
    case .joined(let side, let removing, let adding):
      let own = Self.elements(self[side][name], .texts) ?? []
      source = .joined(
        side, removing: removing + replaced.filter { own.contains($0) && !removing.contains($0) },
        adding: adding.filter { !replaced.contains($0) })
    case .both: return
    }
    guard !replaced.isEmpty else { return }
    decisions[index] = Decision(
      name: name, source: source, value: left.isEmpty ? nil : .list(left.map { .text($0) }))
  }

  /// Whether both sides changed a field, in ways that can't be joined.
  private func isContested(_ name: String) -> Bool {
    let (first, second) = (sides.one[name], sides.other[name])
    guard first != second, isDecided(name, .one), isDecided(name, .other) else { return false }
    return joined(name, .one) == nil && ruledSide(name) == nil
  }

  /// Whether a side gave a field its value: it changed the field, or settled its conflict.
  private func isDecided(_ name: String, _ side: MergeSide) -> Bool {
    self[side][name] != base[name] || (side == .one ? settled.one : settled.other).contains(name)
  }

  /// The fields of the conflict entries of a base that a side does not have any more.
  private static func settled(of base: FieldValues, in side: FieldValues) -> Set<String> {
    let name = ConflictEntry.fieldName
    guard let old = elements(base[name], .texts), let new = elements(side[name], .texts) else { return [] }
    return Set(Set(old).subtracting(new).compactMap { ConflictEntry($0)?.field })
  }

  /// The side whose value of a contested group wins: the one that changed it later, else the one with the greater values.
  private func winner(of fields: [String]) -> MergeSide {
    let known = fields.compactMap { times[.field($0)] }
    let latest = { (stamps: [MergeStamp?]) -> MergeStamp? in
      stamps.compactMap { $0 }.max { $0.isBefore($1) }
    }
    let last = MergeStamps(one: latest(known.map(\.one)), other: latest(known.map(\.other)))
    if let later = last.later { return later }
    let texts = [sides.one, sides.other].map { side in
      fields.map { side[$0]?.json ?? "" }.joined(separator: "\n")
    }
    return Self.precedes(texts[0], texts[1]) ? .other : .one
  }

  static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  /// The side whose value wins by the rule of the field; nil if the field has none.
  private func ruledSide(_ name: String) -> MergeSide? {
    guard let rule = rules.rule(of: name, kind: kind) else { return nil }
    guard let first = sides.one[name], let second = sides.other[name] else {
      // A side that took the time of a change away did not make it later.
      return rule == .earlier ? nil : sides.one[name] == nil ? .other : .one
    }
    let (one, other) = (first.text ?? first.json, second.text ?? second.json)
    let greater: MergeSide = Self.precedes(one, other) ? .other : .one
    switch rule {
    case .earlier, .later:
      let times = [one, other].map { Timestamp.adopted($0)?.millisecondsSince1970 }
      // A value that is not a time is neither later nor earlier.
      guard let first = times[0] else {
        return times[1] != nil ? .other : rule == .earlier ? nil : greater
      }
      guard let second = times[1] else { return .one }
      // Two spellings of one instant.
      if first == second { return rule == .earlier ? greater.opposite : greater }
      return (first < second) == (rule == .earlier) ? .one : .other
    case .greater:
      guard let first = Double(one), let second = Double(other), first != second else { return greater }
      return first < second ? .other : .one
    case .union, .derived: return greater
    }
  }
}

extension FieldsMerge {
  /// A list with what both sides added and without what either removed; nil if a side has no list of scalars.
  private func joined(_ name: String, _ primary: MergeSide) -> Decision? {
    let values = [base[name], self[primary][name], self[primary.opposite][name]]
    let kind = ElementKind(fieldName: name)
    let isList = values.contains { if case .list = $0 { true } else { false } }
    guard isList || kind == .tags else { return nil }
    let lists = values.compactMap { Self.elements($0, kind) }
    guard lists.count == 3 else { return nil }
    let keys = lists.map { Set($0.map(kind.key)) }
    var (first, second, side) = (lists[1], lists[2], primary)
    // The side that put the elements into another order gives the order.
    let shared = keys[0].intersection(keys[1]).intersection(keys[2])
    let common = { (list: [String]) in list.filter { shared.contains(kind.key($0)) } }
    if common(first) == common(lists[0]), common(second) != common(lists[0]) {
      (first, second, side) = (second, first, primary.opposite)
    }
    // Elements can be taken out of a field or put into it only if it is.
    if self[side][name] == nil { (first, second, side) = (second, first, side.opposite) }
    let (firstKeys, secondKeys) = (Set(first.map(kind.key)), Set(second.map(kind.key)))
    let keepsAll = rules.rule(of: name, kind: self.kind) == .union
    let isRemoved = { (element: String) in
      let key = kind.key(element)
      return !keepsAll && keys[0].contains(key) && !secondKeys.contains(key)
    }
    let removed = first.filter(isRemoved)
    let added = second.filter {
      !firstKeys.contains(kind.key($0)) && (keepsAll || !keys[0].contains(kind.key($0)))
    }
    let merged = first.filter { !isRemoved($0) } + added
    let sorted = name == ConflictEntry.fieldName ? added.sorted(by: Self.precedes) : added
    return Decision(
      name: name, source: .joined(side, removing: removed, adding: sorted),
      value: merged.isEmpty ? nil : .list(merged.map { .text($0) }))
  }

  /// The elements of a list of scalars; no value at all is an empty list, a scalar a list of one.
  static func elements(_ value: FieldValue?, _ kind: ElementKind) -> [String]? {
    switch value {
    case nil, .empty: []
    case .text(let text): kind == .tags ? CommaList(text).elements : [text]
    case .list(let elements): elements.allSatisfy { $0.text != nil } ? elements.compactMap(\.text) : nil
    case .map: nil
    }
  }
}
