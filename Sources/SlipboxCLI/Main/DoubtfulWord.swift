import Bytes
import ArgumentParser
import SlipboxCore
import Text

/// A word before `--` that looks like an option and its value in one, such as `-n2` and `-btext`.
///
/// Options are never joined with their values; where a tag of that name is in use, the word is that tag.
struct DoubtfulWord {
  private let word: String
  private let command: String
  /// The option that it begins with; nil where a text was meant for which there is none.
  private let option: CommandShape.Option?

  /// - Parameter command: the command that the word is typed for.
  /// - Returns: nil where the word can only be a tag or a name.
  init?(_ word: String, of command: String) {
    let letter = word.dropFirst().prefix(1)
    let name = letter.first.flatMap(OptionName.init(letter:))
    let option = name?.takesValue(in: command) == true ? Self.option("-\(letter)", of: command) : nil
    guard option != nil || (Self.tagless.contains(command) && letter.allSatisfy(\.isLetter)) else {
      return nil
    }
    self.option = option
    self.word = word
    self.command = command
  }

  private static func option(_ name: String, of command: String) -> CommandShape.Option? {
    SlipboxCommand.command(named: command).flatMap { CommandShape($0).valued(name) }
  }

  /// The commands in which a word with a dash is a tag.
  private static let taking =
    [List.self, Search.self, Log.self, SetFields.self, Do.self] as [any SlipCommand.Type]

  /// The commands in which it is neither a tag nor a text of the user's.
  private static let tagless = Set(
    ([Show.self, Edit.self, Append.self, Remove.self, Commit.self] as [any SlipCommand.Type])
      .compactMap { $0.configuration.commandName })

  private var mayBeTag: Bool { Self.taking.contains { $0.configuration.commandName == command } }

  /// Refuses the word unless a note bears a tag of that name.
  /// - Throws: `.usage` with both readings.
  func refuse(in open: () throws -> BoxSnapshot) throws {
    if mayBeTag, try Self.isBorne(String(word.dropFirst()), in: open()) { return }
    throw SlipboxError(.usage, message, hints: readings)
  }

  /// The refusal of the word where its command takes neither a tag nor a name.
  var unread: SlipboxError? {
    guard option != nil, let reading = readings.first else { return nil }
    return SlipboxError(.usage, "\(Visible.escape(word)) is not an option", hints: [reading])
  }

  private static func isBorne(_ name: String, in snapshot: BoxSnapshot) throws -> Bool {
    let key = Folding.fold(name)
    return try snapshot.tags().contains { tag in
      let other = Folding.fold(tag.name)
      return tag.all > 0 && (other == key || other.hasPrefix(key + "/"))
    }
  }

  private var message: String {
    option == nil
      ? "\(Visible.escape(word)) is not an option: write each letter with its own dash"
      : "\(Visible.escape(word)) is ambiguous"
  }

  private var readings: [String] {
    let value = String(word.dropFirst(2))
    let tag = Visible.escape(ShellWord.quoted(String(word.dropFirst())))
    let literal = "-" + ShellWord.quoted(String(word.dropFirst()))
    var lines: [String] = []
    if let option, let letter = option.names.first, let name = option.names.last {
      lines.append("\(letter) \(Visible.escape(ShellWord.quoted(value))): the option \(name)")
    }
    switch command {
    case _ where mayBeTag: lines.append("-- \(literal): the tag \(tag), which no note has")
    case New.configuration.commandName: lines.append("-- \(literal): a word of the title")
    case Append.configuration.commandName: lines.append("-- \(literal): that text")
    case Tags.configuration.commandName: lines.append("-- \(literal): a tag of that name")
    default: lines.append("-- \(literal): a note of that name")
    }
    return lines
  }
}
