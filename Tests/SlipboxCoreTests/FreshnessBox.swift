import Foundation
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// A box to which things happen by chance, whose answers are held against those without anything kept.
final class FreshnessBox {
  let folder: TemporaryFolder
  /// The path of the box inside of the folder: empty, or with a slash at its end.
  let prefix: String
  var random: SplitMix64
  /// What happened, the last at the end.
  var history: [String] = []
  /// A box that was opened a while ago: another command, still running.
  var elder: BoxInTest?
  /// Files of the cache as they were at some time.
  var oldCaches: [String: [UInt8]] = [:]
  var seed: UInt64

  var path: String { prefix.isEmpty ? folder.path : folder.path + "/" + prefix.dropLast() }
  var surroundings: CommandContext { SlipboxCoreTests.context(in: path, seed: random.next()) }

  /// - Parameter isBelow: whether the repository holds more than the box.
  init(seed: UInt64, notes: Int, isBelow: Bool) throws {
    self.seed = seed
    random = SplitMix64(seed: seed)
    folder = try TemporaryFolder()
    prefix = isBelow ? "deep/notes/" : ""
    try folder.git("init", "-q", "-b", "main")
    try giveIdentity(folder.path)
    for (key, value) in [("gc.auto", "0"), ("core.fsync", "none"), ("advice.detachedHead", "false")] {
      try folder.git("config", key, value)
    }
    for number in 0..<notes { try write(name(number), text(number)) }
    try write(".slipbox/kinds/fruit.yaml", "name: fruit\nmatch: has:colour\nfields:\n  colour: {}\n")
    if isBelow { try folder.write("README.md", "# Above the box\n") }
    try folder.git("add", "-A")
    try folder.git("commit", "-q", "-m", "Before")
    _ = try initialise(path, surroundings)
  }

  /// Opens the box, as a command does.
  func open() throws -> BoxInTest { try BoxInTest(at: Array(path.utf8), surroundings) }

  /// Holds the answers against those of a catalogue that is made from nothing.
  func check() throws -> [String] {
    let root = Array(path.utf8)
    let query = number(0..<FreshnessAnswers.queries.count)
    let search = number(0..<FreshnessAnswers.searches.count)
    let kept = try FreshnessAnswers(of: root, surroundings, query: query, search: search)
    let names = [".git/slipbox/catalogue", ".git/slipbox/catalogue.log"]
    for name in names { rename(folder.path + "/" + name, folder.path + "/" + name + ".aside") }
    let anew = try FreshnessAnswers(of: root, surroundings, query: query, search: search)
    let plain = chance(0.3) ? try FreshnessAnswers.differences(of: root, surroundings) : []
    for name in names {
      unlink(folder.path + "/" + name)
      rename(folder.path + "/" + name + ".aside", folder.path + "/" + name)
    }
    return kept.differences(from: anew) + plain
  }
}

/// Choices.
extension FreshnessBox {
  func chance(_ part: Double) -> Bool { Double.random(in: 0..<1, using: &random) < part }

  func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  /// The files of the box, without hidden ones, in the order of their paths.
  func files(withLinks: Bool = false) -> [String] {
    let all = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    let wanted: Set<mode_t> = withLinks ? [S_IFREG, S_IFLNK] : [S_IFREG]
    return all.filter { name in
      !name.split(separator: "/").contains { $0.hasPrefix(".") } && wanted.contains(kind(of: name))
    }.sorted()
  }

  func folders() -> [String] {
    let all = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return all.filter { name in
      !name.split(separator: "/").contains { $0.hasPrefix(".") } && kind(of: name) == S_IFDIR
    }.sorted()
  }

  private func kind(of name: String) -> mode_t {
    var status = stat()
    return lstat(path + "/" + name, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  func file() -> String? { files().randomElement(using: &random) }

  /// The name of a file, often one that is in use.
  func name() -> String {
    if chance(0.2), let known = file() { return known }
    return name(number(0..<60))
  }

  private func name(_ number: Int) -> String {
    let folders = ["", "sub/", "sub/deeper/", "drafts/", "Ünïcode ✓/", "sub.d/", "2026/03/"]
    let ends = [".md", ".md", ".md", ".md", ".markdown", ".txt"]
    let dates = number % 7 == 0 ? "2025-0\(1 + number % 8)-11 " : ""
    return folders[number % folders.count] + dates + "n\(number)" + ends[number % ends.count]
  }

  /// The text of a note: some with ids, some without dates, some that match a kind, some that can't be read right.
  func text(_ number: Int) -> String {
    let id = number % 3 == 0 ? "" : "id: \(NoteID(number: UInt64(number) &* 7_919 % 25_600_000_000))\n"
    let created = number % 4 == 0 ? "" : "created: 2026-0\(1 + number % 9)-05T09:30:00+01:00\n"
    let more = ["colour: red\n", "status: open\nkind: issue\n", "aliases: [a, b]\n", "broken: [\n", ""][
      number % 5]
    let head = "---\n\(id)title: Alpha w\(number)\n\(created)tags: [greek, t\(number % 4)]\n\(more)---\n"
    return (number % 11 == 0 ? "# Plain \(number)\n" : head)
      + "\nThe body of w\(number), #inline\(number % 3).\n"
  }
}
