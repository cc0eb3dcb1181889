import ArgumentParser
import Bytes
import Notes
import Platform
import SlipboxCore
import Text

/// The words of a command line, prepared for the parser.
///
/// One letter after a dash is an option, never several; two letters or more are a tag to take away (`-later`). Such
/// words, and values of options that begin with a dash, are marked with a leading U+0001, which `Word` takes off
/// again, so that the parser reads them as plain arguments.
struct Arguments {
  /// The words for the parser: options before the command moved behind it, tags and values marked.
  private(set) var words: [String]
  /// The words that look like an option with its value.
  private(set) var doubtful: [DoubtfulWord] = []

  /// Reads the words after `slip`.
  /// - Throws: `.usage` for an unknown command and for `-NAME` if `--NAME` is an option.
  init(_ typed: [String]) throws(SlipboxError) {
    let (globals, rest) = Self.splittingGlobals(typed)
    words = typed
    guard let command = rest.first else {
      words = ["overview"] + globals
      return
    }
    if Self.isOfOverview(command) {
      words = ["overview"]
      try append(rest, of: "overview", globals)
      return
    }
    if command.hasPrefix("-") { return }
    guard CommandName.isFirstWord(command) else {
      throw UnknownCommand(command, arguments: Array(rest.dropFirst())).error
    }
    if command == CommandName.mergeDriver.rawValue, rest.count > 3 {
      // Git passes the path of any file, also one that looks like an option or is not UTF-8.
      words = [command] + globals + rest.dropFirst().map { String(Word.mark) + $0 }
      return
    }
    try Self.refuseTextThatIsNone(rest)
    // The parser takes a word behind an option for one of the default subcommand.
    var (between, arguments) = ([] as [String], Array(rest.dropFirst()))
    if Self.hasSubcommands(command) { (between, arguments) = Self.splittingGlobals(arguments) }
    if command == "help", let name = arguments.first, !name.hasPrefix("-") {
      words = try Self.help(name, arguments.count > 1 ? arguments[1] : nil) + globals + between
      return
    }
    if TodayWords.areOfAgenda(rest) {
      words = ["agenda"] + TodayWords.period(rest)
      try append(arguments, of: "agenda", globals)
      return
    }
    let isAction = CommandName.actions.contains(command)
    words = isAction ? [CommandName.do.rawValue, command] : [command]
    try append(arguments, of: words[0], globals + between)
  }

  /// The words for the parser alone.
  static func prepare(_ words: [String]) throws(SlipboxError) -> [String] { try Arguments(words).words }

  /// The words of the process, as texts that hold all of their bytes.
  static var typed: [String] {
    ProcessArguments.bytes.map { ByteText.text(of: $0) }
  }

  /// The commands whose arguments are names of notes, which may be paths; of `append` and `do` only one is.
  private static let namingNotes: Set = [
    "show", "edit", "set", "rm", "restore", "log", "commit", "append", "do", "init", "retitle",
    "mv", "merge", "split", "links", "backlinks", "mentions", "related", "outline", "diff", "tick", "untick",
  ]

  /// Refuses words that are not UTF-8, except for paths of notes and folders: written content is always text.
  private static func refuseTextThatIsNone(_ words: [String]) throws(SlipboxError) {
    guard words.contains(where: { ByteText.holdsBytes($0) }), let command = words.first else { return }
    let isNaming = namingNotes.contains(command) || CommandName.actions.contains(command)
    for (index, word) in words.enumerated() where ByteText.holdsBytes(word) {
      let before = words[index - 1]
      let isLiteral = words[..<index].contains("--")
      let isOfFolder = [OptionName.box, .output].contains {
        before == $0.typed || before == $0.short || word.hasPrefix("\($0.typed)=")
      }
      let isValue = !isLiteral && option(before)?.takesValue(in: command) ?? false
      let isOption = isValue || (!isLiteral && word.hasPrefix("-"))
      let isPath = command == "init" || word.contains("/") || namesNote(word)
      let isText = ["append", "tick", "untick"].contains(command) && index > 1
      if isOfFolder || (isNaming && isPath && !isOption && !isText) { continue }
      throw SlipboxError(
        .usage, "\(Visible.escape(word)) is not UTF-8",
        hints: ["only the paths of notes and boxes may contain such bytes"])
    }
  }

  /// Whether a word is the file name of a note, or that of a part of one.
  private static func namesNote(_ word: String) -> Bool {
    FileName.isNote(ByteText.bytes(of: word))
      || NotePart.readings(of: word).contains { FileName.isNote(ByteText.bytes(of: $0.name)) }
  }

  /// Whether the word after a command may be that of a subcommand.
  static func hasSubcommands(_ command: String) -> Bool {
    command == CommandName.help
      || SlipboxCommand.command(named: command)?.configuration.subcommands.isEmpty == false
  }

  /// Whether a letter is the mark of a word that only looks like options.
  static func isMark(_ letter: Character) -> Bool { letter == Word.mark }

  /// Whether a first word is an option with which `slip` alone is meant.
  private static func isOfOverview(_ word: String) -> Bool {
    word == OptionName.json.typed || word == OptionName.asOf.typed
      || word.hasPrefix("\(OptionName.asOf.typed)=")
  }

  /// Appends the words after a command, with the options before it.
  private mutating func append(_ rest: [String], of command: String, _ globals: [String]) throws(SlipboxError)
  {
    var isOpen = true
    var isValue = false
    for word in rest {
      if isValue {
        try Self.refuseMissingValue(words.last ?? "", word)
        words.append(Self.value(word))
        isValue = false
      } else if !isOpen {
        let isText = [CommandName.new, .do].contains { $0.rawValue == command }
        words.append(isText ? String(repeating: Word.mark, count: 2) + word : word)
      } else if word == "--" {
        isOpen = false
        words += globals + [word]
      } else if Self.isTag(word) {
        try Self.refuseLongName(word)
        if let doubt = DoubtfulWord(word, of: command) { doubtful.append(doubt) }
        words.append(String(Word.mark) + word)
      } else {
        let isBareFix = command == CommandName.doctor.rawValue && word == Doctor.bareFix
        words.append(isBareFix ? Doctor.fixAll : word)
        isValue = Self.option(word)?.takesValue(in: command) ?? false
      }
    }
    if isOpen { words += globals }
  }

  /// The option that a word names whose value would be the next word.
  private static func option(_ word: String) -> OptionName? {
    if word.hasPrefix("--") { return OptionName(rawValue: String(word.dropFirst(2))) }
    let name = word.dropFirst()
    guard word.hasPrefix("-"), name.count == 1, let letter = name.first else { return nil }
    return OptionName(letter: letter)
  }

  /// Refuses an option in the place of the value of another one; only texts may look like an option.
  private static func refuseMissingValue(_ option: String, _ word: String) throws(SlipboxError) {
    guard word.hasPrefix("--"), OptionName.known.contains(String(word.dropFirst(2))),
      let name = Self.option(option), !name.takesText
    else { return }
    throw SlipboxError(.usage, "\(option) needs a value")
  }

  /// A value as the parser takes it, whatever it begins with; numbers are read as they are.
  private static func value(_ word: String) -> String {
    word.hasPrefix("-") && word.utf8.count > 1 && Int(word) == nil ? String(Word.mark) + word : word
  }

  /// Whether a word is a dash and two letters or more.
  private static func isTag(_ word: String) -> Bool {
    word.hasPrefix("-") && !word.hasPrefix("--") && word.dropFirst().count > 1
  }

  private static func refuseLongName(_ word: String) throws(SlipboxError) {
    let name = String(word.dropFirst())
    guard OptionName.known.contains(name) else { return }
    throw SlipboxError(
      .usage, "\(Visible.escape(word)) takes two dashes: --\(name)",
      hints: [
        "a dash before two or more letters means a tag to exclude or remove; put -- before it"
      ])
  }

  /// `slip --box DIR list` means what `slip list --box DIR` means.
  static func splittingGlobals(_ words: [String]) -> (globals: [String], rest: [String]) {
    var globals: [String] = []
    var rest = words[...]
    while let word = rest.first {
      let isWhole = GlobalOptions.values.contains { word.hasPrefix("\($0.typed)=") }
      if isWhole || GlobalOptions.flags.contains(where: { $0 == option(word) }) {
        globals.append(word)
        rest = rest.dropFirst()
      } else if rest.count > 1, GlobalOptions.values.contains(where: { word == $0.typed }) {
        globals += rest.prefix(2)
        rest = rest.dropFirst(2)
      } else {
        break
      }
    }
    return (globals, Array(rest))
  }

  /// The help of a command, or of one of its subcommands; the help of an action is that of `do`.
  private static func help(_ name: String, _ action: String?) throws(SlipboxError) -> [String] {
    if name == TodayWords.command { return ["help", "agenda"] }
    if CommandName.actions.contains(name) { return ["help", CommandName.do.rawValue] }
    if CommandName.isFirstWord(name) {
      let type = SlipboxCommand.command(named: name)
      guard let action, let type, !type.configuration.subcommands.isEmpty, !action.hasPrefix("-") else {
        return ["help", name]
      }
      if Misreading.actions(of: type).contains(action) { return ["help", name, action] }
      throw Misreading.unknownAction(action, of: name, type)
    }
    let names = CommandName.wordsForPeople + HelpTopic.all.map(\.name)
    let near = UnknownCommand.meaning(of: name) ?? Spelling.nearest(to: name, among: names)
    throw SlipboxError(
      .usage, "there is no help for \(Visible.escape(name))",
      hints: [near.map { "did you mean: slip help \($0)" } ?? "slip --help lists the commands"])
  }
}

/// A word before `--` that looks like an option and its value in one, such as `-n2` and `-btext`.
///
/// Options are never joined with their values; if a tag of that name is in use, the word is that tag.
struct DoubtfulWord {
  private let word: String
  private let command: CommandName?
  /// The option that it begins with; nil if a text was meant for which there is none.
  private let option: CommandShape.Option?

  /// - Parameter command: the command that the word is typed for.
  /// - Returns: nil if the word can only be a tag or a name.
  init?(_ word: String, of command: String) {
    let letter = word.dropFirst().prefix(1)
    let name = letter.first.flatMap(OptionName.init(letter:))
    let option = name?.takesValue(in: command) == true ? Self.option("-\(letter)", of: command) : nil
    let command = CommandName(rawValue: command)
    let isTagless = command.map(Self.tagless.contains) ?? false
    guard option != nil || (isTagless && letter.allSatisfy(\.isLetter)) else { return nil }
    self.option = option
    self.word = word
    self.command = command
  }

  private static func option(_ name: String, of command: String) -> CommandShape.Option? {
    SlipboxCommand.command(named: command).flatMap { CommandShape($0).valued(name) }
  }

  /// The commands in which a word with a dash is a tag.
  private static let taking: Set<CommandName> = [.list, .search, .log, .set, .do]

  /// The commands in which it is neither a tag nor a text of the user's.
  private static let tagless: Set<CommandName> = [.show, .edit, .append, .remove, .commit]

  private var mayBeTag: Bool { command.map(Self.taking.contains) ?? false }

  /// Refuses the word unless a note has a tag of that name.
  /// - Throws: `.usage` with both readings.
  func refuse(in open: () throws -> BoxSnapshot) throws {
    if mayBeTag, try Self.isBorne(String(word.dropFirst()), in: open()) { return }
    throw SlipboxError(.usage, message, hints: readings)
  }

  /// The refusal of the word if its command takes neither a tag nor a name.
  var unread: SlipboxError? {
    guard option != nil, let reading = readings.first else { return nil }
    return SlipboxError(.usage, "\(Visible.escape(word)) is not an option", hints: [reading])
  }

  private static func isBorne(_ name: String, in snapshot: BoxSnapshot) throws -> Bool {
    let key = Folding.fold(name)
    return try BoxTags(of: snapshot).counts().contains { tag in
      let other = Folding.fold(tag.name)
      return tag.all > 0 && (other == key || other.hasPrefix(key + "/"))
    }
  }

  private var message: Phrase {
    option == nil
      ? "\(Visible.escape(word)) is not an option: write each letter with its own dash"
      : "\(Visible.escape(word)) is ambiguous"
  }

  private var readings: [Phrase] {
    let value = String(word.dropFirst(2))
    let tag = Visible.escape(ShellWord.quoted(String(word.dropFirst())))
    let literal = "-" + ShellWord.quoted(String(word.dropFirst()))
    var lines: [Phrase] = []
    if let option, let letter = option.names.first, let name = option.names.last {
      lines.append("\(letter) \(Visible.escape(ShellWord.quoted(value))): the option \(name)")
    }
    switch command {
    case _ where mayBeTag: lines.append("-- \(literal): the tag \(tag), which no note has")
    case .new: lines.append("-- \(literal): a word of the title")
    case .append: lines.append("-- \(literal): that text")
    case .tags: lines.append("-- \(literal): a tag of that name")
    default: lines.append("-- \(literal): a note of that name")
    }
    return lines
  }
}

/// The words after `slip today`, which prints an agenda, or puts records in My Day.
enum TodayWords {
  static let command = "today"

  /// Whether words request the agenda: they have only its options and terms of a query.
  ///
  /// A plain word is a REF, `-` and `--where` name records too, and changes follow a REF.
  static func areOfAgenda(_ words: [String]) -> Bool {
    guard words.first == command else { return false }
    var rest = words.dropFirst()
    while let word = rest.popFirst() {
      if ["-h", "--help"].contains(word) { continue }
      if word.hasPrefix("-"), let option = option(word) {
        if option.takesValue(in: "agenda"), !word.contains("=") { _ = rest.popFirst() }
      } else if !isTerm(word) {
        return false
      }
    }
    return true
  }

  /// The option with the number of days, unless the words contain one.
  static func period(_ words: [String]) -> [String] {
    let isNamed = words.contains { word in
      option(word).map { [OptionName.days, .week].contains($0) } ?? false
    }
    return isNamed ? [] : [OptionName.days.typed, "0"]
  }

  private static let options: Set<OptionName> = [.days, .week, .all, .limit, .json, .ical, .asOf]

  /// The option of the agenda that a word names.
  private static func option(_ word: String) -> OptionName? {
    let name = word.split(separator: "=", maxSplits: 1).first.map(String.init) ?? word
    let shared = GlobalOptions.flags + GlobalOptions.values
    return options.union(shared).first { $0.typed == name || $0.short == name }
  }

  /// Whether a word is a term of a query and not the name of a note: `+home`, `-later`, `@next`, `kind:task`, `OR`.
  private static func isTerm(_ word: String) -> Bool {
    if ["OR", "NOT", "AND", "(", ")"].contains(word) { return true }
    let bare = word.drop { $0 == "(" }
    guard let first = bare.first, bare.count > 1 else { return false }
    if "+@".contains(first) { return true }
    if first == "-" { return !bare.hasPrefix("--") && bare.count > 2 }
    // A name with a point is that of a file.
    return Change(String(bare))?.fieldName.contains(".") == false
  }
}
