/// The words and sentences of the issues of a sample box.
enum IssueWords {
  /// A part of a program, with the tag of its issues.
  struct Area: Sendable {
    let tag: String
    let subtags: [String]
    let things: [String]
    /// Faults of these objects, besides those that all objects can have.
    let faults: [String]
    /// Conditions of the fault, besides those of all areas.
    let conditions: [String]
  }

  static let areas = [
    Area(
      tag: "search", subtags: ["search/ranking", "search/index"],
      things: [
        "the search field", "phrase search", "search by date", "the list of recent searches",
        "highlighting of matches", "wildcard search", "search in archived notes", "the count of results",
        "sorting by relevance", "the search index",
      ],
      faults: [
        "misses the newest notes", "finds deleted notes", "gives the same note twice", "ignores accents",
      ],
      conditions: [
        "with more than 10,000 notes", "with one-letter words", "with Chinese text", "in a quoted phrase",
        "with an empty query", "while the index is built",
      ]),
    Area(
      tag: "sync", subtags: ["sync/conflicts", "sync/mobile"],
      things: [
        "the sync indicator", "the merge of two edits", "the first download", "background sync",
        "the list of devices", "sync over a metered line", "the conflict view", "the upload of attachments",
        "the retry after a timeout", "signing in",
      ],
      faults: [
        "never ends", "starts over again and again", "reports success too early", "needs a second attempt",
      ],
      conditions: [
        "behind a proxy", "on a train", "after two weeks offline", "with three devices",
        "when the clock is wrong", "after a changed password",
      ]),
    Area(
      tag: "editor", subtags: ["editor/tables", "editor/links"],
      things: [
        "the link picker", "table editing", "the spelling check", "undo", "autosave", "the word count",
        "pasting from a web page", "the outline", "folding of headings", "the preview",
      ],
      faults: ["moves the cursor", "eats a blank line", "loses the last letter", "selects too much"],
      conditions: [
        "in a numbered list", "with right-to-left text", "inside a quotation", "with very long lines",
        "at the end of the file", "in a table of ten columns",
      ]),
    Area(
      tag: "interface", subtags: ["interface/keyboard", "interface/contrast"],
      things: [
        "the sidebar", "the tag list", "the settings window", "the status line", "the welcome screen",
        "the keyboard focus", "the date picker", "the context menu", "the full-screen view", "the tool bar",
      ],
      faults: [
        "flickers", "is cut off at the right", "keeps the old colours", "can't be reached by keyboard",
      ],
      conditions: [
        "in a narrow window", "on a second screen", "in dark mode", "with large type", "in full screen",
        "with two windows open",
      ]),
    Area(
      tag: "export", subtags: ["export/pdf", "export/print"],
      things: [
        "export to PDF", "export to HTML", "printing", "the archive of a whole box", "export of one tag",
        "the table of contents", "the footer with page numbers", "the share sheet", "the CSV file",
        "export of linked images",
      ],
      faults: [
        "leaves out the last page", "forgets the headings", "breaks lines in the wrong place",
        "makes huge files",
      ],
      conditions: [
        "with an emoji in the title", "in A5 format", "with linked images", "on a network printer",
        "with more than 200 pages", "with footnotes",
      ]),
  ]

  static let faults = [
    "hangs", "crashes", "shows nothing", "is slow", "gives no message", "needs a restart",
    "takes all of the memory",
    "ignores the settings",
  ]

  static let conditions = [
    "after waking from sleep", "after an update", "with accented letters", "on a slow disk",
    "in an empty box",
    "on the first start", "when the disk is full", "while offline", "on the last day of a month",
  ]

  static let openings = [
    "Since version {version}, {thing} {fault} {condition}.",
    "{count} people have reported this month that {thing} {fault} {condition}.",
    "{Thing} {fault} {condition}, every time.",
    "I can make it happen at will. {Thing} {fault} {condition}.",
    "A customer wrote that {thing} {fault} {condition}, and I see the same here.",
    "Found while testing something else. {Thing} {fault} {condition}.",
  ]

  static let details = [
    "It does not happen with a fresh profile.", "The log has nothing about it.",
    "The same files work with version {version}.", "A restart helps for an hour or so.",
    "It began about {count} weeks ago, without any change on my side.",
    "On the old laptop it is worse than on the new one.",
    "Only the first attempt fails, the second one is fine.",
    "With half as many notes the trouble is gone.", "It makes no difference whether the network is up.",
    "Both the packaged build and one from source behave like this.",
    "{name} sees it too, on another system and with other data.",
    "The processor is idle meanwhile, so it waits for something.",
    "No data is lost as far as I can tell, but it looks as if it were.",
    "The screenshot in the forum thread shows the same.",
  ]

  static let causes = [
    "My guess is that the cache is thrown away too late.",
    "It may have come with the change of the date format in {version}.",
    "Reading the whole list again for every row would explain it.",
    "I suspect a missing check for the empty case.",
    "Two callers seem to write to the same file here.",
    "The value is probably rounded before it is compared.",
    "The event arrives on another thread than the code expects.",
    "It looks as if the window were laid out before its contents are known.",
    "A test for this was switched off in spring because it was flaky.",
  ]

  static let wishes = [
    "A message would be better than silence.", "A note in the manual would do for now.",
    "If it can't be mended soon, please hide the button.",
    "It is no blocker, but people stumble over it in their first week.",
    "Whoever takes this should talk to {name} first.", "A regression test should come with it.",
    "I would rather have it slow and right than quick and wrong.",
    "This should be in the next release, since there is no way around it.",
  ]

  static let firstSteps = [
    "Open a box with a few hundred notes.", "Start with a new profile.", "Log in on two devices.",
    "Make a note with three headings.", "Set the language to Polish.",
  ]
  static let secondSteps = [
    "Change a title twice within a second.", "Leave the window open over night.",
    "Add a tag and take it away again.",
    "Resize the window while the list is loading.", "Turn the network off and on.",
  ]
  static let lastSteps = ["Now {thing} {fault}.", "Look closely, because {thing} {fault}."]

  static let outcomes = [
    "Mended in {version} and confirmed on two machines.",
    "Closed, since it can't be made to happen any more.",
    "Solved by taking the old cache out altogether.",
    "{name} found the cause, a comparison the wrong way round.",
    "Works as intended; the manual says so now.",
  ]

  static let names = ["Aylin", "Jonas", "Marta", "Paul", "Ines", "Tomasz", "Ruth", "Kofi", "Lena", "Hiro"]
}
