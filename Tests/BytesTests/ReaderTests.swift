import Bytes
import Synchronization
import Testing

@Suite struct ReaderTests {
  private static let content = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  /// A file of 16 bytes, the content in blocks of 64, and their sums.
  private static var file: [UInt8] {
    [UInt8](repeating: 7, count: 16) + content + BlockSums.of(content, blockLength: 64)
  }

  private static func blocks(_ file: [UInt8]) -> CheckedBlocks? {
    CheckedBlocks(
      ByteSlice(copying: file), content: 16..<16 + content.count, blockLength: 64, sums: 16 + content.count)
  }

  @Test func aRegionIsReleasedWithItsLastSlice() {
    let released = Mutex(0)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 1)
    memory.copyBytes(from: [1, 2, 3, 4])
    var slice: ByteSlice? = ByteRegion(owning: UnsafeRawBufferPointer(memory)) {
      $0.deallocate()
      released.withLock { $0 += 1 }
    }.slice[1..<4][1..<3]
    #expect(released.withLock { $0 } == 0)
    #expect(slice?.withBytes { Array($0) } == [3, 4])
    #expect(slice?.count == 2)
    slice = nil
    #expect(released.withLock { $0 } == 1)
  }

  @Test func pagesMayBeGivenBack() {
    let unloaded = Mutex(0)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 1)
    memory.copyBytes(from: [1, 2, 3, 4])
    let region = ByteRegion(
      owning: UnsafeRawBufferPointer(memory), release: { $0.deallocate() },
      unload: { bytes in unloaded.withLock { $0 += bytes.count } })
    region.slice[1..<3].unloadPages()
    #expect(unloaded.withLock { $0 } == 4)
    ByteSlice(copying: [1, 2]).unloadPages()
  }

  @Test func soundBytesAreLent() throws {
    let blocks = try #require(Self.blocks(Self.file))
    for range in [16..<16, 16..<17, 79..<81, 16..<1_016, 1_015..<1_016, 500..<900] {
      let expected = Array(Self.file[range])
      #expect(try Array(blocks.bytes(range)) == expected)
    }
  }

  @Test func rangesOutsideAreDamage() throws {
    let blocks = try #require(Self.blocks(Self.file))
    for range in [15..<20, 1_000..<1_017, 0..<1] {
      #expect(!blocks.isSound(range))
      #expect(throws: DamagedBytes.self) { _ = try blocks.bytes(range) }
    }
  }

  @Test func aChangedByteIsFoundInItsBlockAlone() throws {
    for offset in [16, 79, 80, 700, 1_015] {
      var file = Self.file
      file[offset] ^= 4
      let blocks = try #require(Self.blocks(file))
      let number = (offset - 16) / 64
      for block in 0..<16 {
        let range = (16 + block * 64)..<min(80 + block * 64, 1_016)
        #expect(blocks.isSound(range) == (block != number), "\(offset), block \(block)")
      }
    }
  }

  @Test func checkedPagesAreGivenBack() {
    let unloaded = Mutex(0)
    let (length, blockLength) = (17 << 20, 1 << 20)
    let content = [UInt8](repeating: 7, count: length)
    let file = content + BlockSums.of(content, blockLength: blockLength)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: file.count, alignment: 1)
    memory.copyBytes(from: file)
    let region = ByteRegion(
      owning: UnsafeRawBufferPointer(memory), release: { $0.deallocate() },
      unload: { _ in unloaded.withLock { $0 += 1 } })
    let blocks = CheckedBlocks(region.slice, content: 0..<length, blockLength: blockLength, sums: length)
    #expect(blocks?.isSound(0..<length) == true)
    #expect(unloaded.withLock { $0 } == 4)
    // What is known to be sound is not read for a check again.
    #expect(blocks?.isSound(0..<length) == true)
    #expect(unloaded.withLock { $0 } == 4)
  }

  @Test func sumsBeyondTheEndAreRefused() {
    #expect(Self.blocks(Array(Self.file.dropLast())) == nil)
    #expect(CheckedBlocks(ByteSlice(), content: 0..<1, blockLength: 64, sums: 0) == nil)
    #expect(CheckedBlocks(ByteSlice(), content: 0..<0, blockLength: 64, sums: 0) != nil)
  }
}
