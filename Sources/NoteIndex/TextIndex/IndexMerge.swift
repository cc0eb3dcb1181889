package import Bytes

/// Puts the postings of several indexes together, term by term.
struct IndexMerge {
  private let sources: [RenumberedIndex]
  private let gathered = GatheredPostings()

  init(_ sources: [RenumberedIndex]) { self.sources = sources }

  /// Returns the part of the new index from one term on and before another.
  func stretch(from start: [UInt8], before end: [UInt8]?) throws(DamagedBytes) -> IndexPart {
    let stretch = IndexPart()
    var terms: [MergedTerms] = []
    for source in sources { terms.append(try MergedTerms(source, from: start, before: end)) }
    while let term = Self.least(terms) {
      for source in terms where source.term == term {
        try gathered.add(source.entry, of: source.source)
        try source.advance()
      }
      gathered.write(term, to: stretch)
    }
    return stretch
  }

  private static func least(_ sources: [MergedTerms]) -> [UInt8]? {
    var least: [UInt8]?
    for source in sources {
      guard let term = source.term else { continue }
      if let other = least, !term.lexicographicallyPrecedes(other) { continue }
      least = term
    }
    return least
  }
}

/// Goes through the terms of an index from one on and before another.
private final class MergedTerms {
  let source: RenumberedIndex
  private let reader: DictionaryReader?
  private let end: [UInt8]?
  /// The term that it is at; nil after the last one.
  private(set) var term: [UInt8]?

  init(_ source: RenumberedIndex, from start: [UInt8], before end: [UInt8]?) throws(DamagedBytes) {
    self.source = source
    self.end = end
    reader = try source.index.dictionary.reader(from: start)
    try advance()
    while let term, term.lexicographicallyPrecedes(start) { try advance() }
  }

  /// The dictionary's entry of the term.
  var entry: TermEntry { reader?.entry ?? TermEntry(documentCount: 0, postings: 0..<0) }

  func advance() throws(DamagedBytes) {
    term = nil
    guard let reader, try reader.next() else { return }
    let next = Array(reader.letters)
    if let end, !next.lexicographicallyPrecedes(end) { return }
    term = next
  }
}

/// The documents of one term from several indexes, under their new numbers.
private final class GatheredPostings {
  private struct Document {
    let number: UInt32
    let places: Range<Int>
  }

  private var documents: [Document] = []
  private let places = PlaceList()
  private let block = PostingBlock()

  /// Adds the postings of the term in one index.
  func add(_ entry: TermEntry, of source: RenumberedIndex) throws(DamagedBytes) {
    let cursor = try PostingCursor(source.index.pages, entry, block)
    while cursor.document != PostingCursor.none {
      let number = source.numbers[Int(cursor.document)]
      if number != RenumberedIndex.leftOut {
        let start = places.count
        places.append(try cursor.places())
        documents.append(Document(number: number, places: start..<places.count))
      }
      try cursor.advance()
    }
  }

  /// Writes all documents, if there are any, and forgets them.
  func write(_ term: [UInt8], to stretch: IndexPart) {
    defer {
      documents.removeAll(keepingCapacity: true)
      places.removeAll()
    }
    guard !documents.isEmpty else { return }
    if !zip(documents, documents.dropFirst()).allSatisfy({ $0.number < $1.number }) {
      documents.sort { $0.number < $1.number }
    }
    stretch.postings.begin(documentCount: documents.count)
    for document in documents {
      stretch.postings.add(
        document.number, UnsafeMutableBufferPointer(rebasing: places.contents[document.places]))
    }
    let size = stretch.postings.end()
    term.withUnsafeBufferPointer { letters in
      guard let start = letters.baseAddress else { return }
      let word = ScannedWord(start, count: letters.count)
      stretch.dictionary.add(word, documentCount: documents.count, postingsSize: size)
    }
  }
}

/// An index whose documents go into a new one under other numbers.
package struct RenumberedIndex: Sendable {
  /// Marks an omitted document.
  package static let leftOut = UInt32.max

  let index: TextIndex
  /// The new number of each document.
  let numbers: [UInt32]

  /// - Parameter numbers: the new number of each document, or `leftOut`; none twice in all indexes.
  package init(_ index: TextIndex, numbers: [UInt32]) {
    self.index = index
    self.numbers = numbers
  }
}

extension TextIndex {
  /// Merges several indexes into the bytes of one, without reading the texts again.
  ///
  /// The answers of the result are those of an index built from the texts.
  /// - Parameters:
  ///   - documents: the number of documents of the new index; each new number is below it.
  ///   - executor: works on several threads; nil works on the calling thread.
  /// - Complexity: O(n) in the number of words.
  package static func merged(
    _ sources: [RenumberedIndex], documents: Int, executor: ParallelExecutor? = nil
  ) throws(DamagedBytes) -> [UInt8] {
    var lengths: [DocumentLengths] = []
    for source in sources {
      guard source.numbers.count == source.index.documentCount else { throw DamagedBytes() }
      for (document, number) in source.numbers.enumerated() where number != RenumberedIndex.leftOut {
        precondition(number < documents, "no document beyond the last one")
        let known = try source.index.lengths(of: UInt32(document))
        lengths.append(DocumentLengths(document: number, title: known.title, body: known.body))
      }
    }
    let bounds = try bounds(sources)
    let parts = ParallelChunks(count: bounds.count + 1, executor: executor).mapEach {
      part -> Result<IndexPart, DamagedBytes> in
      do throws(DamagedBytes) {
        let merge = IndexMerge(sources)
        let start = part > 0 ? bounds[part - 1] : []
        return .success(try merge.stretch(from: start, before: part < bounds.count ? bounds[part] : nil))
      } catch {
        return .failure(error)
      }
    }
    var stretches: [IndexPart] = []
    for part in parts { stretches.append(try part.get()) }
    return IndexAssembly(stretches, lengths, documents: documents, executor: executor).bytes()
  }

  /// Returns the terms at which the work is split: they split the postings of the largest index evenly.
  private static func bounds(_ sources: [RenumberedIndex]) throws(DamagedBytes) -> [[UInt8]] {
    let largest = sources.max { $0.index.pages.postings.count < $1.index.pages.postings.count }
    guard let index = largest?.index else { return [] }
    let size = index.pages.postings.count
    let count = min(64, size >> 17, index.pages.layout.blockCount)
    var bounds: [[UInt8]] = []
    for part in stride(from: 1, to: count, by: 1) {
      let term = try index.dictionary.firstTerm(postingsFrom: size / count * part)
      if let term, bounds.last != term { bounds.append(term) }
    }
    return bounds
  }
}

/// Puts the bytes of an index together from its parts.
struct IndexAssembly {
  private let stretches: [IndexPart]
  private let lengths: [DocumentLengths]
  private var layout = IndexLayout()
  private let executor: ParallelExecutor?

  /// - Parameters:
  ///   - stretches: in the order of their terms.
  ///   - lengths: those of the documents with words, in any order.
  ///   - documents: the number of all documents.
  init(_ stretches: [IndexPart], _ lengths: [DocumentLengths], documents: Int, executor: ParallelExecutor?) {
    self.stretches = stretches
    self.lengths = lengths
    self.executor = executor
    layout.documentCount = documents
    for length in lengths {
      layout.titleWords += UInt64(length.title)
      layout.bodyWords += UInt64(length.body)
    }
    for stretch in stretches {
      layout.termCount += stretch.dictionary.termCount
      layout.blockCount += stretch.dictionary.blocks.count
      layout.dictionarySize += stretch.dictionary.bytes.count
      layout.postingsSize += stretch.postings.bytes.count
    }
  }

  /// The bytes; the parts are empty then.
  ///
  /// - Parameter onRelease: is called where many of the parts have been freed.
  func bytes(onRelease: () -> Void = {}) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: layout.byteCount) { buffer, count in
      count = layout.byteCount
      write(
        to: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]),
        onRelease)
    }
  }

  private func write(to bytes: UnsafeMutableRawBufferPointer, _ onRelease: () -> Void) {
    writeLengths(to: UnsafeMutableRawBufferPointer(rebasing: bytes[layout.lengths]))
    writeBlocks(to: UnsafeMutableRawBufferPointer(rebasing: bytes[layout.blocks]))
    nonisolated(unsafe) let target = bytes
    var (dictionary, postings) = (layout.dictionary.lowerBound, layout.postings.lowerBound)
    let starts = stretches.map { stretch in
      defer {
        dictionary += stretch.dictionary.bytes.count
        postings += stretch.postings.bytes.count
      }
      return (dictionary, postings)
    }
    for first in stride(from: 0, to: stretches.count, by: Self.partsAtOnce) {
      let count = min(Self.partsAtOnce, stretches.count - first)
      ParallelChunks(count: count, executor: executor).forEach { [stretches, layout] part in
        let (stretch, start) = (stretches[first + part], starts[first + part])
        stretch.dictionary.moveForward(by: start.1 - layout.postings.lowerBound)
        Self.copy(stretch.dictionary.bytes.contents, to: target, at: start.0)
        Self.copy(stretch.postings.bytes.contents, to: target, at: start.1)
        // Else the whole index would be in memory twice.
        stretch.dictionary.bytes.release()
        stretch.postings.bytes.release()
      }
      onRelease()
    }
    ParallelChunks(count: layout.pageCount, executor: executor).forEach { [layout] page in
      let sum = Checksum.of(UnsafeRawBufferPointer(rebasing: target[layout.page(page)]))
      target.storeBytes(
        of: sum.littleEndian, toByteOffset: layout.sums.lowerBound + 8 * page, as: UInt64.self)
    }
    layout.write(to: bytes)
  }

  /// The number of parts that are moved before their memory is freed.
  private static let partsAtOnce = 8

  private static func copy(
    _ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer, at offset: Int
  ) {
    UnsafeMutableRawBufferPointer(rebasing: target[offset..<offset + source.count]).copyMemory(from: source)
  }

  private func writeLengths(to bytes: UnsafeMutableRawBufferPointer) {
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    for length in lengths {
      let offset = 8 * Int(length.document)
      bytes.storeBytes(of: length.title.littleEndian, toByteOffset: offset, as: UInt32.self)
      bytes.storeBytes(of: length.body.littleEndian, toByteOffset: offset + 4, as: UInt32.self)
    }
  }

  /// Writes where each block of the dictionary begins.
  private func writeBlocks(to bytes: UnsafeMutableRawBufferPointer) {
    var (offset, start) = (0, 0)
    for stretch in stretches {
      for block in stretch.dictionary.blocks {
        bytes.storeBytes(of: UInt32(start + block).littleEndian, toByteOffset: offset, as: UInt32.self)
        offset += 4
      }
      start += stretch.dictionary.bytes.count
    }
  }
}
