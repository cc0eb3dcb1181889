import Foundation
import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// Groups, counts and sums of random boxes are those of SQLite, and sums by month those of hledger.
///
/// `TABLE_BOXES` is the number of random boxes, 6 by default, and `TABLE_SEED` the first seed.
@Suite struct TableOracleTests {
  private static func number(_ name: String, or standard: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
  }

  /// A query of slip and the condition of SQL that means the same.
  private static let queries = [
    ("kind:paper", "1"), ("kind:paper pages:100..300", "pages between 100 and 300"),
    ("kind:paper stage:sent", "stage = 'sent'"), ("kind:paper has:day", "day is not null"),
    ("kind:paper NOT stage:draft,here", "stage = 'sent' or stage is null"),
    ("kind:paper day:2026-02..2026-07", "day between '2026-02-01' and '2026-07-31'"),
  ]

  /// Columns to group by and the expressions of SQL that mean the same.
  private static let groups = [
    ("stage", "stage"), ("year(day)", "strftime('%Y', day)"), ("month(day)", "strftime('%Y-%m', day)"),
    ("quarter(day)", "strftime('%Y', day) || '-Q' || ((strftime('%m', day) + 2) / 3)"),
    ("day", "day"), ("tags", "tag"), ("stage,year(day)", "stage, strftime('%Y', day)"),
  ]

  private static let columns = """
    count,sum(pages),avg(pages),min(pages),max(pages),range(pages),distinct(pages),filled(pages),empty(pages),\
    sum(pages) * 2 - count,percent(stage:sent),min(day),max(day)
    """

  private static let expressions = """
    count(*), coalesce(sum(pages), 0), avg(pages), min(pages), max(pages), max(pages) - min(pages), \
    count(distinct pages), count(pages), count(*) - count(pages), coalesce(sum(pages), 0) * 2 - count(*), \
    100.0 * sum(coalesce(stage = 'sent', 0)) / count(*), min(day), max(day)
    """

  @Test(.enabled(if: Machine.has("sqlite3"), "needs sqlite3")) func tablesAreThoseOfSQLite() throws {
    var rows = 0
    for round in 0..<Self.number("TABLE_BOXES", or: 6) {
      let (papers, box) = try Self.box(round)
      let snapshot = try box.snapshot()
      for (group, groupSQL) in Self.groups {
        let isOfTags = group == "tags"
        let table = isOfTags ? "n left join t using (number)" : "n"
        var script = papers.map(\.sql).joined()
        for (_, condition) in Self.queries {
          script +=
            "select \(groupSQL), \(Self.expressions) from \(table) where \(condition) group by \(groupSQL);\nselect '--';\n"
        }
        let answer = try run("sqlite3", ["-separator", "\t", ":memory:"], input: Self.tables + script)
        #expect(answer.status == 0, "\(answer.errors)")
        let wanted = answer.output.components(separatedBy: "--\n")
        for (number, (query, _)) in Self.queries.enumerated() {
          var request = TableRequest()
          request.columns = try TableColumn.read(Self.columns)
          request.groups = try TableColumn.read(group)
          let matches = try snapshot.matches(try snapshot.query([query]))
          let found = try NoteTable(matches, request, in: snapshot).rows.map { row in
            row.cells.map { $0.map(\.text).joined(separator: ",") }.joined(separator: "\t")
          }
          let lines = wanted[number].split(separator: "\n").map { Self.rounded(String($0)) }
          rows += lines.count
          #expect(found.sorted() == lines.sorted(), "round \(round), \(query) by \(group)")
        }
      }
    }
    #expect(rows > 500)
  }

  @Test(.enabled(if: Machine.has("hledger"), "needs hledger")) func sumsByMonthAreThoseOfHledger() throws {
    var rows = 0
    for round in 0..<Self.number("TABLE_BOXES", or: 6) {
      let (papers, box) = try Self.box(round)
      let snapshot = try box.snapshot()
      for stage in ["draft", "sent", "here"] {
        let ledger = papers.filter { $0.stage == stage }.map(\.transaction).joined()
        let months = ["-f", "-", "register", "-M", "--depth", "1", "-O", "csv", "^pages"]
        let answer = try run("hledger", months, input: ledger)
        #expect(answer.status == 0, "\(answer.errors)")
        let wanted = answer.output.split(separator: "\n").dropFirst().map { line in
          let cells = line.split(separator: ",").map { $0.filter { $0 != "\"" } }
          return "\(cells[1].prefix(7))\t\(cells[cells.count - 2])"
        }
        var request = TableRequest()
        request.columns = try TableColumn.read("sum(pages)")
        request.groups = try TableColumn.read("month(day)")
        let matches = try snapshot.matches(try snapshot.query(["stage:\(stage)", "has:day", "has:pages"]))
        let found = try NoteTable(matches, request, in: snapshot).rows.map { row in
          row.cells.map { $0.map(\.text).joined(separator: ",") }.joined(separator: "\t")
        }
        rows += wanted.count
        #expect(found.sorted() == wanted.sorted(), "round \(round), \(stage)")
      }
      withExtendedLifetime(box) {}
    }
    #expect(rows > 50)
  }

  /// The papers of a round, and a box of them.
  private static func box(_ round: Int) throws -> ([Paper], WritingBox) {
    var random = SplitMix64(seed: UInt64(number("TABLE_SEED", or: 1) + round))
    let papers = (0..<60).map { Paper(number: $0, &random) }
    var files = Dictionary(uniqueKeysWithValues: papers.map { ("p\($0.number).md", $0.text) })
    files[".slipbox/kinds/paper.yaml"] = """
      fields:
        stage: {type: choice, values: [draft, sent, here]}
        pages: {type: integer}
        day: {type: date}

      """
    return (papers, try WritingBox(files))
  }

  private static let tables = "create table n(number, stage, pages, day); create table t(number, tag);\n"

  /// A row with its numbers rounded as slip shows them.
  private static func rounded(_ line: String) -> String {
    line.components(separatedBy: "\t").map { cell in
      guard let number = Double(cell), cell.contains(".") else { return cell }
      return TableValue.number(number).text
    }.joined(separator: "\t")
  }

  private struct Paper {
    let number: Int
    let stage: String?
    let pages: Int?
    let day: String?
    let tags: [String]

    init(number: Int, _ random: inout SplitMix64) {
      self.number = number
      stage = [nil, "draft", "sent", "here"].randomElement(using: &random) ?? nil
      pages = Bool.random(using: &random) ? Int.random(in: 1...400, using: &random) : nil
      let date = CivilDate(year: 2025, month: 6, day: 1)?.adding(
        days: Int.random(in: 0...600, using: &random))
      day = Int.random(in: 0...4, using: &random) == 0 ? nil : date?.description
      tags = ["a", "b", "c"].filter { _ in Int.random(in: 0...2, using: &random) == 0 }
    }

    var text: String {
      var lines = ["title: P\(number)", "kind: paper"]
      if let stage { lines.append("stage: \(stage)") }
      if let pages { lines.append("pages: \(pages)") }
      if let day { lines.append("day: \(day)") }
      if !tags.isEmpty { lines.append("tags: [\(tags.joined(separator: ", "))]") }
      return "---\n\(lines.joined(separator: "\n"))\n---\n"
    }

    /// A transaction of hledger on the day of the paper; empty if the paper has no day or no pages.
    var transaction: String {
      guard let pages, let day else { return "" }
      return "\(day) P\(number)\n  pages:\(stage ?? "none")  \(pages)\n  other\n\n"
    }

    var sql: String {
      let quoted = { (text: String?) in text.map { "'\($0)'" } ?? "null" }
      let note =
        "insert into n values (\(number), \(quoted(stage)), \(pages.map(String.init) ?? "null"), \(quoted(day)));\n"
      return note + tags.map { "insert into t values (\(number), '\($0)');\n" }.joined()
    }
  }
}
