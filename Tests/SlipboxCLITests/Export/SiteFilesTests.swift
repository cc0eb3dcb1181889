import Foundation
import SlipboxTesting
import Testing

/// The files beside the pages of a site: those that stay out, and links to them.
@Suite struct SiteFilesTests {
  private static let secret = "---\nprivate: true\n---\n# Secret\n\nxyzzyone %%xyzzytwo%%\n"

  /// A box with files that are no notes; the folder `hid` is excluded.
  private static func site(_ text: String) throws -> ExportedSite {
    let site = try ExportedSite(["a.md": text, "b.md": "# B\n\n[[A]]\n"])
    for path in ["hid/xyzzyplan.md", "upper.MD", "page.mdx"] {
      try site.shell.folder.write("box/" + path, secret)
    }
    let canvas =
      #"{"nodes":[{"id":"1","type":"file","file":"xyzzynote.md"},{"id":"2","type":"text","text":"xyzzycard"}]}"#
    try site.shell.folder.write("box/board.canvas", canvas)
    try site.shell.folder.write("box/view.base", "filters: xyzzyfilter\n")
    try site.shell.folder.write("box/plan.pdf", "%PDF plan")
    try site.sh("cd box && slip config exclude hid -q")
    return site
  }

  @Test func markdownAndViewsThatAreNoNotesStayOut() throws {
    let site = try Self.site(
      "---\nup: \"[[hid/xyzzyplan]]\"\n---\n# A\n\n[one](hid/xyzzyplan.md \"xyzzytitle\") [[hid/xyzzyplan|two]] [[hid/xyzzyplan]] "
        + "[three](upper.MD) [four](page.mdx) ![[board.canvas]] [five](view.base) [six](plan.pdf)\n\n[seven][r]\n\n"
        + "[r]: hid/xyzzyplan.md \"xyzzy reference\"\n")
    try site.sh("cd box && slip config publish.fields up -q")
    let said = try site.export("--url https://example.org/")
    #expect(
      said.contains("not exported, because they are Markdown and not notes of the box: hid/xyzzyplan.md, "),
      "\(said)")
    #expect(said.contains("not exported, because they may show private notes: board.canvas, view.base"))
    let files = try site.files().filter { $0.hasPrefix("files/") }
    #expect(files == ["files/plan.pdf"], "\(files)")
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
    let page = site.page("notes/a.html")
    #expect(page.contains("<p>one two \u{2026} three four \u{2026} five <a"), "\(page)")
    #expect(page.contains("<p>seven</p>"), "\(page)")
    let check = try site.sh("cd box && slip export html --check")
    #expect(check.status == 65)
    for row in [
      "hid/xyzzyplan.md\ta.md\t6\tlink\tone", "hid/xyzzyplan.md\ta.md\t6\tlink\ttwo",
      "board.canvas\ta.md\t6\tembed\t\u{2026}", "upper.MD\ta.md\t6\tlink\tthree",
    ] { #expect(check.output.contains(row + "\n"), "\(row)\n\(check.output)") }
    let json = try site.sh("cd box && slip export html --check --json").output
    #expect(json.contains("\"path\":\"board.canvas\""), "\(json)")
  }

  @Test func filesThatGitEncryptsStayOut() throws {
    let site = try ExportedSite(["a.md": "# A\n\n[p](secret/plan.pdf) [q](big/plan.pdf) [[Hidden]]\n"])
    try site.shell.folder.write("box/secret/plan.pdf", "xyzzy")
    try site.shell.folder.write("box/secret/hidden.md", "# Hidden\n\nxyzzy\n")
    try site.shell.folder.write("box/big/plan.pdf", "plan")
    // The filters are not configured.
    try site.shell.folder.write(
      "box/.gitattributes", "secret/** filter=git-crypt diff=git-crypt\nbig/** filter=lfs\n")
    let said = try site.export()
    #expect(said.contains("not exported, because a git filter encrypts it: secret/plan.pdf"), "\(said)")
    #expect(said.contains("left out: 1 note: 1 encrypted"), "\(said)")
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
    #expect(site.page("files/big/plan.pdf") == "plan")
  }

  @Test func pathsDifferInMoreThanCase() throws {
    let site = try ExportedSite([
      "Bread.md": "---\naliases: [SALT]\n---\n# One\n\n![[x/A.png]] ![[x/a.png]]\n", "bread.md": "# Two\n",
      "salt.md": "# Three\n", "c.md": "---\npermalink: /About/\n---\n# Four\n",
      "d.md": "---\npermalink: /about/\n---\n# Five\n",
    ])
    try site.shell.folder.write("box/x/A.png", [0x89, 0x50, 0x4E, 0x47, 1])
    try site.shell.folder.write("box/x/a.png", [0x89, 0x50, 0x4E, 0x47, 2])
    try site.export()
    let files = try site.files()
    #expect(Set(files.map { $0.lowercased() }).count == files.count, "\(files)")
    let index = site.page("notes.html")
    for title in ["One", "Two", "Three", "Four", "Five"] { #expect(index.contains(">\(title)</a>")) }
    #expect(files.filter { $0.hasPrefix("files/x/") }.count == 2, "\(files)")
  }
}
