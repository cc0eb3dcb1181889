import Foundation
import Testing

@testable import Presentation

/// The judges of what may stand on a page.
@Suite struct SafetyValueTests {
  @Test(arguments: [
    "javascript:alert(1)", " javascript:x", "java\nscript:x", "data:text/html,x", "vbscript:x", "blob:x",
    "file:///etc/passwd",
    "about:blank", "view-source:https://a", "https", "//a.org", "/a", "a.md", "", ":", "ｊavascript:x",
    "jar:https://a",
  ])
  func isNoAddressToFollow(_ address: String) { #expect(SafeAddress.external(Array(address.utf8)) == nil) }

  @Test(arguments: [
    ("https://a.org/ä b\"<>`", "https://a.org/%C3%A4%20b%22%3C%3E%60"), ("MAILTO:a@b.org", "MAILTO:a@b.org"),
    ("tel:+49", "tel:+49"), ("http://a/%20%zz", "http://a/%20%zz"),
  ])
  func isAnAddress(_ address: String, _ expected: String) {
    #expect(SafeAddress.external(Array(address.utf8)) == expected)
  }

  @Test(arguments: [
    ("<svg><path d='M0 0'/><text>one on = two</text></svg>", false),
    ("<svg><path d='M0 0'/><g opacity=\"1\"/></svg>", true),
    ("<svg onload=x>", false), ("<svg\nONLOAD = x>", false), ("<svg><SCRIPT>", false),
    ("<svg><a:script xmlns:a='x'>", false),
    ("<!DOCTYPE svg [<!ENTITY x 'y'>]>", false), ("<svg><a href='java&#115;cript:x'>", false),
    ("<svg><foreignObject>", false),
    ("<svg><style>path{fill:red}</style><path class='onyx'/></svg>", true), ("<svg\u{0}>", false),
  ])
  func picturesAreOfShapesAlone(_ svg: String, _ isHarmless: Bool) {
    #expect(SiteFiles.isHarmlessSVG(Array(svg.utf8)) == isHarmless)
  }

  @Test func wordsAreInTheFileOfTheirBeginning() {
    let names = ["bread", "b2b", "über", "日", "日本", "a'b"].map { WordIndex.file(of: Array($0.utf8)) }
    #expect(names == ["br", "b2", "ufc-62", "c32f", "u65e5-672c", "u61-27"])
  }

  @Test func linesOfCalendarsAreFolded() {
    var lines = CalendarLines()
    lines.add(text: "SUMMARY", [String(repeating: "ä;", count: 60), "b\\,\r\n\u{7}c"])
    let text = String(decoding: lines.take(), as: UTF8.self)
    let parts = text.components(separatedBy: "\r\n")
    #expect(parts.allSatisfy { $0.utf8.count <= 75 } && parts.count > 3 && parts.last == "")
    let whole = text.replacing("\r\n ", with: "")
    #expect(whole == "SUMMARY:" + String(repeating: "ä\\;", count: 60) + ",b\\\\\\,\\nc\r\n")
  }
}
