import ArgumentParser
import Notes
import SlipboxCore

struct SetFields: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change fields, tags or the body of notes.",
    discussion: """
      REFs first, then CHANGEs: field:value, field: (empty clears), field:+x and field:-x for lists, +tag, -tag. Only \
      the lines of that field change; comments, order and quotes stay.

      Examples:
        slip set kqzmvtrp status:done +later
        slip set "Fermentation basics" -food rating:4
        slip set --where +inbox +sorted -inbox --yes
        slip set kqzm due: --dry-run
      """)

  @Argument(help: ArgumentHelp("REFs, then CHANGEs.", valueName: "ref-or-change"))
  var words: [Word] = []

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Replace the text; - reads it from standard input.", valueName: "text"))
  var body: Word?

  @Flag(name: .long, help: "Let -tag drop the # of a tag in the text.")
  var inline = false

  @Flag(name: .long, help: "Give notes that have no id one.")
  var giveId = false

  @OptionGroup var targets: TargetOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let session = Session(global)
    let box = try session.openBox()
    let words = words.texts
    let split = firstChange(of: words, in: box)
    let changes = try Changes.parse(Array(words[split...]))
    guard !changes.isEmpty || body != nil || giveId else {
      throw SlipboxError(.usage, "what should change?", hints: ["slip set REF field:value +tag -tag"])
    }
    let (entries, areNamed) = try targets.entries(Array(words[..<split]), in: box)
    let newBody = try body.map { $0.text == "-" ? try Console.readInput() : Self.line($0.bytes) }
    let plan = try box.changing(
      entries, changes, body: newBody, droppingInlineTags: inline, givingIDs: giveId,
      reason: targets.message?.text)
    do {
      try Changes.carryOut(plan, on: entries, areNamed: areNamed, targets, box, session)
    } catch let error as SlipboxError where newBody != nil {
      throw box.keeping(newBody ?? [], name: "body", error)
    }
  }

  /// Where the CHANGEs begin; a title such as `Call at 12:30` that a note has is none, though it reads like one.
  private func firstChange(of words: [String], in box: Slipbox) -> Int {
    words.indices.first { index in
      guard Change(words[index]) != nil else { return false }
      let mayBeTitle = targets.where.isEmpty && words[index].utf8.contains(UInt8(ascii: " "))
      return !mayBeTitle || (try? box.entries([words[index]], fuzzy: false)) == nil
    } ?? words.count
  }

  /// A body that was typed as an argument ends in a line end, as a file does.
  private static func line(_ bytes: [UInt8]) -> [UInt8] {
    bytes.isEmpty || bytes.last == UInt8(ascii: "\n") ? bytes : bytes + [UInt8(ascii: "\n")]
  }
}
