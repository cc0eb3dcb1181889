import Bytes

extension TextIndex {
  /// Returns the documents that have a folded word.
  ///
  /// - Complexity: O(n) for n documents that have it.
  func hits(
    word: [UInt8], in scope: TextScope, without mask: DocumentMask
  ) throws(DamagedBytes) -> [TextHit] {
    guard let entry = try dictionary.entry(word) else { return [] }
    return try hits(entry, in: scope, without: mask)
  }

  /// Returns the documents that have a word that begins so, with the counts of all these words.
  func hits(
    prefix: [UInt8], in scope: TextScope, without mask: DocumentMask
  ) throws(DamagedBytes) -> [TextHit] {
    try hits(anyOf: try dictionary.entries(prefix: prefix), in: scope, without: mask)
  }

  /// Returns the documents that have one of some terms, with the counts of all of these.
  func hits(
    anyOf entries: [TermEntry], in scope: TextScope, without mask: DocumentMask
  ) throws(DamagedBytes) -> [TextHit] {
    guard entries.count > 1 else {
      guard let entry = entries.first else { return [] }
      return try hits(entry, in: scope, without: mask)
    }
    let gathering = HitGathering(
      expected: entries.reduce(0) { $0 + $1.documentCount }, documentCount: documentCount)
    let block = PostingBlock()
    for entry in entries {
      try forEachHit(of: entry, block, in: scope, without: mask) { gathering.add($0) }
    }
    return gathering.hits()
  }

  private func hits(
    _ entry: TermEntry, in scope: TextScope, without mask: DocumentMask
  ) throws(DamagedBytes) -> [TextHit] {
    var hits: [TextHit] = []
    hits.reserveCapacity(entry.documentCount)
    try forEachHit(of: entry, PostingBlock(), in: scope, without: mask) { hits.append($0) }
    return hits
  }

  @inline(__always)
  private func forEachHit(
    of entry: TermEntry, _ block: PostingBlock, in scope: TextScope, without mask: DocumentMask,
    _ body: (TextHit) -> Void
  ) throws(DamagedBytes) {
    let isAll = scope == .anywhere && mask.isEmpty
    let cursor = try PostingCursor(pages, entry, block)
    while cursor.document != PostingCursor.none {
      try cursor.takeBlock { block, first in
        for index in first..<block.count {
          var counts = block.counts(index)
          let document = block.documents[index]
          if isAll || (counts.keep(scope) && !mask.contains(document)) {
            body(TextHit(document: document, counts: counts))
          }
        }
      }
    }
  }
}

/// Puts hits of several terms together, document by document.
final class HitGathering {
  /// Where there are many: the counts of each document.
  private let table: UnsafeMutableBufferPointer<FieldCounts>
  private var loose: [TextHit] = []

  /// - Parameter expected: how many hits there are at most.
  init(expected: Int, documentCount: Int) {
    table = .allocate(capacity: expected > documentCount / 16 ? documentCount : 0)
    table.initialize(repeating: FieldCounts())
  }

  deinit { table.deallocate() }

  @inline(__always)
  func add(_ hit: TextHit) {
    if table.isEmpty { loose.append(hit) } else { table[Int(hit.document)].add(hit.counts) }
  }

  /// The hits, one a document, ascending.
  func hits() -> [TextHit] {
    var hits: [TextHit] = []
    guard table.isEmpty else {
      hits.reserveCapacity(table.count)
      for document in table.indices where !table[document].isEmpty {
        hits.append(TextHit(document: UInt32(document), counts: table[document]))
      }
      return hits
    }
    for hit in loose.sorted(by: { $0.document < $1.document }) {
      if hits.last?.document == hit.document {
        hits[hits.count - 1].counts.add(hit.counts)
      } else {
        hits.append(hit)
      }
    }
    return hits
  }
}
