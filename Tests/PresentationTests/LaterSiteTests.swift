import Bytes
import Foundation
import NoteIndex
import Notes
import Platform
import SlipboxTesting
import Testing

@testable import Presentation
@testable import SlipboxCore

/// A site that is made after changes of its box from the record of its last export.
///
/// `SITE_ROUNDS` is the number of changes of each random box, 40 by default.
@Suite struct LaterSiteTests {
  /// A box, and its site in memory.
  private struct SiteInTest {
    let folder: TemporaryFolder
    var files: [[UInt8]: [UInt8]] = [:]
    var record: [UInt8]?
    /// Notes whose pages were made at the last export; nil if all notes were read.
    var made: Int?
    /// The exports whose record was that of the one before.
    var unwritten = 0
    var day = 0

    init() throws {
      folder = try TemporaryFolder()
      try folder.git("init", "-q", "-b", "main")
      try folder.write(".slipbox/config.yaml", "path: \"{slug}-{id}.md\"\n")
      try folder.write(
        ".slipbox/kinds/book.yaml",
        "fields:\n  author: {type: reference, target: person}\n  status: {type: choice, values: [open, read]}\n"
          + "active: status:open\ndone: status:read\nrow: title author status\n")
      try folder.write(".slipbox/kinds/person.yaml", "fields:\n  born: {type: date}\n")
    }

    func snapshot() throws -> BoxSnapshot {
      let now = Timestamp(seconds: 1_795_249_800 + Int64(day) * 86_400, offsetSeconds: 0)
      let clock = ClockReading(now: now, offset: { _ in 0 })
      let context = CommandContext(
        clock: clock, workingDirectory: folder.bytes, configurationFolder: nil, boxVariable: nil,
        device: "desk", ids: IDSource(SplitMix64(seed: 5)), reporter: Reporter { _ in })
      return try BoxSnapshot.open(named: folder.bytes, context)
    }

    private static func stamp(_ bytes: [UInt8]) -> FileStamp {
      let key = Int64(bitPattern: PageKey(of: bytes).value)
      return FileStamp(size: Int64(bytes.count), modified: key, changed: key, inode: 1)
    }

    /// Exports the box with the record of the last export, or without it; returns the files.
    mutating func export(isLater: Bool) throws -> [[UInt8]: [UInt8]] {
      let snapshot = try snapshot()
      var earlier: EarlierSite?
      if isLater, let record = record.flatMap({ SiteRecord($0) }) {
        let files = files
        earlier = EarlierSite(record) { path, stamp in
          files[path].map { Self.stamp($0) == stamp } ?? false
        } bytes: {
          files[$0]
        }
      }
      let settings = SiteSettings(title: "Site", address: "https://example.org/", author: nil)
      let rule = try PublicationRule(snapshot, includesDrafts: false)
      let matches = try snapshot.matches(snapshot.query([]))
      let site = try Site(snapshot, matches, settings, rule, since: earlier)
      let titles = try site.titlesLine()
      let plan = try site.plan()
      var made: [[UInt8]: [UInt8]] = [:]
      for (number, page) in plan.pages.enumerated() {
        if !plan.files.known.isEmpty, plan.files.known[number] != nil {
          made[page.path] = files[page.path]
        } else {
          made[page.path] = try site.bytes(of: page)
        }
      }
      // The line of titles is compared as one more file.
      made[Array("titles".utf8)] = Array((titles ?? "").utf8)
      guard isLater else { return made }
      self.made = site.contents.changes == nil ? nil : site.contents.stale.count
      let stamps = plan.pages.map { page in made[page.path].map { Self.stamp($0) } }
      let isRecorded = site.isRecorded(plan, stamps)
      let (former, bytes) = (record.flatMap { SiteRecord($0) }, site.record(plan, stamps)?.bytes)
      if isRecorded {
        unwritten += 1
        let next = try #require(bytes.flatMap { SiteRecord($0) })
        #expect(next.head == former?.head && next.outputs == former?.outputs)
        #expect(next.redirects.map(\.path) == former?.redirects.map(\.path))
        #expect(next.items.map(\.content) == former?.items.map(\.content))
        #expect(next.items.map(\.page) == former?.items.map(\.page))
        #expect(next.items.map(\.mentions) == former?.items.map(\.mentions))
        #expect(next.items.map(\.note.modified) == former?.items.map(\.note.modified))
      }
      record = bytes
      files = made
      return made
    }

    /// The paths of the notes.
    func paths() throws -> [String] {
      try snapshot().catalogue().entries.map { String(decoding: $0.note.path, as: UTF8.self) }.sorted()
    }

    func text(_ path: String) -> String { String(decoding: folder.read(path) ?? [], as: UTF8.self) }
  }

  private static let words = ["amber", "birch", "cedar", "delta", "ember", "fjord"]

  /// A box in which notes link to, embed and name each other.
  private static func box() throws -> SiteInTest {
    let site = try SiteInTest()
    for number in 0..<12 {
      let (next, other) = ((number + 1) % 12, (number * 5 + 2) % 12)
      let fields = number % 3 == 0 ? "kind: book\nauthor: Person \(number % 2)\nstatus: open\n" : ""
      try site.folder.write(
        "n\(number).md",
        "---\ntitle: Note \(number)\ncreated: 2026-01-\(number + 10)\n\(fields)tags: [t\(number % 3)]\n---\n"
          + "# Part\n\n\(words[number % 6]) [[Note \(next)]] and [[Note \(other)#Part]] $x_\(number)$ ^b\(number)\n"
          + (number % 4 == 0 ? "\n![[Note \(other)]]\n" : ""))
    }
    for number in 0..<2 {
      try site.folder.write(
        "people/p\(number).md",
        "---\ntitle: Person \(number)\nkind: person\ncreated: 2025-02-0\(number + 1)\n---\n")
    }
    try site.folder.write("README.md", "Home of [[Note 1]] ![[Note 2]]\n\n![](pictures/a.svg)\n")
    try site.folder.write("pictures/a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n")
    try site.folder.git("add", "-A")
    try site.folder.git("commit", "-q", "-m", "All")
    return site
  }

  /// Changes the box as a person or another program does.
  private static func change(_ site: inout SiteInTest, _ random: inout SplitMix64, _ round: Int) throws {
    let paths = try site.paths()
    let path = paths[Int(random.next() % UInt64(paths.count))]
    let other = paths[Int(random.next() % UInt64(paths.count))]
    let name = String(other.dropLast(3))
    let text = site.text(path)
    switch random.next() % 20 {
    case 0: try site.folder.write("new\(round).md", "# Fresh \(round)\n\n\(words[round % 6]) [[\(name)]]\n")
    case 1 where paths.count > 6: try site.folder.git("rm", "-q", "-f", "--ignore-unmatch", path)
    case 2 where !paths.contains("moved\(round).md"):
      try site.folder.git("add", "-A")
      try site.folder.git("mv", path, "moved\(round).md")
    case 3: try site.folder.write(path, text.replacing("title: ", with: "title: Renamed \(round) "))
    case 4: try site.folder.write(path, text.replacing("# Part", with: "# Chapter \(round)"))
    case 5: try site.folder.write(path, text + "\n![[\(name)]] %% [[Note 3]] %%\n")
    case 6: try site.folder.write(path, text + "\n[[Fresh \(round + 1)]] [x](pictures/b\(round + 2).svg)\n")
    case 7: try site.folder.write("pictures/b\(round).svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n")
    case 8: try site.folder.write("pictures/a.svg", round % 2 == 0 ? "<svg><script/></svg>" : "<svg/>")
    case 9:
      try site.folder.write(path, text.replacing("---\n", with: "---\nprivate: true\n", maxReplacements: 1))
    case 10: try site.folder.write(path, text.replacing("private: true\n", with: ""))
    case 11:
      try site.folder.write(
        path, text.replacing("---\n", with: "---\naliases: [Alias \(round)]\n", maxReplacements: 1))
    case 12:
      try site.folder.write(
        path, text.replacing("---\n", with: "---\npermalink: at/\(round)\n", maxReplacements: 1))
    case 13: try site.folder.write(path, text.replacing("status: open", with: "status: read"))
    case 14: try site.folder.write(path, text.replacing("tags: [", with: "tags: [x/\(round % 3), "))
    case 15:
      try site.folder.git("add", "-A")
      try site.folder.git("commit", "-q", "--allow-empty", "-m", "Round \(round)")
    case 16: site.day += 1
    case 17: try site.folder.write(path, text.replacing("Note", with: "Person"))
    case 18: site.files[Array("notes/n1.html".utf8)] = Array("damaged".utf8)
    default: try site.folder.write(path, text + "\nMore \(words[round % 6]) \(round): [[\(name)#Part]]\n")
    }
  }

  @Test(arguments: [UInt64(1), 2, 3, 4]) func `a later export makes the bytes of a first one`(seed: UInt64)
    throws
  {
    var site = try Self.box()
    var random = SplitMix64(seed: seed)
    _ = try site.export(isLater: true)
    var later = 0
    let rounds = ProcessInfo.processInfo.environment["SITE_ROUNDS"].flatMap { Int($0) } ?? 40
    for round in 0..<rounds {
      for _ in 0...random.next() % 3 { try Self.change(&site, &random, round) }
      let files = try site.export(isLater: true)
      if site.made != nil { later += 1 }
      let whole = try site.export(isLater: false)
      for path in Set(files.keys).union(whole.keys) where files[path] != whole[path] {
        Issue.record(
          """
          seed \(seed), round \(round): \(String(decoding: path, as: UTF8.self))
          later: \(String(decoding: files[path] ?? [], as: UTF8.self).prefix(3000))
          whole: \(String(decoding: whole[path] ?? [], as: UTF8.self).prefix(3000))
          """)
        return
      }
    }
    // A test that always reads all notes shows nothing.
    #expect(later * 2 > rounds)
  }

  @Test func `a changed note costs its page and those beside it`() throws {
    var site = try Self.box()
    for number in 0..<200 { try site.folder.write("far/f\(number).md", "# Far \(number)\n") }
    _ = try site.export(isLater: true)
    _ = try site.export(isLater: true)
    #expect(site.made == 0 && site.unwritten == 1)
    try site.folder.write("far/f7.md", "# Far 7\n\nMore\n")
    _ = try site.export(isLater: true)
    #expect(site.made == 1)
    try site.folder.write("far/f8.md", "# Far 8\n\n[[Far 9]]\n")
    _ = try site.export(isLater: true)
    #expect(site.made == 2)
    try site.folder.write("new.md", "# Far new\n")
    _ = try site.export(isLater: true)
    #expect(site.made == 1 && site.unwritten == 1)
  }

  /// Whether a later export makes the bytes of a first one.
  private static func isWhole(_ site: inout SiteInTest) throws -> Bool {
    try site.export(isLater: true) == site.export(isLater: false)
  }

  @Test func `pages that are made for another reason keep who links to them`() throws {
    var site = try SiteInTest()
    for (path, text) in ["a": "# A\n\n[[B]]\n", "b": "# B\n", "c": "# C\n"] {
      try site.folder.write("\(path).md", text)
    }
    _ = try site.export(isLater: true)
    try site.folder.write("c.md", "# C\n\n#first\n")
    #expect(try Self.isWhole(&site))
    site.files[Array("notes/b.html".utf8)] = []
    #expect(try Self.isWhole(&site))
    #expect(site.made == 0)
  }

  @Test func `redirects follow a history that changes without the notes`() throws {
    var site = try SiteInTest()
    try site.folder.write("a.md", "# A\n\nA text that git knows again after a move.\n")
    try site.folder.git("add", "-A")
    try site.folder.git("commit", "-q", "-m", "One")
    try site.folder.git("mv", "a.md", "c.md")
    _ = try site.export(isLater: true)
    try site.folder.git("commit", "-q", "-m", "Two")
    #expect(try Self.isWhole(&site))
    #expect(site.files[Array("notes/a.html".utf8)] != nil)
    try site.folder.git("reset", "-q", "--soft", "HEAD~1")
    try site.folder.git("commit", "-q", "--amend", "-m", "One")
    #expect(try Self.isWhole(&site))
    #expect(site.files[Array("notes/a.html".utf8)] == nil)
  }

  @Test func `a record survives being written`() throws {
    var site = try Self.box()
    _ = try site.export(isLater: true)
    let bytes = try #require(site.record)
    #expect(SiteRecord(bytes) != nil)
    for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 97)) {
      // A cut record is refused; nothing is read beyond its end.
      #expect(SiteRecord(Array(bytes.prefix(length))) == nil, "\(length)")
    }
    #expect(SiteRecord(Array("something else".utf8)) == nil)
    for place in stride(from: 12, to: bytes.count, by: max(1, bytes.count / 97)) {
      var damaged = bytes
      damaged[place] ^= 1
      #expect(SiteRecord(damaged) == nil, "\(place)")
    }
  }

  @Test(arguments: [0, 1, 499, 500, 501, 999, 1000, 1001, 1499, 2500])
  func `a new row changes the first page of a long list alone`(count: Int) {
    let pages = PagedList.pages(of: count)
    let rows = (0..<pages).map { PagedList.rows($0, of: count) }
    #expect(rows.flatMap { Array($0) } == Array(0..<count))
    #expect(rows.dropFirst().allSatisfy { $0.count == PagedList.length })
    #expect((0..<pages).map { PagedList.number($0, of: count) } == [0] + (1..<max(1, pages)).reversed())
    // The newest row is the first: the others have another place, and the same page by its number.
    let later = count + 1
    for page in 1..<max(1, pages) {
      let number = PagedList.number(page, of: count)
      let same = (1..<PagedList.pages(of: later)).first { PagedList.number($0, of: later) == number }
      let moved = (rows[page].lowerBound + 1)..<(rows[page].upperBound + 1)
      #expect(same.map { PagedList.rows($0, of: later) } == moved)
    }
  }
}
