import Foundation
import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// Commands of all kinds in random order, taken back and done again.
///
/// `SLIPBOX_UNDO_SEQUENCES` sets how many sequences run, for a long campaign.
@Suite struct UndoPropertyTests {
  static let sequences =
    ProcessInfo.processInfo.environment["SLIPBOX_UNDO_SEQUENCES"].flatMap { Int($0) } ?? 300

  @Test(arguments: 0..<sequences) func everyByteComesBack(_ seed: Int) throws {
    let box = try UndoBox(seed: UInt64(seed))
    try box.begin()
    // The states that undo and redo go through.
    var states = [try box.files()]
    var place = 0
    for _ in 0..<Int.random(in: 4..<9, using: &box.random) {
      guard try box.randomCommand() else { continue }
      states = Array(states[...place]) + [try box.files()]
      place += 1
      guard Int.random(in: 0..<4, using: &box.random) == 0 else { continue }
      for _ in 0..<Int.random(in: 1..<3, using: &box.random) where place > 0 {
        #expect(try box.undo() == .done)
        place -= 1
        #expect(try box.files() == states[place])
      }
      if place + 1 < states.count, Bool.random(using: &box.random) {
        #expect(try box.redo() == .done)
        place += 1
        #expect(try box.files() == states[place])
      }
    }
    while place > 0 {
      #expect(try box.undo() == .done)
      place -= 1
      #expect(try box.files() == states[place])
    }
    // What was written to make the box is not taken back here.
    while place + 1 < states.count {
      #expect(try box.redo() == .done)
      place += 1
      #expect(try box.files() == states[place])
    }
    #expect(try box.redo() == .none)
    #expect(try box.status() == "")
  }

  /// Other programs and other devices work on the same notes, at other lines.
  @Test(arguments: 0..<max(1, sequences / 4)) func theWorkOfOthersStays(_ seed: Int) throws {
    let box = try UndoBox(seed: UInt64(seed) &+ 77_000)
    try box.begin()
    let other = try UndoBox(cloning: box, device: "train")
    let before = try box.files()
    var (count, foreign) = (0, 0)
    for _ in 0..<6 {
      switch Int.random(in: 0..<5, using: &box.random) {
      case 0:
        foreign += 1
        try box.editOutside(foreign)
      case 1:
        foreign += 1
        if try box.pull(from: other, foreign) { count += 1 }
      default: if try box.randomFieldCommand() { count += 1 }
      }
    }
    for _ in 0..<count { #expect(try box.undo() == .done) }
    // The lines of others are there, and all else is as it was.
    for (path, bytes) in before {
      let text = String(decoding: bytes, as: UTF8.self)
      let now = try #require(box.text(path))
      let own = now.split(separator: "\n", omittingEmptySubsequences: false).filter {
        !$0.hasPrefix("Foreign ")
      }
      #expect(own.joined(separator: "\n") == text, "\(path) of seed \(seed)")
    }
    let lines = try box.files().values.reduce(0) {
      $0 + String(decoding: $1, as: UTF8.self).components(separatedBy: "\nForeign ").count - 1
    }
    #expect(lines == foreign)
  }

  /// An operation out of the middle is taken back exactly, or refused with nothing changed.
  @Test(arguments: 0..<sequences) func oneInTheMiddleIsTakenBackOrRefused(_ seed: Int) throws {
    let box = try UndoBox(seed: UInt64(seed) &+ 5_000)
    try box.begin()
    for _ in 0..<5 { _ = try box.randomCommand() }
    let operations = try box.operations()
    // Where hardly any of the commands had something to change, there is no middle.
    guard let name = operations.dropLast().randomElement(using: &box.random) else { return }
    let before = try box.files()
    switch try box.undo(op: name) {
    case .refused(let reasons):
      #expect(!reasons.isEmpty)
      #expect(try box.files() == before)
    case .done:
      #expect(try box.status() == "")
      // What was taken back alone comes back as it was.
      #expect(try box.redo() == .done)
      #expect(try box.files() == before)
    case .unchanged: #expect(try box.files() == before)
    case .none: Issue.record("\(name) was not found")
    }
  }
}

extension UndoBox {
  private static let body = "First line.\n\nSecond line.\n\nThird line.\n\nMarked.\n"

  /// A box of a few notes and records, made by one operation.
  func begin() throws {
    var files: [(path: String, text: String?)] = []
    for (number, id) in ["kqzmvtrp", "lvwnxsyq", "mtpzrkqx", "nwkslvyt", "pqrstvwx"].enumerated() {
      let front =
        number < 3
        ? "title: Note \(number)\ntags: [home, x\(number)]\n"
        : "kind: issue\ntitle: Issue \(number)\nstatus: open\n"
      files.append(
        ("note-\(number).md", "---\nid: \(id)\n\(front)created: 2026-01-0\(number + 1)\n---\n\(Self.body)"))
    }
    try write(files)
    try folder.git("commit", "-q", "--amend", "-m", "As found")
  }

  private func notes() throws -> [Entry] { Array(try open().snapshot.catalogue().entries) }

  private func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }

  /// Runs a random command; false where it changed nothing.
  func randomCommand() throws -> Bool {
    do {
      return try anyCommand()
    } catch is SlipboxError {
      // Such as a tag that is not there.
      return false
    }
  }

  private func anyCommand() throws -> Bool {
    let entries = try notes()
    guard !entries.isEmpty else { return try makeNote() }
    let entry = pick(entries)
    let number = Int.random(in: 0..<1_000, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return try makeNote()
    case 1: return try record { try DeleteNotes(in: $0).plan([entry], rule: .detach, reason: nil).plan }
    case 2: return try record { try AppendText(in: $0).plan(Array("Line \(number).\n".utf8), to: entry) }
    case 3:
      return try record { try ChangeTags(in: $0).rename(self.pick(["home", "x1", "away"]), to: "away").plan }
    case 4:
      let folder = pick(["", "sub/"])
      let text = text(String(decoding: entry.note.path, as: UTF8.self))
      return try write([
        (String(decoding: entry.note.path, as: UTF8.self), nil), ("\(folder)moved-\(number).md", text),
      ])
    case 5:
      return try record { try ChangeNotes(in: $0).plan(entries, [.set(field: "lot", value: "\(number)")]) }
    case 6: return try editText(entry, number)
    case 7:
      return try write([(".slipbox/kinds/k\(number % 3).yaml", "fields:\n  f\(number):\n    type: text\n")])
    default: return try randomFieldCommand()
    }
  }

  /// Runs a random command on fields alone; false where it changed nothing.
  func randomFieldCommand() throws -> Bool {
    let entries = try notes()
    guard !entries.isEmpty else { return false }
    let entry = pick(entries)
    let number = Int.random(in: 0..<1_000, using: &random)
    let changes: [[Change]] = [
      [.set(field: "rating", value: "\(number % 5)")], [.clear(field: "rating")],
      [.set(field: "colour", value: "c\(number)")],
      [.add("t\(number % 4)", field: "tags")], [.remove("home", field: "tags")],
      [.set(field: "title", value: "Title \(number)")],
    ]
    if entry.kind == "issue", number % 2 == 0 {
      return try record {
        try ChangeNotes(in: $0).plan([entry], [.set(field: "status", value: self.pick(["open", "closed"]))])
      }
    }
    return try record { try ChangeNotes(in: $0).plan([entry], self.pick(changes)) }
  }

  private func makeNote() throws -> Bool {
    let number = Int.random(in: 0..<10_000, using: &random)
    let id = NoteID.random(using: &random)
    return try write([("made-\(number).md", "---\nid: \(id)\ntitle: Made \(number)\n---\n\(Self.body)")])
  }

  /// Changes a line of the text as an editor would.
  private func editText(_ entry: Entry, _ number: Int) throws -> Bool {
    let path = String(decoding: entry.note.path, as: UTF8.self)
    guard let text = text(path) else { return false }
    let line = pick(["First line.", "Second line.", "Third line."])
    return try write([
      (path, text.replacingOccurrences(of: line, with: "\(line.prefix(5)) \(number)\n\n\(line)"))
    ])
  }

  /// Another program adds a line at the end of a note, and may commit it.
  func editOutside(_ number: Int) throws {
    let path = "note-\(Int.random(in: 0..<5, using: &random)).md"
    guard let text = text(path) else { return }
    try folder.write(path, text + "Foreign \(number)\n")
    if Bool.random(using: &random) { try folder.git("commit", "-qam", "By hand") }
  }

  /// Another device adds a line to a note, and it is pulled by merge or by rebase; true where a command ran meanwhile.
  func pull(from other: UndoBox, _ number: Int) throws -> Bool {
    try folder.git("add", "-A")
    if try !folder.git("status", "--porcelain").isEmpty { try folder.git("commit", "-qm", "By hand") }
    try other.folder.git("pull", "-q", "--no-rebase", folder.path, "main")
    let path = "note-\(Int.random(in: 0..<5, using: &random)).md"
    guard let text = other.text(path) else { return false }
    try other.write([
      (path, text.replacingOccurrences(of: "\nMarked.\n", with: "\nMarked.\nForeign \(number)\n"))
    ])
    let isChanged = try randomFieldCommand()
    let way = Bool.random(using: &random) ? "--no-rebase" : "--rebase"
    try folder.git("pull", "-q", way, "--no-edit", other.folder.path, "main")
    return isChanged
  }
}
