import Bytes
import NoteIndex
import Platform

/// The file in which the records of past contents are kept for later commands.
///
/// It only grows, or is replaced as a whole, so that it may be mapped. Whoever can't write it goes on without.
struct PastRecordsCache: Sendable {
  /// Fewer records are made again as fast as they are found.
  static let fewest = 32

  private let box: Box
  private let folder: [UInt8]
  /// Beyond so many bytes the file is begun anew.
  private let longest: Int

  init(_ box: Box, longest: Int = 256 << 20) {
    self.box = box
    folder = box.privateFolder
    self.longest = longest
  }

  /// The path of the file.
  var file: [UInt8] { BytePath.join(folder, Array("past".utf8)) }

  /// What is kept; nil where nothing is that can be read.
  func records() -> PastRecords? {
    // A cache that can't be read is one that is not there.
    ((try? Files.map(file)) ?? nil).flatMap { PastRecords($0.bytes.slice) }
  }

  /// Keeps more records; where that can't be, nothing happens.
  ///
  /// - Parameter isDamaged: whether a record of the file was found to be damaged, so that all of it is dropped.
  func keep(_ records: [(content: ContentID, record: [UInt8])], isDamaged: Bool = false) {
    guard records.count >= Self.fewest || isDamaged && !records.isEmpty else { return }
    try? box.makePrivateFolder()
    let lockFile = BytePath.join(folder, Array("past.lock".utf8))
    guard let lock = try? FileLock.acquire(lockFile, timeoutMilliseconds: 0) else { return }
    defer { withExtendedLifetime(lock) {} }
    let frame = PastRecords.frame(fitting(records))
    let mapped = (try? Files.map(file)) ?? nil
    guard !isDamaged, let mapped, let known = PastRecords(mapped.bytes.slice),
      known.length + frame.count <= longest
    else {
      try? Files.replaceCache(file, with: [PastRecords.head, frame])
      return
    }
    if known.length == mapped.bytes.count {
      // Nothing is cut off: another command may have the file mapped.
      _ = try? Files.appendToCache(file, frame, at: known.length)
    } else {
      try? Files.replaceCache(file, with: [known.sound, frame])
    }
  }

  /// As many of the records as half of the file may hold, each content once.
  private func fitting(
    _ records: [(content: ContentID, record: [UInt8])]
  ) -> [(content: ContentID, record: [UInt8])] {
    var seen: Set<ContentID> = []
    var room = longest / 2
    return records.filter { record in
      room -= record.record.count
      return room >= 0 && seen.insert(record.content).inserted
    }
  }
}
