import ArgumentParser

/// The options of `slip export html`.
struct SiteOptions: ParsableArguments {
  @Option(
    name: .option(.title), parsing: .unconditional,
    help: ArgumentHelp("The name of the site; by default the name of the box's folder.", valueName: "text"))
  var title: Word?

  @Option(
    name: .option(.url), parsing: .unconditional,
    help: ArgumentHelp(
      "The address of the site, for feeds, sitemap and canonical links: https://...", valueName: "address"))
  var url: Word?

  @Option(
    name: .option(.author), parsing: .unconditional,
    help: ArgumentHelp("The author of the site, for its feed.", valueName: "name"))
  var author: Word?

  @Option(
    name: .option(.css), parsing: .unconditional,
    help: ArgumentHelp("A style sheet to load after that of the site.", valueName: "file"))
  var css: Word?

  @Option(
    name: .option(.template), parsing: .unconditional,
    help: ArgumentHelp("The HTML around the pages, with {{head}} and {{content}}.", valueName: "file"))
  var template: Word?

  @Flag(name: .option(.drafts), help: "Include drafts.")
  var drafts = false

  @Flag(name: .option(.skip), help: "Leave out embeds of private notes.")
  var skip = false

  @Flag(name: .option(.strict), help: "Refuse fields that name a note which is not on the site.")
  var strict = false

  @Flag(
    name: .option(.check),
    help: "List the words about notes that are not on the site, and write nothing.")
  var check = false

  @Flag(name: .option(.highlight), help: "Highlight code, with Pygments.")
  var highlight = false

  @Flag(name: .option(.serve), help: "Show the site at 127.0.0.1 until Ctrl-C; pages follow the box.")
  var serve = false

  @Option(
    name: .option(.port), parsing: .unconditional,
    help: ArgumentHelp("The port of the preview; by default any free port.", valueName: "n"))
  var port: Int?

  @Flag(name: .option(.noOpen), help: "Don't open a browser.")
  var noOpen = false

  @Option(
    name: .option(.commit), parsing: .unconditional,
    help: ArgumentHelp("Commit the site to a branch, such as gh-pages.", valueName: "branch"))
  var commit: Word?

  /// The first option that is set; nil if none is.
  var first: OptionName? {
    let set: [(OptionName, Bool)] = [
      (.title, title != nil), (.url, url != nil), (.author, author != nil),
      (.css, css != nil), (.template, template != nil), (.drafts, drafts), (.skip, skip),
      (.strict, strict), (.check, check), (.highlight, highlight), (.serve, serve), (.port, port != nil),
      (.noOpen, noOpen), (.commit, commit != nil),
    ]
    return set.first(where: \.1)?.0
  }

  func validate() throws {
    guard (1...65_535).contains(port ?? 1) else {
      throw ValidationError("\(OptionName.port.typed) takes a number from 1 to 65535.")
    }
    if !serve, let option = [(OptionName.port, port != nil), (.noOpen, noOpen)].first(where: \.1)?.0 {
      throw ValidationError("\(option.typed) needs \(OptionName.serve.typed).")
    }
    let ways = [(OptionName.serve, serve), (.commit, commit != nil), (.check, check)].filter(\.1).map(
      \.0.typed)
    guard ways.count < 2 else { throw ValidationError("\(ways[0]) and \(ways[1]) can't be combined.") }
    if commit?.text.isEmpty == true { throw ValidationError("\(OptionName.commit.typed) takes a branch.") }
    if let url, !Self.isWebAddress(url.text) {
      throw ValidationError("\(OptionName.url.typed) takes an address such as https://example.org/notes/.")
    }
  }

  private static func isWebAddress(_ text: String) -> Bool {
    ["https://", "http://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"<>".utf8.contains($0) }
  }
}
