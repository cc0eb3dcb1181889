import Testing

@testable import Notes

@Suite struct MergeMarkersTests {
  @Test(
    arguments: [
      ("a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n", 2), ("<<<<<<<<< ours:a.md\n", 1),
      ("a\n>>>>>>> theirs\n", 2), (">>>>>>>> eight levels\n", nil), (">>>>>>>>>>> more\n", nil),
      ("```\n<<<<<<< ours\n```\n", nil), ("<<<<<<<\n", nil),
      ("````\n```\n<<<<<<< ours\n```\n````\n", nil), ("<pre>\n<<<<<<< ours\n</pre>\n", nil),
      ("<!--\n<<<<<<< ours\n-->\n", nil), ("%%\n<<<<<<< ours\n%%\n", nil),
      ("```\na\n```\n<pre>\n</pre>\n<!-- -->\n%%\n%%\n<<<<<<< ours\n", 9),
      ("- ```\n  a\n\n<<<<<<< ours\n", 4), ("---\ntitle: T\n<<<<<<< ours\n", 3),
    ] as [(String, Int?)])
  func `quotations of eight levels and more are no markers`(text: String, line: Int?) {
    #expect(MergeMarkers.firstLine(in: Array(text.utf8)) == line)
  }
}
