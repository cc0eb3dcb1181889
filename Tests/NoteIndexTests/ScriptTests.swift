import Bytes
import Notes
import Testing

@testable import NoteIndex

/// Words of many scripts and spellings, found in every part of a note, by an index and by looking.
@Suite struct ScriptTests {
  /// A text, a query that finds it, and one of the same script that does not.
  struct Row: Sendable, CustomTestStringConvertible {
    let text: String
    let finding: [String]
    let missing: [String]

    init(_ text: String, _ finding: [String], not missing: [String]) {
      (self.text, self.finding, self.missing) = (text, finding, missing)
    }

    var testDescription: String { text }
  }

  static let scripts = [
    Row("slow fermentation", ["slow", "FERM*", "\"slow ferm\"*"], not: ["low", "ferment"]),
    Row("αργή ζύμωση του ψωμιού", ["ζυμωση", "ΖΎΜΩΣΗ", "ψωμ*", "\"αργη ζυμωση\""], not: ["ζυμ"]),
    Row("медленное брожение, ёлка", ["БРОЖЕНИЕ", "брож*", "елка", "\"медленное брожение\""], not: ["жение"]),
    Row("לחם שָׁלוֹם מחמצת", ["שלום", "לחם", "מחמ*"], not: ["לום"]),
    Row("خُبْز العجين البطيء", ["خبز", "العجين", "العج*"], not: ["جين"]),
    Row("धीमा किण्वन रोटी", ["किण्वन", "रोटी", "किण्*"], not: ["किन"]),
    Row("ขนมปังหมักช้า", ["ขนมปัง", "หมัก", "ช้า"], not: ["ปลา"]),
    Row("慢速发酵的面包", ["发酵", "面包", "\"慢速发酵\""], not: ["酵发", "麵包"]),
    Row("ゆっくり発酵するパン", ["発酵", "パン", "ゆっくり"], not: ["ハン", "酵発"]),
    Row("느린 발효 빵", ["발효", "빵", "느*", "\"느린 발효\""], not: ["발"]),
    Row("ቀስ ያለ መፍላት ዳቦ", ["መፍላት", "ዳቦ", "መፍ*"], not: ["ላት"]),
    Row("மெதுவான நொதித்தல் ரொட்டி", ["ரொட்டி", "நொதி*", "மெதுவான"], not: ["ரொட்"]),
  ]

  static let spellings = [
    Row("Żółw je gęś", ["zolw", "ŻÓŁW", "ges", "gęś", "\"zolw je\""], not: ["zol"]),
    Row(
      "İstanbul ılık Diyarbakır", ["istanbul", "ISTANBUL", "ilik", "ılık", "diyarbakir"], not: ["stanbul"]),
    Row("Straße über Öl", ["strasse", "STRASSE", "straße", "uber", "ol", "öl"], not: ["strase"]),
    Row("Tiếng Việt đường phở", ["tieng", "viet", "duong", "pho", "ĐƯỜNG", "phở"], not: ["vie"]),
    Row(
      "cafe\u{301} nin\u{303}o A\u{30A}ngstro\u{308}m", ["café", "cafe", "niño", "Ångström", "angstrom"],
      not: ["caf"]),
    Row("café Ångström", ["cafe\u{301}", "A\u{30A}ngstro\u{308}m", "angst*"], not: ["angst"]),
    Row("e\u{323}\u{302} ệ", ["ệ", "e\u{302}\u{323}", "e"], not: ["o"]),
    Row("한글", ["\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", "한글"], not: ["한국"]),
    Row("ﬁnal Ⅻ ｆｕｌｌ", ["final", "full"], not: ["nal"]),
    Row("naïve œuvre Ærø smørrebrød", ["naive", "oeuvre", "aero", "smorrebrod"], not: ["nave"]),
  ]

  /// The places of a note that a text may stand in, with the terms that look there for a query.
  private static let places:
    [(name: String, note: @Sendable (String) -> String, term: @Sendable (String) -> String?)] = [
      ("body", { "---\ntitle: x\n---\nBefore. \($0)! After\n" }, { "body:\($0)" }),
      ("title", { "---\ntitle: \"\($0)\"\n---\n" }, { "title:\($0)" }),
      ("heading", { "# \($0)\n" }, { "title:\($0)" }),
      ("field", { "---\ntitle: x\nauthor: \"\($0)\"\n---\n" }, { "author:\($0)" }),
      ("list", { "---\ntitle: x\ntopics:\n  - one\n  - \"\($0)\"\n---\n" }, { "topics:\($0)" }),
      ("alias", { "---\ntitle: x\naliases: [\"\($0)\"]\n---\n" }, { "aliases:\($0)" }),
      ("tag", { "---\ntitle: x\ntags: [\"\($0)\"]\n---\n" }, { _ in nil }),
    ]

  @Test(arguments: scripts + spellings)
  func isFoundEverywhere(_ row: Row) throws {
    let other = entry("other.md", "---\ntitle: Nothing of it\n---\nAbsent.\n")
    for place in Self.places {
      let entries = [entry("note.md", place.note(row.text)), other]
      let held = ByteSlice(copying: SnapshotTests.snapshotBytes(entries))
      let indexed = Catalogue(try SnapshotTests.stored(entries, held), hiding: [], adding: [])
      let plain = Catalogue(entries)
      let ask = { (text: String) in
        let query = try Query.parse(text: text, clock: clock)
        let found = indexed.matches(query, modified: \.created).map {
          String(decoding: $0.entry.note.path, as: UTF8.self)
        }
        let made = plain.matches(query, modified: \.created).map {
          String(decoding: $0.entry.note.path, as: UTF8.self)
        }
        let looked = plain.entries.filter { query.matches($0, modified: $0.created) }
        #expect(found == made && looked.count == found.count, "\(place.name): \(text)")
        return found == ["note.md"]
      }
      for query in row.finding {
        #expect(try ask(query), "\(place.name): \(query)")
        if let term = place.term(query) { #expect(try ask(term), "\(place.name): \(term)") }
        let ranked = indexed.search(try Query.parse(text: query, clock: clock), modified: \.created)
        #expect(ranked.count == 1, "\(place.name): \(query)")
      }
      for query in row.missing { #expect(try !ask(query), "\(place.name): \(query)") }
    }
  }

  /// Whole names: a tag, a field's name and a folder in another case, composition or without its accents.
  @Test(arguments: [
    ("Żółw", "zolw"), ("Straße", "STRASSE"), ("İstanbul", "istanbul"), ("ılık", "ILIK"), ("đường", "DUONG"),
    ("cafe\u{301}", "CAFÉ"), ("Ölöl", "o\u{308}lo\u{308}l"), ("ЁЛКА", "елка"), ("ζύμωση", "ΖΥΜΩΣΗ"),
    ("発酵", "発酵"),
    ("발효", "\u{1107}\u{1161}\u{11AF}\u{1112}\u{116D}"), ("ዳቦ", "ዳቦ"), ("ரொட்டி", "ரொட்டி"), ("خُبْز", "خبز"),
  ])
  func namesAreFound(_ name: String, _ typed: String) throws {
    let entries = [
      entry(
        "\(name)/note.md",
        "---\ntitle: x\ntags: [\"\(name)\", \"a/\(name)\"]\n\(name): 7\n---\nText #\(name)\n"),
      entry("other.md", "---\ntitle: y\n---\n"),
    ]
    let held = ByteSlice(copying: SnapshotTests.snapshotBytes(entries))
    let indexed = Catalogue(try SnapshotTests.stored(entries, held), hiding: [], adding: [])
    let terms = [
      "+\(typed)", "+a/\(typed)", "tag:=\(typed)", "path:\(typed)/", "path:*\(typed)*", "\"\(typed)\":7",
      "has:\(typed)",
      "\"\(typed)\":6..",
    ]
    for text in terms {
      let query = try Query.parse(text: text, clock: clock)
      #expect(indexed.matches(query, modified: \.created).map(\.entry.note.title) == ["x"], "\(text)")
    }
    #expect(indexed.matches(try Query.parse(text: "-\(typed)", clock: clock), modified: \.created).count == 1)
  }
}
