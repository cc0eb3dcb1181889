import Notes

extension SampleMaker {
  /// Issues of five tags in turn, so that ten times as many are ten of each.
  mutating func makeIssues(_ count: Int) -> [SampleRecord] {
    (0..<count).map { index in
      let area = IssueWords.areas[index % IssueWords.areas.count]
      return makeIssue(area, daysAgo: daysAgo(index, of: count))
    }
  }

  private mutating func makeIssue(_ area: IssueWords.Area, daysAgo: Int) -> SampleRecord {
    var thing = ""
    var fault = ""
    var condition = ""
    let title = newTitle { random in
      thing = random.pick(area.things)
      fault = random.pick(area.faults + IssueWords.faults)
      condition = random.pick(area.conditions + IssueWords.conditions)
      return "\(SamplePattern.capitalised(thing)) \(fault) \(condition)"
    }
    let values = ["thing": thing, "fault": fault, "condition": condition]
    var tags = [area.tag]
    if random.chance(30) { tags.append(random.pick(area.subtags)) }
    let priority = random.pick(["low", "medium", "medium", "high"])
    let closedDaysAgo = random.chance(40) ? day(from: daysAgo) : nil
    var fields = [("priority", priority), ("status", closedDaysAgo == nil ? "open" : "closed")]
    if let closedDaysAgo { fields.append(("closed", date(daysAgo: closedDaysAgo))) }
    return SampleRecord(
      id: newID(), title: title, kind: "issue", created: moment(daysAgo: daysAgo), tags: tags,
      fields: fields.map { (name: $0.0, value: $0.1) },
      body: issueBody(values, isClosed: closedDaysAgo != nil))
  }

  private mutating func issueBody(_ values: [String: String], isClosed: Bool) -> String {
    let opening =
      sentences(1, of: IssueWords.openings, values) + sentences(random.between(1, 2), of: IssueWords.details)
    var steps = ""
    if random.chance(35) {
      let lines = [IssueWords.firstSteps, IssueWords.secondSteps, IssueWords.lastSteps].flatMap {
        sentences(1, of: $0, values)
      }
      steps = "\n" + lines.enumerated().map { "\($0 + 1). \($1)\n" }.joined()
    }
    let rest =
      sentences(random.between(0, 1), of: IssueWords.causes)
      + sentences(random.between(0, 1), of: IssueWords.wishes)
    let outcome = isClosed ? sentences(1, of: IssueWords.outcomes) : []
    let after = Self.body(rest, outcome)
    return Self.body(opening) + steps + (after.isEmpty ? "" : "\n\(after)")
  }
}
