import Bytes
import Git
import NoteIndex
import Notes

/// The conditions under which a catalogue was kept: its verdicts and creation dates follow from them and from the files.
struct CatalogueConditions {
  /// Where the box is in its repository.
  let prefix: [UInt8]
  /// The commit by whose history notes were dated that don't say when they were made.
  let tip: ObjectID?
  let sources: IgnoreSources
  /// Whether any ignore rules hold in the box.
  let hasIgnoreRules: Bool
  /// How many notes don't say when they were made.
  let undatedCount: Int
  /// Whether history dates all of them; else the times of files do, in the zone of whoever looks.
  let areDatedByHistory: Bool
  /// The rows of the files that are no note, or only while git tracks them.
  let specialRows: [Int]

  var bytes: [UInt8] {
    var packer = BytePacker()
    packer.append(prefix)
    packer.append(tip?.bytes ?? [])
    sources.pack(into: &packer)
    packer.append(hasIgnoreRules ? 1 : 0)
    packer.append(undatedCount)
    packer.append(areDatedByHistory ? 1 : 0)
    packer.append(specialRows.count)
    for row in specialRows { packer.append(row) }
    return packer.bytes
  }

  init(
    prefix: [UInt8], tip: ObjectID?, sources: IgnoreSources, hasIgnoreRules: Bool, undatedCount: Int,
    areDatedByHistory: Bool, specialRows: [Int]
  ) {
    self.prefix = prefix
    self.tip = tip
    self.sources = sources
    self.hasIgnoreRules = hasIgnoreRules
    self.undatedCount = undatedCount
    self.areDatedByHistory = areDatedByHistory
    self.specialRows = specialRows
  }

  /// Reads what a snapshot keeps; nil where it is not that.
  init?(_ snapshot: CatalogueFile) {
    let read: CatalogueConditions? = snapshot.circumstances.withUnsafeBytes { bytes in
      var unpacker = ByteUnpacker(bytes)
      return CatalogueConditions(&unpacker, fileCount: snapshot.fileCount)
    }
    guard let read else { return nil }
    self = read
  }

  private init?(_ unpacker: inout ByteUnpacker, fileCount: Int) {
    guard let prefix = unpacker.bytes(), let tip = unpacker.bytes(), let sources = IgnoreSources(&unpacker),
      let hasRules = unpacker.number(), let undated = unpacker.number(), let byHistory = unpacker.number(),
      let count = unpacker.number(),
      count <= fileCount
    else { return nil }
    var rows: [Int] = []
    for _ in 0..<count {
      guard let row = unpacker.number(), row < fileCount else { return nil }
      rows.append(row)
    }
    self.init(
      prefix: Array(prefix), tip: ObjectID(bytes: tip), sources: sources, hasIgnoreRules: hasRules != 0,
      undatedCount: undated, areDatedByHistory: byHistory != 0, specialRows: rows)
  }
}
