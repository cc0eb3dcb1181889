package import NoteIndex
package import Notes
import Text

/// Changes the text of a part of a note.
package struct ChangePart {
  /// The change of the part.
  package enum Edit {
    /// The text is added to its end, before the next heading.
    case append([UInt8])
    /// The text takes its place; a heading stays.
    case replace([UInt8])
    /// It goes; a heading goes with all that is below it.
    case delete
  }

  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The plan that changes a part of a note.
  package func plan(
    _ edit: Edit, _ part: NotePart, of entry: Entry, reason: String? = nil
  ) throws(SlipboxError) -> Plan {
    switch edit {
    case .append(let addition):
      try NoteText.refuseUnreadable(addition)
      return try changing(part, of: entry, command: "append", "Append to", reason: reason) { text, span in
        text.appending(addition, to: span)
      }
    case .replace(let new):
      try NoteText.refuseUnreadable(new)
      try reportReplaced(part, of: entry)
      return try changing(part, of: entry, command: "set", "Replace the text of", reason: reason) {
        text, span in
        text.replacing(span, with: new)
      }
    case .delete:
      return try changing(part, of: entry, command: "rm", "Delete", reason: reason) { text, span in
        text.removing(span)
      }
    }
  }

  /// Names the headings and counts the open boxes that go with the text of a section.
  private func reportReplaced(_ part: NotePart, of entry: Entry) throws(SlipboxError) {
    let text = try entry.note.text
    guard case .heading = part, let span = try? text.span(of: part) else { return }
    let anchors = HeadingAnchors(text)
    let names = zip(anchors.headings, anchors.texts).filter { span.content.contains($0.0.lines.lowerBound) }
      .map { "#\($0.1)" as Phrase }
    guard !names.isEmpty else { return }
    let boxes = CheckBox.all(in: text).count { $0.state == .open && span.content.contains($0.mark) }
    let shown = names.count > 5 ? names.prefix(5) + ["\(names.count - 5) more"] : names[...]
    let open = boxes == 0 ? "" : ", and \(boxes) open check \(boxes == 1 ? "box" : "boxes")"
    snapshot.reporter.remarkWhenDone("replaced too: \(shown.joined(separator: ", "))\(open)")
  }

  private func changing(
    _ part: NotePart, of entry: Entry, command: String, _ verb: String, reason: String?,
    _ change: @escaping @Sendable (NoteText, PartSpan) -> NoteText
  ) throws(SlipboxError) -> Plan {
    try KindFiles(in: snapshot).refuseFault(of: entry.kind)
    let edit = FileEdit.changing(entry.note) { (note) throws(SlipboxError) in
      let text = try note.text.readable(as: note)
      return change(text, try part.span(in: note, text)).keepingBody(of: text)
    }
    let shown = Phrase(part.typed)
    var plan = Plan(command: command, reason: reason, edits: [edit]) {
      "\(verb) \(shown): \(Plan.described($0))"
    }
    let text = try entry.note.text
    let span = try part.span(in: entry.note, text)
    let changed = change(text, span).keepingBody(of: text)
    if command != "append" { try entry.refuseTornLabels(span.whole, deleting: changed) }
    plan.links.lost = try LostLinks(in: snapshot).links(to: entry, becoming: changed, without: span.whole)
    return plan
  }
}

/// Adds text to the end of a note.
package struct AppendText {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The plan that adds text to the end of a note.
  ///
  /// - Throws: `.configuration` if the file of the note's kind has a mistake.
  package func plan(
    _ addition: [UInt8], to entry: Entry, command: String = "append", reason: String? = nil
  ) throws(SlipboxError) -> Plan {
    try KindFiles(in: snapshot).refuseFault(of: entry.kind)
    try NoteText.refuseUnreadable(addition)
    let block = try snapshot.layout().block(addition)
    let edit = FileEdit.changing(entry.note) { (note) throws(SlipboxError) in
      try note.text.readable(as: note).appending(block)
    }
    return Plan(command: command, reason: reason, edits: [edit], savesAlways: true) {
      "Append to: \(Plan.described($0))"
    }
  }
}
