import Foundation
import NoteIndex
import Notes
import SlipboxTesting
import Synchronization
import Testing

@testable import SlipboxCore
import Text

/// Several threads ask one snapshot after the other while a writer goes on.
@Suite struct SnapshotThreadsTests {
  private static let queries = [
    [], ["word"], ["+odd"], ["-odd", "sort:-modified"], ["title:note"], ["links:note-1"], ["is:orphan"],
    ["created:2026"], ["rating:3.."], ["has:rating", "limit:3"], ["\"the body\""], ["modified:7d"],
  ]

  /// How many questions are asked in all; the environment may ask for fewer where each is slow.
  private static let questions =
    ProcessInfo.processInfo.environment["THREAD_QUESTIONS"].flatMap { Int($0) } ?? 10_000
  private static let threads = 8
  /// How many snapshots are asked: what threads may disturb is the first answer to each question of a snapshot. Each thread
  /// asks each of the 20 questions at least once.
  private static let rounds = min(25, max(1, questions / threads / 20))

  private func makeBox(_ folder: TemporaryFolder) throws -> BoxInTest {
    let box = try SlipboxCoreTests.makeBox(in: folder)
    for number in 0..<60 {
      try folder.write(
        "note-\(number).md",
        """
        ---
        title: Note \(number)
        tags: [\(number % 2 == 0 ? "even" : "odd")]
        rating: \(number % 6)
        ---
        The body of it, a word, [[note-\((number + 7) % 60)]].

        """)
    }
    try folder.git("add", "-A")
    try folder.git("commit", "-qm", "Notes")
    return box
  }

  /// What a snapshot answers, as text.
  private static func answer(_ snapshot: BoxSnapshot, _ number: Int) throws -> String {
    switch number % 20 {
    case 12:
      return try BoxTags(of: snapshot).counts().map { "\($0.name) \($0.active) \($0.all)" }.joined(
        separator: ",")
    case 13:
      // How git keeps its objects is no part of the snapshot.
      return try BoxCheck(in: snapshot).findings().filter { $0.rule != .upkeep }.map(\.message.description)
        .joined(
          separator: ",")
    case 14: return try NoteLookup(in: snapshot).entry("Note \(number % 60)", fuzzy: true).note.title
    case 15:
      let entry = try NoteLookup(in: snapshot).entry("note-\(number % 60).md", fuzzy: false)
      return String(decoding: try entry.note.text.bytes, as: UTF8.self)
    case 16: return try snapshot.search(try snapshot.query(["word"])).map { "\($0.score)" }.joined()
    case 17: return "\(snapshot.schema().kinds.count)"
    case 18: return try OutsideChanges(in: snapshot).notes().map { "\($0.difference)" }.joined(separator: ",")
    case 19: return snapshot.modified(try NoteLookup(in: snapshot).entry("note-1.md", fuzzy: false)).rfc3339
    default:
      let matches = try snapshot.matches(try snapshot.query(queries[number % 20 % queries.count]))
      let times = snapshot.modified(of: matches)
      return zip(matches, times).map {
        String(decoding: $0.entry.note.path, as: UTF8.self) + $1.rfc3339
      }.joined(separator: ",")
    }
  }

  /// Every thread gets the same answer to the same question of the same snapshot.
  @Test func answersAreTheSameOnEveryThread() throws {
    let folder = try TemporaryFolder()
    let box = try makeBox(folder).box
    let path = folder.path
    let stop = Mutex(false)
    let writing = DispatchGroup()
    DispatchQueue.global().async(group: writing) {
      var count = 0
      while !stop.withLock({ $0 }), count < 500 {
        count += 1
        let edit = FileEdit(path: Array("written.md".utf8)) { _ in Array("# Written \(count)\n".utf8) }
        let own = context(in: path, seed: UInt64(count))
        _ = try? BoxWriter(box, own).record(Plan(command: "set", edits: [edit]) { _ in "Write" })
        usleep(10_000)
      }
    }
    let failures = Mutex<[String]>([])
    for round in 0..<Self.rounds {
      let snapshot = try WorkTreeReader(box, context(in: folder.path)).snapshot()
      let answers = Mutex<[Int: String]>([:])
      DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
        for step in 0..<max(1, Self.questions / Self.threads / Self.rounds) {
          let number = (step + thread) % 20
          do {
            // The file that is written meanwhile may differ from one look to the next.
            let answer = try Self.answer(snapshot, number)
            let first = answers.withLock { answers in
              defer { answers[number] = answers[number] ?? answer }
              return answers[number]
            }
            if let first, first != answer, number != 18 {
              failures.withLock { $0.append("round \(round), question \(number): \(first) and \(answer)") }
            }
          } catch {
            failures.withLock { $0.append("round \(round), question \(number): \(error)") }
          }
        }
      }
    }
    stop.withLock { $0 = true }
    writing.wait()
    let found = failures.withLock { $0 }
    #expect(found.isEmpty, "\(found.prefix(3))")
  }
}
