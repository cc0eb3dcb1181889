import Notes

/// A group with the subject area of its tasks.
struct SampleGroup {
  let record: SampleRecord
  fileprivate let area: TaskWords.Area
  fileprivate let daysAgo: Int
}

/// The stage of a task. Tasks take all stages in turn, so that no list is empty.
private enum TaskStage: CaseIterable {
  case dueSoon, overdue, inMyDay, finished, plain, dueTodayInMyDay, finishedEarly, leftOver, dueLater,
    finishedLong
}

extension SampleMaker {
  mutating func makeGroups(_ count: Int) -> [SampleGroup] {
    (0..<count).map { index in
      let area = TaskWords.areas[index % TaskWords.areas.count]
      let daysAgo = daysAgo(index, of: count, atLeast: 40)
      let year = clock.today.adding(days: -daysAgo).year
      var isPlain = true
      let title = newTitle { random in
        defer { isPlain = random.chance(20) }
        let name = random.pick(area.groups)
        return isPlain ? name : "\(name), \(random.pick(TaskWords.seasons)) \(year)"
      }
      let record = SampleRecord(
        id: newID(), title: title, kind: "group", created: moment(daysAgo: daysAgo),
        body: Self.body(sentences(random.between(2, 3), of: TaskWords.groupRemarks)))
      return SampleGroup(record: record, area: area, daysAgo: daysAgo)
    }
  }

  /// Tasks, two of three in a group that is older than they are.
  mutating func makeTasks(_ count: Int, in groups: [SampleGroup]) -> [SampleRecord] {
    (0..<count).map { index in
      let group = !groups.isEmpty && index % 3 != 2 ? random.pick(groups) : nil
      let stage = TaskStage.allCases[index % TaskStage.allCases.count]
      return makeTask(stage, group?.area ?? random.pick(TaskWords.areas), in: group)
    }
  }

  private mutating func makeTask(_ stage: TaskStage, _ area: TaskWords.Area, in group: SampleGroup?)
    -> SampleRecord
  {
    let title = newTitle { random in
      let start = "\(random.pick(area.verbs)) \(random.pick(area.objects))"
      return random.chance(25) ? "\(start) \(random.pick(TaskWords.additions))" : start
    }
    let (daysAgo, details) = progress(stage, oldest: (group?.daysAgo ?? Self.days) - 1)
    var fields = [(name: "priority", value: random.pick(["none", "none", "low", "medium", "high"]))]
    fields += details
    if let group { fields.append(("group", group.record.id.description)) }
    let remarks =
      sentences(random.between(1, 2), of: area.remarks)
      + sentences(random.between(1, 2), of: TaskWords.remarks)
    return SampleRecord(
      id: newID(), title: title, kind: "task", created: moment(daysAgo: daysAgo),
      tags: random.chance(40) ? [area.tag] : [], fields: fields, body: Self.body(remarks))
  }

  /// The age of a task and its dates.
  private mutating func progress(
    _ stage: TaskStage, oldest: Int
  ) -> (daysAgo: Int, fields: [(name: String, value: String)]) {
    let recent = random.between(2, min(oldest, 45))
    switch stage {
    case .plain: return (recent, open(myDay: nil, due: nil))
    case .dueSoon: return (recent, open(myDay: nil, due: -random.between(1, 10)))
    case .dueLater: return (recent, open(myDay: nil, due: -random.between(11, 90)))
    case .overdue: return (recent, open(myDay: nil, due: random.between(1, recent)))
    case .inMyDay: return (recent, open(myDay: 0, due: random.chance(50) ? -random.between(0, 5) : nil))
    case .dueTodayInMyDay: return (recent, open(myDay: 0, due: 0))
    case .leftOver: return (recent, open(myDay: 1, due: random.chance(50) ? -random.between(1, 7) : nil))
    case .finished, .finishedEarly, .finishedLong:
      let daysAgo = random.between(2, oldest)
      let finished = max(0, daysAgo - random.between(0, 30))
      let due = random.chance(50) ? finished - random.between(-4, 8) : nil
      return (daysAgo, finishedFields(finished, due: due))
    }
  }

  private func open(myDay: Int?, due: Int?) -> [(name: String, value: String)] {
    [("done", "false")] + dates([("my-day", myDay), ("due", due)])
  }

  private func finishedFields(_ finished: Int, due: Int?) -> [(name: String, value: String)] {
    [("done", "true")] + dates([("finished", finished), ("due", due)])
  }

  private func dates(_ days: [(name: String, daysAgo: Int?)]) -> [(name: String, value: String)] {
    days.compactMap { day in day.daysAgo.map { (name: day.name, value: date(daysAgo: $0)) } }
  }
}
