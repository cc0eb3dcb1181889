/// The full screen, as a terminal meets it.
extension Bench {
  private static let keys = 200

  /// From the start to the first frame: the frame around the list, which comes before any note is read.
  func screenFrame(_ count: Int) throws -> Row {
    try screenStart(count, showing: "", "its first frame", mostWalks: 0.6)
  }

  /// From the start to the first list.
  func screenStart(_ count: Int) throws -> Row {
    try screenStart(count, showing: "1/\(count)", "its first rows", mostWalks: 2)
  }

  private func screenStart(_ count: Int, showing text: String, _ what: String, mostWalks: Double) throws
    -> Row
  {
    let box = try box(.notes(count))
    return Row(
      slip: Contender(name: "slip") { [slip] _, _ in
        let start = Clock.now()
        let screen = try ScreenClient(slip, in: box.path)
        try screen.frame(showing: text)
        return Contender.Cost(seconds: Clock.now() - start, peakBytes: screen.peakBytes())
      },
      others: [walk(box, atLeast: count)],
      goals: Goal.goals(count, [Report.walk: mostWalks], megabytes: 200),
      remark: "slip browse from its start to \(what)")
  }

  /// A key that moves the cursor, and the frame after it: the slowest of a hundred.
  func screenKeys(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    return Row(
      slip: Contender(name: "slip") { [slip] _, _ in
        let screen = try ScreenClient(slip, in: box.path)
        try screen.frame(showing: "1/\(count)")
        screen.settle()
        var times: [Double] = []
        for key in 0..<Self.keys {
          let start = Clock.now()
          try screen.press(key % 20 == 19 ? "\u{6}" : "j")
          try screen.frame()
          times.append(Clock.now() - start)
          // The note beside the list comes in a frame of its own.
          screen.settle()
        }
        return Contender.Cost(seconds: times.sorted()[Self.keys * 99 / 100], peakBytes: screen.peakBytes())
      },
      others: [walk(box, atLeast: count)],
      goals: Goal.goals(count, [Report.walk: 0.05], megabytes: 250),
      remark: "the slowest of a hundred keys on slip browse, each to its frame")
  }
}
