import Git
import NoteIndex
import Presentation
import SlipboxCore

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
        ?? versions.first { $0.path == path }.flatMap { try? moment.snapshot.entry(namedByPage: $0.ref) }
    }
    return response(moment) { writer in
      writer.array(of: entries) { entry, writer in moment.write(entry, objects, to: &writer) }
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

  private func response(_ moment: PageMoment, _ notes: (inout JSONWriter) -> Void) -> PageResponse {
    let bytes = JSONDocument.object { writer in
      if isAlreadyDone { writer.member("already", true) }
      writer.key("notes")
      notes(&writer)
      writer.member("versions", of: outcome.versions) { version, writer in
        writer.object {
          $0.member("ref", version.ref)
          $0.member("path", bytes: version.path)
          $0.member("etag", version.etag.hex)
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
