package import Notes

/// A record of a sample box, ready to be written.
package struct SampleRecord {
  package let id: NoteID
  package var title: String
  package let kind: String
  package let created: Timestamp
  package var tags: [String] = []
  /// The fields of its kind in the kind's order, as they are written.
  package var fields: [(name: String, value: String)] = []
  /// Earlier titles.
  package var aliases: [String] = []
  /// Markdown that ends with a line end.
  package var body: String

  /// The note as slip itself writes one.
  ///
  /// The words of samples are chosen so that none needs quotes in YAML, which a test holds them to.
  package var text: NoteText {
    var text = "---\nid: \(id)\ntitle: \(title)\n"
    if kind != "note" { text += "kind: \(kind)\n" }
    text += "created: \(created.rfc3339)\n"
    if !aliases.isEmpty { text += "aliases: [\(aliases.joined(separator: ", "))]\n" }
    if !tags.isEmpty { text += "tags: [\(tags.joined(separator: ", "))]\n" }
    for field in fields { text += "\(field.name): \(field.value)\n" }
    return NoteText(Array("\(text)---\n\(body)".utf8))
  }
}

extension SampleRecord {
  /// The value of a field.
  subscript(field: String) -> String? {
    get { fields.first { $0.name == field }?.value }
    set {
      let index = fields.firstIndex { $0.name == field }
      switch (index, newValue) {
      case (let index?, let value?): fields[index].value = value
      case (let index?, nil): fields.remove(at: index)
      case (nil, let value?):
        // The field that the kind does not declare stays last.
        let end = fields.last?.name == "pages" ? fields.count - 1 : fields.count
        fields.insert((field, value), at: end)
      case (nil, nil): break
      }
    }
  }

  /// The paragraphs of the body.
  var paragraphs: [String] {
    get {
      var paragraphs: [String] = []
      var rest = body[...]
      while let end = rest.firstRange(of: "\n\n") {
        paragraphs.append(String(rest[..<end.lowerBound]))
        rest = rest[end.upperBound...]
      }
      if rest.last == "\n" { rest.removeLast() }
      return paragraphs + [String(rest)]
    }
    set { body = newValue.joined(separator: "\n\n") + "\n" }
  }
}

/// A sentence with `{names}` in it.
enum SamplePattern {
  /// Puts values in the place of names; `{Name}` takes the value of `{name}` with a capital letter.
  static func fill(_ pattern: String, _ values: [String: String]) -> String {
    var result = ""
    for (index, part) in pattern.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
      guard index > 0, let end = part.firstIndex(of: "}") else {
        result += part
        continue
      }
      let name = String(part[..<end])
      result += values[name] ?? capitalised(values[lowered(name)] ?? name)
      result += part[part.index(after: end)...]
    }
    return result
  }

  /// The text with a capital letter first.
  static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  private static func lowered(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }
}

/// A generator whose choices follow from a seed alone, on every machine and with every version of the language.
///
/// Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
package struct SampleRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Draws a number from 0 below a limit; 0 if the limit allows no other number.
  mutating func below(_ limit: Int) -> Int {
    limit > 1 ? Int(next().multipliedFullWidth(by: UInt64(limit)).high) : 0
  }

  /// Draws a number between two, both included; the lower one if they are in the wrong order.
  mutating func between(_ lower: Int, _ upper: Int) -> Int { lower + below(upper - lower + 1) }

  /// Returns true with a probability in percent.
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  /// Draws one element of a list that is never empty.
  mutating func pick<Element>(_ list: [Element]) -> Element {
    precondition(!list.isEmpty, "the lists of samples are written by hand and hold something")
    return list[below(list.count)]
  }

  /// Draws elements of a list, none of them twice, in no order.
  mutating func pick<Element>(_ count: Int, of list: [Element]) -> [Element] {
    var deck = list
    for index in 0..<min(count, deck.count) { deck.swapAt(index, between(index, deck.count - 1)) }
    return Array(deck.prefix(count))
  }
}
