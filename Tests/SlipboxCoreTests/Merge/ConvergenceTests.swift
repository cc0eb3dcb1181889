import Foundation
import Git
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// Several devices change notes and merge each other's work, in memory, in random order.
///
/// `SLIPBOX_HISTORIES` sets how many histories run, `SLIPBOX_HISTORY` takes the one of a seed alone.
@Suite struct ConvergenceTests {
  static let histories =
    ProcessInfo.processInfo.environment["SLIPBOX_HISTORIES"].flatMap { Int($0) } ?? 400
  static let only = ProcessInfo.processInfo.environment["SLIPBOX_HISTORY"].flatMap { UInt64($0) }

  @Test(arguments: 0..<4) func allDevicesEndEqual(_ part: Int) throws {
    let seeds = Self.only.map { [$0] } ?? (0..<UInt64(Self.histories)).filter { $0 % 4 == UInt64(part) }
    var failures: [String] = []
    for seed in seeds {
      var history = try ModelHistory(seed: seed)
      try history.run()
      let problem = try history.problem()
      if let problem { failures.append("seed \(seed): \(problem)") }
    }
    #expect(
      failures.isEmpty, "\(failures.count) of \(seeds.count): \(failures.prefix(3).joined(separator: "\n"))")
  }
}

/// Devices with a branch each, and the branches that they share.
private struct ModelHistory {
  /// How the devices meet.
  enum Topology: CaseIterable {
    case oneRemote, twoRemotes, peers
  }

  private var random: SplitMix64
  private let store = ModelStore()
  private let topology: Topology
  private var heads: [ObjectID]
  private var remotes: [ObjectID]
  private var clock: Int64 = 100
  private var tokens = 0
  /// Whether the devices still made or took commits in the fourth round after the last change.
  private(set) var madeCommitsWhenSettled = false
  /// The values that somebody replaced who had seen them.
  private var replaced: Set<String> = []
  /// What somebody deleted, which others may restore.
  private var deleted: [(path: [UInt8], entry: TreeEntry)] = []
  private var deletedIDs: Set<String> = []

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    topology = Topology.allCases[Int(seed % 3)]
    let rootID = store.add(nil, [], parents: [], seconds: 0, who: "root")
    heads = []
    remotes = []
    var edits: [TreeEdit] = []
    for number in 0..<3 {
      let text =
        "---\n\(number < 2 ? "id: kqzmvtr\(number == 0 ? "b" : "c")\n" : "")status: s\(number)\ntags: [t]\n---\nline one\nline two\nline three\n"
      let blob = try store.store(Array(text.utf8))
      edits.append(.put(path: Array("n\(number).md".utf8), blob: blob, mode: 0o100644))
    }
    let first = store.add(rootID, edits, parents: [rootID], seconds: 1, who: "root")
    heads = (0..<Int.random(in: 2...5, using: &random)).map { _ in first }
    remotes = [first, first]
  }

  mutating func run() throws {
    for _ in 0..<Int.random(in: 4...24, using: &random) {
      let device = Int.random(in: 0..<heads.count, using: &random)
      // Clocks of devices are not in step.
      clock += Int64.random(in: 0...2, using: &random)
      if Int.random(in: 0..<3, using: &random) > 0 { try edit(device) } else { try sync(device) }
    }
    // Peers pass the work on from one to the next, so they need a round for each of them.
    for _ in 0..<(topology == .peers ? 10 * heads.count : 3) {
      for device in heads.indices { try sync(device, settling: true) }
      if topology == .peers, areEqual { break }
    }
    let settled = heads
    for device in heads.indices { try sync(device, settling: true) }
    madeCommitsWhenSettled = topology != .peers && heads != settled
  }

  /// Whether all devices have the same files.
  private var areEqual: Bool {
    Set(heads.map { store.tree($0).map { "\($0.key) \($0.value)" }.sorted().joined() }).count == 1
  }

  /// What is wrong with the end; nil where nothing is.
  func problem() throws -> String? {
    guard areEqual else {
      return "the devices differ:\n" + heads.map { text($0) }.joined(separator: "\n======\n")
    }
    if madeCommitsWhenSettled { return "the fourth round still made commits:\n\(text(heads[0]))" }
    let end = text(heads[0])
    var ids: Set<String> = []
    let words = Set(end.split(whereSeparator: { " \n,[]\"-".contains($0) }).map(String.init))
    for token in 0..<tokens where !words.contains("v\(token)v") && !replaced.contains("v\(token)v") {
      return "v\(token)v is lost:\n\(end)"
    }
    for (path, entry) in store.tree(heads[0]) where String(decoding: path, as: UTF8.self).hasSuffix(".md") {
      let note = NoteText(try store.content(of: entry))
      guard FrontMatter(note).isWritable else { return "front-matter is broken:\n\(end)" }
      let entries = FrontMatter(note)["conflicts"]?.strings ?? []
      guard Set(entries).count == entries.count else { return "an entry stands twice:\n\(end)" }
      if let id = FrontMatter(note)["id"]?.text, !ids.insert(id).inserted {
        return "two files have one id:\n\(end)"
      }
      if let problem = try linkProblem(of: note) { return "\(problem):\n\(end)" }
      let body = Array(note.bytes[note.body])
      for region in ConflictRegion.all(in: body) {
        let texts = region.versions.map { String(decoding: body[$0.lines], as: UTF8.self) }
        if texts.contains(where: { $0.contains(ConflictMark.prefix) }) {
          return "a conflict is in a conflict:\n\(end)"
        }
        if Set(texts).count < texts.count { return "a version stands twice:\n\(end)" }
      }
    }
    return nil
  }

  /// The first link by path that leads elsewhere than to the note that it names; nil if there is none.
  private func linkProblem(of note: NoteText) throws -> String? {
    for link in BodyScan(note).links {
      let label = String(decoding: note.bytes[link.range], as: UTF8.self).dropFirst().prefix { $0 != "]" }
      guard label.count == 8, !deletedIDs.contains(String(label)) else { continue }
      let entry = store.tree(heads[0])[Array(link.target.utf8.dropFirst())]
      let id = try entry.flatMap { FrontMatter(NoteText(try store.content(of: $0)))["id"]?.text }
      if id.map({ $0 != label }) ?? true {
        return "the link to \(label) by \(link.target) leads to \(id ?? "nothing")"
      }
    }
    return nil
  }

  private func text(_ head: ObjectID) -> String {
    store.tree(head).sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { path, entry in
      let bytes = (try? store.content(of: entry)) ?? []
      return "## \(String(decoding: path, as: UTF8.self))\n\(String(decoding: bytes, as: UTF8.self))"
    }.joined()
  }
}

extension ModelHistory {
  private mutating func token() -> String {
    tokens += 1
    return "v\(tokens - 1)v"
  }

  /// Marks the values of a text as seen by whoever takes them away.
  private mutating func replace(_ text: some StringProtocol) {
    for word in text.split(whereSeparator: { " \n,[]\"-".contains($0) })
    where word.first == "v" && word.last == "v" {
      replaced.insert(String(word))
    }
  }

  private mutating func edit(_ device: Int) throws {
    let tree = store.tree(heads[device])
    let paths = tree.keys.sorted { $0.lexicographicallyPrecedes($1) }
    var edits: [TreeEdit] = []
    let choice = Int.random(in: 0..<16, using: &random)
    if choice == 0 || paths.isEmpty {
      let name = ["daily", "shared", "sub/shared", "new-\(tokens)"].randomElement(using: &random) ?? "daily"
      let path = Array("\(name).md".utf8)
      guard tree[path] == nil else { return }
      let id = name == "daily" && Bool.random(using: &random) ? "" : "id: \(noteID())\n"
      let text = "---\n\(id)status: \(token())\n---\n\(token())\n"
      edits = [.put(path: path, blob: try store.store(Array(text.utf8)), mode: 0o100644)]
    } else {
      guard let path = paths.randomElement(using: &random), let entry = tree[path] else { return }
      let bytes = try store.content(of: entry)
      let name = String(decoding: path, as: UTF8.self)
      switch choice {
      case 1:
        replace(String(decoding: bytes, as: UTF8.self))
        deleted.append((path, entry))
        if let id = FrontMatter(NoteText(bytes))["id"]?.text { deletedIDs.insert(id) }
        edits = [.remove(path: path)]
      case 2:
        let folder = ["", "sub/", "deep/"].randomElement(using: &random) ?? ""
        let new = "\(folder)\(name.split(separator: "/").last ?? "x")"
        guard tree[Array(new.utf8)] == nil else { return }
        let changed = Bool.random(using: &random) ? try edited(NoteText(bytes)) : nil
        edits = try moving([name: new], in: tree, changed.map { [path: $0.bytes] } ?? [:])
      case 12:
        let folder = ["sub/", "deep/"].randomElement(using: &random) ?? ""
        let new = ["deep/", "far/"].randomElement(using: &random) ?? ""
        let names = paths.map { String(decoding: $0, as: UTF8.self) }.filter { $0.hasPrefix(folder) }
        let moves = names.map { ($0, new + $0.dropFirst(folder.count)) }
        edits = try moving(Dictionary(uniqueKeysWithValues: moves), in: tree)
      case 13:
        guard let old = deleted.randomElement(using: &random), tree[old.path] == nil else { return }
        let id = FrontMatter(NoteText(try store.content(of: old.entry)))["id"]?.text
        let ids = try tree.values.map { FrontMatter(NoteText(try store.content(of: $0)))["id"]?.text }
        guard id == nil || !ids.contains(id) else { return }
        edits = [.put(path: old.path, blob: old.entry.id, mode: old.entry.mode)]
      case 14:
        guard let target = paths.randomElement(using: &random), let other = tree[target],
          let id = FrontMatter(NoteText(try store.content(of: other)))["id"]?.text
        else { return }
        let line = "\(token()) [\(id)](/\(String(decoding: target, as: UTF8.self)))\n"
        edits = [.put(path: path, blob: try store.store(bytes + Array(line.utf8)), mode: entry.mode)]
      default:
        guard let changed = try edited(NoteText(bytes)) else { return }
        edits = [.put(path: path, blob: try store.store(changed.bytes), mode: entry.mode)]
      }
    }
    let seconds = clock + Int64.random(in: -2...2, using: &random)
    heads[device] = store.add(
      heads[device], edits, parents: [heads[device]], seconds: seconds, who: "d\(device)")
  }

  /// Moves notes and rewrites the links to them, as slip does; nothing if a path is taken.
  private func moving(
    _ moves: [String: String], in tree: [[UInt8]: TreeEntry], _ changed: [[UInt8]: [UInt8]] = [:]
  ) throws -> [TreeEdit] {
    guard !moves.values.contains(where: { tree[Array($0.utf8)] != nil }) else { return [] }
    var edits: [TreeEdit] = []
    for (path, entry) in tree.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let old = String(decoding: try changed[path] ?? store.content(of: entry), as: UTF8.self)
      let text = moves.reduce(old) { $0.replacing("](/\($1.key))", with: "](/\($1.value))") }
      let new = moves[String(decoding: path, as: UTF8.self)].map { Array($0.utf8) }
      if new == nil, changed[path] == nil, text == old { continue }
      if new != nil { edits.append(.remove(path: path)) }
      edits.append(
        .put(path: new ?? path, blob: try store.store(Array(text.utf8)), mode: entry.mode))
    }
    return edits
  }

  private mutating func noteID() -> String {
    String((0..<8).map { _ in "bcdfghjklmnpqrstvwxz".randomElement(using: &random) ?? "b" })
  }

  private mutating func edited(_ text: NoteText) throws -> NoteText? {
    let fields = FrontMatter(text)
    switch Int.random(in: 0..<8, using: &random) {
    case 0...2:
      let name = ["status", "due", "rating"].randomElement(using: &random) ?? "status"
      let old = fields[name]?.strings.joined(separator: " ") ?? ""
      if Int.random(in: 0..<5, using: &random) == 0 {
        replace(old)
        return try? text.clearing(name)
      }
      replace(old)
      return try? text.setting(name, to: .text(token()))
    case 3: return try? text.adding(token(), to: "tags")
    case 4:
      guard let tag = fields["tags"]?.strings.randomElement(using: &random) else { return nil }
      replace(tag)
      return try? text.removing(tag, from: "tags")
    default:
      var lines = String(decoding: text.bytes[text.body], as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      if lines.last == "" { lines.removeLast() }
      let place = Int.random(in: 0...lines.count, using: &random)
      // Comments of a merge are left alone, as people would.
      guard place == lines.count || !lines[place].hasPrefix("<!--") else { return nil }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: lines.insert(token(), at: place)
      case 1 where place < lines.count:
        replace(lines[place])
        lines.remove(at: place)
      case 2 where place < lines.count:
        replace(lines[place])
        lines[place] = "a line with \(token()) in it"
      case 3 where place < lines.count: lines[place] += " and \(token())"
      default: lines.append(token())
      }
      return text.replacingBody(lines.flatMap { Array("\($0)\n".utf8) })
    }
  }

  /// Takes what the others have, and gives them what this device has.
  private mutating func sync(_ device: Int, settling: Bool = false) throws {
    switch topology {
    case .oneRemote: try exchange(device, with: 0)
    case .twoRemotes:
      let first = Bool.random(using: &random) ? 0 : 1
      try exchange(device, with: first)
      if settling { try exchange(device, with: 1 - first) }
    case .peers:
      let other = settling ? (device + 1) % heads.count : Int.random(in: 0..<heads.count, using: &random)
      guard other != device else { return }
      // Both merge what the other has now, at once.
      let (own, others) = (heads[device], heads[other])
      heads[device] = try merged(own, others, device)
      heads[other] = try merged(others, own, other)
    }
  }

  private mutating func exchange(_ device: Int, with remote: Int) throws {
    let there = remotes[remote]
    heads[device] = try merged(heads[device], there, device)
    // A push that moves no branch forward is refused.
    if store.ancestors(of: heads[device]).contains(there) { remotes[remote] = heads[device] }
  }

  private mutating func merged(_ own: ObjectID, _ other: ObjectID, _ device: Int) throws -> ObjectID {
    if store.ancestors(of: own).contains(other) { return own }
    if store.ancestors(of: other).contains(own) { return other }
    if try !MergeNews(store).isAny(between: own, other) { return own }
    let rules = MergeRules(groups: [["status", "due"]])
    let merge = try CommitMerge(store, rules: rules).merge(own, other)
    let edits = try merge.edits(of: own)
    let exchanged = try CommitMerge(store, rules: rules).merge(other, own)
    // Each merge has a time of its own.
    clock += Int64.random(in: 0...2, using: &random)
    let made = store.add(own, edits, parents: [own, other], seconds: clock, who: "d\(device)")
    let mirrored = store.add(
      other, try exchanged.edits(of: other), parents: [own, other], seconds: clock, who: "d\(device)")
    try #require(made == mirrored, "exchanging the sides changes the result")
    return made
  }
}
