import ArgumentParser

/// The options and arguments of a command, read from its help so that they are declared once.
struct CommandShape {
  struct Option: Equatable {
    /// `--limit`, and `-n` where there is one.
    let names: [String]
    let takesValue: Bool
    let summary: String
  }

  /// The names of its arguments in their order; the last one may occur again.
  private(set) var arguments: [String] = []
  private(set) var options: [Option] = []

  init(_ command: any ParsableCommand.Type) {
    let help = SlipboxCommand.helpMessage(for: command, columns: 1_000)
    var isOptions = false
    for line in help.split(separator: "\n") {
      if !line.hasPrefix(" ") { isOptions = line == "OPTIONS:" }
      guard line.hasPrefix("  "), let cut = line.dropFirst(2).firstIndex(of: " ") else { continue }
      if isOptions, line.dropFirst(2).hasPrefix("-") {
        options.append(Self.option(line))
      } else if line.dropFirst(2).hasPrefix("<"), line[..<cut].hasSuffix(">") {
        arguments.append(String(line[..<cut].dropFirst(3).dropLast()))
      }
    }
  }

  private static func option(_ line: Substring) -> Option {
    var words = line.split(separator: " ")[...]
    var names: [String] = []
    while let word = words.first, word.hasPrefix("-") {
      names.append(String(word.last == "," ? word.dropLast() : word))
      words = words.dropFirst()
    }
    let takesValue = words.first?.hasPrefix("<") ?? false
    return Option(
      names: names, takesValue: takesValue,
      summary: words.dropFirst(takesValue ? 1 : 0).joined(separator: " "))
  }

  /// The option of a name that takes a value.
  func valued(_ name: String) -> Option? { options.first { $0.takesValue && $0.names.contains(name) } }
}
