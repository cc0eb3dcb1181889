package import Notes

/// One step in the past of a sample box.
package enum SampleStep {
  /// A commit of the device with the new texts of some records.
  case change(SampleChange)
  /// The device exchanges its commits with the other one.
  case sync(device: String, Timestamp, OperationNumber)
  /// The device settles the conflict of a record.
  case settle(NoteID, device: String, Timestamp, OperationNumber)

  /// The two numbers of an operation's id.
  package typealias OperationNumber = (NoteID, NoteID)
}

/// A commit in the past of a sample box.
package struct SampleChange {
  package let id: SampleStep.OperationNumber
  package let command: String
  package let subject: String
  package let device: String
  package let time: Timestamp
  package let records: [SampleRecord]
}

/// The past of some records: the times at which each was created, edited, finished and retitled, on two devices.
///
/// The same records, seed and clock give the same past. All of it is before the clock's time.
package struct SamplePast {
  package static let laptop = "laptop"
  package static let phone = "phone"

  /// A state that a record had.
  struct Stage {
    let command: String
    let subject: String
    let time: Timestamp
    var records: [SampleRecord]
    var device = SamplePast.laptop
    /// The order of stages at one time.
    var number = 0
  }

  /// More stages than these are joined to fewer commits, and to still fewer for many records: each commit writes the
  /// trees of large folders.
  private static let mostCommits = (usual: 1_200, ofManyRecords: 120)
  private static let manyRecords = 2_000
  /// The most commits before the devices sync.
  private static let commitsBetweenSyncs = 30

  private let clock: ClockReading
  var random: SampleRandom
  package private(set) var steps: [SampleStep] = []
  /// The time of the first commit, before every step.
  package private(set) var beginning: Timestamp
  package private(set) var beginningID: SampleStep.OperationNumber
  /// The id of the operation that fills the box.
  package private(set) var fillingID: SampleStep.OperationNumber
  /// The records at their creation, by id: their files retain their first names.
  package private(set) var first: [NoteID: SampleRecord] = [:]
  private var unsynced: [NoteID: String] = [:]
  private var commits: [String: Int] = [:]

  package init(of records: [SampleRecord], clock: ClockReading, seed: UInt64) {
    self.clock = clock
    random = SampleRandom(seed: seed ^ 0x5061_7374)
    beginning = clock.now
    beginningID = (NoteID(number: 0), NoteID(number: 0))
    fillingID = beginningID
    beginningID = newID()
    fillingID = newID()
    var makers = records.map { StageMaker($0, clock) }
    retitle(&makers, records)
    let contested = records.firstIndex {
      $0["completed"].map { $0 < date(daysAgo: 12) } == true && $0["rating"] != nil
    }
    var stages: [Stage] = []
    for index in makers.indices {
      stages += makers[index].stages(&random, isContested: index == contested)
    }
    for index in stages.indices { stages[index].number = index }
    stages.sort { ($0.time, $0.number) < ($1.time, $1.number) }
    for record in stages.reversed().flatMap(\.records) { first[record.id] = record }
    let start = stages.first?.time ?? clock.now
    beginning = Timestamp(seconds: start.seconds - 600, offsetSeconds: start.offsetSeconds)
    let most =
      records.count > Self.manyRecords ? Self.mostCommits.ofManyRecords : Self.mostCommits.usual
    if stages.count > most { stages = Self.joined(stages, to: most) }
    write(stages)
  }

  private mutating func newID() -> SampleStep.OperationNumber {
    (NoteID(number: random.next() % NoteID.count), NoteID(number: random.next() % NoteID.count))
  }

  private func date(daysAgo: Int) -> String { clock.today.adding(days: -daysAgo).description }

  /// Gives the oldest linked note another title at first.
  private mutating func retitle(_ makers: inout [StageMaker], _ records: [SampleRecord]) {
    for index in records.indices.sorted(by: { records[$0].created < records[$1].created })
    where records[index].kind == "note" {
      let title = records[index].title
      let linking = records.indices.filter { records[$0].body.contains("[[\(title)]]") }
      guard let newest = linking.map({ records[$0].created }).max() else { continue }
      let time = Timestamp(seconds: newest.seconds + 60 * 86_400, offsetSeconds: newest.offsetSeconds)
      guard time < clock.now else { continue }
      let retitling = SampleRetitling(
        from: "Draft on \(records[index].tags.first ?? "notes")", to: title, at: time)
      for other in linking { makers[other].retitling = retitling }
      makers[index].retitling = retitling
      makers[index].linking = linking.map { records[$0] }
      return
    }
  }

  /// Joins the stages of about a day or more to one commit each.
  private static func joined(_ stages: [Stage], to most: Int) -> [Stage] {
    let size = stages.count / most + 1
    return stride(from: 0, to: stages.count, by: size).map { start in
      let part = stages[start..<min(start + size, stages.count)]
      var last: [NoteID: Int] = [:]
      var records: [SampleRecord] = []
      for record in part.flatMap(\.records) {
        if let place = last[record.id] {
          records[place] = record
        } else {
          last[record.id] = records.count
          records.append(record)
        }
      }
      return Stage(
        command: "sample", subject: "Write \(records.count == 1 ? "a record" : "\(records.count) records")",
        time: part[part.endIndex - 1].time, records: records)
    }
  }
}

extension SamplePast {
  /// Distributes the stages to the two devices. They sync before one of them changes a record with unsynced changes of
  /// the other.
  private mutating func write(_ stages: [Stage]) {
    var last = beginning
    for stage in stages {
      let foreign =
        stage.command == "rate"
        ? [] : stage.records.filter { unsynced[$0.id].map { $0 != stage.device } == true }
      let isWide = stage.records.count > 1 && !unsynced.isEmpty
      if !foreign.isEmpty || isWide || commits.values.reduce(0, +) >= Self.commitsBetweenSyncs {
        sync(between: last, stage.time)
      }
      let settles = stage.command == "resolve"
      if settles, let record = stage.records.first {
        sync(between: last, stage.time)
        steps.append(.settle(record.id, device: stage.device, stage.time, newID()))
      } else {
        steps.append(
          .change(
            SampleChange(
              id: newID(), command: stage.command == "rate" ? "set" : stage.command, subject: stage.subject,
              device: stage.device, time: stage.time, records: stage.records)))
      }
      for record in stage.records { unsynced[record.id] = stage.device }
      commits[stage.device, default: 0] += 1
      last = stage.time
    }
    sync(between: last, last)
  }

  /// Both devices have the same commits afterwards.
  private mutating func sync(between earlier: Timestamp, _ later: Timestamp) {
    let middle = earlier.seconds + (later.seconds - earlier.seconds) / 2
    let time = Timestamp(seconds: middle, offsetSeconds: earlier.offsetSeconds)
    let both = (commits[Self.phone] ?? 0) > 0
    for device in both ? [Self.phone, Self.laptop, Self.phone] : [Self.laptop, Self.phone] {
      steps.append(.sync(device: device, time, newID()))
    }
    unsynced = [:]
    commits = [:]
  }
}
