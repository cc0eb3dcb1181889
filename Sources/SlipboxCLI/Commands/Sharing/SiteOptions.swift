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
    help: ArgumentHelp("A style sheet that follows that of the site.", valueName: "file"))
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
    help: "List what readers could see of notes that are not on the site, and write nothing.")
  var check = false

  /// The first option that is set; nil if none is.
  var first: OptionName? {
    let set: [(OptionName, Bool)] = [
      (.title, title != nil), (.url, url != nil), (.author, author != nil),
      (.css, css != nil), (.template, template != nil), (.drafts, drafts), (.skip, skip),
      (.strict, strict), (.check, check),
    ]
    return set.first(where: \.1)?.0
  }

  func validate() throws {
    if let url, !Self.isWebAddress(url.text) {
      throw ValidationError("\(OptionName.url.typed) takes an address such as https://example.org/notes/.")
    }
  }

  private static func isWebAddress(_ text: String) -> Bool {
    ["https://", "http://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"<>".utf8.contains($0) }
  }
}
