import Foundation
import SlipboxTesting
import Testing

/// The search of a site, in a browser that has nothing but its files.
@Suite(.enabled(if: Machine.has("chromium"), "needs chromium"))
struct ExportSearchTests {
  private let site: ExportedSite

  init() throws {
    site = try ExportedSite(
      [
        "zolw.md":
          "---\ntitle: Żółw\ncreated: 2026-01-08\ntags: [animals/reptiles]\n---\nA turtle is slow. Ødegård straße.\n",
        "bread.md":
          "---\ntitle: Bread\ncreated: 2026-01-06\ntags: [food]\n---\nLeaven of rye, turtles never. A slow-moving dough, 日記.\n",
        "rye.md":
          "---\ntitle: Rye and wheat\ncreated: 2026-01-07\ntags: [food]\nauthor: Tolkien\naliases: [Levain, Rye bread]\n---\nGrain. 日本語のメモ\n",
        "kind.md":
          "---\ntitle: Constructor\ncreated: 2026-01-05\nkind: issue\n---\n__proto__ constructor toString\n",
      ], fields: "author")
    try site.export()
  }

  /// The titles that a query finds, best first.
  private func found(_ query: String) throws -> [String] {
    let text = try JSONSerialization.data(withJSONObject: [query])
    let typing =
      "addEventListener('load', () => { const q = document.getElementById('s:query'); q.focus(); q.value = \(String(decoding: text, as: UTF8.self))[0];"
      + " q.dispatchEvent(new Event('input')); });"
    let document = try site.rendered("tags/food.html", script: typing)
    let list =
      document.components(separatedBy: "id=\"s:list\">").last?.components(separatedBy: "</ol>").first ?? ""
    return list.matches(of: /dir="auto">([^<]*)</).map { String($0.output.1) }
  }

  @Test(arguments: [
    ("zolw", ["Żółw"]), ("turt", ["Żółw", "Bread"]), ("turtles", ["Bread"]),
    ("rye", ["Rye and wheat", "Bread"]),
    ("+food", ["Rye and wheat", "Bread"]), ("+animals", ["Żółw"]), ("+food leaven", ["Bread"]),
    ("turt -food", ["Żółw"]),
    ("日本", ["Rye and wheat"]), ("日記", ["Bread"]), ("Odegard", ["Żółw"]), ("strasse", ["Żółw"]),
    ("tolkien", ["Rye and wheat"]), ("levain", ["Rye and wheat"]), ("bread rye", ["Rye and wheat", "Bread"]),
    ("slow-moving", ["Bread"]), ("x-slow", ["Żółw", "Bread"]),
    ("__proto__", ["Constructor"]), ("tostring", ["Constructor"]), ("nothing", []),
  ])
  func finds(_ query: String, _ titles: [String]) throws {
    let found = try found(query)
    #expect(Set(found) == Set(titles) && found.first == titles.first, "\(query): \(found)")
  }
}
