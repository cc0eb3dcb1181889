import Testing

@testable import SlipboxCore

/// Paths, headings and texts in canvases.
@Suite struct CanvasFileTests {
  private let card =
    ##"{"nodes":[{"file":"a.md","subpath":"#One","x":0},{"subpath":"#One" ,"file":"a.md"}]}"##

  private func replacing(_ text: String, path: String, suffix: String) -> String? {
    let result = CanvasFile(Array(text.utf8)).replacing([:]) { old, heading in
      #expect(old == Array("a.md".utf8) && heading == Array("#One".utf8))
      return (Array(path.utf8), Array(suffix.utf8))
    } texts: {
      $0
    }
    return result.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  @Test func `replaces the heading and the path of a card`() {
    #expect(
      replacing(card, path: "b.md", suffix: "#Two")
        == ##"{"nodes":[{"file":"b.md","subpath":"#Two","x":0},{"subpath":"#Two" ,"file":"b.md"}]}"##)
  }

  @Test func `removes the heading of a card that became a note`() {
    #expect(
      replacing(card, path: "b.md", suffix: "") == ##"{"nodes":[{"file":"b.md","x":0},{"file":"b.md"}]}"##)
  }

  @Test func `changes nothing if paths and headings stay`() {
    #expect(replacing(card, path: "a.md", suffix: "#One") == nil)
  }

  @Test(arguments: [
    (##"{"nodes":[{"file":"a.md"}]}"##, true), (##"{"nodes":[{"text":"[[a]]"}]}"##, true),
    (##"{"nodes":[{"text":"- [ ] do"},{"file":"a.png"}]}"##, false), (##"{"nodes":[]}"##, false),
  ]) func `knows whether it names notes`(text: String, expected: Bool) {
    #expect(CanvasFile(Array(text.utf8)).namesNotes { $0.suffix(3).elementsEqual(".md".utf8) } == expected)
  }
}
