import ArgumentParser
import SampleBox
import SlipboxCore
import Text

struct Sample: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "sample", abstract: "Fill an empty box with sample records.",
    discussion: """
      Adds issues with five tags, books, groups of tasks and linked notes. Their history covers the last two years: \
      commits of a laptop and a phone, with edits, finished tasks, merges and a resolved conflict. The same seed gives \
      the same records and commits on the same day. slip rm --all deletes the notes.

      In a box with notes, --force adds the records in one commit, as --one-commit does. slip undo reverses that commit.

      Examples:
        slip sample --force
        slip sample --count 20 --seed 7 --force
      """, shouldDisplay: false)

  @Option(
    name: .option(.count), parsing: .unconditional,
    help: ArgumentHelp("The number of records.", valueName: "n"))
  var count = SampleCounts.usualTotal

  @Option(
    name: .option(.seed), parsing: .unconditional,
    help: ArgumentHelp("The seed of the random numbers.", valueName: "s"))
  var seed: UInt64?

  @Flag(name: .option(.force), help: "Add the records to a box that has notes.")
  var force = false

  @Flag(name: .option(.oneCommit), help: "Add the records in one commit, without a history.")
  var oneCommit = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard (1...SampleCounts.largestTotal).contains(count) else {
      throw ValidationError("--count takes a number from 1 to \(SampleCounts.largestTotal).")
    }
  }

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    var hasPast = false
    let recorded = try session.showingProgress {
      let context = session.context
      let taken = try AddSamples(in: snapshot).namesInUse(isForced: force)
      context.reporter.report(.preparing, 0, of: count)
      let seed = seed ?? context.ids.number()
      var maker = SampleMaker(
        clock: context.clock, seed: seed, takenIDs: taken.ids, takenTitles: taken.titles)
      let records = maker.records(SampleCounts(total: count))
      let writer = session.writer(after: snapshot)
      guard !oneCommit, taken.ids.isEmpty, taken.titles.isEmpty else {
        return try writer.record(try AddSamples(in: snapshot).plan(records.map(Self.prepared)))
      }
      let past = SamplePast(of: records, clock: context.clock, seed: seed)
      hasPast = true
      return try writer.fill(
        snapshot, with: records.map { Self.prepared(past.first[$0.id] ?? $0) },
        past: past.steps.map(Self.step),
        beginning: (SamplePast.laptop, past.beginning, Self.operation(past.beginningID)),
        Self.operation(past.fillingID))
    }
    try Changes.report(recorded, isUndoable: !hasPast, session)
    if hasPast, session.console.errorsAreTerminal {
      session.say("slip undo does not reverse this; slip rm --all deletes the records")
    }
  }

  private static func prepared(_ record: SampleRecord) -> PreparedNote {
    PreparedNote(
      id: record.id, title: record.title, kind: record.kind, created: record.created, text: record.text)
  }

  private static func operation(_ numbers: SampleStep.OperationNumber) -> OperationID {
    OperationID(numbers.0, numbers.1)
  }

  private static func step(_ step: SampleStep) -> PastStep {
    switch step {
    case .change(let change):
      .operation(
        PastChange(
          id: operation(change.id), command: change.command, subject: change.subject, device: change.device,
          time: change.time, texts: change.records.map { ($0.id, $0.text) }))
    case .sync(let device, let time, let id): .sync(device: device, time, operation(id))
    case .settle(let note, let device, let time, let id): .settle(note, device: device, time, operation(id))
    }
  }
}
