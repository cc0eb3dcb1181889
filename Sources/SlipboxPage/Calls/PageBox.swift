import Git
import NoteIndex
import Notes
import Platform
package import SlipboxCore
import Synchronization
import Text

/// The box that is served: its moment of now, kept up to date by a watch, and those who want to hear of the next.
package final class PageBox: Sendable {
  package let circumstances: PageCircumstances
  /// Makes markup of formulas; nil if KaTeX is not installed.
  let formulas: MarkupProgram?
  private let current: Mutex<PageMoment>
  /// Held while the next moment is made, so that none is made of an old one.
  private let advancing = Mutex((number: 0, hasMissed: false))
  private let listeners = Mutex<(next: Int, all: [Int: @Sendable (String) -> Void])>((0, [:]))
  /// Tells the states of this server from those of one before it.
  private let series: String
  private let past = KeptFew<PastKey, PageMoment>(6)
  private let texts = ReadTexts()
  /// Held while a page changes something: one change after the other.
  private let changing = Mutex(())
  /// The idempotency keys of the changes that were applied.
  let idempotencyKeys: IdempotencyKeys
  /// The latest operations of the history, as they were before the first change of this server; nil if they are not read, or
  /// since a change failed.
  private let knownOperations = Mutex<Set<OperationID>?>(nil)

  /// Whether the lists that may come next were looked at.
  private let arePrepared = Mutex(false)
  /// Closed once a list was answered.
  private let firstList = Mailbox<Void>()
  /// In milliseconds.
  private static let longestWithoutWatch: Int64 = 1_000
  private static let mostOperations = 200
  /// The longest time that a note waits for the markup of its formulas.
  private static let secondsForFormulas = 5

  /// A point in the past with the day of its questions.
  private struct PastKey: Equatable, Sendable {
    let commit: String
    let seconds: Int64
  }

  /// Opens the box and begins to watch it.
  ///
  /// - Parameters:
  ///   - root: the absolute path of the box.
  ///   - idempotencyKeys: the keys of the changes that earlier servers applied.
  /// - Throws: why it can't be read.
  package init(
    at root: [UInt8], _ circumstances: PageCircumstances, idempotencyKeys: IdempotencyKeys = IdempotencyKeys()
  ) throws(SlipboxError) {
    self.circumstances = circumstances
    self.idempotencyKeys = idempotencyKeys
    var random = SystemRandomNumberGenerator()
    series = String(random.next() as UInt32, radix: 36)
    let context = circumstances.context()
    formulas = MarkupProgram.katex(context.reporter, seconds: Self.secondsForFormulas)
    let snapshot = try BoxOpening.snapshot(named: root, context)
    current = Mutex(try PageMoment(snapshot, state: "\(series)-0", context))
  }

  /// Begins to read the notes before somebody asks, while a browser starts.
  package func prepare() {
    let snapshot = now.snapshot
    // Errors of unreadable files are reported to requests.
    _ = Threads.detach { _ = try? snapshot.catalogue() }
  }

  /// Starts the watch, once a first list was answered: until then it would only slow that down. The first check finds the
  /// changes made meanwhile.
  package func watch() {
    let box = now.snapshot.box
    let isFollowed = Threads.detach { [self] in
      _ = firstList.all(within: Self.longestWithoutWatch)
      BoxWatch.follow(box, output: -1) { (changes) throws(SlipboxError) in try advance(by: changes).snapshot }
    }
    if !isFollowed { circumstances.context().reporter.warn("changes by other programs are not noticed") }
  }

  /// Notes that a list was answered from a moment, so that the next ones find cached field values. After the first one,
  /// the most likely next lists are prepared.
  func noteList(_ moment: PageMoment) {
    firstList.close()
    moment.keepFields()
    let isFirst = arePrepared.withLock { known in
      defer { known = true }
      return !known
    }
    if isFirst { _ = Threads.detach { moment.prepareLists() } }
  }

  /// The box as it is known now.
  var now: PageMoment { current.withLock { $0 } }

  /// The word for the box as it is known now.
  package var state: String { now.state }
}

/// The next moment.
extension PageBox {
  /// Makes the next moment after some changes, and notifies listeners; returns the earlier one if nothing differs.
  @discardableResult
  func advance(by changes: WatchedChanges) throws(SlipboxError) -> PageMoment {
    let (result, isNew) = advancing.withLock { state -> (Result<PageMoment, SlipboxError>, Bool) in
      do throws(SlipboxError) {
        let before = now
        let context = circumstances.context()
        let reader = WorkTreeReader(before.snapshot.box, context)
        let snapshot =
          changes.isEverythingNew || state.hasMissed
          ? try reader.snapshot() : try reader.snapshot(after: before.snapshot, changes)
        let next = try PageMoment(snapshot, state: "\(series)-\(state.number + 1)", context)
        state.hasMissed = false
        if !changes.areOthersNew, try next.isLike(before) { return (.success(before), false) }
        state.number += 1
        current.withLock { $0 = next }
        return (.success(next), true)
      } catch {
        // The next moment is made of all files, because these changes are not in the present one.
        state.hasMissed = true
        return (.failure(error), false)
      }
    }
    let moment = try result.get()
    if isNew { tell(moment.state) }
    return moment
  }

  /// The box as a look at all files finds it now, for a change.
  func lookedAt(_ context: CommandContext) throws(SlipboxError) -> BoxSnapshot {
    try WorkTreeReader(now.snapshot.box, context).snapshot()
  }

  /// Does the work of a change after all others.
  func writing<Result>(_ body: () throws -> sending Result) throws -> Result {
    try changing.withLock { _ in try body() }
  }

  /// Whether an operation is among the latest of the history, recorded by an earlier server or by a change that failed
  /// after it was begun.
  ///
  /// The history is read before the first change of this server, and again after each failure.
  func hasOperation(_ id: OperationID) throws(SlipboxError) -> Bool {
    if let known = knownOperations.withLock({ $0 }) { return known.contains(id) }
    let context = circumstances.context()
    let snapshot = try lookedAt(context)
    snapshot.box.takeUpInterrupted(context)
    var ids: Set<OperationID> = []
    try PastOperations(in: snapshot, on: context.device).visit { past in
      past.operation.id.map { _ = ids.insert($0) }
      return ids.count < Self.mostOperations
    }
    knownOperations.withLock { [ids] in $0 = ids }
    return ids.contains(id)
  }

  /// Has the history read again before the next change: the last one may be recorded although it failed.
  func forgetOperations() { knownOperations.withLock { $0 = nil } }

  /// The box at a point in the past.
  ///
  /// - Parameter point: a revision or a date, as `--as-of` takes it.
  func moment(at point: String) throws(SlipboxError) -> PageMoment {
    let (box, context) = (now.snapshot.box, circumstances.context())
    let past = try box.pastPoint(point, context)
    let key = PastKey(commit: past.commit.hex, seconds: past.clock.now.seconds)
    return try self.past.value(key) { () throws(SlipboxError) in
      try PageMoment(try box.snapshot(at: past, context), state: key.commit, context)
    }
  }

  /// A note of now as it was at a point in the past; nil if it did not exist then, or does not exist now.
  ///
  /// - Parameter moment: the box at that point.
  func formerEntry(_ ref: String, at point: String, in moment: PageMoment) throws -> Entry? {
    let (now, context) = (now.snapshot, circumstances.context())
    guard let present = try? RequestedNotes(in: now).entry(ref) else { return nil }
    let past = PastNotes(of: now, at: try now.box.pastPoint(point, context), in: moment.snapshot)
    return try past.entry(of: present).flatMap { former throws(SlipboxError) in
      try moment.snapshot.catalogue().entry(path: former.note.path)
    }
  }
}

/// The texts that pages have read.
extension PageBox {
  /// Remembers the bytes of a note that a page has received: the page may change them before they are committed.
  func remember(_ bytes: [UInt8]) { texts.add(bytes) }

  /// The bytes of an id: those that a page was given, else those that git has; nil if neither knows them.
  func knownBytes(of id: ObjectID, at path: [UInt8]) -> [UInt8]? {
    // An unreadable object counts as a missing one.
    texts[id] ?? (try? now.snapshot.box.contentBesideOthers(of: id, at: path))
  }
}

/// Those who listen.
extension PageBox {
  /// Registers a listener for changes of the box. It is called on any thread and has to return quickly.
  ///
  /// - Returns: the number of the listener, and the current state.
  package func listen(_ body: @escaping @Sendable (String) -> Void) -> (number: Int, state: String) {
    listeners.withLock { listeners in
      listeners.next += 1
      listeners.all[listeners.next] = body
      return (listeners.next, state)
    }
  }

  /// Removes a listener.
  package func leave(_ number: Int) { listeners.withLock { _ = $0.all.removeValue(forKey: number) } }

  private func tell(_ state: String) {
    let all = listeners.withLock { Array($0.all.values) }
    for listener in all { listener(state) }
  }
}

extension PageMoment {
  /// Whether two moments show the same.
  fileprivate func isLike(_ other: PageMoment) throws(SlipboxError) -> Bool {
    guard tip == other.tip, snapshot.clock.today == other.snapshot.clock.today else { return false }
    return try SnapshotMarks(of: snapshot).areOfSameNotes(as: other.snapshot)
  }
}

/// The environment of the server.
package struct PageCircumstances: Sendable {
  private let makeContext: @Sendable (Reporter) -> CommandContext
  /// Whether nothing may be changed.
  package let isReadOnly: Bool

  /// - Parameter context: makes the circumstances of a command in the folder of the box, with the clock read now.
  package init(isReadOnly: Bool = false, context: @escaping @Sendable (Reporter) -> CommandContext) {
    self.isReadOnly = isReadOnly
    makeContext = context
  }

  /// The circumstances of a change or a question of now.
  ///
  /// - Parameter warn: receives each warning.
  func context(warn: @escaping @Sendable (String) -> Void = { _ in }) -> CommandContext {
    var context = makeContext(Reporter(warn: { warn($0.description) }))
    context.face = "page"
    return context
  }
}

/// The texts of notes that pages were given last, by the ids of their bytes.
final class ReadTexts: Sendable {
  /// So many bytes are kept in all.
  private static let mostBytes = 32 << 20

  private let kept = Mutex<(order: [ObjectID], texts: [ObjectID: [UInt8]], count: Int)>(([], [:], 0))

  /// Adds a text; if there are too many, the oldest are removed.
  func add(_ bytes: [UInt8]) {
    let id = ObjectID(ofBlob: bytes)
    kept.withLock { kept in
      guard kept.texts[id] == nil else { return }
      kept.texts[id] = bytes
      kept.order.append(id)
      kept.count += bytes.count
      while kept.count > Self.mostBytes, kept.order.count > 1 {
        kept.count -= kept.texts.removeValue(forKey: kept.order.removeFirst())?.count ?? 0
      }
    }
  }

  subscript(_ id: ObjectID) -> [UInt8]? { kept.withLock { $0.texts[id] } }
}
