import Bytes

/// A text for a person: words of the program, text from outside, and commands to type.
///
///     let phrase: Phrase = "\(path) is not a note; fix it with: \(slip: "edit", .value(path))"
///
/// Callers escape and quote nothing. `description` does so when the phrase is shown.
package struct Phrase: Sendable {
  fileprivate enum Part: Sendable {
    /// Words of the program.
    case words(String)
    /// A text from outside.
    case text(String)
    case option(String)
    case command(program: String, [Argument])
  }

  /// An argument of a command.
  package enum Argument: Sendable, ExpressibleByStringInterpolation {
    /// A word of the program, such as an option, a placeholder or several words: it stays as it is.
    case word(String)
    /// A text from outside: it is quoted if a shell needs that.
    case text(String)
    /// Bytes from outside, such as a path.
    case bytes([UInt8])

    package init(stringLiteral word: String) { self = .word(word) }

    package static func value(_ text: String) -> Argument { .text(text) }

    /// A part that is a phrase already.
    package static func value(_ phrase: Phrase) -> Argument { .word(phrase.description) }

    package static func value(_ bytes: some Collection<UInt8>) -> Argument { .bytes(Array(bytes)) }

    /// The argument as it is typed in a shell.
    fileprivate var typed: String {
      switch self {
      case .word(let word): word
      case .text(let text): ShellWord.quoted(text)
      case .bytes(let bytes): ShellWord.quoted(bytes)
      }
    }
  }

  private var parts: [Part]

  fileprivate init(parts: [Part]) { self.parts = parts }

  package init(_ text: some StringProtocol) { parts = [.text(String(text))] }

  package init(_ bytes: some Collection<UInt8>) { parts = [.text(ByteText.text(of: bytes))] }

  /// A text from outside as it is typed in a shell.
  package init(typed text: some StringProtocol) { parts = [.text(ShellWord.quoted(String(text)))] }

  /// Bytes from outside as they are typed in a shell.
  package init(typed bytes: some Collection<UInt8>) { parts = [.text(ShellWord.quoted(bytes))] }

  /// A command line of slip.
  package static func slip(_ verb: String, _ arguments: Argument...) -> Phrase {
    Phrase(parts: [.command(program: "slip " + verb, arguments)])
  }

  /// Whether it contains a slip command to type, which is of no use in a window.
  package var isForShell: Bool { parts.contains(where: \.isForShell) }

  /// The command lines of slip in it, as they are typed in a shell.
  package var commands: [String] {
    parts.compactMap { part in
      if case .command = part, part.isForShell { Visible.escape(part.shown) } else { nil }
    }
  }

  /// Whether it has no text.
  package var isEmpty: Bool { description.isEmpty }

  package static func + (one: Phrase, other: Phrase) -> Phrase { Phrase(parts: one.parts + other.parts) }

  package static func += (one: inout Phrase, other: Phrase) { one.parts += other.parts }
}

// MARK: Showing

extension Phrase: CustomStringConvertible {
  /// The phrase in one line that acts on no terminal, with its commands as they are typed in a shell.
  package var description: String { Visible.escape(parts.map(\.shown).joined()) }
}

extension Phrase.Part {
  /// The part as it is typed in a shell.
  fileprivate var shown: String {
    switch self {
    case .words(let text), .text(let text), .option(let text): text
    case .command(let program, let arguments):
      ([program] + arguments.map(\.typed)).joined(separator: " ")
    }
  }

  fileprivate var isForShell: Bool {
    switch self {
    case .words, .text: false
    case .option: true
    case .command(let program, _): program.hasPrefix("slip ")
    }
  }
}

// MARK: Windows

extension Phrase {
  /// The phrase without its clauses that are for a shell; nil if all are.
  package var inWindow: Phrase? {
    guard isForShell else { return self }
    var kept = clauses.filter { !$0.isForShell }.flatMap(\.parts)
    guard case .words(let end)? = kept.last else { return kept.isEmpty ? nil : Phrase(parts: kept) }
    kept[kept.count - 1] = .words(String(end.reversed().drop { "; ".contains($0) }.reversed()))
    return Phrase(parts: kept)
  }

  /// Returns the phrase with other names for commands of slip without options; their arguments are removed.
  /// - Parameter name: the name for a verb; nil to keep the command.
  package func namingCommands(_ name: (_ verb: String) -> String?) -> Phrase {
    Phrase(
      parts: parts.map { part in
        guard case .command(let program, let arguments) = part, program.hasPrefix("slip "),
          !arguments.contains(where: { $0.typed.hasPrefix("-") }),
          let name = name(String(program.dropFirst(5)))
        else { return part }
        return .words(name)
      })
  }

  /// The clauses, each with the sign and the blank behind it. Texts from outside are not divided.
  private var clauses: [Phrase] {
    var clauses = [Phrase(parts: [])]
    for part in parts {
      guard case .words(let text) = part else {
        clauses[clauses.count - 1].parts.append(part)
        continue
      }
      var words = ""
      for letter in text {
        let isEnd = letter == " " && (words.last.map { ";?".contains($0) } ?? false)
        words.append(letter)
        guard isEnd else { continue }
        clauses[clauses.count - 1].parts.append(.words(words))
        clauses.append(Phrase(parts: []))
        words = ""
      }
      if !words.isEmpty { clauses[clauses.count - 1].parts.append(.words(words)) }
    }
    return clauses
  }
}

/// Phrases are equal if they are shown alike.
extension Phrase: Hashable, Comparable {
  package static func == (one: Phrase, other: Phrase) -> Bool { one.description == other.description }

  package static func < (one: Phrase, other: Phrase) -> Bool { one.description < other.description }

  package func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension Sequence where Element == Phrase {
  /// The phrases with a separator between them.
  package func joined(separator: Phrase = "") -> Phrase {
    var joined = Phrase("")
    for (number, phrase) in enumerated() {
      if number > 0 { joined += separator }
      joined += phrase
    }
    return joined
  }
}

// MARK: Writing

extension Phrase: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { parts = [.words(text)] }

  package init(stringInterpolation interpolation: StringInterpolation) { parts = interpolation.parts }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ text: String) {
      if !text.isEmpty { parts.append(.words(text)) }
    }

    package mutating func appendInterpolation(_ phrase: Phrase) { parts += phrase.parts }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      parts.append(.text(value.description))
    }

    /// Appends bytes that are not UTF-8 as well, such as those of a path.
    package mutating func appendInterpolation(_ bytes: [UInt8]) {
      parts.append(.text(ByteText.text(of: bytes)))
    }

    package mutating func appendInterpolation(_ bytes: ArraySlice<UInt8>) {
      parts.append(.text(ByteText.text(of: bytes)))
    }

    /// Other bytes are no text by themselves: a build without warnings has nothing but these two forms.
    @available(*, deprecated, message: "decode the bytes, or make an array of them")
    package mutating func appendInterpolation(_ bytes: some Collection<UInt8>) {}

    /// Appends an option of a command of slip, such as `--detach`, with its value if there is one.
    package mutating func appendInterpolation(option: String) { parts.append(.option(option)) }

    /// Appends a command line of slip.
    package mutating func appendInterpolation(slip verb: String, _ arguments: Argument...) {
      parts.append(.command(program: "slip " + verb, arguments))
    }

    /// Appends a command line of another program, such as `git add`.
    package mutating func appendInterpolation(run program: String, _ arguments: Argument...) {
      parts.append(.command(program: program, arguments))
    }

    /// Appends a text from outside as it is typed in a shell.
    package mutating func appendInterpolation(typed text: String) {
      parts.append(.text(ShellWord.quoted(text)))
    }

    /// Appends bytes from outside as they are typed in a shell.
    package mutating func appendInterpolation(typed bytes: some Collection<UInt8>) {
      parts.append(.text(ShellWord.quoted(bytes)))
    }
  }
}
