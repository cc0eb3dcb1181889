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
    /// The exports that were known to be those before without a look at the notes.
    var told = 0
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
      return try BoxOpening.snapshot(named: folder.bytes, context)
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
      let draft = try SiteDraft(snapshot, snapshot.matches(snapshot.query([])), settings, rule)
      let isTold = try isLater && isTold(draft, earlier)
      let site = try Site(draft, since: earlier)
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
      if isTold {
        told += 1
        // A file that is none of the site may be beside them.
        let others = made.filter { files[$0.key] != $0.value }.keys
        let count = (earlier?.record.outputs.count ?? 0) + 1
        #expect(others.isEmpty && made.count == count)
      }
      self.made = site.contents.changes == nil ? nil : site.contents.stale.count
      let stamps = plan.pages.map { page in made[page.path].map { Self.stamp($0) } }
      let report = SiteReport(lines: [], noteCount: site.noteCount, fileCount: plan.pages.count)
      let isRecorded = site.isRecorded(plan, stamps, report)
      let (former, bytes) = (record.flatMap { SiteRecord($0) }, site.record(plan, stamps, report)?.bytes)
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

    /// Whether the last export had the same site, told without a look at the notes.
    private func isTold(_ draft: SiteDraft, _ earlier: EarlierSite?) throws -> Bool {
      guard let earlier, let file = record.flatMap({ SiteRecordFile(ByteSlice(copying: $0)) }) else {
        return false
      }
      return try draft.isSame(as: file) && earlier.record.outputs.keys.allSatisfy { earlier.holds($0) }
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
      if round % 4 == 0 { _ = try site.export(isLater: true) }
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
    #expect(later * 2 > rounds && site.told * 8 > rounds)
  }

  /// The changes of a box that make another site, or may make one.
  private static let changes: [@Sendable (inout SiteInTest) throws -> Void] = [
    { try $0.folder.write("n1.md", "# Another\n") },
    { try $0.folder.write("new.md", "# New\n") },
    { try $0.folder.git("rm", "-q", "-f", "n1.md") },
    { try $0.folder.git("mv", "n1.md", "n99.md") },
    { try $0.folder.write("n1.md", "---\nprivate: true\n---\n" + $0.text("n1.md")) },
    { try $0.folder.write("pictures/a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"><g/></svg>\n") },
    { try $0.folder.write("pictures/b.svg", "<svg/>\n") },
    { try $0.folder.git("rm", "-q", "-f", "pictures/a.svg") },
    {
      try $0.folder.git("rm", "-q", "--cached", "pictures/a.svg")
      try $0.folder.write(".gitignore", "*.svg\n")
    },
    { try $0.folder.write(".gitattributes", "*.svg filter=git-crypt\n") },
    { try $0.folder.write(".gitattributes", "n1.md filter=git-crypt\n") },
    { try $0.folder.write(".git/info/attributes", "people/** filter=git-crypt\n") },
    { try $0.folder.write(".slipbox/config.yaml", "path: \"{slug}-{id}.md\"\npublish: required\n") },
    { try $0.folder.write(".slipbox/kinds/person.yaml", "fields:\n  born: {type: date}\n  town: {}\n") },
    { $0.day += 1 },
    {
      try $0.folder.write("n1.md", $0.text("n1.md") + "\nMore\n")
      try $0.folder.git("commit", "-q", "-a", "-m", "More")
    },
    { $0.files[Array("notes/n1.html".utf8)] = Array("damaged".utf8) },
    { $0.files[Array("search/notes.js".utf8)] = nil },
  ]

  @Test(arguments: LaterSiteTests.changes.indices) func `a change is seen without a look at the notes`(
    number: Int
  )
    throws
  {
    var site = try Self.box()
    _ = try site.export(isLater: true)
    #expect(try Self.isWhole(&site))
    #expect(site.told == 1)
    try Self.changes[number](&site)
    #expect(try Self.isWhole(&site))
    #expect(site.told == 1)
    #expect(try Self.isWhole(&site))
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

  /// The files of the search for notes with words, the newest note first.
  private static func wordFiles(_ notes: [Set<[UInt8]>]) -> [String: [UInt8]] {
    var index = WordIndex()
    for (number, words) in notes.enumerated() { index.add(words, of: number) }
    let files = WordFiles(&index, count: notes.count)
    return Dictionary(uniqueKeysWithValues: files.names.enumerated().map { ($1, files.bytes($0)) })
  }

  @Test(arguments: 1...40) func `an edited file of words has the bytes of a new one`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let next = { (limit: Int) in Int(random.next() % UInt64(limit)) }
    let words = (0..<30).map { Array("a\(["b", "c", "\u{E9}"][$0 % 3])\($0 / 6)".utf8) }
    let someWords = { Set((0..<next(6)).map { _ in words[next(words.count)] }) }
    let old = (0..<next(90)).map { _ in someWords() }
    // Old notes stay, change or go; new ones stand among them.
    var (new, numbers, changed): ([Set<[UInt8]>], [Int], [Int]) = ([], [], [])
    for words in old {
      while next(8) == 0 {
        changed.append(new.count)
        new.append(someWords())
      }
      switch next(6) {
      case 0: numbers.append(-1)
      case 1:
        numbers.append(-1)
        changed.append(new.count)
        new.append(next(2) == 0 ? words : someWords())
      default:
        numbers.append(new.count)
        new.append(words)
      }
    }
    // Numbers of files count from the oldest note, which is the last one here.
    let fromOldest = numbers.reversed().map { $0 < 0 ? -1 : new.count - 1 - $0 }
    let read = changed.reversed().map { (number: new.count - 1 - $0, words: new[$0]) }
    let changes = WordIndexChanges(fromOldest, words: read)
    let (before, after) = (Self.wordFiles(old), Self.wordFiles(new))
    for name in Set(before.keys).union(changes.names).union(after.keys) {
      let made = changes.bytes(of: name, before[name] ?? [])
      #expect(made == after[name] ?? [], "\(name): \(String(decoding: made ?? [], as: UTF8.self))")
    }
    for bytes in before.values where bytes.count > 20 {
      #expect(changes.bytes(of: "ab", Array(bytes.dropLast(5))) == nil)
    }
  }

  @Test(arguments: 1...20) func `an edited list of exported files has the bytes of a new one`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let all = Set(
      (0..<60).map { _ in
        Array("n/\(["a", "b c", "\u{E9}%", "z"][Int(random.next() % 4)])\(random.next() % 50)".utf8)
      })
    let old = all.filter { _ in random.next() % 2 == 0 }
    let new = all.filter { _ in random.next() % 2 == 0 }
    let edited = ExportManifest.bytes(
      of: ExportManifest.bytes(adding: Array(old)), adding: Array(new.subtracting(old)),
      removing: Array(old.subtracting(new)))
    #expect(edited == ExportManifest.bytes(adding: Array(new)))
    #expect(ExportManifest(edited)?.paths == new)
  }

  @Test func `a file that differs from its stamp is found`() throws {
    let folder = try TemporaryFolder()
    let paths = ["a", "x/b", "x/y/c", "x/d"]
    for path in paths { try folder.write(path, path) }
    let files = try paths.map { path in
      let status = try #require(try Files.status(folder.bytes + Array("/\(path)".utf8)))
      return (path: Array(path.utf8), stamp: FileStamp(status))
    }
    let stretches = StampedFiles.stretches(of: files.map(\.path))
    let order = stretches.flatMap { $0 }.map { paths[$0] }
    #expect(order == ["a", "x/b", "x/d", "x/y/c"])
    let packed = stretches.map { ByteSlice(copying: StampedFiles.packed($0.map { files[$0] })) }
    #expect(
      packed.flatMap { StampedFiles.files(in: $0) ?? [] }.map(\.stamp)
        == stretches.joined().map { files[$0].stamp })
    let intact = { zip(order, StampedFiles.areIntact(packed, below: folder.bytes)).filter(\.1).map(\.0) }
    #expect(intact() == order)
    try folder.write("x/d", "other")
    try FileManager.default.removeItem(atPath: folder.path + "/a")
    #expect(intact() == ["x/b", "x/y/c"])
    // A link to a folder is no folder.
    try FileManager.default.moveItem(atPath: folder.path + "/x/y", toPath: folder.path + "/z")
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/x/y", withDestinationPath: "../z")
    #expect(intact() == ["x/b"])
    try FileManager.default.removeItem(atPath: folder.path + "/x")
    #expect(intact().isEmpty)
  }
}
