/// The type of a list's elements, by which they are compared when one is added or removed.
package enum ElementKind: Sendable {
  /// Texts, compared byte for byte; a scalar is one of them.
  case texts
  /// Tags, compared without case and a leading `#`; a scalar holds several, parted by commas.
  case tags

  /// The kind that a field's name suggests.
  package init(fieldName name: String) {
    switch name.lowercased() {
    case "tags", "tag", "keywords", "categories": self = .tags
    default: self = .texts
    }
  }

  /// A key that is equal for elements that count as the same.
  enum Key: Hashable {
    case bytes([UInt8])
    case tag(String)
  }

  /// Returns the key of an element: that of another one is equal if they count as the same.
  func key(_ element: String) -> Key {
    self == .tags ? .tag(Self.bare(element)) : .bytes(Array(element.utf8))
  }

  /// Says whether two elements count as the same.
  func areSame(_ first: String, _ second: String) -> Bool {
    if first.hasSameBytes(as: second) { return true }
    return self == .tags && Self.bare(first) == Self.bare(second)
  }

  private static func bare(_ tag: String) -> String {
    (tag.utf8.first == UInt8(ascii: "#") ? String(tag.unicodeScalars.dropFirst()) : tag).lowercased()
  }
}

extension NoteText {
  /// Returns the note with one more element in a list; an existing element changes nothing.
  ///
  /// A missing field, or one without a value, gets a flow list. A scalar becomes a list of two, or stays a
  /// scalar with one more comma if it holds tags. Removing the element again gives the same bytes, except
  /// that an empty list is removed, a scalar that became a list stays one, and a lone plain scalar that other
  /// readers do not take for text (`tags: no`) is quoted.
  /// - Parameters:
  ///   - kind: the type of the elements; by default by the field's name.
  ///   - writesFractions: whether a decimal fraction is written without quotes, as whole numbers are.
  /// - Throws: `EditError` as `setting` does.
  package func adding(
    _ element: String, to name: String, order: [String] = [], kind: ElementKind? = nil,
    writesFractions: Bool = false
  ) throws(EditError) -> NoteText {
    if inlineFields(named: name) != nil {
      return try addingToField(name, element, order: order, kind: kind, writesFractions: writesFractions)
    }
    if let text = addingPageProperty(name, .list([.text(element)])) { return text }
    let editor = try FrontMatterEditor(self)
    let kind = kind ?? ElementKind(fieldName: name)
    guard let index = editor.index(of: name) else {
      return try setting(
        name, to: .list([.text(element)]), order: order, writesFractions: writesFractions)
    }
    let value = editor.reading.fields[index].value
    try editor.checkElements(of: index)
    switch value {
    case .list(let elements) where elements.contains { $0 != .empty }:
      if value.strings.contains(where: { kind.areSame($0, element) }) { return self }
      return try setting(
        name, to: .list(elements + [.text(element)]), writesFractions: writesFractions)
    case .list, .empty:
      return try setting(name, to: .list([.text(element)]), writesFractions: writesFractions)
    case .text(let text): return try adding(element, to: name, after: text, kind, writesFractions)
    case .map: throw editor.opaque(index, YAMLNode.Objection.map.rawValue)
    }
  }

  private func adding(
    _ element: String, to name: String, after text: String, _ kind: ElementKind, _ writesFractions: Bool
  ) throws(EditError) -> NoteText {
    let commas = CommaList(text)
    let present = kind == .tags ? commas.elements : [text]
    if present.contains(where: { kind.areSame($0, element) }) { return self }
    if text.utf8.allSatisfy({ $0 <= 0x20 }) { return try setting(name, to: .list([.text(element)])) }
    if kind == .tags, CommaList.canHold(element) {
      return try setting(name, to: .text(commas.adding(element)))
    }
    return try setting(
      name, to: .list((present + [element]).map(FieldValue.text)), writesFractions: writesFractions)
  }

  /// Returns the note with elements put into a list, those that are not there, and others taken out of it.
  ///
  /// - Complexity: O(n) for a list; for a scalar with commas also linear in the elements for each of them.
  /// - Throws: `EditError` as `setting` does.
  package func changing(
    _ name: String, adding added: [String], removing removed: [String]
  ) throws(EditError) -> NoteText {
    let kind = ElementKind(fieldName: name)
    var text = self
    var rest = added[...]
    while let next = rest.first {
      if let elements = text.elements(of: name) {
        var known = Set(elements.compactMap(\.text).map(kind.key))
        let new = rest.filter { known.insert(kind.key($0)).inserted }
        try FrontMatterEditor(text).checkElements(ofField: name)
        if !new.isEmpty { text = try text.setting(name, to: .list(elements + new.map(FieldValue.text))) }
        break
      }
      text = try text.adding(next, to: name)
      rest.removeFirst()
    }
    guard let elements = text.elements(of: name) else {
      for element in removed { text = try text.removing(element, from: name) }
      return text
    }
    return try FrontMatterEditor(text).removing(
      Set(removed.map(kind.key)), from: elements, ofField: name, kind)
  }

  /// The elements of a list with anything in it; nil for any other value.
  private func elements(of name: String) -> [FieldValue]? {
    guard case .list(let elements)? = FrontMatter(self)[name], elements.contains(where: { $0 != .empty })
    else { return nil }
    return elements
  }

  /// Returns the note without an element of a list; if none is left the field is removed.
  ///
  /// - Parameter kind: the type of the elements; by default by the field's name.
  /// - Throws: `EditError` as `setting` does.
  package func removing(
    _ element: String, from name: String, kind: ElementKind? = nil
  ) throws(EditError) -> NoteText {
    if inlineFields(named: name) != nil { return try removingFromField(name, element, kind: kind) }
    let editor = try FrontMatterEditor(self)
    let kind = kind ?? ElementKind(fieldName: name)
    guard let index = editor.index(of: name) else { return self }
    try editor.checkElements(of: index)
    switch editor.reading.fields[index].value {
    case .list(let elements): return try editor.removing([kind.key(element)], from: elements, of: index, kind)
    case .text(let text):
      let commas = CommaList(text)
      let present = kind == .tags ? commas.elements : [text]
      guard present.contains(where: { kind.areSame($0, element) }) else { return self }
      guard kind == .tags, let rest = commas.removing({ kind.areSame($0, element) }) else {
        return try editor.clearing(index)
      }
      return try setting(name, to: .text(rest))
    case .empty, .map: return self
    }
  }
}

extension FrontMatterEditor {
  /// Refuses fields whose elements can't be changed one by one.
  fileprivate func checkElements(of index: Int) throws(EditError) {
    guard case .whole = try form(of: index), case .list = reading.fields[index].value else { return }
    throw opaque(index, "its elements are not on separate lines")
  }

  fileprivate func checkElements(ofField name: String) throws(EditError) {
    if let index = index(of: name) { try checkElements(of: index) }
  }

  fileprivate func removing(
    _ keys: Set<ElementKind.Key>, from elements: [FieldValue], ofField name: String, _ kind: ElementKind
  ) throws(EditError) -> NoteText {
    guard !keys.isEmpty, let index = index(of: name) else { return text }
    try checkElements(of: index)
    return try removing(keys, from: elements, of: index, kind)
  }

  fileprivate func removing(
    _ keys: Set<ElementKind.Key>, from elements: [FieldValue], of index: Int, _ kind: ElementKind
  ) throws(EditError) -> NoteText {
    let positions = elements.indices.filter { position in
      elements[position].text.map { keys.contains(kind.key($0)) } ?? false
    }
    if positions.isEmpty { return text }
    let removed = Set(positions)
    let rest = elements.indices.filter { !removed.contains($0) }.map { elements[$0] }
    if rest.isEmpty { return try clearing(index) }
    let splices = try removal(of: positions, leaving: rest, in: index)
    return try finish(splices, reading.fields[index].name, expecting: .list(rest))
  }
}

/// Elements parted by commas in one scalar, with their places.
struct CommaList {
  private let bytes: [UInt8]
  /// The elements without blanks around them; empty ones are left out.
  private let ranges: [Range<Int>]

  init(_ text: String) {
    bytes = Array(text.utf8)
    var found: [Range<Int>] = []
    for part in bytes.indices.split(whereSeparator: { [bytes] in bytes[$0] == UInt8(ascii: ",") }) {
      var (lower, upper) = (part.startIndex, part.endIndex)
      while lower < upper, bytes[lower] <= 0x20 { lower += 1 }
      while upper > lower, bytes[upper - 1] <= 0x20 { upper -= 1 }
      if lower < upper { found.append(lower..<upper) }
    }
    ranges = found
  }

  var elements: [String] { ranges.map { String(decoding: bytes[$0], as: UTF8.self) } }

  /// Whether an element can be written between commas.
  static func canHold(_ element: String) -> Bool {
    let bytes = Array(element.utf8)
    guard let first = bytes.first, let last = bytes.last, first > 0x20, last > 0x20 else { return false }
    return !bytes.contains { $0 < 0x20 || $0 == UInt8(ascii: ",") }
  }

  /// Returns the text with an element after the last one.
  func adding(_ element: String) -> String {
    guard let last = ranges.last else { return element }
    let start = bytes[..<last.upperBound]
    return String(decoding: start + ", ".utf8 + element.utf8 + bytes[last.upperBound...], as: UTF8.self)
  }

  /// Returns the text without some elements, or nil if none would be left.
  func removing(_ isRemoved: (String) -> Bool) -> String? {
    var splices = Splices()
    var kept: Range<Int>?
    for (index, range) in ranges.enumerated() {
      if !isRemoved(String(decoding: bytes[range], as: UTF8.self)) {
        kept = range
      } else if let kept {
        splices.remove(kept.upperBound..<range.upperBound)
      } else if index + 1 < ranges.count {
        splices.remove(range.lowerBound..<ranges[index + 1].lowerBound)
      }
    }
    return kept == nil ? nil : String(decoding: splices.applied(to: bytes), as: UTF8.self)
  }
}
