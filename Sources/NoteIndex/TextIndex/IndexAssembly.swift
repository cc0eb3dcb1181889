import Bytes

/// Puts the bytes of an index together from its parts.
struct IndexAssembly {
  private let stretches: [IndexPart]
  private let lengths: [DocumentLengths]
  private var layout = IndexLayout()
  private let executor: ParallelExecutor?

  /// - Parameters:
  ///   - stretches: in the order of their terms.
  ///   - lengths: of the documents that have words, in any order.
  ///   - documents: how many documents there are in all.
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
      ParallelParts(count: count, executor: executor).forEach { [stretches, layout] part in
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
    ParallelParts(count: layout.pageCount, executor: executor).forEach { [layout] page in
      let sum = Checksum.of(UnsafeRawBufferPointer(rebasing: target[layout.page(page)]))
      target.storeBytes(
        of: sum.littleEndian, toByteOffset: layout.sums.lowerBound + 8 * page, as: UInt64.self)
    }
    layout.write(to: bytes)
  }

  /// So many parts are moved before their memory is given back.
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
