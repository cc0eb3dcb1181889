import Foundation
import SlipboxTesting
import Testing

/// Nothing that a note says runs on a page, wherever it stands: in titles, tags, fields, texts, names of files.
@Suite struct ExportSafetyTests {
  /// Texts that would run where one of them became markup.
  static let attacks = [
    "<script>document.documentElement.dataset.ran=1</script>",
    "<img src=x onerror=\"document.documentElement.dataset.ran=2\">",
    "<svg onload=document.documentElement.dataset.ran=3>",
    "</title><script>document.documentElement.dataset.ran=4</script>",
    "\"><script>document.documentElement.dataset.ran=5</script>",
    "' onmouseover='document.documentElement.dataset.ran=6",
    "{{constructor.constructor('document.documentElement.dataset.ran=7')()}}",
    "--><script>document.documentElement.dataset.ran=8</script>",
    "]]><script>document.documentElement.dataset.ran=9</script>",
    "\u{2028}</script><script>document.documentElement.dataset.ran=10</script>",
  ]

  static let body = """
    [a](javascript:document.documentElement.dataset.ran=11) [b](  JaVaScRiPt:alert(1)) [c](data:text/html,<script>alert(1)</script>)
    [d](vbscript:x) [e](java&#115;cript:alert(1)) [f](javascript&colon;alert(1)) <javascript:alert(1)> ![g](javascript:alert(1))
    [[x|<script>document.documentElement.dataset.ran=12</script>]] ![[<img src=x onerror=alert(1)>]] [h]: javascript:alert(1)
    [i][ref] ![j](https://tracker.example/p.png) [k](\\u0001javascript:alert(1)) [l](evil.html) [m](<evil".svg>) ![[evil".svg]]

    [ref]: javascript:alert(1)

    <div onclick="alert(1)">block <script>document.documentElement.dataset.ran=13</script></div>

    <iframe src="javascript:alert(1)"></iframe> <a href="javascript:alert(1)">raw</a> <b onclick=alert(1)>b</b> </main></b>

    ```"><script>document.documentElement.dataset.ran=14</script>
    </code></pre><script>document.documentElement.dataset.ran=15</script>
    ```

    `</code><script>document.documentElement.dataset.ran=16</script>` ^"><script>
    """

  private let site: ExportedSite

  init() throws {
    var notes: [String: String] = [:]
    for (number, attack) in Self.attacks.enumerated() {
      let json = try JSONSerialization.data(withJSONObject: [attack], options: [.withoutEscapingSlashes])
      let quoted = String(decoding: json.dropFirst().dropLast(), as: UTF8.self)
      notes["n\(number)/\(attack.replacing("/", with: "\u{2215}").prefix(60)).md"] =
        "---\ntitle: \(quoted)\ntags: [\(quoted)]\naliases: [\(quoted)]\nfield: \(quoted)\n\(quoted): x\nkind: \(quoted)\n---\n"
        + "\(attack)\n\n# \(attack)\n\n[[Target]] \(attack)\n\n\(Self.body)\n"
    }
    notes["target.md"] = "---\ntitle: Target\n---\n[[\(Self.attacks[1])]]\n"
    site = try ExportedSite(notes)
    let script = "<script>document.documentElement.dataset.ran=20</script>"
    for number in Self.attacks.indices {
      try site.shell.folder.write("box/n\(number)/evil.html", script)
      try site.shell.folder.write(
        "box/n\(number)/evil\".svg", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
      )
    }
    try site.sh("cd box && slip commit -q")
    try site.export("--title '\(Self.attacks[3])'")
  }

  /// The markup of pages is ours alone: no element, attribute or address of theirs is in it.
  @Test func pagesHoldNoMarkupOfNotes() throws {
    let elements: Set<String> = [
      "a", "article", "audio", "b", "blockquote", "body", "br", "code", "dd", "del", "div", "dl", "dt", "em",
      "footer", "form",
      "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "i", "img", "input", "kbd", "label",
      "li", "link",
      "main", "mark", "meta", "nav", "ol", "p", "pre", "s", "script", "section", "small", "span", "strong",
      "sub", "sup",
      "table", "tbody", "td", "th", "thead", "time", "title", "tr", "u", "ul", "video",
    ]
    var count = 0
    for path in try site.files() where path.hasSuffix(".html") && path != "graph.html" {
      let page = site.page(path)
      count += 1
      // A page that leads to another one has no script.
      let isRedirect = page.contains("http-equiv=\"refresh\"")
      #expect(page.components(separatedBy: "<script").count == (isRedirect ? 1 : 2), "\(path)")
      for tag in page.matches(of: /<\/?([A-Za-z][^\s>\/]*)([^>]*)>/) {
        #expect(elements.contains(String(tag.output.1)), "\(path): \(tag.output.0)")
        for attribute in tag.output.2.matches(of: /([^\s="]+)="([^"]*)"/) {
          let (name, value) = (attribute.output.1.lowercased(), attribute.output.2.lowercased())
          #expect(!name.hasPrefix("on") && name != "style" && name != "srcdoc", "\(path): \(tag.output.0)")
          guard name == "href" || name == "src" else { continue }
          let isIcon = name == "href" && value.hasPrefix("data:image/svg+xml,")
          let isOwn = !value.contains(":") || value.hasPrefix("https:") || value.hasPrefix("#") || isIcon
          #expect(isOwn, "\(path): \(tag.output.0)")
          if name == "src" { #expect(!value.contains("//"), "\(path): \(tag.output.0)") }
        }
      }
    }
    #expect(count > 2 * Self.attacks.count)
  }

  /// What a browser would run by itself is a text beside the pages.
  @Test func documentsThatRunAreCopiedAsText() throws {
    let files = try site.files().filter { $0.hasPrefix("files/") }
    #expect(files.contains("files/n0/evil.html.txt") && files.contains("files/n0/evil\".svg.txt"), "\(files)")
    #expect(!files.contains { $0.hasSuffix(".html") || $0.hasSuffix(".svg") })
  }

  /// Data of the search are strings of JSON in a call, whatever they hold.
  @Test func theSearchHoldsDataAlone() throws {
    for path in try site.files() where path.hasPrefix("search/") {
      let text = site.page(path)
      #expect(
        text.hasPrefix("slipNotes(\"notes\",{") || text.hasPrefix("slipWords(\"")
          || text.hasPrefix("slipPreviews(\""), "\(path)")
      #expect(!text.contains("\u{2028}") && text.hasSuffix(");\n"))
      let start = try #require(text.firstIndex(of: ","))
      let json = text[text.index(after: start)...].dropLast(3)
      _ = try JSONSerialization.jsonObject(with: Data(json.utf8))
    }
  }

  @Test(.enabled(if: Machine.has("chromium"), "needs chromium")) func nothingRunsInABrowser() throws {
    let first = try site.files().first { $0.hasPrefix("notes/n0/") && $0.hasSuffix(".html") }
    for path in ["index.html", "tags.html", "notes.html", try #require(first)] {
      let document = try site.rendered(path)
      #expect(document.contains("<main") && !document.contains("data-ran"), "\(path)")
    }
  }

  @Test(.enabled(if: Machine.has("chromium"), "needs chromium"))
  func nothingRunsInTheListOfTheSearch() throws {
    let typing =
      "addEventListener('load', () => { const q = document.getElementById('s:query'); q.focus(); q.value = 'script'; q.dispatchEvent(new Event('input')); });"
    let document = try site.rendered("index.html", script: typing)
    #expect(document.contains("&lt;script&gt;document") && !document.contains("data-ran"))
    #expect(document.contains("id=\"s:list\"><li>"))
  }

  @Test(.enabled(if: Machine.has("flock"), "needs flock")) func `two exports don't write one folder at once`()
    throws
  {
    let site = try ExportedSite(["a.md": "# A\n"])
    try site.export()
    let ran = try site.sh("cd box && flock ../site slip export html -o ../site")
    #expect(ran.status == 75 && ran.errors.contains("another export writes"), "\(ran)")
    #expect(try site.sh("cd box && slip export html -o ../site").status == 0)
  }
}
