import ArgumentParser
import NoteIndex
import Notes
import Platform
import SlipboxCore
import Text

/// How the notes of a change are chosen, and what is asked before it is made.
struct TargetOptions: ParsableArguments {
  @Option(
    name: [.long, .customShort("w")], parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Every note that a query finds, instead of REFs.", valueName: "query"))
  var `where`: [Word] = []

  @Flag(name: .customShort("0"), help: "With - as REF: names end in NUL, not in a line end.")
  var nulSeparated = false

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Refuse when the number of notes differs.", valueName: "n"))
  var expect: Int?

  @Flag(name: [.long, .customShort("y")], help: "Don't ask.")
  var yes = false

  @Flag(name: .long, help: "Print the change as a patch and change nothing.")
  var dryRun = false

  @Option(
    name: [.long, .customShort("m")], parsing: .unconditional,
    help: ArgumentHelp("Why, for the commit message.", valueName: "reason"))
  var message: Word?

  /// The notes meant, and whether they were named one by one.
  func entries(
    _ references: [String], in box: Slipbox, fuzzy: Bool = false
  ) throws -> (entries: [Entry], areNamed: Bool) {
    let found = try resolve(references, in: box, fuzzy: fuzzy)
    try refuseUnexpected(found.entries.count)
    return found
  }

  /// - Throws: `.usage` where another number of notes was expected.
  func refuseUnexpected(_ count: Int) throws(SlipboxError) {
    guard let expect, count != expect else { return }
    throw SlipboxError(
      .usage, "\(Count.notes(count)), not \(expect) as expected", hints: ["nothing was changed"])
  }

  /// The notes meant, before anything is asked of their number.
  func resolve(
    _ references: [String], in box: Slipbox, fuzzy: Bool = false
  ) throws -> (entries: [Entry], areNamed: Bool) {
    if !`where`.isEmpty {
      guard references.isEmpty else {
        throw SlipboxError(
          .usage, "REFs or --where, not both", hints: ["leave out \(Visible.escape(references[0]))"])
      }
      guard `where`.contains(where: { $0.text.contains { !$0.isWhitespace } }) else {
        throw SlipboxError(
          .usage, "--where is empty, which would mean every note", hints: ["write --where @all to mean that"])
      }
      let query = try box.query(`where`.texts)
      return (try box.matches(query).map(\.entry), false)
    }
    var names: [String] = []
    var areNamed = true
    for reference in references {
      if reference == "-" {
        areNamed = false
        names += try Self.referencesFromInput(nulSeparated: nulSeparated)
      } else {
        names.append(reference)
      }
    }
    if references.isEmpty {
      throw SlipboxError(.usage, "which note?", hints: ["name it by id, path or title, or use --where QUERY"])
    }
    return (try box.entries(names, fuzzy: fuzzy), areNamed)
  }

  /// REFs with those from standard input in the place of `-`.
  static func expandingInput(_ references: [String], nulSeparated: Bool) throws(SlipboxError) -> [String] {
    var names: [String] = []
    for reference in references {
      names += reference == "-" ? try referencesFromInput(nulSeparated: nulSeparated) : [reference]
    }
    return names
  }

  /// The first column of each line of standard input.
  static func referencesFromInput(nulSeparated: Bool) throws(SlipboxError) -> [String] {
    let input = try Console.readInput()
    let lines = input.split(separator: nulSeparated ? 0 : UInt8(ascii: "\n"))
    return lines.compactMap { line in
      let end = nulSeparated ? nil : line.firstIndex(of: UInt8(ascii: "\t"))
      let name = String(decoding: line[..<(end ?? line.endIndex)], as: UTF8.self)
      return name.isEmpty || name == "\r" ? nil : name
    }
  }

  /// Asks before many notes are changed that were not named one by one.
  /// - Throws: `.usage` where there is no terminal to ask on; `Silent` where the answer is no.
  func confirm(_ plan: Plan, _ entries: [Entry], deleting deleted: Int, in box: Slipbox) throws {
    if yes || entries.isEmpty { return }
    let what = Self.what(entries.count, deleted)
    for entry in entries.prefix(10) {
      Console.complain("  \(Slipbox.name(of: entry.note))  \(Visible.escape(entry.note.title))")
    }
    if entries.count > 10 { Console.complain("  and \(entries.count - 10) more") }
    guard let answer = Terminal.ask("slip \(plan.command): \(what)? [y/N] ") else {
      throw SlipboxError(
        .usage, "this would \(what), and there is no terminal to ask on", hints: ["add --yes"])
    }
    guard ["y", "yes"].contains(answer.lowercased()) else {
      Console.complain("nothing was changed")
      throw Silent(code: 0)
    }
  }

  private static func what(_ count: Int, _ deleted: Int) -> String {
    let changed = count - deleted
    if deleted == 0 { return "change \(Count.notes(changed))" }
    return "delete \(Count.notes(deleted))" + (changed == 0 ? "" : " and change \(Count.notes(changed))")
  }
}
