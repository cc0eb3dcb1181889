import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Synchronization

/// One change that a page asks for, from its body to its commit.
final class PageWrite {
  let call: PageCall
  let body: WriteBody
  let context: CommandContext
  /// The box as a look at all files finds it now.
  let snapshot: BoxSnapshot
  private let warnings: Warnings

  /// What is said of a change while it is made.
  private final class Warnings: Sendable {
    let lines = Mutex<[String]>([])
  }

  /// What is to be done.
  struct Work {
    let plan: Plan
    /// The notes that are meant.
    var entries: [Entry] = []
    /// The fields of notes that were changed elsewhere, and are taken over.
    var merged: [(ref: String, field: String)] = []
    /// The bytes that files must still hold.
    var expected: [[UInt8]: [UInt8]] = [:]
    /// What is said where nothing has to change.
    var inPlace: String?
  }

  private init(_ call: PageCall, _ body: WriteBody) throws(SlipboxError) {
    self.call = call
    self.body = body
    let warnings = Warnings()
    self.warnings = warnings
    context = call.box.circumstances.context { line in warnings.lines.withLock { $0.append(line) } }
    snapshot = try call.box.lookedAt(context)
  }

  /// A note that somebody else writes at the same time is looked at again so often.
  private static let attempts = 5

  /// The route of a change.
  ///
  /// - Parameters:
  ///   - names: the members of the body besides `preview` and `seen`.
  ///   - make: works out what is to be done; nothing is written before that.
  static func route(
    _ names: [String], _ make: @escaping @Sendable (PageWrite) throws -> Work
  ) -> @Sendable (PageCall) throws -> PageResponse {
    { call in
      let body = try WriteBody(call.request.body, Set(names + ["preview", "seen"]))
      if try body.flag("preview") {
        try call.caller.refuseGone()
        let write = try PageWrite(call, body)
        return try write.preview(try make(write))
      }
      let key = try body.idempotencyKey()
      return try call.box.writing {
        if let key, let refs = call.box.idempotencyKeys.refs(of: key) {
          return try alreadyDone(call, body, refs)
        }
        let (response, refs) = try carriedOut(call, body, make)
        if let key { call.box.idempotencyKeys.add(key, refs: refs) }
        return response
      }
    }
  }

  private static func carriedOut(
    _ call: PageCall, _ body: WriteBody, _ make: (PageWrite) throws -> Work
  ) throws -> (response: PageResponse, refs: [String]) {
    var attempt = 1
    while true {
      let write = try PageWrite(call, body)
      let work = try write.heldAgainstShown(try make(write))
      do throws(SlipboxError) {
        return try write.record(work)
      } catch {
        guard error.kind == .busy, !work.expected.isEmpty, attempt < attempts else { throw error }
      }
      attempt += 1
    }
  }

  /// The change as a patch; nothing is written.
  private func preview(_ work: Work) throws -> PageResponse {
    let changes = try snapshot.box.preview(work.plan, snapshot.reporter)
    let patch = try snapshot.box.patch(of: changes)
    return .json(
      JSONDocument.object { writer in
        writer.member("patch", bytes: patch)
        writer.member("count", changes.count)
        writer.member("seen", ShownChange.word(for: changes))
      })
  }

  /// The work, which is carried out only on the files from which the change was made that the page has shown.
  ///
  /// - Throws: 409 where the change is another one by now.
  private func heldAgainstShown(_ work: Work) throws -> Work {
    guard let seen = try body.text("seen") else { return work }
    let changes = try snapshot.box.preview(work.plan, snapshot.reporter)
    guard ShownChange.word(for: changes) == seen else { throw ShownChange.refusal }
    var work = work
    for change in changes { work.expected[change.path] = change.before }
    return work
  }

  private func record(_ work: Work) throws(SlipboxError) -> (response: PageResponse, refs: [String]) {
    let result = try BoxWriter(snapshot.box, context, after: snapshot).record(
      work.plan.expecting(work.expected))
    let changed = result.changes.filter { $0.after != nil }.map(\.path)
    var news = WatchedChanges()
    news.paths = Set(result.changes.map(\.path))
    news.isGitNew = true
    news.areOthersNew = result.changes.contains { !FileName.isNote($0.path) }
    if result.changes.contains(where: { $0.path.starts(with: ".slipbox/".utf8) }) {
      news = WatchedChanges(everything: true)
    }
    let moment = result.outcome == .unchanged ? call.box.now : try call.box.advance(by: news)
    return try answer(
      result, work, of: result.outcome == .unchanged ? work.entries.map(\.note.path) : changed, moment)
  }

  /// So many notes are told of; a page that changed more reads its list again.
  private static let mostNotes = 500

  private func answer(
    _ result: CommitResult, _ work: Work, of paths: [[UInt8]], _ moment: PageMoment
  ) throws(SlipboxError) -> (response: PageResponse, refs: [String]) {
    var operation: OperationID?
    if case .committed(let commit) = result.outcome { operation = try snapshot.operationID(of: commit) }
    let catalogue = try moment.snapshot.catalogue()
    let entries = paths.prefix(Self.mostNotes).compactMap { catalogue.entry(path: $0) }
    let answer = WriteAnswer(
      notes: entries, operation: operation,
      subject: result.subject ?? work.inPlace ?? work.plan.inPlace ?? "already in place",
      merged: work.merged, hints: hints(result, work))
    return (try answer.response(moment), entries.map { PageMoment.ref(of: $0.note) })
  }

  private func hints(_ result: CommitResult, _ work: Work) -> [String] {
    var lines = warnings.lines.withLock { $0 }
    if case .saved(_, let reason, let hints) = result.outcome {
      lines += ["saved, not committed; the next change commits it", reason] + hints
    }
    guard result.outcome != .unchanged else { return lines }
    if let links = work.plan.links.sentence { lines.append(links) }
    for record in work.plan.next() {
      if case .made(let note, let day, _) = record { lines.append("next on \(day): \(note.title)") }
      NextRecordLines.remark(record).map { lines.append($0) }
    }
    return lines
  }
}
