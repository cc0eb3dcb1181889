import Git
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Synchronization
import Text

/// One change that a page requests, from its body to its commit.
final class PageWrite {
  let call: PageCall
  let body: WriteBody
  let context: CommandContext
  /// The box as a look at all files finds it now.
  let snapshot: BoxSnapshot
  private let warnings: Warnings

  /// The warnings of a change.
  private final class Warnings: Sendable {
    let lines = Mutex<[String]>([])
  }

  /// The work of a change.
  struct Work {
    let plan: Plan
    /// The notes that are meant.
    var entries: [Entry] = []
    /// The fields of notes that were changed elsewhere, and are taken over.
    var merged: [(ref: String, field: String)] = []
    /// The bytes that files must still hold.
    var expected: [[UInt8]: [UInt8]] = [:]
    /// The message if nothing has to change.
    var inPlace: String?
  }

  /// - Parameter key: the idempotency key; nil for a preview.
  private init(_ call: PageCall, _ body: WriteBody, key: String?) throws(SlipboxError) {
    self.call = call
    self.body = body
    let warnings = Warnings()
    self.warnings = warnings
    var context = call.box.circumstances.context { line in warnings.lines.withLock { $0.append(line) } }
    context.operation = key.map { IdempotencyKeys.operation(of: $0) }
    self.context = context
    snapshot = try call.box.lookedAt(context)
  }

  /// A note that somebody else writes at the same time is looked at again so often.
  private static let attempts = 5

  /// The route of a change.
  ///
  /// - Parameters:
  ///   - names: the members of the body besides those that every change has.
  ///   - make: computes the work; it writes nothing.
  static func route(
    _ names: [String], _ make: @escaping @Sendable (PageWrite) throws -> Work
  ) -> @Sendable (PageCall) throws -> PageResponse {
    let known = Set(names + ["preview", "seen", "idempotencyKey"])
    return route({ call in try WriteBody(call.request.body, known) }, make)
  }

  /// The route of a change whose parameters are not the body of the request.
  static func route(
    _ read: @escaping @Sendable (PageCall) throws -> WriteBody,
    _ make: @escaping @Sendable (PageWrite) throws -> Work
  ) -> @Sendable (PageCall) throws -> PageResponse {
    { call in
      let body = try read(call)
      if try body.flag("preview") {
        try call.caller.refuseGone()
        let write = try PageWrite(call, body, key: nil)
        return try write.preview(try make(write))
      }
      let key = try body.idempotencyKey()
      // A repeated request waits here for the first one.
      return try call.box.writing {
        if let outcome = try call.box.outcome(of: key) {
          return Self.response(WriteAnswer(outcome: outcome, isAlreadyDone: true), call.box) { $0.now }
        }
        let (outcome, news) = try applied(call, body, key, make)
        call.box.idempotencyKeys.add(key, outcome)
        return Self.response(WriteAnswer(outcome: outcome), call.box) { box throws(SlipboxError) in
          try news.map { news throws(SlipboxError) in try box.advance(by: news) } ?? box.now
        }
      }
    }
  }

  /// The answer to a change that is applied, whatever happens to the view.
  private static func response(
    _ answer: WriteAnswer, _ box: PageBox, _ refreshed: (PageBox) throws(SlipboxError) -> PageMoment
  ) -> PageResponse {
    do throws(SlipboxError) {
      return try answer.response(try refreshed(box))
    } catch {
      return answer.response(box.now, unreadable: error)
    }
  }

  /// Applies a change.
  ///
  /// - Returns: the outcome, and the changes that the view has to take over; nil if nothing changed.
  private static func applied(
    _ call: PageCall, _ body: WriteBody, _ key: String, _ make: (PageWrite) throws -> Work
  ) throws -> (outcome: WriteOutcome, news: WatchedChanges?) {
    var attempt = 1
    while true {
      let write = try PageWrite(call, body, key: key)
      let work = try write.heldAgainstShown(try make(write))
      do throws(SlipboxError) {
        return try write.record(work, key)
      } catch {
        call.box.forgetOperations()
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

  /// The work, which is applied only to the files from which the preview of the page was made.
  ///
  /// - Throws: 409 if the change would be another one now.
  private func heldAgainstShown(_ work: Work) throws -> Work {
    guard let seen = try body.text("seen") else { return work }
    let changes = try snapshot.box.preview(work.plan, snapshot.reporter)
    guard ShownChange.word(for: changes) == seen else { throw ShownChange.refusal }
    var work = work
    for change in changes { work.expected[change.path] = change.before }
    return work
  }

  private func record(
    _ work: Work, _ key: String
  ) throws(SlipboxError) -> (outcome: WriteOutcome, news: WatchedChanges?) {
    let result = try BoxWriter(snapshot.box, context, after: snapshot).record(
      work.plan.expecting(work.expected))
    let outcome = WriteOutcome(
      result, work, operation: IdempotencyKeys.operation(of: key), hints: hints(result, work))
    guard result.outcome != .unchanged else { return (outcome, nil) }
    // The next request may be based on the bytes that this one wrote.
    for change in result.changes where FileName.isNote(change.path) { change.after.map(call.box.remember) }
    var news = WatchedChanges()
    news.paths = Set(result.changes.map(\.path).filter { FileName.isNote($0) })
    news.isGitNew = true
    news.areOthersNew = result.changes.contains { !FileName.isNote($0.path) }
    // The settings may be links to files elsewhere in the box.
    if work.plan.edits.contains(where: { $0.path.starts(with: ".slipbox/".utf8) }) {
      news = WatchedChanges(everything: true)
    }
    return (outcome, news)
  }

  private func hints(_ result: CommitResult, _ work: Work) -> [String] {
    var lines = warnings.lines.withLock { $0 }
    if case .saved(_, let reason, let hints) = result.outcome {
      lines.append("saved, not committed; the next change commits it")
      lines += WindowMessage(reason, hints: hints).lines
    }
    guard result.outcome != .unchanged else { return lines }
    if let links = work.plan.links.sentence { lines.append(links.description) }
    for record in work.plan.next() {
      if case .made(let note, let day, _) = record { lines.append("next on \(day): \(note.title)") }
      NextRecordLines.remark(record).map { lines.append($0) }
    }
    return lines
  }
}

extension WriteOutcome {
  fileprivate init(_ result: CommitResult, _ work: PageWrite.Work, operation: OperationID, hints: [String]) {
    self.init(subject: result.subject ?? work.inPlace ?? work.plan.inPlace?.description ?? "already in place")
    if case .committed = result.outcome { self.operation = operation }
    merged = work.merged
    self.hints = hints
    guard result.outcome != .unchanged else {
      paths = work.entries.prefix(Self.mostNotes).map(\.note.path)
      return
    }
    let written = result.changes.filter { $0.after != nil }.prefix(Self.mostNotes)
    paths = written.map(\.path)
    moved = work.plan.moves.prefix(Self.mostNotes).map { ($0.key, $0.value) }
    versions = written.compactMap { change in
      guard FileName.isNote(change.path), let bytes = change.after else { return nil }
      let note = Note(path: change.path, text: NoteText(bytes))
      return Version(ref: PageMoment.ref(of: note), path: change.path, etag: ObjectID(ofBlob: bytes))
    }
  }
}

/// The notes of a change.
extension PageWrite {
  /// The notes that are named, each with the bytes that the page has read of it; or those that a query finds.
  ///
  /// - Throws: if a query finds another number of notes than the page has shown.
  func targets() throws -> [(entry: Entry, target: WriteBody.Target?)] {
    if let query = try body.text("where") {
      guard try body.targets() == nil else {
        throw PageError(.badRequest, "notes and where can't be combined")
      }
      return try found(by: query).map { ($0, nil) }
    }
    guard let targets = try body.targets() else {
      throw PageError(.badRequest, "notes is missing")
    }
    var seen: Set<[UInt8]> = []
    var all: [(entry: Entry, target: WriteBody.Target?)] = []
    for target in targets {
      let entry = try RequestedNotes(in: snapshot).entry(target.ref, readAs: target.etag)
      if seen.insert(entry.note.path).inserted { all.append((entry, target)) }
    }
    return all
  }

  /// The note of an id or a path.
  func entry(_ ref: String) throws -> Entry { try RequestedNotes(in: snapshot).entry(ref) }

  /// The requested changes of notes of some kinds.
  func changes(of kinds: [String]) throws -> [Change] {
    let kinds = Set(kinds).map { snapshot.schema().kindOrPlain(named: $0) }
    return try body.changes { name in
      let fields = kinds.compactMap { $0.field(name) }
      return fields.isEmpty ? nil : fields.contains(where: \.isList)
    }
  }

  /// A body that a page sends, with the line ends of the text that it has read.
  func bytes(ofBody sent: String, _ entry: Entry, _ target: WriteBody.Target?) throws -> [UInt8] {
    let base = target?.etag.flatMap { call.box.knownBytes(of: $0, at: entry.note.path) }
    return SentBody(sent, changing: try base.map { NoteText($0) } ?? entry.note.text).bytes
  }

  private func found(by query: String) throws -> [Entry] {
    guard query.contains(where: { !$0.isWhitespace }) else {
      throw PageError(.refused, "the query is empty", hints: ["to select all notes: @all"])
    }
    let entries = try snapshot.matches(try snapshot.query([query])).map(\.entry)
    let isHeldAgainstShown = try body.text("seen") != nil
    guard let expected = try body.number("expect") else {
      guard try isHeldAgainstShown || body.flag("preview") else {
        throw PageError(.badRequest, "where must be combined with expect or seen")
      }
      return entries
    }
    guard entries.count == expected else {
      guard !isHeldAgainstShown else { throw ShownChange.refusal }
      throw PageError(
        .refused, "\(Count.notes(entries.count)), not \(expected) as expected", hints: ["nothing was changed"]
      )
    }
    return entries
  }
}

/// A change as a page has shown it before it is made.
enum ShownChange {
  /// The word for it: another one as soon as other files change, or one of them from or to other bytes.
  ///
  /// The bytes of a file that is made are left out, because they hold the time.
  static func word(for changes: [FileChange]) -> String {
    var lines: [UInt8] = []
    for change in changes.sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) {
      let (before, after) = (change.before.map(name), change.after.map(name))
      let names = before == nil ? ["made"] : [before ?? "", after ?? "deleted"]
      lines += change.path + [0] + Array(names.joined(separator: " ").utf8) + [0x0A]
    }
    return name(of: lines)
  }

  /// The refusal if a change would be another one now.
  static let refusal = PageError(
    .changed, "the notes have changed since the preview", hints: ["nothing was changed"])

  private static func name(of bytes: [UInt8]) -> String { ObjectID(ofBlob: bytes).hex }
}

/// The answer to a change that was applied.
struct WriteAnswer {
  let outcome: WriteOutcome
  /// Whether an earlier request with the same key applied the change, so that nothing was changed now.
  var isAlreadyDone = false

  /// The answer with the notes as they are in a moment; notes that are gone are left out.
  ///
  /// - Throws: if the notes can't be read.
  func response(_ moment: PageMoment) throws(SlipboxError) -> PageResponse {
    let (catalogue, objects) = (try moment.snapshot.catalogue(), try moment.objects())
    let versions = outcome.versions
    let entries = outcome.paths.compactMap { path in
      catalogue.entry(path: path)
        ?? versions.first { $0.path == path }.flatMap {
          try? RequestedNotes(in: moment.snapshot).entry($0.ref)
        }
    }
    return try response(moment) { (writer) throws(SlipboxError) in
      try writer.array(of: entries) { (entry, writer) throws(SlipboxError) in
        try moment.write(entry, objects, to: &writer)
      }
    }
  }

  /// The answer without notes, if they can't be read: the change is applied all the same.
  func response(_ moment: PageMoment, unreadable error: any Error) -> PageResponse {
    var outcome = outcome
    let reason = PageError(any: error).message
    outcome.hints.insert("the change was saved, but the view can't be refreshed: \(reason)", at: 0)
    return WriteAnswer(outcome: outcome, isAlreadyDone: isAlreadyDone).response(moment) { writer in
      writer.array(of: [PageRequest]()) { _, _ in }
    }
  }

  private func response<Failure: Error>(
    _ moment: PageMoment, _ notes: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) -> PageResponse {
    let bytes = try JSONDocument.object { (writer) throws(Failure) in
      if isAlreadyDone { writer.member("already", true) }
      writer.key("notes")
      try notes(&writer)
      writer.member("versions", of: outcome.versions) { version, writer in
        writer.object {
          $0.member("ref", version.ref)
          $0.member("path", bytes: version.path)
          $0.member("etag", version.etag.hex)
        }
      }
      writer.member("moved", of: outcome.moved) { move, writer in
        writer.object {
          $0.member("from", bytes: move.from)
          $0.member("to", bytes: move.to)
        }
      }
      writer.key("operation")
      if let operation = outcome.operation { writer.string(operation.description) } else { writer.null() }
      writer.member("subject", outcome.subject)
      writer.member("merged", of: outcome.merged) { item, writer in
        writer.object {
          $0.member("ref", item.ref)
          $0.member("field", item.field)
        }
      }
      writer.member("hints", of: outcome.hints) { $1.string($0) }
    }
    return PageResponse.json(bytes).with(PageResponse.stateHeader, moment.state)
  }
}
