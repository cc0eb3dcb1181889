import NoteIndex
import Notes
import SlipboxCore
import SlipboxTesting
import Testing

@testable import Presentation

/// Tables as JSON, as lines of a terminal, and as queries.
@Suite struct TableRowsTests {
  private let folder: TemporaryFolder
  private let snapshot: BoxSnapshot

  init() throws {
    folder = try TemporaryFolder()
    try folder.git("init", "-q", "-b", "main")
    try folder.write(".slipbox/config.yaml", "path: \"{slug}-{id}.md\"\n")
    let files = [
      "a.md": "title: Ann\nkind: task\ndone: true\ntags: [home]\ndue: 2026-11-23\npriority: high",
      "b.md": "title: Bob\nkind: task\ndue: someday\npriority: urgent\nseen: [one]\nread: false",
      "c.md": "title: Cid\nkind: task\ntags: [a, b]\nread: \"false\"",
    ]
    for (path, fields) in files { try folder.write(path, "---\n\(fields)\n---\n") }
    let clock = ClockReading(now: Timestamp(seconds: 1_795_249_800, offsetSeconds: 0), offset: { _ in 0 })
    let context = CommandContext(
      clock: clock, workingDirectory: folder.bytes, configurationFolder: nil, boxVariable: nil,
      device: "desk", ids: IDSource(SplitMix64(seed: 5)), reporter: Reporter { _ in })
    snapshot = try BoxOpening.snapshot(named: folder.bytes, context)
  }

  private func rows(_ columns: String, by groups: String? = nil, total: Bool = false) throws -> TableRows {
    var request = TableRequest()
    request.columns = try TableColumn.read(columns)
    if let groups { request.groups = try TableColumn.read(groups) }
    request.sort = columns.hasPrefix("title") ? TableSort.read("title") : []
    request.hasTotal = total
    return TableRows(try NoteTable(try snapshot.matches(snapshot.query([])), request, in: snapshot))
  }

  @Test func `json has booleans and lists`() throws {
    let json = String(decoding: try rows("title,done,tags,seen,read").json(), as: UTF8.self)
    let expected = [
      #"{"title":"Ann","done":true,"tags":["home"],"seen":null,"read":null}"#,
      #"{"title":"Bob","done":false,"tags":[],"seen":["one"],"read":false}"#,
      #"{"title":"Cid","done":false,"tags":["a","b"],"seen":null,"read":"false"}"#,
    ]
    for row in expected {
      #expect(String(json.filter { !$0.isWhitespace }).contains(row), "\(json)")
    }
  }

  @Test func `dates are never cut, and headings are`() throws {
    let lines = try rows("title,due,title,title,title").lines(Display(style: .plain, width: 44))
    #expect(lines.contains { $0.contains("2026-11-23") }, "\(lines)")
  }

  @Test func `groups that no query finds are named`() throws {
    let queries = try rows("count", by: "priority").queries(after: [], in: snapshot)
    #expect(
      queries.lines == ["\"priority:=none\"", "\"priority:=high\"", "\"priority:=urgent\""], "\(queries)")
    #expect(queries.missing.isEmpty)
    let urgencies = try rows("count", by: "urgency").queries(after: [], in: snapshot)
    #expect(urgencies.lines.isEmpty && !urgencies.missing.isEmpty)
    let months = try rows("count", by: "month(due)").queries(after: ["kind:task"], in: snapshot)
    #expect(months.lines == ["kind:task due:2026-11"])
    #expect(months.missing == ["no due"])
  }

  @Test func `a total without room has its name in its cell`() throws {
    let lines = try rows("count", total: true).lines(Display(style: .plain, width: 80))
    #expect(lines.last == "Total 3", "\(lines)")
  }
}
