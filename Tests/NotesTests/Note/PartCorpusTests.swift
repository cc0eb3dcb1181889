import Notes
import SlipboxTesting
import Testing

/// The headings and check boxes of every version of every note in the corpora are those of cmark-gfm.
@Suite struct PartCorpusTests {
  @Test func partsOfTheSmallCorpus() throws { try partsAreThoseOfCmark("small", 20) }

  @Test(
    .enabled(if: Machine.hasCorpora, "needs ../shared/corpora"),
    arguments: [("eips", 8_000), ("garden", 1_000), ("kepano", 100)])
  func partsAreThoseOfCmark(_ name: String, _ least: Int) throws {
    let bundle = try #require(corpus(name))
    let folder = try TemporaryFolder()
    try folder.git("clone", "-q", "--bare", bundle, "box.git")
    let ids = try folder.git("-C", "box.git", "rev-list", "--objects", "--all").split(separator: "\n").filter
    {
      $0.hasSuffix(".md") || $0.hasSuffix(".markdown")
    }.map { $0.prefix(40) }
    var (count, problems) = (0, [String]())
    let all = Set(ids).sorted()
    for start in stride(from: 0, to: all.count, by: 2_000) {
      let part = all[start..<min(start + 2_000, all.count)]
      try folder.write("ids", part.joined(separator: "\n") + "\n")
      let ran = try run("sh", ["-c", "git -C box.git cat-file --batch <ids >blobs"], in: folder.path)
      #expect(ran.status == 0)
      var rest = try #require(folder.read("blobs"))[...]
      while let end = rest.firstIndex(of: 0x0A) {
        let head = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
        guard head.count == 3, let size = Int(head[2]) else { break }
        let bytes = Array(rest[(end + 1)..<(end + 1 + size)])
        rest = rest[(end + size + 2)...]
        count += 1
        if let problem = Self.problem(of: NoteText(bytes)) { problems.append("\(head[0]): \(problem)") }
      }
    }
    #expect(count >= least)
    #expect(problems.isEmpty, "\(problems.count) of \(count): \(problems.prefix(5).joined(separator: "; "))")
  }

  /// What differs; nil if nothing does.
  private static func problem(of text: NoteText) -> String? {
    guard let body = String(validating: text.bytes[text.body], as: UTF8.self), !body.contains("\0") else {
      return nil
    }
    let theirs = CmarkParts(body)
    let first = text.positions(of: [text.body.lowerBound])[0].line - 1
    let headings = BodyHeading.all(in: text)
    let lines = text.positions(of: headings.map(\.lines.lowerBound)).map { $0.line - first }
    let ours = zip(lines, headings).map { CmarkParts.Heading(line: $0, level: $1.level) }
    if ours != theirs.headings { return "headings \(ours) for \(theirs.headings)" }
    let rows = body.split(separator: /\r\n|\n|\r/, omittingEmptySubsequences: false)
    let isKnown = { (line: Int) in CmarkParts.mayHaveTask(rows[line - 1]) }
    let boxes = CheckBox.all(in: text).filter {
      $0.state != .other && text.bytes[$0.mark] != UInt8(ascii: "/")
    }.map { $0.line - first }.filter(isKnown)
    let tasks = theirs.tasks.filter(isKnown)
    return boxes == tasks ? nil : "boxes \(boxes) for \(tasks)"
  }
}
