import Notes

/// A record of a sample box, ready to be written.
struct SampleRecord {
  let id: NoteID
  let title: String
  let kind: String
  let created: Timestamp
  var tags: [String] = []
  /// The fields of its kind in the kind's order, as they are written.
  var fields: [(name: String, value: String)] = []
  /// Markdown that ends with a line end.
  var body: String

  /// The note as slip itself writes one.
  ///
  /// The words of samples are chosen so that none needs quotes in YAML, which a test holds them to.
  var text: NoteText {
    var text = "---\nid: \(id)\ntitle: \(title)\n"
    if kind != "note" { text += "kind: \(kind)\n" }
    text += "created: \(created.rfc3339)\n"
    if !tags.isEmpty { text += "tags: [\(tags.joined(separator: ", "))]\n" }
    for field in fields { text += "\(field.name): \(field.value)\n" }
    return NoteText(Array("\(text)---\n\(body)".utf8))
  }
}

/// How many records of each kind a sample box has.
struct SampleCounts: Equatable {
  /// How many there are of each kind unless another number is asked for: 5 tags of 10 issues, and the rest.
  static let usual: [(kind: String, count: Int)] = [
    ("issue", 50), ("book", 20), ("group", 5), ("task", 30), ("note", 20),
  ]

  private var counts: [String: Int]

  /// Shares out a number in the usual proportions, by largest remainders.
  init(total: Int) {
    let whole = Self.usual.reduce(0) { $0 + $1.count }
    let shares = Self.usual.enumerated().map { index, part in
      let (count, remainder) = (part.count * total).quotientAndRemainder(dividingBy: whole)
      return (kind: part.kind, count: count, remainder: remainder, index: index)
    }
    counts = Dictionary(shares.map { ($0.kind, $0.count) }, uniquingKeysWith: +)
    let missing = total - shares.reduce(0) { $0 + $1.count }
    let byNeed = shares.sorted { ($1.remainder, $0.index) < ($0.remainder, $1.index) }
    for share in byNeed.prefix(missing) { counts[share.kind, default: 0] += 1 }
  }

  subscript(kind: String) -> Int { counts[kind] ?? 0 }
}
