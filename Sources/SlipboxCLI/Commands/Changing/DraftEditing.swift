import Notes
import Platform
import SlipboxCore
import Text

/// Opens a new note in the editor before it has a file in the box.
struct DraftEditing {
  private let snapshot: BoxSnapshot
  private let session: Session
  private let hasForm: Bool

  /// - Parameter hasForm: whether the draft has its own form, that of a template, and needs no lines for its fields.
  init(_ snapshot: BoxSnapshot, _ session: Session, hasForm: Bool = false) {
    self.snapshot = snapshot
    self.session = session
    self.hasForm = hasForm
  }

  /// Returns the draft as the editor saved it, valid by its kind.
  ///
  /// - Parameter folder: the folder of the box for the note; nil for the usual one.
  /// - Throws: if the editor failed, and `.badData` if the result is not valid and the user does not edit it
  ///   again, each with the path of the kept draft; `EarlyExit` with 130 if the draft is empty.
  func edited(_ text: NoteText, _ id: NoteID, kind: Kind, in folder: [UInt8]?) throws -> NoteText {
    _ = try Editor.command(session)
    let form = DraftForm(kind, for: text, today: session.context.clock.now.civilDate, asksTitleAlone: hasForm)
    // A draft that is gone on with has lines of the form already.
    let bare = NoteText(form.removed(from: text.bytes))
    let file = try snapshot.box.writeDraft(form.added(to: bare), name: id.description, in: folder)
    let kept: Phrase =
      "your draft is saved at \(file); continue with: \(slip: "new", "--draft", .value(id.description))"
    while true {
      do throws(SlipboxError) {
        _ = try Editor.open([file], session)
      } catch {
        throw SlipboxError(error.kind, error.message, hints: [kept] + error.hints)
      }
      let edited = NoteText(form.removed(from: try snapshot.box.readDraft(file)))
      let note = Note(path: [], text: edited)
      let isUntouched = hasForm && edited == bare && !note.hasOwnTitle
      if edited.bytes.isEmpty || (note.title == "Untitled" && isBlank(edited)) || isUntouched {
        snapshot.box.removeDraft(file)
        session.say("the text is empty, no note was created")
        throw EarlyExit(code: ExitCode.interrupted)
      }
      let faults = try faults(in: note, id)
      guard let first = faults.first else {
        snapshot.box.removeDraft(file)
        return edited
      }
      guard EditAgain.isWanted(faults, otherwise: kept, session) else {
        throw SlipboxError(.badData, "the new note: \(first)", hints: faults.dropFirst() + [kept])
      }
    }
  }

  /// Why a draft can't be a note.
  private func faults(in note: Note, _ id: NoteID) throws(SlipboxError) -> [Phrase] {
    let unreadable: [Phrase] = note.frontMatter.problems.map {
      "line \($0.line), column \($0.column): \($0.message)"
    }
    if !unreadable.isEmpty { return unreadable }
    if try note.text.hasLateFrontMatter { return [Phrase(NoteText.lateFrontMatterWords)] }
    if note.id != id { return ["its id must stay \(id)"] }
    return ChangeRecords(in: snapshot).problems(in: note)
  }

  private func isBlank(_ text: NoteText) -> Bool {
    text.bytes[text.body].allSatisfy { $0 <= 0x20 }
  }
}

/// The lines that show in an editor which fields a new record may have.
///
/// They are comments, and a title without a value. Lines that were not filled in are removed again.
struct DraftForm {
  private let lines: [String]

  /// - Parameters:
  ///   - text: the draft, whose own fields need no line.
  ///   - asksTitleAlone: whether other fields than the title need none either.
  init(_ kind: Kind, for text: NoteText, today: CivilDate, asksTitleAlone: Bool = false) {
    let present = FrontMatter(text)
    let missing = kind.fields.filter { field in
      present.field(field.name) == nil && !Self.isSetBySlip(field.name)
        && (!asksTitleAlone || field.name == "title")
    }
    lines = missing.map { field in
      field.name == "title" ? "title:" : "# \(field.name): \(field.form(today: today))"
    }
  }

  /// Fields that actions set, or that every new note has.
  private static func isSetBySlip(_ name: String) -> Bool { name == "created" || name == "id" }

  /// The draft with the lines at the end of its front-matter.
  func added(to text: NoteText) -> [UInt8] {
    guard let block = text.frontMatter else { return text.bytes }
    let form = lines.flatMap { Array($0.utf8) + text.lineEnd }
    return Array(text.bytes[..<block.upperBound]) + form + text.bytes[block.upperBound...]
  }

  /// The saved text without the unchanged lines of the form.
  func removed(from bytes: [UInt8]) -> [UInt8] {
    let text = NoteText(bytes)
    guard let block = text.frontMatter else { return bytes }
    var kept: [[UInt8]] = []
    for line in bytes[block].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let shown = String(decoding: line, as: UTF8.self)
      let isForm = lines.contains(shown.hasSuffix("\r") ? String(shown.dropLast()) : shown)
      if !isForm { kept.append(Array(line)) }
    }
    return Array(bytes[..<block.lowerBound]) + kept.joined(separator: [UInt8(ascii: "\n")])
      + bytes[block.upperBound...]
  }
}

extension Field {
  /// The values that it may have, in the form of a file.
  fileprivate func form(today: CivilDate) -> String {
    let one =
      switch type {
      case .choice: values.joined(separator: ", ")
      case .boolean: "true or false"
      case .integer: Self.range(minimum, maximum)
      case .date, .moment: "a date such as \(today)"
      case .reference: "the id of \((target ?? "note").withArticle)"
      case .tags: "[one, two]"
      case .recurrence: "a recurrence such as weekly, 3d or +2w"
      case .text: comment ?? "text"
      }
    return isList && type != .tags ? "a list of: \(one)" : one
  }

  private static func range(_ minimum: Int?, _ maximum: Int?) -> String {
    switch (minimum, maximum) {
    case (let low?, let high?): "\(low) to \(high)"
    case (let low?, nil): "\(low) or more"
    case (nil, let high?): "up to \(high)"
    case (nil, nil): "a number"
    }
  }
}
