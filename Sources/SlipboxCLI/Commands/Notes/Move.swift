import ArgumentParser
import Bytes
import NoteIndex
import Notes
import SlipboxCore
import Text

struct Move: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "mv",
    abstract: "Move notes, parts of notes, folders or attachments, with every link to them.",
    discussion: """
      The destination is a folder if it ends with a slash or is an existing folder. Missing folders are \
      created, and empty folders are removed. Links to the notes are rewritten, and so are their relative \
      links. Attachments are moved only if they are named.

      A FOLDER/ is moved with all of its files, including attachments, and links to them are rewritten. As \
      with mv, it is renamed, or moved into an existing folder.

      A move of a note or a file out of a folder that git encrypts asks first; --yes answers yes. A FOLDER/ with a \
      .gitattributes that names filters is not moved: use git mv.

      REF#HEADING moves a section to the end of another note or section, with the links to its headings. \
      REF#^block and REF:LINE move a block or lines.

      Examples:
        slip mv kqzmvtrp projects/garden.md
        slip mv kqzm xwvt projects/
        slip mv --where +garden projects/ --yes
        slip mv projects/ archive/2026/
        slip mv attachments/plan.png attachments/garden.png
        slip mv kqzmvtrp#Sources xwvt
        slip mv kqzm projects/ --dry-run
      """)

  @Argument(
    help: ArgumentHelp("The notes and folders, then the path or the FOLDER/.", valueName: "ref-or-path"))
  var words: [Word]

  @OptionGroup var targets: TargetOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    guard let place = words.last, words.count > 1 || !targets.selection.where.isEmpty else {
      throw SlipboxError(
        .usage, "the destination is missing", hints: ["slip mv REF PATH, or slip mv REF... FOLDER/"])
    }
    if words.count == 1, Change(place.text) != nil, !place.text.hasSuffix("/") {
      let query = ShellWord.quoted(
        Array((targets.selection.where.texts + [place.text]).joined(separator: " ").utf8))
      throw SlipboxError(
        .usage, "\(Visible.escape(place.text)) can be part of the query or the destination",
        hints: [
          "slip mv --where \(Visible.escape(query)) FOLDER/ uses all of it as the query",
          "slip mv --where QUERY \(Visible.escape(ShellWord.quoted(Array((place.text + "/").utf8)))) moves the notes there",
        ])
    }
    if words.count == 2, targets.selection.where.isEmpty,
      let (entry, part) = try NoteLookup(in: snapshot).part(words[0].text, fuzzy: false, isStrict: true)
    {
      return try move(part, of: entry, to: place.text, in: snapshot, session)
    }
    var (references, folders): ([String], [FolderContents]) = ([], [])
    var attachments: [[UInt8]] = []
    for word in words.dropLast() {
      if let folder = try MoveFolders(in: snapshot).folder(named: word.bytes) {
        folders.append(folder)
      } else if let attachment = try MoveFolders(in: snapshot).attachment(named: word.bytes) {
        attachments.append(attachment)
      } else {
        references.append(word.text)
      }
    }
    if !folders.isEmpty || !attachments.isEmpty {
      return try move(folders, attachments, references, to: place, in: snapshot, session)
    }
    let (entries, areNamed) = try targets.entries(
      references, of: SpokenCommand("mv", ending: [place.text]), in: snapshot, session, isStrict: true)
    guard !entries.isEmpty else {
      session.say("no note matches, nothing to do")
      return
    }
    let plan = try session.givingWarnings {
      try MoveNotes(in: snapshot).plan(entries, to: place.bytes, reason: targets.reason.text)
    }
    try Changes.carryOut(
      plan, on: entries, areNamed: areNamed, BulkQuestion("move", to: place.text), targets, snapshot, session)
    guard entries.count == 1, !targets.dryRun, !place.text.contains("/"), !FileName.isNote(place.bytes),
      let new = plan.moves[entries[0].note.path],
      BytePath.name(of: new) != BytePath.name(of: entries[0].note.path)
    else { return }
    let shown = Visible.escape(place.text)
    session.say(
      "\(shown) is the name of the file; for a folder write \(shown)/, for the title use slip retitle")
  }

  /// Moves a part of a note to a note or a part of one.
  private func move(
    _ part: NotePart, of entry: Entry, to place: String, in snapshot: BoxSnapshot, _ session: Session
  ) throws {
    let target = try NoteLookup(in: snapshot).namedPart(place, fuzzy: false, isStrict: true)
    let plan = try session.givingWarnings {
      try MovePart(in: snapshot).plan(part, of: entry, to: target, reason: targets.reason.text)
    }
    try targets.refuseUnexpected(1)
    if targets.dryRun { return try Changes.printPatch(plan, snapshot, session) }
    try Changes.record(plan, yes: targets.yes, in: snapshot, session)
  }

  /// Moves folders and attachments, and the notes that are named beside them.
  private func move(
    _ folders: [FolderContents], _ attachments: [[UInt8]], _ references: [String], to place: Word,
    in snapshot: BoxSnapshot,
    _ session: Session
  ) throws {
    guard targets.selection.where.isEmpty else {
      throw SlipboxError(
        .usage, "folders and attachments can't be combined with --where")
    }
    let entries =
      references.isEmpty
      ? []
      : try targets.selection.entries(
        references, of: SpokenCommand("mv", ending: [place.text]), in: snapshot, session, isStrict: true
      ).entries
    let all = folders.flatMap(\.entries) + entries
    try targets.refuseUnexpected(Set(all.map(\.note.path)).count)
    let plan = try session.givingWarnings {
      try MoveNotes(in: snapshot).plan(
        entries, folders, attachments: attachments, to: place.bytes, reason: targets.reason.text)
    }
    if targets.dryRun { return try Changes.printPatch(plan, snapshot, session) }
    try Changes.record(plan, yes: targets.yes, in: snapshot, session)
  }
}
