/// The bytes of a catalogue file in pieces; those that hold records are put together when they are asked for.
package struct CatalogueFileParts: Sequence, Sendable {
  enum Piece: Sendable {
    case bytes([UInt8])
    /// The records of the files at some places.
    case records([Int])
  }

  private let pieces: [Piece]
  private let files: [CatalogueFileWriter.File]

  init(_ pieces: [Piece], _ files: [CatalogueFileWriter.File]) {
    self.pieces = pieces
    self.files = files
  }

  /// No bytes at all.
  package static var none: CatalogueFileParts { CatalogueFileParts([], []) }

  package func makeIterator() -> AnyIterator<[UInt8]> {
    var rest = pieces.makeIterator()
    return AnyIterator { [files] in
      switch rest.next() {
      case .bytes(let bytes)?: bytes
      case .records(let places)?: Self.records(of: places, files)
      case nil: nil
      }
    }
  }

  /// The records of files, one after another.
  static func records(of places: some Sequence<Int>, _ files: [CatalogueFileWriter.File]) -> [UInt8] {
    var bytes: [UInt8] = []
    for place in places { bytes += files[place].document?.record ?? [] }
    return bytes
  }
}
