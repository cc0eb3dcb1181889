import Bytes
import Testing

@Suite struct NumberTests {
  /// Numbers at each border between two lengths of the code, and their lengths.
  static let borders: [(UInt64, Int)] = [
    (0, 1), (191, 1), (192, 2), (12_479, 2), (12_480, 3), (929_983, 3), (929_984, 5), (0xFFFF_FFFF, 5),
    (0x1_0000_0000, 9), (.max, 9),
  ]

  @Test func codesAreAsShortAsTheirFirstByteSays() {
    for (number, length) in Self.borders {
      var bytes: [UInt8] = []
      NumberCode.append(number, to: &bytes)
      #expect(bytes.count == length && NumberCode.length(bytes[0]) == length, "\(number)")
      #expect(bytes.withUnsafeBytes { NumberCode.readWhole($0[0], $0, 0) } == number)
      guard let small = UInt32(exactly: number) else { continue }
      let written = [UInt8](unsafeUninitializedCapacity: NumberCode.longest) { room, count in
        count = room.baseAddress.map { NumberCode.write(small, to: $0) } ?? 0
      }
      #expect(written == bytes)
    }
  }

  @Test func readsOneAfterAnotherAndNotBeyondTheEnd() {
    var bytes: [UInt8] = []
    let numbers = Self.borders.compactMap { UInt32(exactly: $0.0) }
    for number in numbers { NumberCode.append(UInt64(number), to: &bytes) }
    bytes.withUnsafeBytes { buffer in
      var reader = NumberReader(buffer)
      for number in numbers { #expect(reader.read() == number) }
      #expect(!reader.isDamaged && reader.remaining == 0)
      #expect(reader.read() == 0 && reader.isDamaged)
      for count in 0..<buffer.count {
        var cut = NumberReader(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        for _ in numbers { _ = cut.read() }
        #expect(cut.isDamaged)
      }
    }
  }

  @Test func numbersBeyond32BitsAreDamageToAReaderOfSmallOnes() {
    var bytes: [UInt8] = []
    NumberCode.append(1 << 32, to: &bytes)
    bytes.withUnsafeBytes { buffer in
      var reader = NumberReader(buffer)
      #expect(reader.read() == 0 && reader.isDamaged)
    }
  }

  @Test(arguments: [0, 1, 127, 128, 300, Int.max]) func numbersComeBack(number: Int) {
    var packer = BytePacker()
    packer.append(number)
    packer.append(signed: Int64(number))
    packer.append(signed: -Int64(number))
    packer.append(signed: .min)
    packer.bytes.withUnsafeBytes { bytes in
      var unpacker = ByteUnpacker(bytes)
      let (first, signed) = (unpacker.number(), [unpacker.signed(), unpacker.signed(), unpacker.signed()])
      #expect(first == number)
      #expect(signed == [Int64(number), -Int64(number), .min])
      let (isAtEnd, rest) = (unpacker.isAtEnd, unpacker.number())
      #expect(isAtEnd && rest == nil)
    }
  }

  @Test func `a run is read in place, as a copy or as its range`() {
    var packer = BytePacker()
    for _ in 0..<3 { packer.append(Array("abc".utf8)) }
    packer.bytes.withUnsafeBytes { bytes in
      var unpacker = ByteUnpacker(bytes)
      let (range, copy) = (unpacker.range(), unpacker.array())
      #expect(range == 1..<4 && copy == Array("abc".utf8))
      guard let span = unpacker.bytes() else {
        Issue.record("no run")
        return
      }
      let inPlace = [UInt8](span)
      #expect(inPlace == copy)
    }
  }

  @Test func runsComeBackAndAreNotLongerThanTheBytes() {
    var packer = BytePacker()
    packer.append(Array("abc".utf8))
    packer.append([])
    packer.bytes.withUnsafeBytes { bytes in
      var unpacker = ByteUnpacker(bytes)
      let (text, empty, rest) = (unpacker.text(), unpacker.array(), unpacker.array())
      #expect(text == "abc" && empty == [] && rest == nil)
    }
    for count in 0..<4 {
      packer.bytes[..<count].withUnsafeBytes { bytes in
        var unpacker = ByteUnpacker(bytes)
        let run = unpacker.array()
        #expect(run == nil)
      }
    }
  }
}
