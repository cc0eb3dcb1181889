import Notes
import SlipboxTesting
import Testing

/// Texts with git's conflict markers.
@Suite struct MarkedTextTests {
  @Test(arguments: [
    ("a\n<<<<<<< x\nb\n=======\nc\n>>>>>>> y\nd\n", ["a\nb\nd\n", "a\nc\nd\n"]),
    ("<<<<<<< x\nb\n||||||| z\no\n=======\n>>>>>>> y\n", ["b\n", ""]),
    ("<<<<<<<< HEAD:a.md\nb\n========\nc\n>>>>>>>> o:b.md\n", ["b\n", "c\n"]),
    (
      "<<<<<<< x\n<<<<<<< i\n1\n=======\n2\n>>>>>>> j\n=======\n3\n>>>>>>> y\n<<<<<<< p\nq\n=======\nr\n>>>>>>> s",
      ["1\nq\n", "2\nr\n", "3\nr\n"]
    ),
    ("<<<<<<< x\r\nb\r\n=======\r\nc\r\n>>>>>>> y\r\n", ["b\r\n", "c\r\n"]),
    // Markers of two conflicts between each other, as a merge of committed markers leaves them.
    (
      "a\n<<<<<<< x\n=======\nb\n<<<<<<< i\n>>>>>>> y\nc\n=======\nd\n>>>>>>> j\ne\n",
      ["a\ne\n", "a\nb\nc\nd\ne\n"]
    ),
    ("<<<<<<< x\na\n=======\nb\n>>>>>>> y\nc\n>>>>>>> z\nd\n", ["a\nc\nd\n", "b\nc\nd\n"]),
    // Somebody took the marker before their lines away.
    ("<<<<<<< x\na\n||||||| o\nb\nc\n>>>>>>> y\nd\n", ["a\nd\n", "b\nc\nd\n"]),
    // A base with a conflict, as a merge of several bases or of committed markers leaves it.
    (
      "<<<<<<< x\na\n||||||| o\n<<<<<<< p\nb\n=======\nc\n>>>>>>> q\n=======\nd\n>>>>>>> y\n", ["a\n", "d\n"]
    ),
    (
      "<<<<<<< x\na\n||||||| o\n<<<<<<<<< p\nb\n||||||||| r\n=========\nc\n>>>>>>>>> q\n=======\n>>>>>>> y\n",
      ["a\n", ""]
    ),
    ("<<<<<<< x\na\n||||||| o\n<<<<<<< p\n=======\nd\n>>>>>>> y\n", ["a\n", "d\n"]),
    // Six signs are no marker.
    ("<<<<<<< x\nb\n=======\nc\n>>>>>>> y\n>>>>>> six\n", ["b\n>>>>>> six\n", "c\n>>>>>> six\n"]),
    // The line under a heading looks like a marker, also beside a base with a marker or a conflict.
    ("<<<<<<< x\na\n=======\nHead\n=======\nc\n>>>>>>> y\n", ["a\n", "Head\n=======\nc\n"]),
    (
      "<<<<<<< x\na\n||||||| o\n<<<<<<< p\n=======\nHead\n=======\nd\n>>>>>>> y\n",
      ["a\n", "Head\n=======\nd\n"]
    ),
    (
      "<<<<<<< x\na\n||||||| o\n<<<<<<< p\nb\n=======\nc\n>>>>>>> q\n=======\nHead\n=======\nd\n>>>>>>> y\n",
      ["a\n", "Head\n=======\nd\n"]
    ),
    // A marker without a partner, before a base with a conflict or with one more such marker.
    (
      ">>>>>>> z\n<<<<<<< x\na\n||||||| o\n<<<<<<< p\nb\n=======\nc\n>>>>>>> q\n=======\nd\n>>>>>>> y\n",
      ["a\n", "d\n"]
    ),
    (">>>>>>> z\n<<<<<<< x\na\n||||||| o\n<<<<<<< p\n=======\nd\n>>>>>>> y\n", ["a\n", "d\n"]),
    // A base that opens a conflict which another marker closes: what stands there is of a side.
    (
      "<<<<<<< x\na\n||||||| o\no\n<<<<<<< n\n=======\nb\n>>>>>>> y\n=======\nc\n>>>>>>> n\n",
      ["a\n", "c\n", "b\n"]
    ),
    // Markers with nothing between them.
    ("a\n<<<<<<< x\n>>>>>>> y\n=======\n>>>>>>> z\nb\n", ["a\nb\n"]),
    ("a\n<<<<<<< x\n>>>>>>> y\n\n=======\n>>>>>>> z\nHead\n=======\n>>>>>>> z\n", ["a\n\nHead\n=======\n"]),
    // Both versions open the code that goes on after the conflict.
    (
      "<<<<<<< x\n```\na\n=======\n```\nb\n>>>>>>> y\n```\n<<<<<<< x\nc\n=======\nd\n>>>>>>> y\n",
      ["```\na\n```\nc\n", "```\nb\n```\nd\n"]
    ),
    // An example in code beside a conflict.
    (
      "````\n```\n<<<<<<< h\n=======\n>>>>>>> t\n```\n````\n<<<<<<< x\nc\n=======\nd\n>>>>>>> y\n",
      [
        "````\n```\n<<<<<<< h\n=======\n>>>>>>> t\n```\n````\nc\n",
        "````\n```\n<<<<<<< h\n=======\n>>>>>>> t\n```\n````\nd\n",
      ]
    ),
  ])
  func `a text is taken apart into its versions`(text: String, versions: [String]) throws {
    let marked = try #require(MarkedText(Array(text.utf8)))
    #expect(marked.versions.map { String(decoding: $0, as: UTF8.self) } == versions)
  }

  @Test(arguments: [
    "plain\n", "<<<<<<< x\nb\n", "<<<<<<< x\nb\n>>>>>>> y\n", ">>>>>>> y\n",
    "```\n<<<<<<< x\nb\n=======\nc\n>>>>>>> y\n```\n",
    "````\n```\n<<<<<<< x\nb\n=======\nc\n>>>>>>> y\n```\n````\n",
    "<pre>\n<<<<<<< x\nb\n=======\nc\n>>>>>>> y\n</pre>\n",
    "%%\n<<<<<<< x\nb\n=======\nc\n>>>>>>> y\n%%\n", "<!--\n<<<<<<< x\nb\n=======\nc\n>>>>>>> y\n-->\n",
    "<<<<<<<\n", "<<<<<<< x\n=======\n>>>>>>>> y\n",
  ])
  func `markers that do not pair are no versions`(text: String) {
    #expect(MarkedText(Array(text.utf8)) == nil)
  }

  @Test func `markers in code are versions if the caller knows that git left them`() throws {
    let text = "```\n<<<<<<< x\nb\n=======\nc\n>>>>>>> y\n```\n"
    let marked = try #require(MarkedText(Array(text.utf8), isEverywhere: true))
    #expect(
      marked.versions.map { String(decoding: $0, as: UTF8.self) } == ["```\nb\n```\n", "```\nc\n```\n"])
    #expect(MarkedText.blocks(in: Array(text.utf8)).count == 1)
  }

  /// A conflict of lines that are each there once, with further conflicts in its sides.
  private static func conflict(_ line: inout Int, depth: Int, _ random: inout SplitMix64) -> String {
    let side = { (line: inout Int, random: inout SplitMix64) -> String in
      (0..<Int.random(in: 0...3, using: &random)).map { _ in
        if depth < 2, Int.random(in: 0..<4, using: &random) == 0 {
          return conflict(&line, depth: depth + 1, &random)
        }
        line += 1
        return "line \(line)\n"
      }.joined()
    }
    return "<<<<<<< a\n\(side(&line, &random))=======\n\(side(&line, &random))>>>>>>> b\n"
  }

  @Test(arguments: 1...300) func `no line of nested conflicts is lost`(seed: Int) throws {
    var (random, line) = (SplitMix64(seed: UInt64(seed)), 0)
    var text = ""
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      text += "between \(line)\n" + Self.conflict(&line, depth: 0, &random)
    }
    let marked = try #require(MarkedText(Array(text.utf8)))
    let merged = String(decoding: try #require(marked.merged()).bytes, as: UTF8.self)
    let kept = Set(merged.split(separator: "\n"))
    let lost = (0..<line).map { "line \($0 + 1)" }.filter { !kept.contains(Substring($0)) }
    #expect(lost == [], "\(text)\n\(merged)")
  }

  @Test(arguments: ["b\n=======\n", "=======\nb\n"])
  func `lines that only one version has are added`(sides: String) throws {
    let marked = try #require(MarkedText(Array("a\n<<<<<<< x\n\(sides)>>>>>>> y\nc\n".utf8)))
    #expect(marked.merged().map { String(decoding: $0.bytes, as: UTF8.self) } == "a\nb\nc\n")
  }

  /// What git merge-file --diff3 writes of a line that both sides deleted, and of one that only our side deleted.
  private static let withBase =
    "a\n<<<<<<< x\nours\n||||||| o\nof both\nof one\n=======\nof one\ntheirs\n>>>>>>> y\nz\n"

  @Test func `a line of a base that both sides deleted is deleted`() throws {
    let marked = try #require(MarkedText(Array(Self.withBase.utf8)))
    #expect(marked.linesOfBasesAlone.map { String(decoding: $0, as: UTF8.self) } == ["of both"])
    let merged = String(decoding: try #require(marked.merged()).bytes, as: UTF8.self)
    for line in ["a", "ours", "of one", "theirs", "z"] { #expect(merged.contains("\(line)\n"), "\(merged)") }
    #expect(!merged.contains("of both"), "\(merged)")
  }

  @Test(arguments: [
    ("of both\n", "of both\nwritten\n"), ("of both\n", "of both and written\n"),
    ("of one\n===", "of one\nwritten\n==="), ("|| o\n", "|| o\nwritten\n"),
  ])
  func `a line that somebody wrote into a base stays`(place: String, text: String) throws {
    let known = "a\nof both\nof one\nz\n"
    let edited = Self.withBase.replacing(place, with: text)
    let settled = MarkedText.settled(Array(edited.utf8), rules: MergeRules(), known: Array(known.utf8))
    let merged = String(decoding: settled.bytes, as: UTF8.self)
    for line in ["a", "ours", "of one", "theirs", "written", "z"] {
      #expect(merged.contains("\(line)\n"), "\(merged)")
    }
    #expect(!merged.contains("<<<<<<<") && !merged.contains("|||||||"), "\(merged)")
    #expect(merged.contains("version 3 -->"), "\(merged)")
    // Without an edit nothing of the base comes back.
    let plain = MarkedText.settled(Array(Self.withBase.utf8), rules: MergeRules(), known: Array(known.utf8))
    #expect(!String(decoding: plain.bytes, as: UTF8.self).contains("of both"))
  }

  @Test func `a value that somebody wrote into a base between fields stays`() throws {
    let text = "---\ntitle: T\n<<<<<<< x\na: 1\n||||||| o\na: 3\n=======\na: 2\n>>>>>>> y\n---\ntext\n"
    let known = "---\ntitle: T\na: 0\n---\ntext\n"
    let settled = MarkedText.settled(Array(text.utf8), rules: MergeRules(), known: Array(known.utf8))
    let merged = String(decoding: settled.bytes, as: UTF8.self)
    #expect(merged == "---\ntitle: T\na: 3\nconflicts:\n  - \"a: 1\"\n  - \"a: 2\"\n---\ntext\n")
  }

  @Test func `what both versions have stands once, and the rest is a conflict`() throws {
    let text =
      "---\ntitle: T\n<<<<<<< x\na: 1\n---\nsame\n\nours\n=======\na: 2\n---\nsame\n\ntheirs\n>>>>>>> y\nend\n"
    let merged = try #require(MarkedText(Array(text.utf8))?.merged())
    let shown = String(decoding: merged.bytes, as: UTF8.self)
    #expect(
      shown.hasPrefix(
        "---\ntitle: T\na: 2\nconflicts:\n  - \"a: 1 - x -\"\n  - \"body: null\"\n---\nsame\n\n<!-- slip: version 1, x -->\nours\n"
      ))
    #expect(shown.hasSuffix("theirs\n<!-- slip: end of versions -->\nend\n"))
  }

  private static func marked(_ first: String, _ second: String, _ third: String) -> String {
    """
    ---
    title: T
    <<<<<<< \(first)
    a: 1
    b: 9
    =======
    a: 2
    b: 8
    >>>>>>> \(third)
    ---
    <<<<<<< \(second)
    zzz
    =======
    mmm
    >>>>>>> \(third)

    same

    <<<<<<< \(first)
    aaa
    =======
    nnn
    >>>>>>> \(third)

    """
  }

  /// The greater values stand in the note, and the lesser lines come first: without names, number 1 would mix the sides.
  @Test(arguments: [
    ("HEAD", "HEAD", "other"), ("HEAD:a.md", "HEAD:b.md", "1c4398b (sync: a subject)"),
    ("Updated upstream", "Updated upstream", "Stashed changes"),
  ])
  func `a number means one side in all parts`(first: String, second: String, third: String) throws {
    let marked = try #require(MarkedText(Array(Self.marked(first, second, third).utf8)))
    let text = try #require(marked.merged())
    let conflicts = NoteConflict.inOneOrder(NoteConflict.all(in: text))
    #expect(conflicts.count == 4 && !NoteConflict.mayMixSides(conflicts))
    for (number, wanted) in [(1, ["1", "9", "zzz", "aaa"]), (2, ["2", "8", "mmm", "nnn"])] {
      let resolved = try ["a", "b", "body"].reduce(text) { text, name in
        try text.resolving(conflicts.filter { $0.name == name }, .version(number))
      }
      let shown = String(decoding: resolved.bytes, as: UTF8.self)
      let names = Set(conflicts.flatMap(\.versions).filter { !$0.isInNote }.map(\.device))
      let isSwapped = !shown.contains("a: \(wanted[0])\n")
      let other = number == 1 ? ["2", "8", "mmm", "nnn"] : ["1", "9", "zzz", "aaa"]
      let side = isSwapped ? other : wanted
      #expect(shown == "---\ntitle: T\na: \(side[0])\nb: \(side[1])\n---\n\(side[2])\n\nsame\n\n\(side[3])\n")
      #expect(names.count == 2 && !names.contains(""))
    }
  }

  @Test func `sides without one pair of names may be mixed`() throws {
    let marked = try #require(MarkedText(Array(Self.marked("HEAD", "x", "other").utf8)))
    let text = try #require(marked.merged())
    let conflicts = NoteConflict.inOneOrder(NoteConflict.all(in: text))
    #expect(NoteConflict.mayMixSides(conflicts) && !NoteConflict.mayMixSides([conflicts[0]]))
  }
}
