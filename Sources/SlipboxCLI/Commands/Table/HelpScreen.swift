import ArgumentParser

/// The page of `slip help`: every command by group, on one screen.
enum HelpScreen {
  static let columns = 80
  private static let indent = 11

  /// Whether words ask for the page.
  static func isAsked(by words: [String]) -> Bool {
    words.filter { word in !GlobalOptions.flags.contains { $0.typed == word } } == ["help"]
  }

  static var text: String {
    let groups = SlipboxCommand.configuration.groupedSubcommands.map { group in
      (group.name, group.subcommands.compactMap { $0.configuration.commandName }.filter(isShown))
    }
    let lists =
      groups.filter { !$0.1.isEmpty } + [("Actions", Do.shortcuts), ("Topics", HelpTopic.all.map(\.name))]
    return """
      slip keeps notes as Markdown files in a git repository. Each change is a commit.

        slip init                          create a box in this folder
        slip new "First thought" +idea     create a note; its id is printed
        slip list +idea                    find it again
        slip search thought                search the text
        slip new task "Call Ada" due:fri   create a record; slip kinds lists the kinds
        slip finish "Call Ada"             run an action; slip undo reverses it

      \(lists.map(row).joined(separator: "\n"))

      slip help COMMAND and slip help TOPIC explain one. slip --help describes all.
      """
  }

  private static func isShown(_ name: String) -> Bool {
    SlipboxCommand.namesForPeople.contains(name)
      && SlipboxCommand.command(named: name)?.configuration.shouldDisplay != false
  }

  /// A group's name and its commands, on as many lines as they need.
  private static func row(_ name: String, _ commands: [String]) -> String {
    var lines = [name + String(repeating: " ", count: indent - name.count)]
    for (index, command) in commands.enumerated() {
      let word = command + (index == commands.count - 1 ? "" : ",")
      let last = lines[lines.count - 1]
      if last.count + word.count >= columns {
        lines.append(String(repeating: " ", count: indent) + word)
      } else {
        lines[lines.count - 1] = last + (last.count == indent ? "" : " ") + word
      }
    }
    return lines.joined(separator: "\n")
  }
}
