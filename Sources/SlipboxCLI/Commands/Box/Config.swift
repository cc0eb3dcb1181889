import ArgumentParser
import Presentation
import SlipboxCore
import Text

struct Config: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show or change settings.",
    discussion: """
      Without arguments, all settings are listed. KEY prints one value, KEY VALUE sets it, and an empty \
      VALUE removes it. Settings of a box are committed with it. Personal settings (--user) are in \
      ~/.config/slipbox/config.yaml. slip help config lists all settings.

      Examples:
        slip config
        slip config path "{year}/{slug}-{id}.md"
        slip config --user box ~/notes
      """)

  @Argument(help: ArgumentHelp("The setting.", valueName: "key"))
  var key: Word?

  @Argument(help: ArgumentHelp("The new value.", valueName: "value"))
  var value: Word?

  @Flag(name: .option(.user), help: "Use your own settings instead of the settings of the box.")
  var user = false

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    guard let key else { return try printAll(session) }
    let known = try Settings.key(key.text)
    if let value { return try change(known, to: value.text, session) }
    try session.console.print(Visible.escape(try current(known, session)) + "\n")
  }

  private func change(_ key: Settings.Key, to value: String, _ session: Session) throws {
    if user || key.isUserOnly {
      guard user else {
        throw SlipboxError(
          .usage, "\(key.name) is a personal setting, not a setting of a box",
          hints: ["slip config --user \(key.name) VALUE"])
      }
      return try Settings.setForUser(key, to: value, session.context)
    }
    let snapshot = try session.openBox()
    try Changes.record(Configure(in: snapshot).plan(key, to: value), in: snapshot, session)
  }

  /// Prints the settings, those of the box and the personal ones apart; with `--user` the personal ones.
  private func printAll(_ session: Session) throws {
    let keys = Settings.keys.filter { !user || $0.isUserOnly }
    let rows = try keys.map { ($0, try currentOrStandard($0, session)) }
    guard session.display.isTerminal else {
      for (key, value) in rows {
        session.console.write("\(key.name)\t\(Visible.escape(value))\t\(key.summary)\n")
      }
      return try session.console.flush()
    }
    let style = session.display.style
    var lines: [String] = []
    for (isPersonal, heading) in [(false, "Settings of the box"), (true, "Personal settings")] {
      let group = rows.filter { $0.0.isUserOnly == isPersonal }
      guard !group.isEmpty else { continue }
      var table = Table(
        columns: [
          .init(paint: style.bold), .init(isFlexible: true), .init(isFlexible: true, paint: style.dim),
        ],
        style: style, width: session.display.width)
      for (key, value) in group {
        table.add([key.name, value.isEmpty ? "not set" : value, key.summary.description])
      }
      lines += (lines.isEmpty ? [] : [""]) + [style.bold(heading)] + table.lines()
    }
    try session.console.print(lines.joined(separator: "\n") + "\n")
  }

  /// The value of a setting; its standard one if no box is found.
  private func currentOrStandard(_ key: Settings.Key, _ session: Session) throws -> String {
    do {
      return try current(key, session)
    } catch let error as SlipboxError where error.kind == .notFound {
      return key.standard
    }
  }

  private func current(_ key: Settings.Key, _ session: Session) throws -> String {
    let own = Settings.user(session.context)
    if key.isUserOnly || user { return own[key.name] ?? "" }
    let settings = try session.openBox().settings
    return key.name == "layout" ? settings.layoutName : settings[key.name] ?? key.standard
  }
}
