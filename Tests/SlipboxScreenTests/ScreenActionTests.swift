import Foundation
import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxScreen

/// The table of actions: every key in every place, and what each asks for.
struct ScreenActionTests {
  /// All keys that there are, and some that mean nothing.
  private static let keys: [Key] =
    ScreenAction.all.flatMap(\.keys) + (1...9).map { .text(String($0)) }
    + [
      .text("y"), .text("n"), .text("é"), .paste("x\ny"), .click(column: 3, row: 3),
      .click(column: 200, row: 90),
      .wheel(lines: 3, column: 50, row: 5), .wheel(lines: -3, column: 0, row: 0), .backspace, .ctrl("w"),
      .ctrl("n"),
    ]

  @Test func noKeyMeansTwoThings() {
    for pane in ScreenState.Pane.allCases {
      var seen: Set<Key> = []
      for action in ScreenAction.all where action.panes.contains(pane) {
        for key in action.keys { #expect(seen.insert(key).inserted, "\(key) in \(pane)") }
      }
    }
    #expect(Set(ScreenHelp.names).count == ScreenHelp.names.count)
  }

  /// Actions of the screen and of the page that have another name there and do the same.
  private static let pageNames = [
    "retitle": "title", "add": "new", "set": "fields", "act": "actions", "mark": "select",
    "save": "keep-filter",
    "my-day": "filter-my-day", "priority": "rank", "date": "due",
  ]

  @Test func aLetterMeansTheSameOnThePage() throws {
    let table = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/SlipboxPage/Assets/actions.js")
    var page: [Character: String] = ["M": "filter-my-day"]
    for line in try String(contentsOf: table, encoding: .utf8).split(separator: "\n") {
      let pattern = /(?:action|onNotes)\("([a-z-]+)", (?:"[^"]*"|[a-z]+\("[A-Z][a-z]+"\)), \[([^\]]*)\]/
      guard let found = line.firstMatch(of: pattern) else { continue }
      for key in found.2.matches(of: /"(.)"/) {
        // Only lists of check boxes have the action of this name; `x` ticks there.
        if found.1 != "tick" { page[key.1.first!] = String(found.1) }
      }
    }
    #expect(page.count > 25)
    for action in ScreenAction.all where action.panes.contains(.list) {
      for case .text(let letter) in action.keys {
        guard let other = page[Character(letter)] else { continue }
        let name = Self.pageNames[action.name] ?? action.name
        #expect(name == other || action.name == "set" && other == "bulk", "\(letter)")
      }
    }
  }

  @Test(arguments: [smallBox, hostileBox, [:]])
  func everyKeyInEveryPlace(_ files: [String: String]) throws {
    let moments: [ListingRequest.Moment] = [.now, .past("HEAD", shown: "then"), .deleted]
    for moment in moments {
      let screen = try ScreenInTest(files, size: (120, 30))
      var request = ListingRequest()
      request.moment = moment
      if moment != .now {
        for effect in screen.state.open(request) { screen.answers.event(for: effect).map(screen.take) }
      }
      let start = screen.state
      for pane in ScreenState.Pane.allCases {
        for key in Self.keys {
          screen.state = start
          screen.state.focus = pane
          screen.press(key)
          #expect(screen.state.frame().rows == 30)
          // What it opened takes every key too.
          let opened = screen.state
          guard pane == .list, opened.prompt != nil || opened.sheet != nil else { continue }
          for other in Self.keys {
            screen.state = opened
            screen.press(other)
            _ = screen.state.frame()
          }
        }
      }
    }
  }

  @Test(arguments: 0..<12)
  func anyKeysAtAnySize(_ seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let screen = try ScreenInTest(seed % 2 == 0 ? smallBox : hostileBox)
    for _ in 0..<400 {
      if let key = Self.keys.randomElement(using: &random) { screen.press(key) }
      if Int.random(in: 0..<10, using: &random) == 0 {
        screen.take(
          .resized(
            columns: Int.random(in: 0...210, using: &random), rows: Int.random(in: 0...70, using: &random)))
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        screen.end(output: ["a", "b"], messages: ["said"], isSuccess: Bool.random(using: &random))
      }
      _ = screen.state.frame()
    }
  }

  @Test func settingsGiveOtherKeys() throws {
    let table = try ActionTable(keys: "delete=X quit=ctrl-q")
    #expect(table.actions.first { $0.name == "delete" }?.keys == [.text("X")])
    // A key that is taken means its new action alone.
    let other = try ActionTable(keys: "undo=q")
    #expect(other.actions.filter { $0.keys.contains(.text("q")) }.map(\.name) == ["undo"])
    for (setting, message) in [
      ("delte=X", "there is no action delte"), ("delete=XX", "XX is not a key"),
      ("delete", "there is no action delete"),
    ] {
      #expect { _ = try ActionTable(keys: setting) } throws: { error in
        (error as? ActionTable.Fault)?.message.contains(message) == true
      }
    }
  }

  @Test func theKindDeclaresWhatCanBeDone() throws {
    let own = """
      fields:
        stage: {type: choice, values: [seed, plant, compost]}
      active: NOT stage:compost
      actions:
        grow: "stage:plant"
        compost: "stage:compost"
      row: [stage, title]

      """
    let screen = try ScreenInTest([
      ".slipbox/kinds/seedling.yaml": own,
      "a.md": "---\nid: sdlbbbbb\nkind: seedling\ntitle: Tomato\nstage: seed\n---\n",
    ])
    try #require(screen.state.entry?.kind == "seedling")
    screen.press(.text("1"))
    screen.end()
    screen.press(.text("E"))
    #expect(screen.runs.map(\.words) == [["do", "grow", "sdlbbbbb"], ["do", "compost", "sdlbbbbb"]])
    screen.end()
    screen.press(.escape)
    #expect(screen.text.contains("1 grow  2 compost"))
  }

  @Test func eachBuiltInKindHasItsEnd() throws {
    let screen = try ScreenInTest(smallBox)
    #expect(screen.state.listing?.endings == ["task": "finish", "issue": "close", "book": "finish"])
  }

  @Test func aMarkedNoteBesideTheCursorIsChangedAfterItsPatchWasSeen() throws {
    let screen = try ScreenInTest(smallBox, query: "kind:task")
    screen.press(.space)
    #expect(screen.state.view.marked.count == 1 && screen.state.targets != [screen.state.entry?.reference])
    screen.press(.text("E"))
    #expect(screen.runs.last?.words.prefix(2) == ["do", "finish"])
    #expect(screen.runs.last?.words.last == "--dry-run")
  }

  @Test func manyNotesAreChangedAfterTheirPatchWasSeen() throws {
    let screen = try ScreenInTest(smallBox, query: "kind:task")
    screen.press(.ctrl("a"), .text("E"))
    #expect(screen.runs.last?.words == ["do", "finish", "-", "--dry-run"])
    #expect(screen.runs.last?.input.count == 2)
    screen.end(output: ["-done: false", "+done: true"])
    #expect(screen.text.contains("+done: true"))
    screen.press(.text("n"))
    #expect(screen.runs.count == 1 && screen.text.contains("nothing was changed"))
    screen.press(.text("E"))
    screen.end(output: ["-done: false", "+done: true"])
    screen.press(.text("y"))
    #expect(screen.runs.last?.words == ["do", "finish", "-", "--yes"])
    screen.end(messages: ["Finish 2 tasks"])
    #expect(screen.state.view.marked.isEmpty && screen.text.contains("Finish 2 tasks"))
  }

  @Test func aMenuAndAQuestionNameWhatTheyChange() throws {
    let screen = try ScreenInTest(smallBox, query: "kind:task")
    screen.press(.space)
    #expect(screen.state.entry?.note.title == "Water the plants")
    screen.press(.text("p"))
    #expect(screen.text.contains("priority: Call the library"))
    screen.press(.text("3"))
    #expect(screen.runs.last?.words.last == "--dry-run")
    screen.end(output: ["-priority: high", "+priority: medium"])
    #expect(screen.text.contains("on 1 note?"))
    screen.press(.text("n"), .ctrl("a"), .text("p"))
    #expect(screen.text.contains("priority: 2 notes"))
  }

  @Test func anActionThatChangesNothingIsNotOffered() throws {
    let screen = try ScreenInTest(smallBox, query: "kind:task")
    let foot = { screen.text.split(separator: "\n").last ?? "" }
    #expect(foot().contains("finish") && !foot().contains("reopen"))
    screen.press(.text("2"))
    #expect(screen.runs.isEmpty && screen.text.contains("done is false already"))
    screen.press(.down)
    #expect(!foot().contains("finish") && foot().contains("reopen"))
  }

  @Test func aTitleTypedAfterTheKeyOfANewNoteIsItsTitle() throws {
    let screen = try ScreenInTest(smallBox)
    screen.type("chome q")
    #expect(screen.state.prompt?.line.text == "new home q" && screen.runs.isEmpty)
    screen.press(.escape, .text("c"), .escape)
    #expect(screen.state.prompt == nil && screen.state.sheet == nil)
  }
}
