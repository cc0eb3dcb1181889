import Notes
import Testing

/// What changed between two texts, by lines and words.
@Suite struct TextDiffTests {
  private func shown(_ old: String, _ new: String) -> [String] {
    TextDiff.hunks(Array(old.utf8), Array(new.utf8)).map { hunk in
      hunk.pieces.map { piece in
        let text = String(decoding: piece.bytes, as: UTF8.self)
        return switch piece {
        case .same: text
        case .removed: "[-\(text)-]"
        case .added: "{+\(text)+}"
        }
      }.joined()
    }
  }

  @Test func wordsAreTold() {
    #expect(
      shown("a\nthe old word stays\nb\n", "a\nthe new word stays\nb\n") == ["the [-old-]{+new+} word stays\n"]
    )
    #expect(shown("Call (Ada).\n", "Call (Ben).\n") == ["Call ([-Ada-]{+Ben+}).\n"])
    #expect(shown("Żółw idzie\n", "Żółw śpi\n") == ["Żółw [-idzie-]{+śpi+}\n"])
  }

  @Test func wordsBesideEachOtherAreToldTogether() {
    #expect(
      shown("Add one onion to it all.\n", "Add two onions to it all.\n")
        == ["Add [-one onion-]{+two onions+} to it all.\n"])
  }

  @Test func linesThatHaveLittleInCommonAreToldWhole() {
    #expect(shown("One thing.\n", "Quite another story\n") == ["[-One thing.\n-]{+Quite another story\n+}"])
  }

  @Test func whatCameAndWhatWent() {
    #expect(shown("a\n", "a\nb\n") == ["{+b\n+}"])
    #expect(shown("a\nb\n", "a\n") == ["[-b\n-]"])
    #expect(shown("", "b") == ["{+b\n+}"])
    #expect(shown("a\n", "a\n") == [])
  }

  @Test func lineEndsAloneAreNoDifference() { #expect(shown("a\r\nb\r\n", "a\nb\n") == []) }

  /// The pieces of a hunk, put together, are its lines.
  @Test(arguments: 0..<200) func piecesMakeUpTheLines(_ seed: Int) {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
    let next = { (count: Int) -> Int in
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return Int(state >> 33) % count
    }
    let words = ["a", "bc", " ", "\n", ".", "  ", "ż", "\n\n", "word"]
    let text = { (_: Int) in (0..<next(30)).map { _ in words[next(words.count)] }.joined() }
    let (old, new) = (text(0), text(1))
    let lines = { (text: String) in
      text.isEmpty ? [] : (text.hasSuffix("\n") ? String(text.dropLast()) : text).components("\n")
    }
    for hunk in TextDiff.hunks(Array(old.utf8), Array(new.utf8)) {
      let before = hunk.pieces.filter { if case .added = $0 { false } else { true } }.flatMap(\.bytes)
      let after = hunk.pieces.filter { if case .removed = $0 { false } else { true } }.flatMap(\.bytes)
      #expect(String(decoding: before, as: UTF8.self) == lines(old)[hunk.oldLines].map { $0 + "\n" }.joined())
      #expect(String(decoding: after, as: UTF8.self) == lines(new)[hunk.newLines].map { $0 + "\n" }.joined())
    }
  }
}

extension String {
  fileprivate func components(_ separator: Character) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}
