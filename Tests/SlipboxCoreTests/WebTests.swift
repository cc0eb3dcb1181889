import Foundation
import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// Links, and references of records, as one web.
@Suite struct WebTests {
  private static let names = ["a", "B", "c d", "ż", "x"]

  /// A box of notes, groups and tasks that link and refer to one another by few names.
  private func randomBox(_ seed: UInt64) throws -> (TemporaryFolder, BoxInTest) {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let pick = { (items: [String], random: inout SplitMix64) in
      items[Int.random(in: items.indices, using: &random)]
    }
    for number in 0..<Int.random(in: 2...14, using: &random) {
      let kind = pick(["note", "note", "group", "task", "task"], &random)
      let group = pick(
        ["group: \(pick(Self.names, &random))\n", "group: '[[\(pick(Self.names, &random))]]'\n", ""], &random)
      let up = pick(["up: '[[\(pick(Self.names, &random))]]'\n", ""], &random)
      let links = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        pick(["[[", "![["], &random) + pick(Self.names + ["gone", "n1", "n2"], &random) + "]]"
      }
      try folder.write(
        "n\(number).md",
        "---\ntitle: \(pick(Self.names, &random))\nkind: \(kind)\n\(kind == "task" ? group : "")\(up)---\n"
          + links.joined(separator: " and ") + "\n")
    }
    return (folder, try makeBox(in: folder))
  }

  /// What a connection is, whichever way it was asked for.
  private struct Trace: Hashable {
    let source: Int
    let target: Int
    let line: Int
    let way: String
    let start: Int

    init?(_ connection: Connection) {
      guard let place = connection.place else { return nil }
      source = connection.source
      target = place
      line = connection.line
      way = "\(connection.form.map { $0.rawValue } ?? "reference") \(connection.field ?? "")"
      start = connection.range.lowerBound
    }
  }

  @Test(arguments: 0..<60) func backlinksAreLinksTheOtherWayRound(seed: Int) throws {
    let (folder, box) = try randomBox(UInt64(seed))
    let web = try NoteWeb(try box.now)
    let all = Array(web.entries.indices)
    let there = try web.connections(from: all).flatMap { $0 }
    let back = web.connections(to: all)
    #expect(Set(there.compactMap(Trace.init)) == Set(back.flatMap { $0 }.compactMap(Trace.init)))
    #expect(there.compactMap(Trace.init).count == back.flatMap { $0 }.count)
    for place in all {
      #expect(back[place].allSatisfy { $0.place == place && $0.source != place })
      #expect(
        try web.connections(from: [place])[0].map(Trace.init)
          == web.connections(from: all)[place].map(Trace.init))
      #expect(web.connections(to: [place])[0].map(Trace.init) == back[place].map(Trace.init))
    }
    // The graph, orphans and broken links say the same.
    let graph = web.graph(of: nil)
    let pairs = Set(there.compactMap(Trace.init).map { [$0.source, $0.target] })
    #expect(Set(graph.edges.map { [graph.places[$0.source], graph.places[$0.target]] }) == pairs)
    #expect(graph.edges.reduce(0) { $0 + $1.count } == there.compactMap(Trace.init).count)
    #expect(web.areLinked() == all.map { !back[$0].isEmpty })
    let unresolved = there.filter(\.isUnresolved).map { [$0.source, $0.range.lowerBound] }
    #expect(Set(try web.unresolved().map { [$0.source, $0.range.lowerBound] }) == Set(unresolved))
    #expect(try web.unresolved().count == unresolved.count)
    #expect(graph.components().flatMap { $0 }.sorted() == Array(graph.places.indices))
    _ = folder
  }

  /// The notes that are so many steps away, found in the plainest way.
  @Test(arguments: 0..<20) func theDepthIsTheNumberOfSteps(seed: Int) throws {
    let (folder, box) = try randomBox(UInt64(1_000 + seed))
    let web = try NoteWeb(try box.now)
    let whole = web.graph(of: nil)
    for depth in 0...3 {
      var reached: Set<Int> = [0]
      for _ in 0..<depth {
        let next = whole.edges.flatMap { edge -> [Int] in
          reached.contains(edge.source) || reached.contains(edge.target) ? [edge.source, edge.target] : []
        }
        reached.formUnion(next)
      }
      #expect(web.graph(of: [0], depth: depth).places == reached.sorted())
    }
    _ = folder
  }

  private func box(_ files: [String: String]) throws -> (TemporaryFolder, BoxInTest) {
    let folder = try TemporaryFolder()
    for (path, text) in files { try folder.write(path, text) }
    return (folder, try makeBox(in: folder))
  }

  /// Files of every sort that tools write.
  @Test(
    arguments: [
      ("crlf", "---\r\ntitle: T\r\nup: \"[[Hub]]\"\r\n---\r\nTo [[Hub]].\r\n", [3, 5]),
      ("mark", "\u{FEFF}---\ntitle: T\n---\nTo [[Hub]].", [4]),
      ("broken", "---\ntitle: [\n---\nTo [[Hub]].\n", [4]),
      ("unclosed", "---\ntitle: T\nTo [[Hub]].\n", [3]),
      ("toml", "+++\ntitle = \"T\"\n+++\nTo [[Hub]].\n", [4]),
      ("bare", "[[Hub]]", [1]),
      ("decomposed", "[[Żółw]]".decomposed + "\n", [1]),
      ("percent", "[x](a%20hub.md) [y](<a hub.md>)\n", [1, 1]),
      ("quote", "To [[notes']] and [[Hub|label]].\n", [1, 1]),
    ] as [(String, String, [Int])])
  func linksOfEverySortOfFileAreFound(name: String, text: String, lines: [Int]) throws {
    let (folder, box) = try box([
      "a hub.md": "---\ntitle: Hub\naliases: [\"Żółw\", \"notes'\"]\n---\n", "\(name).md": text,
    ])
    let web = try NoteWeb(try box.now)
    let hub = try #require(try box.now.catalogue().place(path: Array("a hub.md".utf8)))
    let found = web.connections(to: [hub])[0]
    #expect(found.map(\.line) == lines)
    #expect(
      try web.sentences(of: web.notes(holding: found, most: nil)).flatMap(\.snippets).map(\.line) == lines)
    _ = folder
  }

  @Test func whatIsNoNoteIsToldApart() throws {
    let (folder, box) = try box([
      "a.md":
        "[f](pics/x.png) [u](https://x.org) ![[y.png]] [d](pics) [r](/about) [[{{date}}]] [[gone]] [m](no.md) [[#here]]\n",
      "pics/x.png": "x", "pics/y.png": "y",
    ])
    let web = try NoteWeb(try box.now)
    let found = try web.connections(from: [0])[0].map { connection in
      switch connection.target {
      case .file(let path): "file " + String(decoding: path, as: UTF8.self)
      case .url(let address): "url " + String(decoding: address, as: UTF8.self)
      case .broken: "broken " + connection.text
      case .note, .ambiguous: "note"
      }
    }
    #expect(
      found == [
        "file pics/x.png", "url https://x.org", "file pics/y.png", "file pics", "url /about", "url {{date}}",
        "broken gone", "broken no.md", "note",
      ])
    #expect(try web.unresolved().map(\.text) == ["gone", "no.md", "#here"])
    _ = folder
  }

  @Test(
    arguments: [
      ("Wild yest", "Wild yeast"), ("wild yeasts", "Wild yeast"), ("notes/Wild yest.md", "Wild yeast"),
      ("wild yest#Head", "Wild yeast"), ("Wild", "Wild yeast"), ("Zolv", "Żółw"), ("xx", nil),
      ("Quantum", nil),
      ("", nil),
    ] as [(String, String?)])
  func theNearestNameIsFound(target: String, name: String?) throws {
    let entries = Catalogue([
      Entry(
        note: Note(path: Array("1.md".utf8), text: NoteText(Array("---\ntitle: Wild yeast\n---\n".utf8))),
        created: standingClock.now),
      Entry(
        note: Note(path: Array("2.md".utf8), text: NoteText(Array("---\ntitle: Żółw\n---\n".utf8))),
        created: standingClock.now),
    ]).entries
    #expect(NearNames(entries).nearest(to: target) == name)
  }

  @Test func relatedNotesHaveReasons() throws {
    var files: [String: String] = [:]
    for number in 0..<30 { files["f\(number).md"] = "Filler of many words, all of them common ones.\n" }
    files["a.md"] = "---\ntitle: A\ntags: [rare]\n---\n[[Target]] levain autolyse\n"
    files["b.md"] = "---\ntitle: B\ntags: [rare]\n---\n[[Target]] levain autolyse\n"
    files["c.md"] = "---\ntitle: C\n---\nlevain autolyse too\n"
    files["hub.md"] = "[[A]] [[D]]\n"
    files["d.md"] = "---\ntitle: D\n---\nnothing else\n"
    files["t.md"] = "---\ntitle: Target\n---\nto aim at\n"
    let (folder, box) = try box(files)
    let web = try NoteWeb(try box.now)
    let place = try #require(try box.now.catalogue().place(path: Array("a.md".utf8)))
    let related = try web.related(to: place)
    let titles = related.map { web.entries[$0.place].note.title }
    #expect(titles.first == "B" && Set(titles) == ["B", "C", "D"])
    let first = related[0]
    #expect(first.bothLinkTo.map { web.entries[$0].note.title } == ["Target"])
    #expect(first.tags == ["rare"] && first.words == ["levain", "autolyse"] && !first.isConnected)
    let last = try #require(related.first { web.entries[$0.place].note.title == "D" })
    #expect(last.bothLinkedFrom.map { web.entries[$0].note.title } == ["hub"] && last.tags.isEmpty)
    _ = folder
  }
}

extension String {
  /// The text with letters and their marks apart, as some systems write names of files.
  fileprivate var decomposed: String { decomposedStringWithCanonicalMapping }
}
