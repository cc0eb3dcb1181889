extension Bench {
  /// A line to the note of a day, with its commit.
  func daily(_ count: Int) throws -> Row {
    try changing(count, remark: "slip daily --append TEXT") { round in
      ["daily", "2026-01-02", "--append", "Done in round \(round)."]
    }
  }

  /// A line to the inbox, with its commit.
  func capture(_ count: Int) throws -> Row {
    try changing(count, remark: "slip capture TEXT") { round in
      ["capture", "Thought of in round \(round)."]
    }
  }
}
