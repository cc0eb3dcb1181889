import Foundation
import SlipboxTesting
import Testing

/// A site follows its box: in a folder, on a branch, and in a preview.
@Suite struct SiteUpdateTests {
  private static let options = "--url https://example.org/ --skip"

  /// A box of some notes that link to each other.
  private static func site() throws -> ExportedSite {
    let names = ["a", "b", "c", "sub/d", "sub/e"]
    var notes: [String: String] = [:]
    for (number, name) in names.enumerated() {
      notes[name + ".md"] =
        "# Note \(name)\n\n#tag/\(number % 2) [[Note \(names[(number + 1) % 5])]] and $x_\(number)$.\n"
    }
    return try ExportedSite(notes)
  }

  /// Changes a box at random, as people and other programs do.
  private static func change(_ site: ExportedSite, _ random: inout SplitMix64, _ round: Int) throws {
    let paths = try site.sh("cd box && find . -name '*.md' -not -path './.*' | sort").output.split(
      separator: "\n"
    ).map {
      String($0.dropFirst(2))
    }
    let path = paths[Int(random.next() % UInt64(paths.count))]
    let other = paths[Int(random.next() % UInt64(paths.count))]
    switch random.next() % 8 {
    case 0:
      try site.shell.folder.write("box/new-\(round).md", "# New \(round)\n\n[[\(other)]] #tag/\(round)\n")
    case 1 where paths.count > 3: try site.sh("cd box && rm '\(path)'")
    case 2: try site.sh("cd box && slip mv '\(path)' moved-\(round).md -q")
    case 3: try site.sh("cd box && slip set '\(path)' private=true -q")
    case 4: try site.sh("cd box && slip set '\(path)' private= -q")
    case 5: try site.sh("cd box && slip set '\(path)' 'title=Title \(round)' -q")
    case 6: try site.sh("cd box && slip commit -q")
    default: try site.sh("cd box && printf '\\nMore %d: [[\(other)]] ![[\(other)]]\\n' \(round) >> '\(path)'")
    }
  }

  @Test(arguments: [UInt64(3), 46]) func aLaterExportHasTheBytesOfAFirstOne(seed: UInt64) throws {
    let site = try Self.site()
    var random = SplitMix64(seed: seed)
    for round in 0..<12 {
      try Self.change(site, &random, round)
      try site.export(Self.options)
      let full = try site.sh("rm -rf full && cd box && slip export html \(Self.options) -o ../full")
      #expect(full.status == 0, "\(full.errors)")
      let differences = try site.sh("diff -r site full")
      #expect(differences.status == 0, "round \(round): \(differences.output)")
      let commit = try site.sh("cd box && slip export html \(Self.options) --commit pages")
      #expect(commit.status == 0, "\(commit.errors)")
      let branch = try site.sh(
        "rm -rf tree && mkdir tree && git -C box archive pages | tar -x -C tree && diff -r tree full")
      #expect(branch.status == 0, "round \(round): \(branch.output)")
    }
    let checked = try site.sh("cd box && git fsck --strict")
    #expect(checked.status == 0, "\(checked.errors)")
  }

  @Test func aBranchGetsACommitOnlyIfTheSiteChanged() throws {
    let site = try Self.site()
    try site.sh("cd box && printf 'x' > staged.txt && git add staged.txt && echo More >> a.md")
    let before = try site.sh("cd box && git status --porcelain && cat .git/HEAD")
    let first = try site.sh("cd box && slip export html --commit gh-pages --json")
    #expect(first.status == 0 && first.output.contains("\"branch\":\"gh-pages\",\"commit\":\""), "\(first)")
    let second = try site.sh("cd box && slip export html --commit gh-pages")
    #expect(second.errors.contains("gh-pages has this site already"), "\(second)")
    #expect(try site.sh("cd box && git rev-list --count gh-pages").output == "1\n")
    #expect(try site.sh("cd box && git status --porcelain && cat .git/HEAD").output == before.output)
    // A file that somebody has added to the branch stays.
    try site.sh(
      "cd box && git worktree add -q ../pages gh-pages && cd ../pages && echo example.org > CNAME && git add . && git commit -qm name"
    )
    let busy = try site.sh("cd box && echo More >> a.md && slip export html --commit gh-pages")
    #expect(busy.status == 73 && busy.errors.contains("gh-pages is checked out in a work tree"), "\(busy)")
    try site.sh("cd box && git worktree remove --force ../pages")
    #expect(try site.sh("cd box && slip export html --commit gh-pages").status == 0)
    #expect(
      try site.sh("cd box && git show gh-pages:CNAME && git rev-list --count gh-pages").output
        == "example.org\n3\n")
  }

  @Test func aBranchOfNotesIsNoPlaceForASite() throws {
    let site = try Self.site()
    let branch = try site.sh("cd box && git branch --show-current").output.trimmingCharacters(
      in: .whitespacesAndNewlines)
    let own = try site.sh("cd box && slip export html --commit \(branch)")
    #expect(own.status == 73 && own.errors.contains("is checked out in a work tree"), "\(own)")
    let other = try site.sh("cd box && slip commit -q; git branch copy && slip export html --commit copy")
    #expect(other.status == 73 && other.errors.contains("the branch copy has other files"), "\(other)")
    for name in ["a..b", "x.lock", "\(branch)/x"] {
      let bad = try site.sh("cd box && slip export html --commit '\(name)'")
      #expect(bad.status == 73, "\(bad)")
    }
    #expect(try site.sh("cd box && git branch --list | wc -l").output.contains("2"))
  }

  @Test func aQueryWithoutNotesWritesNoSite() throws {
    let site = try Self.site()
    for target in ["-o ../none", "--commit none"] {
      let ran = try site.sh("cd box && slip export html +nothing \(target)")
      #expect(ran.status == 73 && ran.errors.contains("no notes to write; "), "\(ran)")
    }
    #expect(try site.sh("ls none; git -C box rev-parse none").status != 0)
  }

  @Test func aFolderOfTheBoxIsNoPlaceForASite() throws {
    let site = try Self.site()
    let ran = try site.sh("cd box && slip export html -o site")
    #expect(ran.status == 73 && ran.errors.contains("site is in the box; nothing was written"), "\(ran)")
    #expect(try site.sh("ls box/site").status != 0)
    #expect(
      try site.sh("cd box && echo site/ >> .gitignore && slip export html -o site && ls site/index.html")
        .status == 0)
  }

  // MARK: Preview

  /// Runs a script of Python against a preview: `get(path, headers)` returns status and text, `root` is the address.
  private func preview(_ script: String) throws -> String {
    let site = try Self.site()
    let helper = #"""
      import os, re, signal, subprocess, sys, time, urllib.error, urllib.request
      server = subprocess.Popen(["slip", "export", "html", "--serve", "--no-open"], cwd="box", stdout=subprocess.PIPE, text=True)
      root = server.stdout.readline().strip()
      host = root[:root.index("/", 8)]
      def get(address, headers={}):
          if not address.startswith("http"): address = root + address
          try:
              answer = urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=10)
              return answer.status, answer.read().decode(), dict(answer.headers)
          except urllib.error.HTTPError as error: return error.code, error.read().decode(), dict(error.headers)
      def wait(test):
          for _ in range(200):
              if test(): return True
              time.sleep(0.05)
          return False
      try:
      """#
    let indented = script.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
    let end = "\nfinally:\n    server.kill()\n"
    try site.shell.folder.write("preview.py", helper + "\n" + indented + end)
    let ran = try site.sh(
      "TMPDIR=$PWD python3 preview.py && ls -d slip-site* 2>/dev/null; pgrep -f \"slip-page --site $PWD\"")
    return ran.output + ran.errors
  }

  @Test(.enabled(if: Machine.has("python3"), "needs python3")) func aPreviewFollowsTheBoxAndEndsClean() throws
  {
    let said = try preview(
      """
      status, text, headers = get("")
      print(status, "Note a" in text, ".reload.js" in text, headers["Cross-Origin-Resource-Policy"])
      state = get(".state.js?page=notes/a.html")[1]
      open("box/a.md", "a").write("\\nA fresh line.\\n")
      print(wait(lambda: "A fresh line." in get("notes/a.html")[1]))
      print(state != get(".state.js?page=notes/a.html")[1])
      os.remove("box/b.md")
      print(wait(lambda: get("notes/b.html")[0] == 404))
      server.send_signal(signal.SIGINT)
      print("ended", server.wait(10))
      time.sleep(0.5)
      """)
    #expect(said.hasPrefix("200 True True same-origin\nTrue\nTrue\nTrue\nended 0\n"), "\(said)")
    #expect(!said.contains("slip-site-"), "\(said)")
  }

  @Test(.enabled(if: Machine.has("python3"), "needs python3")) func aPreviewAnswersNoOtherPage() throws {
    let said = try preview(
      """
      print(get(host + "/")[0], get(host + "/index.html")[0], get(host + "/" + "0" * 32 + "/index.html")[0])
      print(get("search/notes.js", {"Host": "evil.example"})[0], get("search/notes.js", {"Sec-Fetch-Site": "cross-site"})[0])
      print(get("index.html", {"Sec-Fetch-Site": "same-site"})[0], get("index.html", {"Sec-Fetch-Site": "none"})[0])
      print(get(".slip-export")[0], get("..%2fpreview.py")[0], get("%2e%2e/preview.py")[0], get("notes/")[0])
      print("frame-ancestors 'none'" in get("")[2]["Content-Security-Policy"])
      """)
    #expect(said.hasPrefix("401 401 401\n403 403\n403 200\n404 404 404 404\nTrue\n"), "\(said)")
  }

  @Test(.enabled(if: Machine.has("python3"), "needs python3")) func aPreviewRunsTheGraphAndHasItsOwn404()
    throws
  {
    let said = try preview(
      #"""
      import base64, hashlib
      status, text, headers = get("graph.html")
      script = re.search("<script>(.*?)</script>", text, re.S).group(1)
      source = "'sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() + "'"
      own = re.search('Content-Security-Policy" content="([^"]*)"', text).group(1)
      for policy in (own, headers["Content-Security-Policy"]):
          scripts = re.search("script-src ([^;]*)", policy).group(1).split()
          print(status, source in scripts, "'self'" in scripts, "'unsafe-inline'" in scripts)
      status, text, headers = get("notes/no such.html".replace(" ", "%20"))
      style = re.search('href="([^"]*site.css)"', text).group(1)
      print(status, "Page not found" in text, get(host + style)[0])
      """#)
    #expect(
      said.hasPrefix("200 True True False\n200 True True False\n404 True 200\n"), "\(said)")
  }

  @Test(.enabled(if: Machine.has("python3"), "needs python3")) func aPreviewThatIsEndedEarlyLeavesNoFolder()
    throws
  {
    let site = try Self.site()
    let script = """
      import os, signal, subprocess, time
      for delay in (0.03, 0.06, 0.1, 0.2, 0.4):
          server = subprocess.Popen(["slip", "export", "html", "--serve", "--no-open", "-q"], cwd="box", stdout=subprocess.DEVNULL)
          for _ in range(400):
              if any(name.startswith("slip-site") for name in os.listdir(".")): break
              time.sleep(0.005)
          time.sleep(delay - 0.03)
          server.send_signal(signal.SIGTERM if delay == 0.1 else signal.SIGINT)
          print(server.wait(20) in (0, 143), [name for name in os.listdir(".") if name.startswith("slip-site")])
      """
    try site.shell.folder.write("early.py", script)
    let ran = try site.sh("TMPDIR=$PWD python3 early.py")
    #expect(ran.output == String(repeating: "True []\n", count: 5), "\(ran)")
  }
}
