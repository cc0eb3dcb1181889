import NoteIndex
import Presentation
import SlipboxCore

/// The answer to a change that was carried out.
struct WriteAnswer {
  /// The notes that were changed, as they are now.
  let notes: [Entry]
  /// The operation that can be taken back; nil where nothing was committed.
  var operation: OperationID?
  let subject: String
  /// The fields of notes that were changed elsewhere, and are taken over.
  var merged: [(ref: String, field: String)] = []
  var hints: [String] = []
  /// Whether the same request was carried out before, so that nothing was changed now.
  var isAlreadyDone = false

  func response(_ moment: PageMoment) throws(SlipboxError) -> PageResponse {
    let objects = try moment.objects()
    let bytes = JSONDocument.object { writer in
      if isAlreadyDone { writer.member("already", true) }
      writer.key("notes")
      writer.array(of: notes) { entry, writer in moment.write(entry, objects, to: &writer) }
      writer.key("operation")
      if let operation { writer.string(operation.description) } else { writer.null() }
      writer.member("subject", subject)
      writer.member("merged", of: merged) { item, writer in
        writer.object {
          $0.member("ref", item.ref)
          $0.member("field", item.field)
        }
      }
      writer.member("hints", of: hints) { $1.string($0) }
    }
    return PageResponse.json(bytes).with(PageResponse.stateHeader, moment.state)
  }
}

extension PageWrite {
  /// The answer to a change that was carried out before.
  ///
  /// - Parameter refs: the notes that were answered then; none where that is not known any more.
  static func alreadyDone(_ call: PageCall, _ body: WriteBody, _ refs: [String]) throws -> PageResponse {
    let moment = call.box.now
    let targets = try body.targets() ?? []
    let names =
      refs.isEmpty ? targets.map { ($0.ref, $0.etag) } : refs.map { ($0, nil) }
    // Notes that are gone since are not answered.
    let entries = names.compactMap { ref, etag in
      try? moment.snapshot.entry(namedByPage: ref, readAs: etag)
    }
    return try WriteAnswer(notes: entries, subject: "carried out already", isAlreadyDone: true)
      .response(moment)
  }
}
