import Platform

/// The page in the browser, as a browser meets it.
extension Bench {
  private static let keys = 200
  /// The number of rows that the page requests at a time.
  private static let window = 50
  private static let requests = 1_000

  /// From the start of the server to its first list.
  func pageStart(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    return Row(
      slip: Contender(name: "slip") { [slip] _, _ in
        let start = Clock.now()
        let page = try PageClient(slip, in: box.path)
        let answer = try page.get("/api/list?limit=\(Self.window)")
        let seconds = Clock.now() - start
        guard answer.contains("\"total\":") else { throw BenchError("wrong answer: no list") }
        return Contender.Cost(seconds: seconds, peakBytes: page.peakBytes())
      },
      others: [walk(box, atLeast: count)],
      goals: Goal.goals(count, [Report.walk: 2], megabytes: 200),
      remark: "slip page from its start to its first list")
  }

  /// A page some time after its first list: it has built its caches in the background.
  private func settledPage(in box: BenchBox) throws -> PageClient {
    let page = try PageClient(slip, in: box.path)
    _ = try page.get("/api/list?limit=\(Self.window)")
    Waiting.pause(milliseconds: 1_000)
    return page
  }

  /// A letter typed into the filter, and the list after it: the slowest of a hundred.
  func pageKeys(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    let words = "the quarterly report"
    return Row(
      slip: Contender(name: "slip") { [self] _, _ in
        let page = try settledPage(in: box)
        var times: [Double] = []
        for key in 0..<Self.keys {
          let typed = words.prefix(3 + key % 17).split(separator: " ").joined(separator: "+")
          let start = Clock.now()
          // Each query is a new one: the server caches the last lists.
          let answer = try page.get("/api/list?limit=\(Self.window)&q=\(typed)*+-\(key)")
          times.append(Clock.now() - start)
          guard answer.contains("\"total\":") else { throw BenchError("wrong answer: no list") }
        }
        return Contender.Cost(seconds: times.sorted()[Self.keys * 99 / 100], peakBytes: page.peakBytes())
      },
      others: [walk(box, atLeast: count)],
      goals: Goal.goals(count, [Report.walk: 0.5], megabytes: 250),
      remark: "the slowest of a hundred letters typed into the filter, each with the first 50 notes")
  }

  /// The requests of a page while a user looks around, in turn: windows anywhere in a list, notes, completions and titles.
  /// The result is the slowest of a hundred.
  func pageRequests(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    let paths = Array(box.facts.paths.prefix(Self.requests))
    guard !paths.isEmpty else { throw BenchError("\(box.path).facts names no notes") }
    return Row(
      slip: Contender(name: "slip") { [self] _, _ in
        let page = try settledPage(in: box)
        var times: [Double] = []
        for turn in 0..<Self.requests {
          let target =
            switch turn % 4 {
            case 0: "/api/list?limit=\(Self.window)&from=\(turn * 7_919 % count / Self.window * Self.window)"
            case 1: "/api/note?ref=\(paths[turn % paths.count])"
            case 2: "/api/complete?q=kind:b&cursor=6"
            default: "/api/titles?q=\(["the", "a", "qu", "rep"][turn / 4 % 4])"
            }
          let start = Clock.now()
          let answer = try page.get(target)
          times.append(Clock.now() - start)
          guard answer.hasPrefix("HTTP/1.1 200") else { throw BenchError("wrong answer to \(target)") }
        }
        return Contender.Cost(seconds: times.sorted()[Self.requests * 99 / 100], peakBytes: page.peakBytes())
      },
      others: [walk(box, atLeast: count)],
      goals: Goal.goals(count, [Report.walk: 0.25], megabytes: 250),
      remark: "the slowest of a hundred requests: windows of the list, notes, completions and titles")
  }
}
