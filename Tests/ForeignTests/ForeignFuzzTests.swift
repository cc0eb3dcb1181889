import SlipboxTesting
import Testing

@testable import Foreign

/// Whatever bytes a file holds, reading it ends, and every line of a fault is a line of the file.
@Suite struct ForeignFuzzTests {
  private static let seeds: [(ForeignFormat, String)] = [
    (
      .taskwarrior,
      #"[{"uuid":"u1","description":"One","status":"pending","due":"20261127T160000Z","tags":["x"]}]"#
    ),
    (
      .jsonl,
      "{\"title\":\"A\",\"tags\":[\"x\"],\"fields\":{\"a\":[1,{\"b\":null}]}}\n{\"id\":3,\"body\":\"\\u00e9\"}\n"
    ),
    (.csv, "title,kind,\"tags\",body\r\nA,task,\"x, y\",\"two\nlines\"\r\nB,,,\r\n"),
    (.todoTxt, "x (A) 2026-11-03 2026-11-01 Review +p @c due:2026-11-30 k:v\n(B) Call\n"),
    (
      .goodreads,
      "Book Id,Title,Author,My Rating,Date Read,Date Added,Exclusive Shelf\n1,\"A\",B,3,2026/05/02,,read\n"
    ),
  ]

  @Test(arguments: seeds.indices) func damagedFilesAreReadToTheEnd(_ place: Int) {
    let (format, text) = Self.seeds[place]
    var dice = SplitMix64(seed: UInt64(place) + 7)
    for _ in 0..<3_000 {
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 1...6, using: &dice) {
        let index = Int.random(in: 0..<max(1, bytes.count), using: &dice)
        guard index < bytes.count else { break }
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &dice)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert("\"\\\n,{}[]:;\r".utf8.randomElement(using: &dice) ?? 0, at: index)
        default: bytes.replaceSubrange(index..., with: bytes[..<index])
        }
      }
      check(format, bytes)
    }
  }

  @Test func randomBytesAreReadToTheEnd() {
    var dice = SplitMix64(seed: 99)
    for round in 0..<3_000 {
      let bytes = (0..<Int.random(in: 0...80, using: &dice)).map { _ in
        UInt8.random(in: 0...255, using: &dice)
      }
      for format in ForeignFormat.allCases { check(format, bytes) }
      _ = ForeignFormat.guess(name: ["", "x.json", "x.csv"][round % 3], bytes)
    }
  }

  private func check(_ format: ForeignFormat, _ bytes: [UInt8]) {
    guard let file = format.read(bytes, name: "x", clock: standingClock) else { return }
    let ends = bytes.contains(0x0A) ? 0x0A : UInt8(0x0D)
    let lines = bytes.count { $0 == ends } + 1
    for line in file.records.map(\.line) + file.problems.map(\.line) { #expect((1...lines).contains(line)) }
    #expect(Set(file.records.map(\.sourceName)).count == file.records.count)
  }
}
