import Git
import SlipboxTesting
import Testing

/// The filter of a file is the one that git reads from the files of attributes.
@Suite struct AttributePatternTests {
  @Test(arguments: [
    "\"My secrets/**\" filter=turn\n", "\"\\303\\274/**\" filter=turn\n", "\"a/b/t\\141b.md\" filter=turn\n",
    "\"tab\\there.md\" filter=turn\n", "C/** secretmac\n[attr]secretmac filter=turn\n",
    "\u{FEFF}\"My secrets/**\" filter=turn\r\n", "C/[!x].md filter=turn\n", "a\\ b.md filter=turn\n",
  ])
  func `patterns in quotes and macros are those of git`(rules: String) throws {
    let test = try TestRepository()
    try test.folder.write(".gitattributes", rules)
    let paths = [
      "My secrets/n.md", "ü/n.md", "a/b/tab.md", "tab\there.md", "C/n.md", "C/x.md", "a b.md", "other.md",
    ]
    try Self.compare(paths, in: test, rules)
  }

  @Test(arguments: [
    "\"My notes/**\" text\n", "\"My notes/**\" text=auto\n", "* text=auto\n\"My notes/**\" -text\n",
    "\"My notes/**\" eol=crlf\n", "\"My notes/**\" lines\n[attr]lines text eol=lf\n",
    "\"My notes/**\" text ident\n",
    "\"My notes/**\" binary\n", "\"\\303\\274/**\" text eol=lf\n", "*.md text\n\"ü/n.md\" !text\n",
  ])
  func `line ends and keywords are stored and checked out as git does it`(rules: String) throws {
    let test = try TestRepository()
    let paths = ["My notes/n.md", "My notes/kept.md", "ü/n.md", "other.md"]
    let text = "one\r\ntwo $Id: 1 $\r\n"
    try test.folder.write("My notes/kept.md", text)
    try test.git("add", "-A")
    try test.folder.write(".gitattributes", rules)
    let repository = try test.reopened()
    for path in paths {
      let found = try repository.conversion.contentID(of: Array(text.utf8), path: Array(path.utf8))
      try test.folder.write(path, text)
      try test.git("add", "--", path)
      let expected = try test.line("rev-parse", ":\(path)")
      #expect(found.hex == expected, "\(path) in \(rules)")
      let file = CheckoutFile(path: Array(path.utf8), blob: found, mode: 0o100644)
      let shown = try test.git("cat-file", "--filters", "--path=\(path)", expected)
      #expect(try repository.conversion.checkedOut([file]) == [Array(shown.utf8)], "\(path) in \(rules)")
    }
  }

  @Test func `an encoding of a pattern in quotes is that of git`() throws {
    let test = try TestRepository()
    try test.folder.write(".gitattributes", "\"My notes/**\" working-tree-encoding=UTF-16\n")
    let setting = try test.reopened().attributes.foreignFilter(of: Array("My notes/n.md".utf8))
    #expect(setting == "working-tree-encoding=UTF-16")
  }

  @Test(arguments: 0..<40) func `random files of attributes are read as git reads them`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed &+ 4_712)
    let test = try TestRepository()
    let folders = ["", "a/", "a/b/", "ü x/"]
    let names = ["n.md", "n 1.md", "tab\there.md", "ü.md", "[x].md", "#n.md", "\"q\".md", "!n.md", "N.MD"]
    var all = ""
    for folder in folders.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)) {
      var text = Bool.random(using: &random) ? "" : "\u{FEFF}"
      let end = Int.random(in: 0..<4, using: &random) == 0 ? "\r\n" : "\n"
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        text += Self.line(&random, folders, names) + end
      }
      try test.folder.write(folder + ".gitattributes", text)
      all += "\(folder): \(text.debugDescription) "
    }
    if Bool.random(using: &random) { try test.git("config", "core.ignoreCase", "true") }
    let paths = folders.flatMap { folder in names.map { folder + $0 } }
    try Self.compare(paths, in: test, all)
  }

  private static func line(_ random: inout SplitMix64, _ folders: [String], _ names: [String]) -> String {
    if Int.random(in: 0..<6, using: &random) == 0 {
      return "[attr]mac\(Int.random(in: 0..<2, using: &random)) "
        + (["filter=turn", "filter=other", "-filter", "mac1"].randomElement(using: &random) ?? "mac1")
    }
    let folder = folders.randomElement(using: &random) ?? ""
    let name = names.randomElement(using: &random) ?? ""
    var pattern =
      [
        name, folder + name, folder + "**", folder + "*", "*", "*.md", "/" + name, "**/" + name, folder,
        "!" + name, "a/**/n.md", "?.md", "[a-n]*",
      ].randomElement(using: &random) ?? "*"
    if Bool.random(using: &random) || pattern.contains(" ") {
      pattern = "\"" + pattern.utf8.map { quoted($0, &random) }.joined() + "\""
    }
    let blank = ["", "", "", " ", "\t"].randomElement(using: &random) ?? ""
    let setting = ["filter=turn", "filter=other", "-filter", "!filter", "mac0", "mac1", "filter", "text"]
      .randomElement(using: &random)
    return blank + pattern + " " + (setting ?? "filter")
  }

  /// A byte as git writes it in quotes, sometimes in octal without need.
  private static func quoted(_ byte: UInt8, _ random: inout SplitMix64) -> String {
    if byte == 9 { return "\\t" }
    if byte == UInt8(ascii: "\"") { return "\\\"" }
    if byte >= 0x80 || Int.random(in: 0..<6, using: &random) == 0 {
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
    return String(decoding: [byte], as: UTF8.self)
  }

  private static func compare(_ paths: [String], in test: TestRepository, _ rules: String) throws {
    let answers = try test.git(
      "check-attr", "-z", "--stdin", "filter", input: paths.map { $0 + "\0" }.joined())
    let words = answers.split(separator: "\0", omittingEmptySubsequences: false)
    let repository = try test.reopened()
    for (number, path) in paths.enumerated() {
      let value = String(words[3 * number + 2])
      let expected = ["unspecified", "unset", "set"].contains(value) ? nil : value
      let found = try repository.attributes.namedFilter(of: Array(path.utf8))
      #expect(found == expected, "\(path) in \(rules)")
    }
  }
}
