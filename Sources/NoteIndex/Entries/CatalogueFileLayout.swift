import Bytes

/// Where things stand in a snapshot. All numbers are little-endian.
///
/// A header, the sections one after another, and the checksums of the blocks between the two.
enum CatalogueFileLayout {
  static let magic = Array("slip\u{1}\r\n\u{1A}".utf8)
  /// Changes with every change of the format, and of what is read from notes.
  static let version: UInt32 = 19
  static let headerLength = 256
  /// The bytes that one checksum stands for.
  static let blockLength = 1 << 16

  /// The parts of a snapshot, in their order.
  enum Section: Int, CaseIterable {
    /// The conditions under which the file still holds, as its writer keeps them; opaque here.
    case circumstances
    /// The state of the files, as another module keeps it; opaque here.
    case files
    /// A row for each file, in the order of `files`.
    case rows
    /// The documents in the catalogue's order.
    case documents
    /// The numbers of the documents that have an id, by their ids.
    case ids
    /// The facts of the documents in columns.
    case facts
    /// The records of the documents.
    case records
    /// The index of their words, whose documents are the rows of the files; it checks itself.
    case texts
  }

  /// The fields of the header; the checksum stands for all that follows it.
  enum Header {
    static let version = 8
    static let checksum = 16
    static let length = 24
    static let generation = 32
    static let sumsOffset = 40
    static let sumsChecksum = 48
    static let sections = 64
  }

  /// A file: its content, the number of its document, its verdict.
  enum Row {
    static let document = 20
    static let verdict = 24
    static let length = 28
  }

  /// A document.
  enum Document {
    static let seconds = 0
    static let id = 8
    static let recordOffset = 16
    static let recordLength = 24
    static let row = 28
    static let offsetSeconds = 32
    static let flags = 36
    static let length = 40
    /// The flag of a note that does not say itself when it was made.
    static let isUndated: UInt32 = 1
    /// The bits of the flags from which on they hold the milliseconds of the creation date.
    static let millisecondsShift: UInt32 = 16
  }

  static let noDocument = UInt32.max
}

/// The result of the ignore rules for a file that is a note by its name.
package enum IgnoreStatus: UInt32, Sendable {
  /// No rule matches it.
  case note
  /// A rule matches, so that it is a note only while git tracks it.
  case onlyIfTracked
}

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

/// The format of the catalogue cache.
package enum CatalogueFormat {
  /// Caches of other versions are rebuilt.
  package static let version = CatalogueFileLayout.version
}
