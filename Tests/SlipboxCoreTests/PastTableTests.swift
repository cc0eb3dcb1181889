import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// The tables of `--every` are those of a checkout of each commit.
@Suite struct PastTableTests {
  @Test(arguments: [[], ["kind:issue"], ["+food"], ["is:active"]])
  func tablesAreThoseOfACheckout(_ query: [String]) throws {
    let history = try RandomHistory(seed: 11)
    var table = TableRequest()
    table.groups = try TableColumn.read("status")
    table.columns = try TableColumn.read("count,percent(active),filled(due),max(title)")
    table.hasTotal = true
    let request = ChartRequest(
      query: query, table: table, first: history.firstDay, last: history.lastDay, step: .day)
    let found = try ChartReader(history.box.box, history.box.context).tables(request).tables
    var rows = 0
    for checkout in history.checkouts {
      let path = checkout.folder.path + "/box"
      let box = try Box(at: Array(path.utf8))
      guard
        let snapshot = try? WorkTreeReader(box, context(in: path).at(checkout.clock)).snapshot(),
        let matches = try? snapshot.matches(try snapshot.query(query))
      else { continue }
      let wanted = try NoteTable(matches, table, in: snapshot)
      let moment = try #require(found.first { $0.day == checkout.clock.today })
      #expect(Self.texts(moment.table) == Self.texts(wanted), "\(checkout.clock.today)")
      rows += wanted.rows.count
    }
    #expect(rows > 10)
  }

  private static func texts(_ table: NoteTable) -> [[String]] {
    (table.rows + (table.total.map { [$0] } ?? [])).map { row in
      row.cells.map { $0.map(\.text).joined(separator: ",") }
    }
  }
}
