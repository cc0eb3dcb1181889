import Bytes
import Foundation
import Notes
import SlipboxTesting
import Testing

@testable import NoteIndex

/// The text index of whole corpora, compared with a scan of every note.
@Suite struct TextIndexCorpusTests {
  /// The notes of a corpus.
  private func notes(_ name: String) throws -> [Note] {
    let bundle = try #require(corpus(name))
    let folder = try TemporaryFolder()
    try folder.git("clone", "-q", bundle, "box")
    let files = try run("git", ["ls-files", "-z"], in: folder.path + "/box").output.split(separator: "\0")
    return try files.filter { $0.hasSuffix(".md") }.map { file in
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/box/\(file)"))
      return Note(path: Array(file.utf8), text: NoteText([UInt8](bytes)))
    }
  }

  /// Some words of a note that follow one another, as they stand there.
  private func excerpt(_ note: Note, _ random: inout some RandomNumberGenerator) -> [UInt8] {
    let words = note.bodyBytes.split { ASCII.isBlank($0) }
    guard let first = words.indices.randomElement(using: &random) else { return Array(note.title.utf8) }
    let end = min(words.count, first + Int.random(in: 1...3, using: &random))
    return Array(words[first..<end].joined(separator: [UInt8(ascii: " ")]))
  }

  @Test func `words, phrases and prefixes are found in the small corpus`() throws {
    try expectFound(in: "small")
  }

  @Test(.enabled(if: Machine.hasCorpora, "needs ../shared/corpora"), arguments: ["eips", "garden", "kepano"])
  func `words, phrases and prefixes are found in real notes`(_ name: String) throws {
    try expectFound(in: name)
  }

  private func expectFound(in name: String) throws {
    let notes = try notes(name)
    let builders = TextIndexBuilders()
    builders.fill(from: 0) { builder in
      for (number, note) in notes.enumerated() {
        builder.begin(number)
        builder.add(note)
      }
    }
    let bytes = builders.index(documents: notes.count)
    let index = try TextIndex(ByteSlice(copying: bytes))
    var random = SplitMix64(seed: 61)
    for round in 0..<12 {
      let note = try #require(notes.randomElement(using: &random))
      guard let words = WordPattern(excerpt(note, &random), isPrefix: round % 4 == 0) else { continue }
      let pattern = TextPattern.words(words)
      let scope: TextScope = round % 3 == 0 ? .body : .anywhere
      let counts = notes.map { pattern.counts(in: $0, scope) }
      let expected = counts.indices.filter { !counts[$0].isEmpty }.map {
        TextHit(document: UInt32($0), counts: counts[$0])
      }
      guard case .exact(let hits) = try index.find(pattern, in: scope) else { continue }
      #expect(hits == expected, "\(words.words.map { String(decoding: $0, as: UTF8.self) })")
    }
  }
}
