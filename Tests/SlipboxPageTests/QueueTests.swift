import Foundation
import NoteIndex
import Notes
import SlipboxCore
import Synchronization
import Testing

@testable import SlipboxPage

/// Requests that take long wait for each other, not for them all.
struct QueueTests {
  private static let files = ["a.md": "---\nid: kqzmvtrb\ntitle: A\n---\none\n"]

  @Test(arguments: [
    ("GET", "/api/box", PageQueue.questions), ("GET", "/api/list?q=at", .questions), ("GET", "/", .questions),
    ("GET", "/api/list?at=", .questions), ("GET", "/api/none?at=x", .questions), ("GET", "no", .questions),
    ("GET", "/api/history?limit=500", .past), ("GET", "/api/deleted", .past),
    ("GET", "/api/list?q=&at=HEAD~2", .past), ("GET", "/api/box?at=2026-01-01", .past),
    ("GET", "/api/file?path=a&at=HEAD", .past), ("POST", "/api/change", .changes),
    ("POST", "/api/undo", .changes),
    ("POST", "/api/rm?at=x", .changes), ("GET", "/api/change", .questions), ("POST", "/api/list", .questions),
  ])
  func eachRouteHasItsQueue(_ method: String, _ target: String, _ queue: PageQueue) throws {
    let page = try PageInTest(Self.files)
    #expect(page.server.queue(of: PageRequest(method, target, headers: [])) == queue)
  }

  @Test func changesAreMadeOneAfterTheOther() {
    #expect(PageQueue.changes.threads == 1)
    #expect(PageQueue.past.threads == 2)
    #expect(PageQueue.questions.threads >= 4)
    #expect(WriteRoutes.all.allSatisfy { $0.queue == .changes })
  }

  private func answer(_ page: PageInTest, _ request: PageRequest, _ caller: Caller) -> PageAnswerInTest {
    PageAnswerInTest(page.server.answer(request, for: caller))
  }

  /// A question that nobody waits for is not begun, and no preview either; a change that came whole is made.
  @Test func whatNobodyWaitsForIsNotBegun() throws {
    let page = try PageInTest(Self.files)
    let caller = Caller()
    let list = PageRequest("GET", "/api/list", headers: PageInTest.headers)
    #expect(answer(page, list, caller).titles == ["A"])
    caller.leave()
    #expect(answer(page, list, caller).status == 503)
    let post = { (rest: String) in
      PageRequest(
        "POST", "/api/change",
        headers: PageInTest.headers + [(name: "Content-Type", value: "application/json")],
        body: Array(
          "{\"notes\":[{\"ref\":\"kqzmvtrb\"}],\"changes\":[\"+x\"]\(rest),\"idempotencyKey\":\"k\"}".utf8))
    }
    #expect(answer(page, post(",\"preview\":true"), caller).status == 503)
    #expect(page.commits == 1)
    #expect(answer(page, post(""), caller).status == 200)
    #expect(page.commits == 2)
  }

  /// A walk through history ends at the commit at which nobody waits for it any more, also where no commit is told of.
  @Test(arguments: [nil, "rating"], [true, false])
  func historyStopsAtEachCommit(_ field: String?, ofNote: Bool) throws {
    let page = try PageInTest(Self.files)
    for number in 0..<6 {
      _ = page.post("/api/change", "{\"notes\":[{\"ref\":\"kqzmvtrb\"}],\"changes\":[\"+t\(number)\"]}")
    }
    let asked = Mutex(0)
    var filter = HistoryFilter(field: field, wantsChanges: true)
    filter.isWanted = {
      asked.withLock { asked in
        asked += 1
        return asked < 3
      }
    }
    var entries = 0
    let visit = { (_: HistoryEntry) throws(SlipboxError) -> Bool in
      entries += 1
      return true
    }
    let snapshot = page.box.now.snapshot
    if ofNote {
      let note = try RequestedNotes(in: snapshot).entry("kqzmvtrb").note
      try BoxHistory(of: snapshot).visit(of: [PastNote(path: note.path, id: note.id)], filter, visit)
    } else {
      try BoxHistory(of: snapshot).visit(filter, visit)
    }
    #expect(asked.withLock { $0 } == 3)
    #expect(entries == (field == nil ? 2 : 0))
  }
}
