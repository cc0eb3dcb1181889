package import Notes
import Synchronization
package import Text

/// The environment of one command, read once by the caller and passed in: the core reads no environment.
package struct CommandContext: Sendable {
  /// The time of the command; it fixes `today`.
  package let clock: ClockReading
  /// The absolute working directory.
  package let workingDirectory: [UInt8]
  /// The folder of the user's own configuration (`$XDG_CONFIG_HOME/slipbox`); nil if there is none.
  package let configurationFolder: [UInt8]?
  /// The value of `$SLIPBOX`.
  package let boxVariable: [UInt8]?
  /// The name of this device, from the user or the host; see `Box.device(_:)`.
  package let device: String
  /// Whether `device` is the name of the host, which may change: each clone then keeps its first name.
  package var isHostName = false
  /// The face of slip that sends the commands, as commits name it, such as `lsp`; nil for the command line.
  package var face: String?
  /// The id of the operation that the command records; nil for a random one.
  package var operation: OperationID?
  /// The value of the environment variable that slip sets for the commands in a hook that it runs; nil outside of such
  /// hooks.
  package var hookMark: String?
  /// Creates the ids of notes and operations.
  package let ids: IDSource
  /// Receives warnings and progress.
  package let reporter: Reporter
  /// Whether and how a command may fetch the history that a partial clone left at its remote.
  package var historyFetch = HistoryFetch.never
  /// Starts the maintenance of a box's cache in the background; by default it does nothing.
  package var startMaintenance: @Sendable (_ box: [UInt8]) -> Void = { _ in }

  package init(
    clock: ClockReading, workingDirectory: [UInt8], configurationFolder: [UInt8]?, boxVariable: [UInt8]?,
    device: String, ids: IDSource, reporter: Reporter
  ) {
    self.clock = clock
    self.workingDirectory = workingDirectory
    self.configurationFolder = configurationFolder
    self.boxVariable = boxVariable
    self.device = device
    self.ids = ids
    self.reporter = reporter
  }

  /// Returns the same environment on a device of another name.
  package func named(_ device: String) -> CommandContext {
    var context = with(clock, device)
    context.isHostName = false
    return context
  }

  /// Returns the same environment at another time.
  func reading(_ clock: ClockReading) -> CommandContext { with(clock, device) }

  private func with(_ clock: ClockReading, _ device: String) -> CommandContext {
    var context = CommandContext(
      clock: clock, workingDirectory: workingDirectory, configurationFolder: configurationFolder,
      boxVariable: boxVariable, device: device, ids: ids, reporter: reporter)
    context.startMaintenance = startMaintenance
    context.face = face
    context.operation = operation
    context.historyFetch = historyFetch
    context.isHostName = isHostName
    context.hookMark = hookMark
    return context
  }
}

/// Whether and how a command may fetch the history that a partial clone left at its remote.
package enum HistoryFetch: Sendable {
  /// The command fails if it needs missing history, as in the page, the editor and completion.
  case never
  case silently
  /// The command fetches; git and ssh may prompt for passwords on the terminal.
  case asking
}

/// Creates random ids of notes and operations, on any thread.
package final class IDSource: Sendable {
  private let generator: Mutex<any RandomNumberGenerator & Sendable>

  /// - Parameter generator: the source of randomness.
  package init(_ generator: any RandomNumberGenerator & Sendable) { self.generator = Mutex(generator) }

  /// Returns a new random note id.
  package func noteID() -> NoteID {
    generator.withLock { generator in
      var any = AnyGenerator(base: generator)
      let id = NoteID.random(using: &any)
      generator = any.base
      return id
    }
  }

  /// Returns a random number, such as the seed of samples.
  package func number() -> UInt64 { generator.withLock { $0.next() } }

  /// Returns a new random id of an operation.
  func operationID() -> OperationID { OperationID(noteID(), noteID()) }
}

/// Passes a generator whose type is known only at run time to generic code.
private struct AnyGenerator: RandomNumberGenerator {
  var base: any RandomNumberGenerator & Sendable

  mutating func next() -> UInt64 { base.next() }
}

/// Receives warnings and progress for the user while a command runs. Safe for several threads.
package final class Reporter: Sendable {
  /// A stage of a command. Each stage handles all files of a change before the next one begins.
  package enum Stage: Sendable {
    /// Notes without a cached record are read.
    case reading
    /// The new bytes are computed.
    case preparing
    /// The new bytes become git objects without references to them yet.
    case storing
    /// The files are replaced.
    case writing
    /// Git's index and the branch are updated.
    case committing
    /// Git objects are received from another repository.
    case fetching
    /// Git objects are sent to another repository.
    case sending
  }

  private let receiveWarning: @Sendable (Phrase) -> Void
  private let receiveProgress: @Sendable (Stage, _ done: Int, _ total: Int) -> Void
  private let given = Mutex<Set<Phrase>>([])
  private let waitsForEnd: Bool
  /// The warnings that are given at the end of the command.
  private let waiting = Mutex<[(message: Phrase, fact: Phrase)]>([])

  /// The remarks that are given once the command has performed the actions that they describe.
  private let remarks = Mutex<[Phrase]>([])

  /// - Parameters:
  ///   - waitsForEnd: whether remarks, and warnings whose fact an error may report too, wait for `giveWaiting(besides:)`.
  ///   - warn: receives each warning, one line without a full stop.
  ///   - progress: receives the number of finished files of a stage, from any thread.
  package init(
    waitsForEnd: Bool = false, warn: @escaping @Sendable (Phrase) -> Void,
    progress: @escaping @Sendable (Stage, _ done: Int, _ total: Int) -> Void = { _, _, _ in }
  ) {
    receiveWarning = warn
    receiveProgress = progress
    self.waitsForEnd = waitsForEnd
  }

  /// Gives a warning; the command continues.
  package func warn(_ message: Phrase) { receiveWarning(message) }

  /// Gives a warning the first time in a command.
  package func warnOnce(_ message: Phrase) {
    if given.withLock({ $0.insert(message).inserted }) { receiveWarning(message) }
  }

  /// Gives a warning the first time in a command, at its end, unless the command fails with an error that reports the
  /// same fact.
  func warnUnlessRefused(_ message: Phrase, fact: Phrase) {
    guard waitsForEnd else { return warnOnce(message) }
    guard given.withLock({ $0.insert(message).inserted }) else { return }
    waiting.withLock { $0.append((message, fact)) }
  }

  /// Gives a remark on an action of the command once the action is done; a command that is refused has done nothing.
  func remarkWhenDone(_ message: Phrase) {
    guard waitsForEnd else { return warnOnce(message) }
    guard given.withLock({ $0.insert(message).inserted }) else { return }
    remarks.withLock { $0.append(message) }
  }

  /// Gives the remarks on the actions of the command.
  package func giveRemarks() {
    let messages = remarks.withLock { remarks in
      defer { remarks = [] }
      return remarks
    }
    for message in messages { receiveWarning(message) }
  }

  /// Gives the warnings that waited for the end of the command, except those whose fact its error reports.
  package func giveWaiting(besides refusal: SlipboxError? = nil) {
    let messages = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for (message, fact) in messages where refusal?.tells(fact) != true {
      receiveWarning(message)
    }
  }

  /// Counts a warning as given: the command reports it in words of its own.
  func silence(_ message: Phrase) {
    given.withLock { _ = $0.insert(message) }
    waiting.withLock { $0.removeAll { $0.message == message } }
  }

  /// Reports the progress of a stage.
  package func report(_ stage: Stage, _ done: Int, of total: Int) { receiveProgress(stage, done, total) }
}

/// Counts the files that several threads read, and reports their progress.
final class ReadingProgress: Sendable {
  /// The number of files below which reading is too fast for a report.
  private static let fewest = 256

  private let total: Int
  /// The receiver of the progress; nil if no report is necessary.
  private let reporter: Reporter?
  private let done = Atomic<Int>(0)

  init(of total: Int, _ reporter: Reporter) {
    self.total = total
    self.reporter = total < Self.fewest ? nil : reporter
    self.reporter?.report(.reading, 0, of: total)
  }

  /// Counts files that are read.
  func advance(by count: Int) {
    let done = done.wrappingAdd(count, ordering: .relaxed).newValue
    reporter?.report(.reading, done, of: total)
  }
}
