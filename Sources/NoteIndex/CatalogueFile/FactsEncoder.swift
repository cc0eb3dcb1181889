import Bytes
import Notes

/// Puts the facts of documents, taken from their records, into the columns that `StoredFacts` reads.
///
/// The columns are: a run with the names of kinds and tags and with the lists of field names that notes have, its length
/// before it; for each document the numbers of its kind and of its list and where its tags end; the numbers of the tags.
struct FactsEncoder {
  /// Names by their bytes, numbered in the order in which they were met.
  private struct Numbering {
    private var numbers: [[UInt8]: UInt32] = [:]
    private(set) var packer = BytePacker()

    mutating func number(of name: UnsafeRawBufferPointer) -> UInt32 {
      let name = Array(name)
      if let known = numbers[name] { return known }
      let number = UInt32(numbers.count)
      numbers[name] = number
      packer.append(name)
      return number
    }
  }

  private var kinds = Numbering()
  private var tags = Numbering()
  private var lists = Numbering()
  private var rows: [UInt8] = []
  private var tagNumbers: [UInt8] = []

  /// - Parameter count: how many documents there will be.
  init(reserving count: Int) { rows.reserveCapacity(count * StoredFacts.Row.length) }

  /// Adds the next document; one whose record can't be read has no facts.
  mutating func add(_ record: UnsafeRawBufferPointer) {
    guard let facts = NoteSummary.facts(in: record) else {
      rows.append(little: StoredFacts.Row.unknown)
      rows.append(little: UInt32(0))
      rows.append(little: UInt32(tagNumbers.count / 4))
      return
    }
    rows.append(little: kinds.number(of: facts.kind) << 8 | UInt32(facts.flags.rawValue))
    rows.append(little: lists.number(of: facts.fields))
    var unpacker = ByteUnpacker(facts.tags)
    while let tag = unpacker.bytes() { tagNumbers.append(little: tags.number(of: tag)) }
    rows.append(little: UInt32(tagNumbers.count / 4))
  }

  /// The bytes of the columns.
  var bytes: [UInt8] {
    var tables = BytePacker()
    for numbering in [kinds, tags, lists] { tables.append(numbering.packer.bytes) }
    var bytes: [UInt8] = []
    bytes.append(little: UInt32(tables.bytes.count))
    bytes += tables.bytes
    bytes += rows
    bytes += tagNumbers
    return bytes
  }
}
