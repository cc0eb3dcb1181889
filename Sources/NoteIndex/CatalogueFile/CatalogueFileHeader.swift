import Bytes

/// The header of a snapshot, once it has been held against the bytes.
struct CatalogueFileHeader {
  let generation: UInt64
  let sums: Range<Int>
  let sections: [Range<Int>]

  /// - Returns: nil where the bytes are no snapshot of this version, or not all of one.
  init?(_ bytes: UnsafeRawBufferPointer) {
    typealias Header = CatalogueFileLayout.Header
    guard bytes.count >= CatalogueFileLayout.headerLength,
      bytes[..<CatalogueFileLayout.magic.count].elementsEqual(CatalogueFileLayout.magic),
      bytes.loadUnaligned(fromByteOffset: Header.version, as: UInt32.self).littleEndian
        == CatalogueFileLayout.version
    else { return nil }
    let number = { (offset: Int) in
      bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
    }
    let summed = UnsafeRawBufferPointer(rebasing: bytes[Header.length..<CatalogueFileLayout.headerLength])
    guard number(Header.checksum) == Checksum.of(summed), number(Header.length) == UInt64(bytes.count),
      let sumsOffset = Int(exactly: number(Header.sumsOffset)),
      sumsOffset >= CatalogueFileLayout.headerLength,
      sumsOffset <= bytes.count
    else { return nil }
    var sections: [Range<Int>] = []
    for section in CatalogueFileLayout.Section.allCases {
      let place = Header.sections + section.rawValue * 16
      guard let start = Int(exactly: number(place)), let length = Int(exactly: number(place + 8)),
        start >= CatalogueFileLayout.headerLength, start <= sumsOffset, length <= sumsOffset - start
      else { return nil }
      sections.append(start..<start + length)
    }
    let sums = UnsafeRawBufferPointer(rebasing: bytes[sumsOffset...])
    let blocks =
      (sumsOffset - CatalogueFileLayout.headerLength + CatalogueFileLayout.blockLength - 1)
      / CatalogueFileLayout.blockLength
    guard sums.count == blocks * 8, Checksum.of(sums) == number(Header.sumsChecksum) else { return nil }
    generation = number(Header.generation)
    self.sums = sumsOffset..<bytes.count
    self.sections = sections
  }
}
