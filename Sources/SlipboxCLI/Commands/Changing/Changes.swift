import Bytes
import NoteIndex
import Notes
import Platform
import Presentation
import SlipboxCore
import Text

/// Reads CHANGEs, carries plans out and reports their results, for all commands that change notes.
enum Changes {
  /// Reads words that all must be CHANGEs.
  ///
  /// - Parameter lacksNotes: whether no REF precedes them, so that one may follow them.
  static func parse(_ words: [String], lacksNotes: Bool = false) throws(SlipboxError) -> [Change] {
    var changes: [Change] = []
    for word in words {
      guard let change = Change(word) else {
        let quoting = lacksNotes ? nil : MisreadChange.quotingHint(before: word, in: words)
        let order: Phrase =
          "changes are field:value, field: (clears the field), +tag, -tag; REFs and titles come first"
        throw SlipboxError(
          .usage, "\(Visible.escape(word)) is not a change",
          hints: MisreadChange(in: words).map { [$0.hint] } ?? [quoting, order].compactMap { $0 })
      }
      changes.append(change)
    }
    try Change.refuseQueryTerms(changes)
    try Change.refuseRepeated(changes)
    return changes
  }

  /// The REFs before the first CHANGE, and the CHANGEs from there on.
  static func split(
    _ words: [String], _ selection: SelectionOptions, in snapshot: BoxSnapshot
  ) throws(SlipboxError) -> (references: [String], changes: [Change]) {
    let fields = MisreadChange.fields(of: snapshot)
    let split = words.indices.first { index in
      guard let change = Change(words[index]) else { return false }
      // The title of a note, such as `Call at 12:30` or `Re:login`, is no CHANGE though it reads like one. The first word
      // and the name of an unknown field are looked up; other words are CHANGEs, which need no look at the titles.
      let isNameKnown = change.setField.map { fields.contains($0.lowercased()) } ?? true
      let mayBeTitle =
        selection.where.isEmpty
        && (words[index].utf8.contains(UInt8(ascii: " ")) || !isNameKnown
          || index == 0 && change.setField != nil)
      return !mayBeTitle || (try? NoteLookup(in: snapshot).namedPart(words[index], fuzzy: false)) == nil
    }
    let references = Array(words[..<(split ?? words.count)])
    if let meant = MisreadChange(in: references, fields: fields)
      ?? MisreadChange(blankIn: references, fields: fields),
      (try? NoteLookup(in: snapshot).entries([meant.typed], fuzzy: false)) == nil
    {
      throw meant.error
    }
    let lacksNotes = references.isEmpty && selection.where.isEmpty
    if lacksNotes { try refuseUnquotedTitle(words, in: snapshot) }
    return (references, try parse(Array(words[references.count...]), lacksNotes: lacksNotes))
  }

  /// Refuses words that begin with a title of several words without quotes, if its first word reads as a CHANGE.
  private static func refuseUnquotedTitle(
    _ words: [String], in snapshot: BoxSnapshot
  ) throws(SlipboxError) {
    for count in stride(from: words.count, to: 1, by: -1) {
      let title = words[..<count].joined(separator: " ")
      guard let entry = try? NoteLookup(in: snapshot).entry(title, fuzzy: false, suggests: false),
        entry.note.title.lowercased() == title.lowercased()
      else { continue }
      let line = ([title] + words[count...]).map { Visible.escape(ShellWord.quoted($0)) }
      throw SlipboxError(
        .usage, "\(Visible.escape(words[0])) is not the name of a note",
        hints: ["quote a title of several words: \(line.joined(separator: " "))"])
    }
  }

  /// Shows a plan, asks for confirmation and applies it, as its options say.
  /// - Parameter question: the question about notes that were not named one by one.
  static func carryOut(
    _ plan: Plan, on entries: [Entry], areNamed: Bool, _ question: BulkQuestion, _ options: TargetOptions,
    _ snapshot: BoxSnapshot, _ session: Session
  ) throws {
    if options.dryRun { return try printPatch(plan, snapshot, session) }
    guard !entries.isEmpty else {
      session.say("no note matches, nothing to do")
      return
    }
    // On a terminal, broken links are listed before the question; otherwise they are reported afterwards.
    let asksAboutLinks =
      !plan.links.lost.isEmpty && !options.yes && session.console.inputIsTerminal
      && session.console.errorsAreTerminal
    if asksAboutLinks { session.say(plan.links.lostLines) }
    let plan = try confirmingExposure(plan, yes: options.yes, session)
    if !options.yes, !areNamed || asksAboutLinks {
      try options.confirm(plan, entries, question, snapshot, session)
    }
    try record(plan, in: snapshot, session)
    if !asksAboutLinks { session.say(plan.links.lostLines) }
  }

  /// Asks for confirmation if a plan moves text out of an encrypted folder: a push can't be undone.
  ///
  /// - Parameter yes: whether the user has confirmed it by an option; nil for a command without one.
  /// - Throws: `.usage` without a terminal for the question; `EarlyExit` with 130 if the answer is no.
  static func confirmingExposure(_ plan: Plan, yes: Bool?, _ session: Session) throws -> Plan {
    guard !plan.exposed.isEmpty, !plan.isExposureConfirmed else { return plan }
    if yes != true {
      try session.confirm(
        "let the text leave the encrypted folder?",
        orFail: SlipboxError(
          .usage, "there is no terminal to confirm that encrypted text becomes readable",
          hints: [yes == nil ? "run it on a terminal" : "add --yes"]))
    }
    var plan = plan
    plan.isExposureConfirmed = true
    return plan
  }

  /// Carries a plan out, shows how far it is, and reports the result.
  ///
  /// - Parameter yes: whether the user has confirmed by an option that text leaves an encrypted folder; nil for a command
  ///   without one.
  static func record(
    _ plan: Plan, yes: Bool? = nil, in snapshot: BoxSnapshot, _ session: Session
  ) throws {
    let plan = try confirmingExposure(plan, yes: yes, session)
    let recorded = try session.showingProgress { try session.writer(after: snapshot).record(plan) }
    session.context.reporter.giveRemarks()
    try report(recorded, inPlace: plan.inPlace, session)
    guard recorded.outcome != .unchanged else { return }
    if let links = plan.links.sentence { session.say(links) }
    try reportNext(plan.next(), session)
  }

  /// Prints the records that come next, with their days, and says if there is none.
  private static func reportNext(_ records: [NextRecord], _ session: Session) throws {
    try session.console.print(NextRecordLines.lines(records, session.display))
    for record in records { NextRecordLines.remark(record).map { session.say($0) } }
  }

  /// Prints the changes of a plan as a patch.
  static func printPatch(_ plan: Plan, _ snapshot: BoxSnapshot, _ session: Session) throws {
    let patch = try snapshot.box.patch(of: try snapshot.box.preview(plan, snapshot.reporter))
    try session.console.print(verbatim: patch)
  }

  /// Reports the result of a change.
  ///
  /// - Parameters:
  ///   - notes: the notes whose names are printed if the change is saved but could not be committed.
  ///   - inPlace: the message if nothing had to be changed.
  ///   - isUndoable: whether a plain undo reverses the change; false for commits of outside edits, undo and redo.
  /// - Throws: if the change is saved in files but could not be committed.
  static func report(
    _ recorded: CommitResult, naming notes: [Note] = [], inPlace: Phrase? = nil, isUndoable: Bool = true,
    _ session: Session
  ) throws {
    switch recorded.outcome {
    case .unchanged: session.say("\(inPlace ?? "already in place"), nothing to commit")
    case .committed:
      // On a terminal one wants to see that it was done; in a script silence is enough.
      let isSeen = session.console.errorsAreTerminal
      if isSeen || session.context.face != nil, let subject = recorded.subject {
        session.say(Visible.escape(subject))
        let isLarge = recorded.changes.count > 1 || recorded.changes.contains { $0.after == nil }
        if isSeen, isLarge, isUndoable { session.say("slip undo reverses it") }
      }
      if session.bakesAfterCommits.isOn { try BakingAnswers.bakeAfterCommit(session) }
    case .refused(let message, let hints):
      for note in notes { try session.console.print(verbatim: note.name + [UInt8(ascii: "\n")]) }
      throw SlipboxError(.notPermitted, message, hints: hints)
    case .saved(let kind, let reason, let hints):
      for note in notes { try session.console.print(verbatim: note.name + [UInt8(ascii: "\n")]) }
      throw SlipboxError(
        kind, "saved, not committed; the next slip command commits it",
        hints: [reason] + hints)
    }
  }
}

extension Change {
  /// The field that the change sets; nil for tags, elements and empty values.
  var setField: String? { if case .set(let field, _) = self { field } else { nil } }
}

/// The question before a change of notes that were not named one by one, such as
/// `close and add tag refactor to 12 notes that match kind:issue`.
struct BulkQuestion {
  /// The steps in the order of the command line, each with the preposition before the notes: `add tag refactor`, `to`.
  private let steps: [(words: String, link: String)]
  /// The new folder of the notes; empty if they are not moved.
  private let place: String

  /// - Parameters:
  ///   - verb: an action, or the effect of a command beside its CHANGEs, such as `replace the text`.
  ///   - link: the word between it and the notes, such as `of`; empty for none.
  ///   - changes: the CHANGEs made with it.
  ///   - place: the new folder of the notes, as it was typed.
  init(_ verb: String? = nil, link: String = "", changes: [Change] = [], to place: String? = nil) {
    self.place = place.map { " to \(Visible.escape($0))" } ?? ""
    steps = (verb.map { [(Visible.escape($0), link)] } ?? []) + changes.map(Self.step)
  }

  private static func step(of change: Change) -> (String, String) {
    switch change {
    case .set(let field, let value): ("set \(Visible.escape(field)) to \(Visible.escape(value))", "in")
    case .clear(let field): ("clear \(Visible.escape(field))", "in")
    case .addTag(let tag): ("add tag \(Visible.escape(tag))", "to")
    case .removeTag(let tag): ("remove tag \(Visible.escape(tag))", "from")
    case .add(let value, let field): ("add \(Visible.escape(value)) to \(Visible.escape(field))", "in")
    case .remove(let value, let field):
      ("remove \(Visible.escape(value)) from \(Visible.escape(field))", "in")
    }
  }

  /// The question without its question mark.
  /// - Parameters:
  ///   - count: the number of notes that change.
  ///   - query: the terms that the notes match; empty if they were not found by a query.
  ///   - others: further effects, such as `rewrite links in 2 notes`; nil for none.
  func text(count: Int, query: [String], others: String? = nil) -> String {
    let words = steps.map(\.words)
    let what = words.isEmpty ? "change" : Sentence.list(words)
    let link = steps.last.map(\.link) ?? ""
    let terms = Visible.escape(query.joined(separator: " "))
    let found = query.isEmpty ? "" : " that \(count == 1 ? "matches" : "match") \(terms)"
    return "\(what) \(link.isEmpty ? "" : link + " ")\(Count.notes(count))\(found)\(place)"
      + (others.map { " and \($0)" } ?? "")
  }
}

/// The answers in the blocks of notes, as commands write them.
enum BakingAnswers {
  /// Bakes all blocks after a change of notes.
  static func bakeAfterCommit(_ session: Session) throws {
    let snapshot = try session.openBox()
    let baking = try baking(try BakeLists(in: snapshot).entries(), in: snapshot, from: snapshot)
    guard !baking.stale.isEmpty else { return }
    if let remark = baking.remark { session.say(remark) }
    _ = try session.writer(after: snapshot).record(baking.plan)
    try bakeRest(of: nil, session)
  }

  /// How often blocks are baked that the words of other blocks changed.
  private static let rounds = 4

  /// Bakes blocks that are out of date since other blocks were baked.
  ///
  /// - Parameter paths: those of the notes; nil for all.
  static func bakeRest(of paths: [[UInt8]]?, _ session: Session) throws {
    for _ in 1..<rounds {
      let snapshot = try session.openBox()
      let entries = try BakeLists(in: snapshot).entries().filter { paths?.contains($0.note.path) ?? true }
      let baking = try baking(entries, in: snapshot, from: snapshot)
      if baking.stale.isEmpty { return }
      _ = try session.writer(after: snapshot).record(baking.plan)
    }
  }

  /// Works out the blocks of notes from the state of a box.
  static func baking(
    _ entries: [Entry], in snapshot: BoxSnapshot, from source: BoxSnapshot
  ) throws(SlipboxError) -> Baking {
    var leftOut: Set<[UInt8]> = []
    let blocks = BakedLists(in: source)
    var baking = try BakeLists(in: snapshot).result(entries) { view, path in
      let (lines, hidden) = try blocks.lines(of: view, in: path)
      leftOut.formUnion(hidden)
      return lines
    }
    baking.leftOut = leftOut
    return baking
  }
}

/// A CHANGE or a term in the form of another program: `due=friday`, `due: friday`, `due = friday`.
struct MisreadChange {
  /// The words as they were typed.
  let typed: String
  /// The form that is read here.
  let meant: String

  /// Finds the first such words.
  ///
  /// - Parameter fields: the names that count with an equals sign; nil if only `due: friday` is looked for.
  init?(in words: [String], fields: Set<String>? = nil) {
    for index in words.indices {
      guard let found = Self.field(at: index, of: words, fields) else { continue }
      typed = words[found.words].joined(separator: " ")
      meant = ShellWord.quoted("\(found.name):\(found.value)")
      return
    }
    return nil
  }

  /// Finds a field and its value side by side behind a REF: `Dune rating 5`.
  init?(pairIn words: [String], fields: Set<String>) {
    let names = words.indices.dropFirst().dropLast()
    guard let index = names.first(where: { fields.contains(words[$0].lowercased()) }) else { return nil }
    typed = "\(words[index]) \(words[index + 1])"
    meant = ShellWord.quoted("\(words[index]):\(words[index + 1])")
  }

  /// Finds a word with a blank after its colon: `'due: friday'`.
  init?(blankIn words: [String], fields: Set<String>) {
    for word in words {
      guard let colon = word.firstIndex(of: ":"), word[word.index(after: colon)...].first == " ",
        fields.contains(word[..<colon].lowercased())
      else { continue }
      let value = word[word.index(after: colon)...].drop { $0 == " " }
      if value.isEmpty { continue }
      typed = word
      meant = ShellWord.quoted("\(word[..<colon]):\(value)")
      return
    }
    return nil
  }

  /// A hint at a value of several words without quotes: `due:next week`; nil if no CHANGE precedes them.
  static func quotingHint(before word: String, in words: [String]) -> Phrase? {
    guard let index = words.firstIndex(of: word), index > 0, case .set? = Change(words[index - 1]) else {
      return nil
    }
    let value = [words[index - 1]] + words[index...].prefix { Change($0) == nil }
    return "quote a value of several words: \(typed: value.joined(separator: " "))"
  }

  /// The names of fields that kinds declare and of those that every note has.
  static func fields(of snapshot: BoxSnapshot) -> Set<String> {
    let schema = snapshot.schema()
    return Set(schema.kinds.flatMap { kind in kind.fieldOrder.map { $0.lowercased() } } + ["title", "tags"])
  }

  private typealias Field = (name: String, value: String, words: ClosedRange<Int>)

  private static func field(at index: Int, of words: [String], _ fields: Set<String>?) -> Field? {
    let word = words[index]
    let rest = words[(index + 1)...]
    if fields == nil || word.hasSuffix(":") {
      guard case .clear(let name)? = Change(word), let value = rest.first, Change(value) == nil else {
        return nil
      }
      // A value of several words goes on up to the next CHANGE.
      let values = rest.prefix { Change($0) == nil }
      return (name, values.joined(separator: " "), index...(index + values.count))
    }
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let name = parts.first, fields?.contains(name.lowercased()) == true else { return nil }
    switch (parts.count, parts.last ?? "") {
    case (2, let value) where !value.isEmpty: return (name, value, index...index)
    case (2, _): return rest.first.map { (name, $0, index...(index + 1)) }
    default: break
    }
    guard let sign = rest.first, sign.hasPrefix("=") else { return nil }
    if sign.utf8.count > 1 { return (name, String(sign.dropFirst()), index...(index + 1)) }
    return rest.dropFirst().first.map { (name, $0, index...(index + 2)) }
  }

  /// Hints at terms of a query that found nothing.
  static func hints(in words: [String], of snapshot: BoxSnapshot) -> [Phrase] {
    MisreadChange(in: words, fields: fields(of: snapshot)).map { [$0.hint] } ?? []
  }

  /// The text to type.
  var hint: Phrase { "write a field and its value as one word with a colon: \(meant)" }

  /// The refusal of the words.
  var error: SlipboxError {
    SlipboxError(.usage, "\(Visible.escape(typed)) is not a change", hints: [hint])
  }
}
