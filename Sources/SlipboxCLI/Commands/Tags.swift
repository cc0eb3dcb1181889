import ArgumentParser
import Platform
import SlipboxCore
import Text

struct Tags: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tags",
    abstract: "List tags with their numbers of notes; declare, rename, merge and drop them.",
    discussion: """
      Without an action every tag is listed with the number of active notes and of all. The actions:

        declare NAME...     keep tags that no note bears yet
        rename OLD NEW      also the tags below: work/clients with work
        merge FROM... INTO  put one tag in the place of others
        drop NAME...        take tags out of every note; in the text only the # goes
        missing REF         the tags that a note does not bear

      rename, merge and drop change the front-matter and the text of every note that bears the tag, in one commit. They \
      ask before; without a terminal they need --yes.

      Examples:
        slip tags
        slip tags --tree
        slip tags declare someday work/clients
        slip tags rename food cooking --yes
        slip tags merge trash old archive --yes
        slip tags drop inbox --yes -m "Sorted at last"
        slip tags missing "Fermentation basics"
      """)

  @Argument(help: ArgumentHelp("An action with its tags; none lists them.", valueName: "action"))
  var words: [Word] = []

  @Flag(name: .long, help: "Nested tags under their parents, whose numbers count them too.")
  var tree = false

  @Flag(name: .long, help: "As JSON.")
  var json = false

  @OptionGroup var targets: TargetOptions
  @OptionGroup var global: GlobalOptions

  static let actions = ["list", "declare", "rename", "merge", "drop", "missing"]

  func run() throws {
    let session = Session(global)
    let names = Array(words.texts.dropFirst())
    let action = words.first?.text ?? "list"
    try check(action, names)
    let box = try session.openBox()
    let output = TagOutput(session: session, isJSON: json)
    let reason = targets.message?.text
    switch action {
    case "declare": try declare(names, box, session)
    case "rename": try carryOut(try box.renamingTag(names[0], to: names[1], reason: reason), box, session)
    case "merge":
      try carryOut(
        try box.mergingTags(Array(names.dropLast()), into: names[names.count - 1], reason: reason), box,
        session)
    case "drop": try carryOut(try box.droppingTags(names, reason: reason), box, session)
    case "missing": try output.write(missing: try box.missingTags(of: try box.entry(names[0], fuzzy: true)))
    default:
      if tree { try output.write(tree: try box.tagTree()) } else { try output.write(list: try box.tags()) }
      box.tellOfUnreadableNotes()
    }
  }

  /// Refuses words and options that do not go with the action.
  private func check(_ action: String, _ names: [String]) throws(SlipboxError) {
    let form: (words: String, fits: Bool)
    switch action {
    case "list": form = ("", names.isEmpty)
    case "declare", "drop": form = (" NAME...", !names.isEmpty)
    case "rename": form = (" OLD NEW", names.count == 2)
    case "merge": form = (" FROM... INTO", names.count >= 2)
    case "missing": form = (" REF", names.count == 1)
    default:
      let near = Spelling.nearest(to: action, among: Self.actions)
      throw SlipboxError(
        .usage, "slip tags can't \(Visible.escape(action))",
        hints: [
          near.map { "did you mean: slip tags \($0)" } ?? "it can: \(Self.actions.joined(separator: ", "))"
        ])
    }
    guard form.fits else { throw SlipboxError(.usage, "it is: slip tags \(action)\(form.words)") }
    if !targets.where.isEmpty || targets.nulSeparated {
      throw SlipboxError(
        .usage, "slip tags works on the whole box",
        hints: ["slip set --where QUERY +new -old changes some notes"])
    }
    if tree, action != "list" { throw SlipboxError(.usage, "--tree goes with the list alone") }
    if json, action != "list", action != "missing" {
      throw SlipboxError(.usage, "--json goes with the list and with missing")
    }
  }

  private func declare(_ names: [String], _ box: Slipbox, _ session: Session) throws {
    let plan = try box.declaringTags(names, reason: targets.message?.text)
    if targets.dryRun { return try Changes.printPatch(plan, box) }
    try Changes.record(plan, in: box, session)
  }

  /// Shows what a change of tags does, asks, and does it.
  private func carryOut(_ work: TagWork, _ box: Slipbox, _ session: Session) throws {
    if let expect = targets.expect, work.entries.count != expect {
      throw SlipboxError(
        .usage, "\(Count.notes(work.entries.count)), not \(expect) as expected",
        hints: ["nothing was changed"])
    }
    if !work.entries.isEmpty, !targets.yes, !targets.dryRun { Self.show(work.moves) }
    guard work.entries.isEmpty, !targets.dryRun else {
      return try Changes.carryOut(work.plan, on: work.entries, areNamed: false, targets, box, session)
    }
    // Only the settings name such a tag, or all is in place.
    try Changes.record(work.plan, in: box, session)
  }

  private static let shownMoves = 10

  private static func show(_ moves: [(old: String, new: String?)]) {
    for move in moves.prefix(shownMoves) {
      let old = Visible.escape(move.old)
      Console.complain(move.new.map { "\(old) becomes \(Visible.escape($0))" } ?? "\(old) goes")
    }
    if moves.count > shownMoves { Console.complain("and \(moves.count - shownMoves) more tags below") }
  }
}
