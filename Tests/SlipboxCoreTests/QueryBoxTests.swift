import Foundation
import Notes
import SlipboxTesting
import Testing

@testable import NoteIndex
@testable import SlipboxCore

/// Random queries on a large box: the index and what is kept answer as a look at every file does, also after edits.
///
/// `QUERY_COUNT` says how many queries are asked, 200 unless it is there, `QUERY_NOTES` of how many notes, 1,000, and
/// `QUERY_SEED` which ones.
@Suite struct QueryBoxTests {
  private static func number(_ name: String, or standard: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
  }

  @Test func answersAreThoseOfAScan() throws {
    let box = try QueryBox(
      notes: Self.number("QUERY_NOTES", or: 1_000), seed: UInt64(Self.number("QUERY_SEED", or: 1)))
    let (rounds, count) = (5, Self.number("QUERY_COUNT", or: 200))
    var found = 0
    for round in 0..<rounds {
      if round > 0 { try box.edit() }
      let opened = try box.open()
      for _ in 0..<max(1, count / rounds) {
        let arguments = box.query()
        let query = try opened.now.query(arguments)
        let answer = try opened.now.matches(query).map(\.entry.note.path)
        let wanted = try box.scan(query, arguments, opened)
        found += wanted.count
        let isSame = answer == wanted
        #expect(isSame, "round \(round): \(arguments): \(answer.count) found, \(wanted.count) wanted")
      }
    }
    #expect(found > count)
  }
}

/// A box of many small notes, with all of them as they are in their files.
private final class QueryBox {
  private let folder: TemporaryFolder
  private var random: SplitMix64
  private var entries: [String: Entry] = [:]
  private var made = 0

  private static let words = [
    "apple", "apples", "bread", "rise", "second", "slow", "Żółw", "straße", "naïve", "log-in", "don't", "東京",
    "дом",
    "x_y", "12:30", "ferment", "fermented", "fermentation", "grün", "12",
  ]
  private static let tags = ["work", "work/clients", "Home", "été", "later", "Tag 1"]
  private static let authors = ["Ursula K. Le Guin", "Stanisław Lem", "Lem, Stanisław", "Tolkien"]

  init(notes: Int, seed: UInt64) throws {
    folder = try TemporaryFolder()
    random = SplitMix64(seed: seed)
    try folder.git("init", "-q", "-b", "main")
    try giveIdentity(folder.path)
    for _ in 0..<notes { try write(newName()) }
    try folder.git("add", "-A")
    try folder.git("-c", "core.fsync=none", "commit", "-q", "-m", "Before")
    _ = try initialise(folder.path, context(in: folder.path))
    try folder.write(
      ".slipbox/config.yaml", "filter-mine: \"+work OR author:lem\"\nfilter-both: \"@mine is:active\"\n")
    _ = try open().now.catalogue()
    try open().foldCatalogue()
  }

  func open() throws -> BoxInTest { try BoxInTest(at: folder.bytes, context(in: folder.path)) }

  /// The notes that a query asks for: every note is looked at, and what is left is put in order.
  func scan(_ query: Query, _ arguments: [String], _ box: BoxInTest) throws -> [[UInt8]] {
    let times = try box.now
    let subset = entries.values.filter { query.matches($0, modified: times.modified($0)) }
    var order = arguments.filter { $0.hasPrefix("sort:") || $0.hasPrefix("limit:") }
    if let kind = query.kindName { order.append("kind:\(kind)") }
    // A range of dates ahead orders by its field.
    if query.sort.isEmpty, query.kindName == nil, let key = query.order.first {
      order.append("sort:\(key.field)")
    }
    let catalogue = Catalogue(subset)
    let matches = catalogue.matches(try box.now.query(order)) { times.modified(catalogue.entries[$0]) }
    return matches.map(\.entry.note.path)
  }
}

/// Notes, and what becomes of them.
extension QueryBox {
  private func pick(_ list: [String]) -> String { list.randomElement(using: &random) ?? "" }
  private func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  private func chance(_ part: Double) -> Bool { Double.random(in: 0..<1, using: &random) < part }
  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  private func day() -> String { "2026-\(two(number(1...12)))-\(two(number(1...28)))" }

  private func newName() -> String {
    made += 1
    return "\(pick(["2026/03", "2026/11", "Books", "books/old", "Książki"]))/n\(made).md"
  }

  private func text() -> String {
    var lines = ["---", "created: \(day())T\(two(number(0...23))):30:00\(pick(["Z", "+02:00", "-05:00"]))"]
    let kind = pick(["", "", "issue", "book", "task"])
    if chance(0.7) { lines.append("id: \(NoteID.random(using: &random))") }
    if chance(0.9) { lines.append("title: \(pick(Self.words)) \(pick(Self.words)) t") }
    if !kind.isEmpty { lines.append("kind: \(kind)") }
    if chance(0.5) { lines.append("tags: [\(pick(Self.tags)), \(pick(Self.tags))]") }
    if kind == "book" || chance(0.1) { lines.append("author: \"\(pick(Self.authors))\"") }
    if chance(0.3) {
      lines.append("\(pick(["rating", "Rating"])): \(pick(["1", "3.5", "4", "5", "10", "many"]))")
    }
    if chance(0.3) { lines.append("due: \(chance(0.9) ? day() : "soon")") }
    if chance(0.3) { lines.append("priority: \(pick(["low", "medium", "high", "HIGH", "odd"]))") }
    if chance(0.3) { lines.append("status: \(pick(["open", "closed", "completed", "Draft"]))") }
    lines += [
      "---", (0..<number(0...10)).map { _ in pick(Self.words) }.joined(separator: pick([" ", "\n"])),
    ]
    return lines.joined(separator: "\n") + (chance(0.1) ? " #later\n" : "\n")
  }

  private func write(_ name: String) throws {
    let text = text()
    try folder.write(name, text)
    know(name, text)
  }

  private func know(_ name: String, _ text: String) {
    let note = Note(path: Array(name.utf8), text: NoteText(Array(text.utf8)))
    let created = note.created ?? Timestamp(seconds: 0, offsetSeconds: 0)
    entries[name] = Entry(note: note, created: created, kind: note.kind)
  }

  /// Some notes are written, made and taken away, by other programs and by slip.
  func edit() throws {
    let names = entries.keys.sorted().shuffled(using: &random).prefix(60)
    for name in names.prefix(20) { try write(name) }
    for name in names[20..<30] {
      try FileManager.default.removeItem(atPath: folder.path + "/" + name)
      entries[name] = nil
    }
    for _ in 0..<10 { try write(newName()) }
    let changed = names[30..<45].map { ($0, Optional(text())) } + (0..<10).map { _ in (newName(), text()) }
    let removed = names[45...].map { ($0, String?.none) }
    let edits = (changed + removed).map { name, text in
      FileEdit(path: Array(name.utf8)) { _ in text.map { Array($0.utf8) } }
    }
    _ = try open().record(Plan(command: "set", edits: edits) { _ in "Something" })
    for (name, text) in changed + removed {
      if let text { know(name, text) } else { entries[name] = nil }
    }
  }
}

/// Queries.
extension QueryBox {
  /// A query as the arguments of a command.
  func query() -> [String] {
    var arguments = (0..<number(1...3)).map { _ in group(2) }
    if chance(0.3) {
      let keys = [
        "title", "-modified", "created", "-rating", "due", "priority", "author", "path", "kind", "id",
      ]
      arguments.append("sort:\(pick(keys)),\(pick(keys))")
    }
    if chance(0.2) { arguments.append("limit:\(number(0...50))") }
    return arguments
  }

  private func group(_ depth: Int) -> String {
    guard depth > 0, chance(0.4) else { return term() }
    switch number(0...3) {
    case 0: return "NOT \(group(depth - 1))"
    case 1: return "(\(group(depth - 1)) AND \(group(depth - 1)))"
    default: return "(\(group(depth - 1)) OR \(group(depth - 1)))"
    }
  }

  private func term() -> String {
    let word = pick(Self.words)
    switch number(0...25) {
    case 0...2: return word
    case 3: return "\"\(word) \(pick(Self.words))\""
    case 4: return "\(word.prefix(3))*"
    case 5: return pick(["*ed", "f*ed", "*o*", "a*le*"])
    case 6: return "title:\(word)"
    case 7: return "body:\(word),\(pick(Self.words))"
    case 8:
      return pick([
        "author:", "author:le*guin", "author:lem", "author:=Tolkien", "has:author", "author:\"k. le\"",
      ])
    case 9: return pick(["kind:book", "kind:issue,task", "kind:note", "kind:b*", "kind:"])
    case 10:
      return pick(["+work", "-work", "tag:later,home", "tag:-=work", "+tag*", "tag:", "+\"Tag 1\"", "+ete"])
    case 11:
      return pick([
        "path:Books/", "path:books", "path:*/n1*", "path:ksiazki/", "path:=Books/n7.md", "path:2026/??/",
      ])
    case 12: return pick(["id:b", "id:", "NOT has:id", "id:cd*"])
    case 13:
      return pick([
        "rating:4..", "rating:..3", "rating:>3.5", "rating:4", "rating:=10", "rating:", "rating:many",
      ])
    case 14:
      return pick(["priority:medium..", "priority:high", "priority:..low", "priority:>low", "priority:=HIGH"])
    case 15: return pick(["status:open", "status:open,draft", "status:", "has:status", "status:c*"])
    case 16:
      return
        "due:\(pick(["..yesterday", "today..", "2026-11", "2026", "\(day())..\(day())", "soon", "7d", "<2026-06"]))"
    case 17:
      return
        "created:\(pick(["2026-03", "2026-03..2026-05", "7d", "\(day())..", "today", ">2026-10", "monday"]))"
    case 18: return pick(["modified:today", "modified:7d", "modified:..2026-01", "modified:2026.."])
    case 19: return pick(["is:active", "is:untitled", "is:conflicted"])
    case 20: return pick(["@mine", "@both", "@overdue", "@recent", "@books", "@all"])
    case 21: return pick(["rating >= 4", "created < 2026-06", "status = open", "priority > low"])
    case 22: return pick(["12:30", "don't", "->", "https://x"])
    case 23: return "has:\(pick(["due", "rating,due", "title", "tags", "body"]))"
    case 24:
      return "title:\(pick(["", "*", "a..m", "=apple bread t"]))".replacingOccurrences(
        of: "=apple bread t", with: "=\"apple bread t\"")
    default: return "NOT \(word)"
    }
  }
}
