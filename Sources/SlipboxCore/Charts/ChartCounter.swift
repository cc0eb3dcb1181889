import Git
import NoteIndex
import Notes

/// How many notes fitted at one moment.
struct ChartCount: Sendable {
  /// Why nothing could be asked at a moment.
  enum Fault: Sendable {
    /// The query means nothing there: it names a kind, a filter or a note that did not exist yet.
    case query(QueryError)
    case refused(SlipboxError)
    /// The settings of the box could not be read.
    case settings(SlipboxError)
  }

  var total = 0
  var counts: [ChartValue: Int] = [:]
  /// The texts of the values.
  var names: [ChartValue: String] = [:]
  /// Of each value, whether the first note with it was active.
  var areActive: [ChartValue: Bool] = [:]
  /// The kinds of the counted notes.
  var kinds: Set<String> = []
  var unreadable: [UnreadableNote] = []
  var fault: Fault?

  init() {}

  init(_ fault: Fault) { self.fault = fault }

  /// Counts a note with its values.
  mutating func add(_ values: [ChartValue: String]) {
    total += 1
    for (value, text) in values {
      counts[value, default: 0] += 1
      names[value] = text
    }
  }
}

/// Counts the notes of one moment after another, and takes over what did not change in between.
///
/// It has a repository of its own, so that several of them work at a time; each belongs to one thread.
final class ChartCounter {
  private let box: Box
  private let context: CommandContext
  private let request: ChartRequest
  private let shared = SharedNotes()
  private var known: KnownValues
  private var last: (commit: ObjectID, count: ChartCount)?
  /// Where the texts of shared notes are fetched.
  private var texts: [NoteTexts] = []

  /// - Parameter context: warnings of the past are not given through it.
  init(_ box: Box, _ context: CommandContext, _ request: ChartRequest) throws(SlipboxError) {
    self.box = try Box(at: box.root)
    self.context = context
    self.request = request
    known = KnownValues(field: request.field)
  }

  /// The count of a moment.
  func count(at moment: ChartMoment) throws(SlipboxError) -> ChartCount {
    guard let commit = moment.commit else { return ChartCount() }
    if let last, last.commit == commit { return last.count }
    last = nil
    let snapshot: BoxSnapshot
    do throws(SlipboxError) {
      snapshot = try CommitReader(box, context.at(moment.clock)).snapshot(of: commit, sharing: shared)
    } catch {
      guard error.kind == .configuration else { throw error }
      return ChartCount(.settings(error))
    }
    texts.append(snapshot.texts)
    let query: Query
    let unread = snapshot.unreadCount
    do throws(QueryError) { query = try snapshot.query(request.query) } catch {
      // What could not be read at all is no fault of the query.
      try snapshot.refuseUnreadNotes(since: unread)
      return ChartCount(.query(error))
    }
    var count: ChartCount
    do throws(SlipboxError) { count = try self.count(query, in: snapshot) } catch {
      guard [.usage, .notFound, .badData].contains(error.kind) else { throw error }
      return ChartCount(.refused(error))
    }
    for texts in texts { try texts.refuseFailures() }
    count.unreadable = try snapshot.unreadableNotes()
    if !query.mayDependOnTime, !snapshot.kindMatcher().mayMatch { last = (commit, count) }
    return count
  }

  private func count(_ query: Query, in snapshot: BoxSnapshot) throws(SlipboxError) -> ChartCount {
    var result = ChartCount()
    guard request.field != nil else {
      result.total = try snapshot.count(query)
      return result
    }
    var query = query
    // The order of a kind takes time, and only which notes are the first may depend on it.
    if query.limit == nil { query.sort = [SortKey(field: "created", descending: true)] }
    let matches = try snapshot.matches(query)
    try known.begin(snapshot)
    for match in matches { known.add(match, to: &result) }
    return result
  }
}

extension CommandContext {
  /// The same circumstances at another time, and without warnings.
  func at(_ clock: ClockReading) -> CommandContext {
    CommandContext(
      clock: clock, workingDirectory: workingDirectory, configurationFolder: configurationFolder,
      boxVariable: boxVariable, device: device, ids: ids, reporter: Reporter(warn: { _ in }))
  }
}
