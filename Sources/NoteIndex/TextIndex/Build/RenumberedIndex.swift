package import Bytes

/// An index whose documents go into a new one under other numbers.
package struct RenumberedIndex: Sendable {
  /// Stands for a document that is left out.
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
  /// Returns the bytes of one index of the documents of several, without reading their texts again.
  ///
  /// It answers as one that was built from the texts.
  /// - Parameters:
  ///   - documents: how many documents the new index has; each new number is below that.
  ///   - executor: does the work on several threads; nil does it on the calling one.
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
    let parts = ParallelParts(count: bounds.count + 1, executor: executor).map {
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

  /// The terms at which the work is parted: those that part the postings of the largest index evenly.
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
