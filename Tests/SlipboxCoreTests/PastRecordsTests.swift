import Bytes
import Foundation
import NoteIndex
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// The file of past records: what is kept is found, and what is damaged is never believed.
@Suite struct PastRecordsTests {
  private func records(_ range: Range<Int>) -> [(content: ContentID, record: [UInt8])] {
    range.map { number in
      var id = [UInt8](repeating: 7, count: 20)
      var random = SplitMix64(seed: UInt64(number))
      for place in 0..<8 { id[place] = UInt8.random(in: 0...255, using: &random) }
      return (ContentID(id), Array("record \(number) \(String(repeating: "x", count: number % 50))".utf8))
    }
  }

  private func file(_ frames: [Range<Int>]) -> [UInt8] {
    PastRecords.head + frames.flatMap { PastRecords.frame(records($0)) }
  }

  private func found(_ bytes: [UInt8], _ wanted: [Int]) -> [[UInt8]?] {
    let ids = wanted.map { records($0..<$0 + 1)[0].content }
    guard let file = PastRecords(ByteSlice(copying: bytes)) else { return ids.map { _ in nil } }
    return file.records(of: ids).map { slice in slice.map { $0.withBytes { Array($0) } } }
  }

  private func expected(_ wanted: [Int], in ranges: [Range<Int>]) -> [[UInt8]?] {
    wanted.map { number in
      ranges.contains { $0.contains(number) } ? records(number..<number + 1)[0].record : nil
    }
  }

  @Test func whatIsKeptIsFound() {
    let ranges = [0..<300, 300..<301, 400..<1_000]
    let bytes = file(ranges)
    for wanted in [Array(0..<1_100), [5], [350], [999, 0, 300, 399, 400], []] {
      #expect(found(bytes, wanted) == expected(wanted, in: ranges))
    }
  }

  @Test func damageIsNeverBelieved() {
    let ranges = [0..<40, 40..<100]
    let (good, wanted) = (file(ranges), Array(0..<120))
    let right = expected(wanted, in: ranges)
    var random = SplitMix64(seed: 3)
    for round in 0..<2_000 {
      var bytes = good
      for _ in 0...round % 3 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      if round % 4 == 0 { bytes.removeLast(Int.random(in: 0...bytes.count, using: &random)) }
      if round % 7 == 0 { bytes += [1, 2, 3] }
      for (answer, record) in zip(found(bytes, wanted), right) where answer != nil {
        #expect(answer == record, "round \(round)")
      }
    }
  }

  @Test func numbersThatMakeNoSenseEndTheFile() {
    for place in stride(from: 16, to: 32, by: 1) {
      for byte in [0, 1, 0x7F, 0xFF] as [UInt8] {
        var bytes = file([0..<40])
        bytes[place] = byte
        _ = found(bytes, Array(0..<40))
      }
    }
    #expect(PastRecords(ByteSlice(copying: [])) == nil)
    #expect(PastRecords(ByteSlice(copying: Array("slippast something else".utf8))) == nil)
  }

  @Test func theFileGrowsAndIsBegunAnew() throws {
    let folder = try TemporaryFolder()
    let box = try makeBox(in: folder).box
    let cache = PastRecordsCache(box, longest: 12_000)
    let name = ".git/slipbox/past"
    cache.keep(records(0..<20))
    #expect(folder.read(name) == nil)
    cache.keep(records(0..<40))
    let first = try #require(folder.read(name))
    cache.keep(records(40..<100) + records(40..<60))
    let second = try #require(folder.read(name))
    #expect(second.starts(with: first) && second == file([0..<40, 40..<100]))
    // What a killed command left at the end goes, and the rest stays.
    try folder.write(name, second + [1, 2, 3])
    cache.keep(records(100..<140))
    #expect(folder.read(name) == file([0..<40, 40..<100, 100..<140]))
    // Another version, and a file of something else.
    try folder.write(name, Array("slippast".utf8) + [9, 9, 9, 9] + second)
    #expect(cache.records() == nil)
    cache.keep(records(0..<40))
    #expect(folder.read(name) == first)
    // Beyond its length it is begun anew.
    cache.keep(records(200..<290))
    cache.keep(records(300..<390))
    #expect((folder.read(name)?.count ?? 0) <= 12_000)
    #expect(cache.records()?.records(of: [records(389..<390)[0].content]).first ?? nil != nil)
    // Where it can't be written nothing happens.
    unlink(folder.path + "/" + name)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/" + name, withIntermediateDirectories: true)
    cache.keep(records(0..<40))
    #expect(cache.records() == nil)
  }

  /// Whatever stands in the file, the past answers the same.
  @Test func answersAreTheSameWithADamagedFile() throws {
    let folder = try TemporaryFolder()
    let box = try makeBox(in: folder)
    for number in 0..<60 {
      try folder.write("n\(number).md", "---\ntitle: Alpha \(number)\n---\nOld \(number)\n")
    }
    try folder.git("add", "-A")
    try folder.git("commit", "-q", "-m", "Old")
    let tip = try #require(try box.box.tip())
    for number in 0..<60 { try folder.write("n\(number).md", "# New \(number)\n") }
    try folder.git("commit", "-q", "-a", "-m", "New")
    try box.foldCatalogue()
    let answers = { try CommitReaderTests.answers(try CommitReader(box.box, box.context).snapshot(of: tip)) }
    let right = try answers()
    let good = try #require(folder.read(".git/slipbox/past"))
    #expect(try answers() == right)
    var random = SplitMix64(seed: 8)
    for round in 0..<40 {
      var bytes = good
      for _ in 0...round % 4 { bytes[Int.random(in: 0..<bytes.count, using: &random)] &+= 1 }
      if round % 3 == 0 { bytes.removeLast(Int.random(in: 0...bytes.count, using: &random)) }
      try folder.write(".git/slipbox/past", bytes)
      #expect(try answers() == right, "round \(round)")
    }
  }
}
