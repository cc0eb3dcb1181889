package import NoteIndex
import Notes
package import Text

/// The result of an update of the blocks of notes into which slip writes lists.
package struct Baking {
  /// A block in a note.
  package struct Place: Sendable {
    package let path: [UInt8]
    package let line: Int
    /// The reason why the block is left as it is; nil for a block that is out of date.
    package let problem: Phrase?
  }

  /// The plan that updates all blocks; it has no edits if they are up to date.
  package let plan: Plan
  /// The blocks that are out of date.
  package let stale: [Place]
  /// The blocks whose command can't be answered, and the begin lines that open no block.
  package let faulty: [Place]
  /// The number of blocks and of begin lines that open none.
  package let count: Int
  /// The encrypted notes that the blocks of other notes leave out although their queries find them.
  package var leftOut: Set<[UInt8]> = []

  /// How many encrypted notes the blocks leave out; nil if none.
  package var remark: Phrase? {
    if leftOut.isEmpty { return nil }
    let notes = leftOut.count == 1 ? "1 encrypted note" : "\(leftOut.count) encrypted notes"
    return "lists in notes that are not encrypted leave out \(notes)"
  }

  /// Returns the lines with the line ends of the note, without anything that ends an HTML comment or begins a block.
  package static func content(ofBlock lines: [String], lineEnd: [UInt8]) -> [UInt8] {
    lines.flatMap { line -> [UInt8] in
      let safe = line.replacing("-->", with: "--\\>").replacing("<!--", with: "\\<!--")
      return Array(safe.utf8) + lineEnd
    }
  }
}

/// Computes the lists that slip writes into notes.
package struct BakeLists {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Returns the notes with blocks.
  /// - Complexity: O(n); only the texts of notes that may have blocks are read.
  package func entries() throws(SlipboxError) -> [Entry] {
    let entries = try snapshot.catalogue().entries
    let facts = EntryFacts(entries)
    return try entries.flatMapChunks(executor: Processors.all) { (places) throws(SlipboxError) in
      var found: [Entry] = []
      for place in places where facts.flags(at: place)?.contains(.hasBakedBlocks) ?? true {
        let entry = entries[place]
        if BakedBlock.isIn(try entry.note.text) { found.append(entry) }
      }
      return found
    }
  }

  /// Computes the lists of the blocks of notes.
  ///
  /// A block whose command can't be answered stays unchanged.
  /// - Parameter answer: returns the answer to a view as lines of Markdown for a note at a path.
  package func result(
    _ entries: [Entry], _ answer: (_ view: View, _ path: [UInt8]) throws -> [String]
  ) throws(SlipboxError) -> Baking {
    var (edits, stale, faulty, count): ([FileEdit], [Baking.Place], [Baking.Place], Int) = ([], [], [], 0)
    for entry in entries {
      let (note, text) = (entry.note, try entry.note.text)
      var contents: [String: [UInt8]] = [:]
      var isStale = false
      for block in BakedBlock.all(in: text) {
        count += 1
        do {
          let view = try View(line: block.command, forms: View.Form.ofBlocks)
          let lines = try contents[block.command].map { _ in [] } ?? answer(view, note.path)
          let content = contents[block.command] ?? Baking.content(ofBlock: lines, lineEnd: text.lineEnd)
          contents[block.command] = content
          guard Array(text.bytes[block.content]) != content else { continue }
          stale.append(Baking.Place(path: note.path, line: block.line, problem: nil))
          isStale = true
        } catch {
          faulty.append(Baking.Place(path: note.path, line: block.line, problem: Self.reason(error)))
        }
      }
      let faults = BakedBlock.faults(in: text)
      count += faults.count
      faulty += faults.map { Baking.Place(path: note.path, line: $0.line, problem: Phrase($0.problem)) }
      guard isStale else { continue }
      edits.append(
        FileEdit.changing(note) { note throws(SlipboxError) in
          let text = try note.text
          return NoteText(BakedBlock.replacing(in: text.bytes, text.body) { contents[$0.command] })
        })
    }
    let plan = Plan(command: "bake", edits: edits, inPlace: "all blocks are up to date") { changes in
      "Bake \(Plan.described(changes))"
    }
    return Baking(plan: plan, stale: stale, faulty: faulty, count: count)
  }

  private static func reason(_ error: any Error) -> Phrase {
    switch error {
    case let error as QueryError: Phrase(error.message)
    case let error as SlipboxError: error.message
    default: "the command of the block failed"
    }
  }
}
