import NoteIndex
import Notes
import Testing
import Text

/// Random queries on random notes, held against a plain evaluation that knows nothing of the parser.
@Suite struct QueryPropertyTests {
  /// What a random note holds.
  struct Model {
    let path: String
    let title: String?
    let kind: String?
    let day: Int
    let tags: [String]
    let author: String?
    let rating: Int?
    let due: Int?
    let body: String

    var text: String {
      var lines = ["---", "created: 2026-03-\(QueryPropertyTests.padded(day))T10:00:00Z"]
      if let title { lines.append("title: \(title)") }
      if let kind { lines.append("kind: \(kind)") }
      if !tags.isEmpty { lines.append("tags: [\(tags.joined(separator: ", "))]") }
      if let author { lines.append("author: \(author)") }
      if let rating { lines.append("rating: \(rating)") }
      if let due { lines.append("due: 2026-04-\(QueryPropertyTests.padded(due))") }
      return (lines + ["---", body, ""]).joined(separator: "\n")
    }

    var shownTitle: String { title ?? String(path.dropLast(3)) }
  }

  /// A query together with what it means.
  struct Asked {
    let text: String
    let isTerm: Bool
    let holds: (Model) -> Bool

    var inner: String { isTerm ? text : "(\(text))" }
  }

  static func padded(_ day: Int) -> String { day < 10 ? "0\(day)" : "\(day)" }

  private static let vocabulary = [
    "apple", "Żółw", "zolw", "foo-bar", "don't", "x_y", "日本", "été", "apples", "Bar", "12", "foo", "STRASSE",
    "straße",
  ]
  private static let tags = ["work", "work/clients", "Home", "été", "workshop"]
  private static let names = ["Le Guin", "Leguin", "Stanisław Lem", "bar foo"]

  private static func words(_ text: String) -> [[UInt8]] {
    let folded = Folding.fold(Array(text.utf8)[...])
    return Words.ranges(in: folded[...]).map { Array(folded[$0]) }
  }

  private static func has(_ wanted: String, in text: String) -> Bool {
    let (wanted, words) = (words(wanted), words(text))
    guard !wanted.isEmpty, wanted.count <= words.count else { return false }
    return (0...(words.count - wanted.count)).contains { words[$0..<$0 + wanted.count].elementsEqual(wanted) }
  }

  private static func hasPrefix(_ prefix: String, in text: String) -> Bool {
    let prefix = Folding.fold(Array(prefix.utf8)[...])
    return words(text).contains { $0.starts(with: prefix) }
  }

  private static func isTag(_ tag: String, _ wanted: String) -> Bool {
    let (tag, wanted) = (Folding.fold(tag), Folding.fold(wanted))
    return tag == wanted || tag.hasPrefix(wanted + "/")
  }

  private static func model(_ index: Int, _ random: inout SplitMix64) -> Model {
    func maybe<T>(_ value: T, _ random: inout SplitMix64) -> T? { Bool.random(using: &random) ? value : nil }
    func some(_ count: Int, _ random: inout SplitMix64) -> String {
      (0..<count).map { _ in vocabulary.randomElement(using: &random) ?? "" }.joined(
        separator: [" ", "\n", ", ", "  "].randomElement(using: &random) ?? " ")
    }
    let title = (0..<2).map { _ in vocabulary.randomElement(using: &random) ?? "" }.joined(separator: " ")
    return Model(
      path: "n\(index)q.md", title: maybe(title + " t", &random),
      kind: maybe(["book", "issue"].randomElement(using: &random) ?? "", &random),
      day: Int.random(in: 1...28, using: &random),
      tags: tags.filter { _ in Int.random(in: 0..<4, using: &random) == 0 },
      author: maybe(names.randomElement(using: &random) ?? "", &random),
      rating: maybe(Int.random(in: -2...12, using: &random), &random),
      due: maybe(Int.random(in: 1...28, using: &random), &random),
      body: some(Int.random(in: 0...8, using: &random), &random))
  }

  private static func leaf(_ random: inout SplitMix64) -> Asked {
    let word = vocabulary.randomElement(using: &random) ?? ""
    let other = vocabulary.randomElement(using: &random) ?? ""
    let tag = tags.randomElement(using: &random) ?? ""
    let (low, high) = (Int.random(in: 1...28, using: &random), Int.random(in: 1...28, using: &random))
    let number = Int.random(in: -3...13, using: &random)
    func term(_ text: String, _ holds: @escaping (Model) -> Bool) -> Asked {
      Asked(text: text, isTerm: true, holds: holds)
    }
    let places = { (model: Model) in
      [model.shownTitle, model.author ?? "", model.body, model.rating.map(String.init) ?? ""] + model.tags
        + [model.due.map { "2026-04-\(padded($0))" } ?? ""]
    }
    switch Int.random(in: 0..<20, using: &random) {
    case 0...2: return term(word) { model in places(model).contains { has(word, in: $0) } }
    case 3:
      return term("\"\(word) \(other)\"") { model in
        places(model).contains { has("\(word) \(other)", in: $0) }
      }
    case 4:
      let prefix = ["ap", "zo", "Ż", "fo", "st", "x_", "1"].randomElement(using: &random) ?? "a"
      return term("\(prefix)*") { model in places(model).contains { hasPrefix(prefix, in: $0) } }
    case 5:
      return term("title:\(word),\(other)") { has(word, in: $0.shownTitle) || has(other, in: $0.shownTitle) }
    case 6: return term("body:\(word)") { has(word, in: $0.body) }
    case 7: return term("kind:BOOK") { $0.kind == "book" }
    case 8: return term("kind:issue,note") { $0.kind != "book" }
    case 9: return term("+\(tag)") { $0.tags.contains { isTag($0, tag) } }
    case 10: return term("-\(tag)") { !$0.tags.contains { isTag($0, tag) } }
    case 11: return term("tag:=\(tag)") { $0.tags.contains { Folding.fold($0) == Folding.fold(tag) } }
    case 12:
      return term("author:guin,stanislaw") { model in
        model.author.map { has("guin", in: $0) || has("stanislaw", in: $0) } ?? false
      }
    case 13: return term("author:le*guin") { $0.author?.hasPrefix("Le") ?? false }
    case 14: return term("rating:\(number)..") { $0.rating.map { $0 >= number } ?? false }
    case 15: return term("rating:<\(number)") { $0.rating.map { $0 < number } ?? false }
    case 16:
      return term("created:2026-03-\(padded(low))..2026-03-\(padded(high))") {
        $0.day >= low && $0.day <= high
      }
    case 17: return term("due:>=2026-04-\(padded(low))") { $0.due.map { $0 >= low } ?? false }
    case 18: return term("has:rating,due") { $0.rating != nil || $0.due != nil }
    default: return term("author:") { $0.author == nil }
    }
  }

  private static func query(_ depth: Int, _ random: inout SplitMix64) -> Asked {
    guard depth > 0, Int.random(in: 0..<4, using: &random) > 0 else { return leaf(&random) }
    let parts = (0..<Int.random(in: 2...3, using: &random)).map { _ in query(depth - 1, &random) }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      return Asked(text: "NOT " + parts[0].inner, isTerm: false) { !parts[0].holds($0) }
    case 1:
      return Asked(text: parts.map(\.inner).joined(separator: " OR "), isTerm: false) { model in
        parts.contains { $0.holds(model) }
      }
    case 2:
      return Asked(text: parts.map(\.inner).joined(separator: " AND "), isTerm: false) { model in
        parts.allSatisfy { $0.holds(model) }
      }
    default:
      // After a term a word might belong to its value.
      let isWord = { (part: Asked) in
        part.isTerm && !part.text.contains(":") && !"+-".contains(part.text.first ?? "-")
      }
      let ordered = parts.filter(isWord) + parts.filter { !isWord($0) }
      return Asked(text: ordered.map(\.inner).joined(separator: " "), isTerm: false) { model in
        parts.allSatisfy { $0.holds(model) }
      }
    }
  }

  @Test func `a thousand queries find what a plain evaluation finds`() throws {
    var random = SplitMix64(seed: 2026)
    let models = (0..<40).map { Self.model($0, &random) }
    let catalogue = Catalogue(models.map { entry($0.path, $0.text) })
    var hits = 0
    for round in 0..<1_000 {
      let asked = Self.query(3, &random)
      let query = try Query.parse(text: asked.text, clock: clock)
      let expected = Set(models.filter { asked.holds($0) }.map(\.path))
      hits += expected.count
      let found = { (query: Query) in
        Set(
          catalogue.matches(query) { $0.created }.map { String(decoding: $0.entry.note.path, as: UTF8.self) })
      }
      #expect(found(query) == expected, "\(asked.text)")
      let again = try Query.parse(text: query.described(), clock: clock)
      #expect(found(again) == expected, "\(query.described())")
      guard round % 5 == 0 else { continue }
      let searched = catalogue.search(query) { $0.created }
      #expect(Set(searched.map { String(decoding: $0.entry.note.path, as: UTF8.self) }) == expected)
    }
    #expect(hits > 4_000)
  }
}
