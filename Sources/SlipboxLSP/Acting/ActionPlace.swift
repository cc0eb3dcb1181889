import NoteIndex
import Notes
import SlipboxCore

/// The part of a note that actions are asked for, with the box around it.
struct ActionPlace {
  let request: Request
  let document: OpenDocument
  let view: BoxView
  let note: Note
  let entry: Entry
  /// The selected bytes.
  let range: Range<Int>
  let diagnostics: [Diagnostic]

  /// - Returns: nil where the text is no note of a box.
  init?(_ params: CodeActionParams, _ request: Request) throws {
    let place = try request.place(params.textDocument.uri)
    guard let box = place.box, let entry = try box.snapshot.catalogue().entry(path: place.path) else {
      return nil
    }
    self.request = request
    document = place.document
    view = box
    note = place.note
    self.entry = entry
    range = document.lines.offsets(of: params.range)
    diagnostics = try NoteDiagnostics(place).all().filter { $0.range.touches(params.range) }
  }

  var bytes: [UInt8] { document.bytes }

  /// Whether bytes of the text have a place in common with the selection, be it an end.
  func isHere(_ other: Range<Int>) -> Bool {
    other.lowerBound <= range.upperBound && range.lowerBound <= other.upperBound
  }

  /// A change of some bytes of the text.
  func replacing(_ range: Range<Int>, by text: String) -> ActionOffer.Way {
    let edit = TextEdit(range: document.lines.range(of: range), newText: text)
    return .edit([.edits(VersionedDocument(uri: document.uri, version: document.version), [edit])])
  }

  /// The way of a plan: an edit of open texts, else a command.
  ///
  /// - Returns: nil where it changes nothing.
  func way(of plan: () throws(SlipboxError) -> Plan, command: ClientCommand?) -> ActionOffer.Way? {
    do throws(SlipboxError) {
      let planned = try PlannedFiles(try plan(), in: view)
      if planned.files.isEmpty { return nil }
      let isOfClient = planned.files.allSatisfy { $0.document != nil && $0.newPath == nil && $0.after != nil }
      if isOfClient { return .edit(planned.changes(view, request.client.encoding)) }
      if let command { return .command(command) }
      guard !planned.isForServer, planned.files.allSatisfy({ $0.newPath == nil && $0.before != nil }) else {
        return nil
      }
      return .edit(planned.changes(view, request.client.encoding))
    } catch {
      return .disabled(reason: error.message)
    }
  }

  /// A diagnostic of a kind at some bytes.
  func diagnostic(_ codes: [Diagnostic.Code], at range: Range<Int>) -> Diagnostic? {
    let place = document.lines.range(of: range)
    return diagnostics.first { codes.contains($0.code) && $0.range == place }
  }
}
