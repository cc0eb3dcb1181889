import Glibc
import Notes
import Platform
import Rendering
import SlipboxCore

/// The world of one command: read once, when the command starts.
struct Session {
  let options: GlobalOptions
  let surroundings: Surroundings

  init(_ options: GlobalOptions) {
    self.options = options
    let quiet = options.quiet
    let world = World.current
    var settings = Surroundings(
      clock: world.clock(),
      workingDirectory: Files.currentDirectory(),
      configurationFolder: Self.configurationFolder(),
      boxVariable: environment("SLIPBOX").map { Array($0.utf8) },
      device: world.device(), random: world.random,
      warn: { message in
        if !quiet { Console.complain(message) }
      })
    if let device = Settings.user(settings)["device"] { settings = settings.named(device) }
    settings.startMaintenance = { box in FoldCatalogue.start(box) }
    if !quiet { settings.reading = { ProgressLine.reading($0, of: $1) } }
    surroundings = settings
  }

  /// Opens the box of the command.
  func openBox() throws(SlipboxError) -> Slipbox {
    try Slipbox.open(named: options.box?.bytes, surroundings)
  }

  /// How results are dressed on this output.
  var style: Style {
    let isTerminal = Console.outputIsTerminal
    let colour: Bool
    switch options.color {
    case .always: colour = true
    case .never: colour = false
    case .auto:
      colour = isTerminal && !options.noColor && isEmpty("NO_COLOR") && environment("TERM") != "dumb"
    }
    return Style(
      colour: colour && !options.noColor, unicode: Self.isUnicode, hyperlinks: colour && isTerminal)
  }

  /// The width to lay out for, or nil where nothing is cut.
  var width: Int? { Console.outputIsTerminal ? Terminal.columns(STDOUT_FILENO) ?? 80 : nil }

  /// Says something unless quiet is asked for.
  func say(_ message: String) { surroundings.warn(message) }

  private func isEmpty(_ variable: String) -> Bool { (environment(variable) ?? "").isEmpty }

  private static var isUnicode: Bool {
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment($0) }.first { !$0.isEmpty } ?? ""
    let name = locale.uppercased()
    return name.contains("UTF-8") || name.contains("UTF8")
  }

  private static func configurationFolder() -> [UInt8]? {
    if let folder = environment("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
      return Array("\(folder)/slipbox".utf8)
    }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return Array("\(home)/.config/slipbox".utf8)
  }
}

extension Surroundings {
  fileprivate func named(_ device: String) -> Surroundings {
    Surroundings(
      clock: clock, workingDirectory: workingDirectory, configurationFolder: configurationFolder,
      boxVariable: boxVariable, device: device, random: random, warn: warn)
  }
}
