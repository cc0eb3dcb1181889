import Bytes
import Git
import Notes

extension NoteChange {
  /// Returns the changes between old and new versions of files, in the order given.
  ///
  /// A removed and an added file are one moved note if both have the same id, otherwise if both have the same bytes. A
  /// path whose note has another id afterwards has another note, unless neither of the two is found elsewhere. A note is
  /// named by its path if another of the changes has the same id.
  /// - Parameter files: the versions of each path before and after.
  /// - Complexity: linear.
  package static func between(_ files: [(old: NoteVersion?, new: NoteVersion?)]) -> [NoteChange] {
    changes(of: NoteMatching.pairs(files)).compactMap(\.self)
  }

  /// Returns the change of each pair of versions, in the order given; nil for a pair without one.
  static func changes(of pairs: [(old: NoteVersion?, new: NoteVersion?)]) -> [NoteChange?] {
    let ids = pairs.map { $0.new?.id ?? $0.old?.id }
    var counts: [NoteID: Int] = [:]
    for id in ids { if let id { counts[id, default: 0] += 1 } }
    return zip(pairs, ids).map { pair, id in
      guard let path = pair.new?.path ?? pair.old?.path else { return nil }
      let name = id.flatMap { counts[$0] == 1 ? .id($0) : nil } ?? NoteName.path(path)
      return between(pair.old, pair.new, named: name)
    }
  }
}

/// Finds the old and the new versions of files that belong to one note.
struct NoteMatching {
  private typealias Pair = (place: Int, old: NoteVersion?, new: NoteVersion?)

  fileprivate static let emptyBlob = ObjectID(hex: "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391".utf8)
  /// The maximum number of comparisons of whole texts. If more were necessary, none is made.
  private static let mostComparisons = 40_000

  /// Returns the old and the new version of each note, in the order of the files; nil if it had or has none.
  ///
  /// A file that moved to a hidden folder, such as the trash of another program, counts as deleted.
  /// - Parameter moves: the new paths of notes by their old ones, as the messages of commits list them.
  static func pairs(
    _ files: [(old: NoteVersion?, new: NoteVersion?)], moves: [[UInt8]: [UInt8]] = [:]
  ) -> [(old: NoteVersion?, new: NoteVersion?)] {
    let added = Set(files.compactMap { $0.old == nil ? $0.new?.path : nil })
    let moves = moves.filter { $0.key != $0.value && added.contains($0.value) }
    let sources = Dictionary(moves.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    var matching = NoteMatching(files, moves)
    // If several files have one id, a copy is another file than its original.
    matching.match { version in version.id.map { [$0.bytes, version.blob.bytes] } }
    matching.match { version in version.id.map { [$0.bytes, BytePath.name(of: version.path)] } }
    matching.match { $0.id }
    matching.match({ moves[$0.path] == nil ? nil : $0.path }, new: { sources[$0.path] })
    // Empty files are equal without being one note.
    matching.match { $0.blob == emptyBlob ? nil : $0.blob }
    matching.match { $0.path }
    matching.matchSimilar()
    return matching.inOrder.map { ($0.old, $0.new) }
  }

  private var pairs: [Pair] = []
  /// Old versions that have no new one yet.
  private var gone: [(place: Int, version: NoteVersion)] = []
  /// New versions that have no old one yet.
  private var come: [(place: Int, version: NoteVersion)] = []

  private init(_ files: [(old: NoteVersion?, new: NoteVersion?)], _ moves: [[UInt8]: [UInt8]]) {
    let moved = MovedVersions(files, moves)
    for (place, file) in files.enumerated() {
      if let old = file.old, let new = file.new, Self.areOne(old.id, new.id, at: old.path),
        !moved.replaced(old, by: new)
      {
        pairs.append((place, old, new))
      } else {
        if let old = file.old { gone.append((place, old)) }
        if let new = file.new { come.append((place, new)) }
      }
    }
  }

  /// Returns whether a path had one note before and after, according to its ids: a merge may have given it another.
  private static func areOne(_ old: NoteID?, _ new: NoteID?, at path: [UInt8]) -> Bool {
    guard let old, let new else { return true }
    return old == new || new == old.another(at: path)
  }

  /// All pairs, including those of one version, in the order of the files.
  private var inOrder: [Pair] {
    let all = pairs + gone.map { ($0.place, $0.version, nil) } + come.map { ($0.place, nil, $0.version) }
    return all.sorted { $0.place < $1.place }
  }

  /// A key of a version; files of the box and hidden ones never have the same key.
  private struct PairKey<Value: Hashable>: Hashable {
    let value: Value
    let isHidden: Bool
  }

  /// Pairs old versions with the new ones that have the same key, in order.
  private mutating func match<Value: Hashable>(by value: (NoteVersion) -> Value?) { match(value, new: value) }

  private mutating func match<Value: Hashable>(
    _ oldValue: (NoteVersion) -> Value?, new newValue: (NoteVersion) -> Value?
  ) {
    guard !gone.isEmpty, !come.isEmpty else { return }
    let key = { (version: NoteVersion, value: Value?) in
      value.map { PairKey(value: $0, isHidden: FileName.isHidden(version.path)) }
    }
    var waiting: [PairKey<Value>: [Int]] = [:]
    for index in gone.indices.reversed() {
      if let key = key(gone[index].version, oldValue(gone[index].version)) {
        waiting[key, default: []].append(index)
      }
    }
    var found: Set<Int> = []
    var left: [(place: Int, version: NoteVersion)] = []
    for (place, version) in come {
      if let key = key(version, newValue(version)), let index = waiting[key]?.popLast() {
        found.insert(index)
        pairs.append((place, gone[index].version, version))
      } else {
        left.append((place, version))
      }
    }
    gone = gone.indices.filter { !found.contains($0) }.map { gone[$0] }
    come = left
  }

  /// Pairs removed texts with added ones if half of the larger is in the other, the most similar first.
  ///
  /// A fifth is enough for a file whose name no other has: when its folder moves, a link or two of a short note change.
  /// Notes with an id each are two notes, however similar they are.
  private mutating func matchSimilar() {
    let (old, new) = (
      gone.indices.filter { gone[$0].version.bytes != nil },
      come.indices.filter { come[$0].version.bytes != nil }
    )
    guard !old.isEmpty, !new.isEmpty, old.count * new.count <= Self.mostComparisons else { return }
    let chunks = (
      old: old.map { TextChunks(gone[$0].version.bytes ?? []) },
      new: new.map { TextChunks(come[$0].version.bytes ?? []) }
    )
    let names = Self.uniqueNames(old.map { gone[$0].version })
      .intersection(Self.uniqueNames(new.map { come[$0].version }))
    var alike: [(score: Double, old: Int, new: Int)] = []
    for (one, before) in zip(old, chunks.old) {
      for (other, after) in zip(new, chunks.new) {
        let (went, came) = (gone[one].version, come[other].version)
        guard went.id == nil || came.id == nil, FileName.isHidden(went.path) == FileName.isHidden(came.path)
        else { continue }
        let score = before.similarity(to: after)
        let name = BytePath.name(of: came.path)
        let isMoved = names.contains(name) && name == BytePath.name(of: went.path)
        if score >= (isMoved ? TextChunks.leastOfMove : TextChunks.leastOfRename) {
          alike.append((score, one, other))
        }
      }
    }
    alike.sort { ($1.score, $0.old, $0.new) < ($0.score, $1.old, $1.new) }
    var (usedOld, usedNew): (Set<Int>, Set<Int>) = ([], [])
    for (_, one, other) in alike where !usedOld.contains(one) && !usedNew.contains(other) {
      usedOld.insert(one)
      usedNew.insert(other)
      pairs.append((come[other].place, gone[one].version, come[other].version))
    }
    gone = gone.indices.filter { !usedOld.contains($0) }.map { gone[$0] }
    come = come.indices.filter { !usedNew.contains($0) }.map { come[$0] }
  }
}

extension NoteMatching {
  /// Returns the file names that only one of the versions has.
  private static func uniqueNames(_ versions: [NoteVersion]) -> Set<[UInt8]> {
    var counts: [[UInt8]: Int] = [:]
    for version in versions { counts[BytePath.name(of: version.path), default: 0] += 1 }
    return Set(counts.filter { $0.value == 1 }.keys)
  }
}

/// The versions that a change moved from one path to another, by their ids and bytes.
private struct MovedVersions {
  /// The ids of notes that their path no longer has.
  private var goneIDs: Set<NoteID> = []
  /// The ids of notes that were added at a path that had another note or none.
  private var cameIDs: Set<NoteID> = []
  /// The blobs of files whose path has no file any more.
  private var goneBlobs: Set<ObjectID> = []
  /// The new paths of moved notes by their old ones, as the messages of commits list them.
  private let moves: [[UInt8]: [UInt8]]

  init(_ files: [(old: NoteVersion?, new: NoteVersion?)], _ moves: [[UInt8]: [UInt8]]) {
    self.moves = moves
    for (old, new) in files {
      if let id = old?.id, new?.id != id { goneIDs.insert(id) }
      if let id = new?.id, old?.id != id { cameIDs.insert(id) }
      if let old, new == nil { goneBlobs.insert(old.blob) }
    }
    if let empty = NoteMatching.emptyBlob { goneBlobs.remove(empty) }
  }

  /// Returns whether a path that has a note without an id before or after has another note now: one that was moved there.
  func replaced(_ old: NoteVersion, by new: NoteVersion) -> Bool {
    if moves[old.path] != nil, old.id == nil || old.id != new.id { return true }
    if old.id == nil, let id = new.id { return goneIDs.contains(id) }
    if new.id != nil || old.blob == new.blob { return false }
    if let id = old.id, cameIDs.contains(id) { return true }
    return goneBlobs.contains(new.blob)
  }
}

/// The chunks of a note, by which similar notes are found.
struct TextChunks {
  /// The minimum similarity of a removed and an added file that count as one.
  static let leastOfRename = 0.5
  /// The minimum similarity if both have a name that no other removed or added file has.
  static let leastOfMove = 0.2
  /// The minimum number of bytes that bodies of notes must share to make two notes similar by themselves.
  private static let leastOfBody = 16

  private let whole: ChunkSizes
  /// The chunks after the front matter.
  private let body: ChunkSizes

  /// - Complexity: linear.
  init(_ text: [UInt8]) {
    whole = ChunkSizes(text[...])
    let note = NoteText(text)
    body = note.body.lowerBound == 0 ? whole : ChunkSizes(text[note.body])
  }

  /// The hashes of the chunks of the whole text.
  var lines: Dictionary<UInt64, Int>.Keys { whole.hashes }

  /// Returns the share of the larger text that is in the other, from 0 to 1; 0 if one is empty.
  ///
  /// The bodies alone count if they are more similar. When programs rename a note, they change its aliases, time stamps
  /// and lists, which are most of a short note.
  func similarity(to other: TextChunks) -> Double {
    let bodies = body.similarity(to: other.body)
    return max(whole.similarity(to: other.whole).share, bodies.shared < Self.leastOfBody ? 0 : bodies.share)
  }
}

/// The chunks of a text: its lines, long ones cut.
///
/// Source: the estimate that git makes to find renames (diffcore-delta.c).
private struct ChunkSizes {
  private static let longestChunk = 64

  /// The number of bytes of the text in chunks of each hash.
  private let bytes: [UInt64: Int]
  private let size: Int

  init(_ text: ArraySlice<UInt8>) {
    var bytes: [UInt64: Int] = [:]
    var (hash, length) = (Self.seed, 0)
    for (place, byte) in zip(text.indices, text) {
      // Texts that differ only in their line ends are equal.
      if byte == 0x0D, place + 1 < text.endIndex, text[place + 1] == 0x0A { continue }
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
      length += 1
      guard byte == 0x0A || length == Self.longestChunk else { continue }
      bytes[hash, default: 0] += length
      (hash, length) = (Self.seed, 0)
    }
    if length > 0 { bytes[hash, default: 0] += length }
    self.bytes = bytes
    size = bytes.values.reduce(0, +)
  }

  /// The offset basis of FNV-1a.
  private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

  var hashes: Dictionary<UInt64, Int>.Keys { bytes.keys }

  /// Returns the number of bytes that both texts have, and their share of the larger text.
  func similarity(to other: ChunkSizes) -> (shared: Int, share: Double) {
    guard size > 0, other.size > 0 else { return (0, 0) }
    let (fewer, more) = bytes.count <= other.bytes.count ? (bytes, other.bytes) : (other.bytes, bytes)
    let shared = fewer.reduce(0) { $0 + min($1.value, more[$1.key] ?? 0) }
    return (shared, Double(shared) / Double(max(size, other.size)))
  }
}
