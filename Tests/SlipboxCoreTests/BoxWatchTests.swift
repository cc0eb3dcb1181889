import Foundation
import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// What a watched box knows, against the same box read anew.
@Suite struct BoxWatchTests {
  /// Whatever happens to a box, looking at what the system tells of leads to the same notes as looking at everything.
  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func newsLeadToThePresent(seed: UInt64) throws {
    let tree = try ChangingBox(seed: seed)
    let box = try BoxInTest(at: tree.folder.bytes, context(in: tree.folder.path))
    var snapshot = try box.now
    var watch = BoxWatch(box.box)
    #expect(watch.isComplete)
    #expect(try Self.present(snapshot) == tree.present())
    var refreshed = 0
    for round in 0..<40 {
      var done: [String] = []
      for _ in 0...Int.random(in: 0..<4, using: &tree.random) { done.append(try tree.change()) }
      // Something that surely is news.
      try tree.folder.write("round.md", "# Round \(round)\n")
      try watch.watchLinkedFiles(of: snapshot)
      guard case .changes(let news) = watch.next(output: -1, now: 1) else { return #expect(Bool(false)) }
      if news.isEverythingNew { watch = BoxWatch(box.box) } else { refreshed += 1 }
      snapshot = try WorkTreeReader(box.box, box.context).snapshot(after: snapshot, news)
      let (known, present) = (try Self.present(snapshot), try tree.present())
      #expect(known == present, "seed \(seed), round \(round): \(done), \(news)")
      guard known == present else { return }
    }
    #expect(refreshed > 10)
  }

  /// Where not all folders can be watched, everything counts as new after a while.
  @Test func tooManyFoldersAreLookedAt() throws {
    let folder = try TemporaryFolder()
    let box = try makeBox(in: folder)
    try folder.write("a/b/note.md", "# A note\n")
    let watch = BoxWatch(box.box, mostFolders: 2)
    #expect(!watch.isComplete)
    #expect(watch.next(output: -1, now: 1) == .changes(WatchedChanges(everything: true)))
  }

  /// What is told of a box: its notes in their order.
  static func present(_ box: BoxSnapshot) throws -> [String] {
    let matches = try box.matches(try box.query([]))
    let times = box.modified(of: matches)
    return zip(matches, times).map { match, modified in
      let entry = match.entry
      let path = String(decoding: entry.note.path, as: UTF8.self)
      return "\(path) \(entry.note.title) \(entry.kind) \(entry.created.rfc3339) \(modified.rfc3339)"
    } + (try box.unreadableNotes().map { "unreadable: " + String(decoding: $0.path, as: UTF8.self) })
  }
}

/// A box to which random things happen.
private final class ChangingBox {
  let folder: TemporaryFolder
  var random: SplitMix64
  private var count = 0

  init(seed: UInt64) throws {
    folder = try TemporaryFolder()
    random = SplitMix64(seed: seed)
    _ = try makeBox(in: folder)
    for _ in 0..<20 { try write() }
    try folder.git("add", ".")
    try folder.git("commit", "-qm", "First")
    try folder.write(".slipbox/kinds/paper.yaml", "match: title:5\nfields:\n  status:\n    type: text\n")
  }

  /// The notes as a command finds them that has not watched.
  func present() throws -> [String] {
    try BoxWatchTests.present(try BoxInTest(at: folder.bytes, context(in: folder.path)).now)
  }

  private func pick(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }
  private func somewhere() -> String { pick(["", "a/", "a/b/", "a/b/c/", "d/", ".hidden/", "a-/"]) }
  private func file() -> String { somewhere() + pick(["a.md", "b.md", "c.md", "a-.markdown", "x.txt"]) }

  private func write() throws {
    count += 1
    try folder.write(file(), "# Number \(pick(["1", "5"]))\(count % 10)\n")
  }

  /// Does one thing; where it is impossible, nothing. Returns what it was.
  func change() throws -> String {
    let (one, other) = (file(), file())
    let (place, next) = (somewhere().dropLast(), somewhere().dropLast())
    let things = [
      "echo '# Here' >'\(one)'", "echo '# Same' >'\(one)'", "rm -f '\(one)'", "mv '\(one)' '\(other)'",
      "cp -p '\(one)' new && mv new '\(other)'", "touch -d 2001-01-01 '\(one)'", "mkdir -p '\(place)'",
      "rm -rf './\(place)x' && mv './\(place)' './\(place)x'", "mv './\(place)' './\(next)'", "rm -rf 'a/b'",
      "ln -sf 'x.txt' '\(one)'", "ln -sfn a/b d", "chmod 000 '\(one)'; chmod 644 '\(other)'",
      "echo '\(pick(["x.txt", "c.md", "d/"]))' >.gitignore", "rm -f .gitignore", "git add -f . 2>/dev/null",
      "git commit -qam Next", "git rm -q --cached '\(one)'", "mkdir -p d && git init -q d", "rm -rf d/.git",
      "git checkout -q HEAD -- .", "git checkout -q -B other", "printf 'title: x' >>'\(one)'",
    ]
    let thing = pick(things)
    _ = try run("sh", ["-c", thing], in: folder.path)
    if thing.count < 30 { try write() }
    return thing
  }
}
