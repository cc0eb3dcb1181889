import Bytes
import NoteIndex
import Notes
import Platform
import Text

/// Ticks check boxes of a note, or clears them.
package struct TickBoxes {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The note or the part that a reference to check boxes names: `@1` is the first box of the last list of boxes.
  ///
  /// - Throws: as `namedPart(_:fuzzy:)`; `.badData` if the last list in this terminal showed another box on a line that is
  ///   named, since a line number may be older than the file.
  package func namedBoxes(_ reference: String) throws(SlipboxError) -> NamedPart {
    if let listed = try LastList(in: snapshot).box(reference) {
      let entry = try NoteLookup(in: snapshot).entry(ByteText.text(of: listed.name), fuzzy: false)
      guard let line = try Self.line(of: listed, in: entry.note) else {
        throw SlipboxError(
          .notFound, "\(reference): \(entry.note.mention) has the check box no longer",
          hints: ["it was “\(listed.text)”; \(slip: "todos") lists the open ones"])
      }
      return NamedPart(entry: entry, part: .lines(line...line))
    }
    let named = try NoteLookup(in: snapshot).namedPart(reference, fuzzy: false)
    guard case .lines(let lines)? = named.part, lines.count == 1,
      let listed = LastList(in: snapshot).box(of: named.entry.note, line: lines.lowerBound)
    else { return named }
    let line = try Self.line(of: listed, in: named.entry.note)
    guard let line, line != lines.lowerBound else { return named }
    throw SlipboxError(
      .badData,
      "line \(lines.lowerBound) of \(named.entry.note.mention) was “\(listed.text)” in the last list; "
        + "that is line \(line) now",
      hints: ["\(slip: "todos") lists the lines as they are now"])
  }

  /// The line of a box that a list showed: the same one if its text is there, else the only one with that text.
  private static func line(of listed: ListedBox, in note: Note) throws(SlipboxError) -> Int? {
    let text = try note.text
    let same = CheckBox.all(in: text).filter { text.bytes[$0.text].elementsEqual(listed.text) }
    if same.contains(where: { $0.line == listed.line }) { return listed.line }
    return same.count == 1 ? same[0].line : nil
  }

  /// The plan that ticks check boxes of a note, or takes the ticks out.
  ///
  /// - Parameters:
  ///   - named: the note; a part limits which of its boxes are meant, and lines mean every box on them.
  ///   - words: words of the text of the one box that is meant; empty: the only box that can be ticked.
  /// - Throws: `.notFound` and `.badData` with the boxes if none or several fit.
  package func plan(
    _ named: NamedPart, words: String, isDone: Bool, reason: String? = nil
  ) throws(SlipboxError) -> Plan {
    try KindFiles(in: snapshot).refuseFault(of: named.entry.kind)
    let today = snapshot.clock.today
    let text = try named.entry.note.text
    if isDone, CheckBox.all(in: text).isEmpty, let action = closingAction(of: named.entry.kind) {
      let note = named.entry.note
      throw SlipboxError(
        .notFound, "\(note.mention) has no check box",
        hints: ["it is \(named.entry.kind.withArticle): \(slip: action, .note(note))"])
    }
    let boxes = try Self.boxes(of: named, words, isDone: isDone, in: named.entry.note)
    let edit = FileEdit.changing(named.entry.note) { (note) throws(SlipboxError) in
      let text = try note.text.readable(as: note)
      return text.ticking(
        try Self.boxes(of: named, words, isDone: isDone, in: note), on: isDone ? today : nil)
    }
    if isDone {
      reportRecurring(boxes, in: text)
      try reportOpenRecords(boxes, of: named.entry)
    }
    let shown = boxes.count == 1 ? Phrase(Self.shown(boxes[0], text.bytes)) : "\(boxes.count) check boxes"
    return Plan(command: isDone ? "tick" : "untick", reason: reason, edits: [edit]) {
      "\(isDone ? "Tick" : "Untick") \(shown): \(Plan.described($0))"
    }
  }

  /// The action of a kind that finishes its records, if it has one that is a command.
  private func closingAction(of kind: String) -> String? {
    guard let kind = snapshot.schema().kind(named: kind) else { return nil }
    return ["finish", "close"].first { kind.action(named: $0) != nil }
  }

  /// Reports the next date of boxes that recur, and the rules by which none follows.
  private func reportRecurring(_ boxes: [CheckBox], in text: NoteText) {
    for box in boxes {
      guard let rule = box.recurrence(in: text.bytes)?.rule else { continue }
      let shown: Phrase = "line \(box.line) recurs \(rule)"
      if let next = text.nextDays(of: [box], doneOn: snapshot.clock.today).first {
        let count = { (text: NoteText) in text.bytes.count { $0 == 0x0A } }
        let isThere = count(text.ticking([box], on: snapshot.clock.today)) == count(text)
        snapshot.reporter.warnOnce(
          "\(shown): "
            + (isThere
              ? "the next one is above it already"
              : "added the next one above it\(next.map { ", \($0)" } ?? ""); the lines below moved down by one")
        )
      } else {
        snapshot.reporter.warnOnce("\(shown): slip can't read this rule, and added no next one")
      }
    }
  }

  /// Names the records that stay open, of boxes that are nothing but a link to one.
  private func reportOpenRecords(_ boxes: [CheckBox], of entry: Entry) throws(SlipboxError) {
    let todos = try TodoList(in: snapshot).todos(in: [Match(entry)], [.open]).filter { todo in
      boxes.contains { $0.line == todo.line }
    }
    for (_, record) in try TodoList(in: snapshot).linkedRecords(of: todos)
    where snapshot.schema().kind(named: record.kind)?.isOfRecords == true {
      guard ActiveTest(.open, schema: snapshot.schema(), clock: snapshot.clock).isActive(record),
        let action = closingAction(of: record.kind)
      else { continue }
      snapshot.reporter.warnOnce("\(record.note.mention) stays open: \(slip: action, .note(record.note))")
    }
  }

  private static func boxes(
    of named: NamedPart, _ words: String, isDone: Bool, in note: Note
  ) throws(SlipboxError) -> [CheckBox] {
    let text = try note.text
    var boxes = CheckBox.all(in: text)
    if let part = named.part {
      let span = try part.span(in: note, text).whole
      boxes = boxes.filter { span.contains($0.mark) }
    }
    guard !boxes.isEmpty else {
      let place = Self.place(of: named.part)
      throw SlipboxError(
        .notFound, "\(place)\(note.mention) has no check box",
        hints: ["a check box is a list item such as: - [ ] text"])
    }
    // A box with a mark of one's own is meant only if its line is named.
    if words.isEmpty, case .lines(let lines)? = named.part {
      let meant = boxes.filter { ($0.state == .done) != isDone }
      // If lines end with carriage returns alone, several boxes are on one line.
      guard lines.count == 1, meant.count > 1 else { return meant }
      return try one(
        of: meant, among: boxes, "on \(Self.place(of: named.part))\(note.mention)", isDone, text.bytes)
    }
    let fitting = boxes.filter { $0.state == (isDone ? .open : .done) }
    if words.isEmpty {
      let place = Self.place(of: named.part)
      return try one(of: fitting, among: boxes, "of \(place)\(note.mention)", isDone, text.bytes)
    }
    let wanted = Folding.fold(words).split(separator: " ")
    let same = fitting.filter { Folding.fold(Self.text($0, text.bytes)) == Folding.fold(words) }
    let found = fitting.filter { box in
      let text = Folding.fold(Self.text(box, text.bytes))
      return wanted.allSatisfy { Self.hasWord($0, in: text) }
    }
    return try one(
      of: same.count == 1 ? same : found, among: boxes, "with \(words)", isDone, text.bytes)
  }

  /// Whether a word of a text begins with some letters.
  private static func hasWord(_ letters: Substring, in text: String) -> Bool {
    text.ranges(of: letters).contains { range in
      guard range.lowerBound > text.startIndex else { return true }
      let before = text[text.index(before: range.lowerBound)]
      return !before.isLetter && !before.isNumber
    }
  }

  /// The open box that a reference and words name.
  static func openBox(of named: NamedPart, _ words: String, in note: Note) throws(SlipboxError) -> CheckBox {
    let boxes = try boxes(of: named, words, isDone: true, in: note).filter { $0.state == .open }
    if let box = boxes.first, boxes.count == 1 { return box }
    if boxes.isEmpty, let part = named.part {
      throw SlipboxError(
        .notFound, "no open check box of \(place(of: part))\(note.mention)",
        hints: ["it is ticked: \(slip: "untick", .value(note.name + Array(part.typed.utf8))) clears it"])
    }
    let part = place(of: named.part)
    return try one(of: boxes, among: boxes, "of \(part)\(note.mention)", true, note.text.bytes)[0]
  }

  /// A part before the name of its note: `line 5 of `.
  private static func place(of part: NotePart?) -> Phrase {
    guard let typed = part?.typed else { return "" }
    return typed.hasPrefix(":")
      ? "line \(String(typed.dropFirst())) of " : "\(typed) of "
  }

  /// The only box that fits.
  private static func one(
    of found: [CheckBox], among boxes: [CheckBox], _ which: Phrase, _ isDone: Bool, _ bytes: [UInt8]
  ) throws(SlipboxError) -> [CheckBox] {
    if found.count == 1 { return found }
    let lines = { (boxes: [CheckBox]) -> [Phrase] in
      boxes.prefix(10).map { "  line \($0.line): \(Self.text($0, bytes))" }
        + SlipboxError.more(boxes.count - 10)
    }
    let sort = isDone ? "open" : "ticked"
    guard found.isEmpty else {
      throw SlipboxError(
        .badData, "\(found.count) \(sort) check boxes \(which)",
        hints: lines(found) + ["name its line, or words of its text"])
    }
    let others = boxes.filter { $0.state == (isDone ? .open : .done) }
    let state: Phrase? = others.isEmpty ? "all check boxes there are \(isDone ? "ticked" : "open")" : nil
    throw SlipboxError(
      .notFound, "no \(sort) check box \(which)",
      hints: state.map { [$0] } ?? ["the \(sort) check boxes are:"] + lines(others))
  }

  private static func text(_ box: CheckBox, _ bytes: [UInt8]) -> String {
    String(decoding: bytes[box.text], as: UTF8.self)
  }

  /// The text for the subject of a commit.
  private static func shown(_ box: CheckBox, _ bytes: [UInt8]) -> String {
    let text = text(box, bytes)
    return text.count > 50 ? text.prefix(49) + "\u{2026}" : text
  }
}
