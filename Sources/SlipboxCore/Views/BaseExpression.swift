import Notes
import Text

/// An expression of a `.base` file, such as `price > 2.1 && file.hasTag("book")`.
///
///     or      = and { "||" and }          and     = equal { "&&" equal }
///     equal   = order { ("==" | "!=") order }
///     order   = sum { ("<" | "<=" | ">" | ">=") sum }
///     sum     = product { ("+" | "-") product }
///     product = unary { ("*" | "/" | "%") unary }
///     unary   = ("!" | "-") unary | postfix
///     postfix = primary { "." name [ arguments ] | "[" or "]" }
indirect enum BaseExpression: Sendable, Equatable {
  case literal(BaseValue)
  case list([BaseExpression])
  /// A property of the note.
  case note(String)
  case file(BaseFileField)
  case formula(String)
  /// `value`, `index` and `acc` of list functions, `values` of summaries.
  case variable(String)
  case field(BaseExpression, String)
  case element(BaseExpression, BaseExpression)
  case function(String, [BaseExpression])
  case method(BaseExpression, String, [BaseExpression])
  case fileMethod(String, [BaseExpression])
  case not(BaseExpression)
  case binary(BaseOperator, BaseExpression, BaseExpression)

  /// The formulas that it names.
  var formulas: [String] { parts.flatMap(\.formulas) + (formulaName.map { [$0] } ?? []) }

  private var formulaName: String? { if case .formula(let name) = self { name } else { nil } }

  private var parts: [BaseExpression] {
    switch self {
    case .literal, .note, .file, .formula, .variable: []
    case .list(let parts), .function(_, let parts), .fileMethod(_, let parts): parts
    case .field(let part, _), .not(let part): [part]
    case .element(let one, let other), .binary(_, let one, let other): [one, other]
    case .method(let part, _, let others): [part] + others
    }
  }
}

enum BaseOperator: String, Sendable, CaseIterable {
  case or = "||"
  case and = "&&"
  case equal = "=="
  case unequal = "!="
  case atMost = "<="
  case atLeast = ">="
  case less = "<"
  case greater = ">"
  case plus = "+"
  case minus = "-"
  case times = "*"
  case by = "/"
  case modulo = "%"

  /// The operators of each level, from the lowest precedence.
  static let levels: [[BaseOperator]] = [
    [.or], [.and], [.equal, .unequal], [.atMost, .atLeast, .less, .greater], [.plus, .minus],
    [.times, .by, .modulo],
  ]
}

/// A property of the file of a note.
enum BaseFileField: String, Sendable, CaseIterable {
  case name, basename, path, folder, ext, size, ctime, mtime, tags
  /// The file itself, shown as its title.
  case file
}

/// An error in an expression, or a part of it that slip does not know.
struct BaseFault: Error, Equatable {
  let message: Phrase
}

extension BaseExpression {
  /// The maximum length of an expression, in bytes.
  private static let longest = 4_096

  /// - Throws: `BaseFault` for a mistake, and for a function or property that slip does not know.
  init(_ text: String) throws(BaseFault) {
    guard text.utf8.count <= Self.longest else { throw BaseFault(message: "longer than 4 KB") }
    var reader = BaseReader(text)
    self = try reader.whole()
  }
}

/// The parser of expressions of `.base` files.
private struct BaseReader {
  private let characters: [Character]
  private var place = 0
  private var depth = 0

  /// The maximum depth of an expression.
  private static let deepest = 48
  /// The names of the variables that list functions and summaries set.
  private static let variables = ["value", "index", "acc", "values"]

  init(_ text: String) { characters = Array(text) }

  mutating func whole() throws(BaseFault) -> BaseExpression {
    let expression = try level(0)
    skipBlanks()
    guard place == characters.count else { throw unexpected() }
    return expression
  }

  private func unexpected() -> BaseFault {
    guard place < characters.count else { return BaseFault(message: "the expression ends too early") }
    return BaseFault(message: "unexpected \(String(characters[place...].prefix(12)))")
  }

  private mutating func skipBlanks() {
    while place < characters.count, characters[place].isWhitespace { place += 1 }
  }

  private mutating func skip(_ text: String) -> Bool {
    skipBlanks()
    guard characters[place...].starts(with: text) else { return false }
    place += text.count
    return true
  }

  private mutating func expect(_ text: String) throws(BaseFault) {
    guard skip(text) else { throw unexpected() }
  }

  private mutating func level(_ number: Int) throws(BaseFault) -> BaseExpression {
    guard number < BaseOperator.levels.count else { return try unary() }
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.deepest * BaseOperator.levels.count else {
      throw BaseFault(message: "nested too deeply")
    }
    var left = try level(number + 1)
    while let sign = BaseOperator.levels[number].first(where: { isNext($0) }) {
      place += sign.rawValue.count
      left = .binary(sign, left, try level(number + 1))
    }
    return left
  }

  private mutating func isNext(_ sign: BaseOperator) -> Bool {
    skipBlanks()
    return characters[place...].starts(with: sign.rawValue)
  }

  private mutating func unary() throws(BaseFault) -> BaseExpression {
    var signs: [Character] = []
    while skip("!") || skip("-") {
      signs.append(characters[place - 1])
      guard signs.count < Self.deepest else { throw BaseFault(message: "nested too deeply") }
    }
    var expression = try postfix()
    for sign in signs.reversed() {
      expression = sign == "!" ? .not(expression) : .binary(.minus, .literal(.number(0)), expression)
    }
    return expression
  }

  private mutating func postfix() throws(BaseFault) -> BaseExpression {
    var expression = try primary()
    var count = 0
    while true {
      count += 1
      guard count < Self.deepest else { throw BaseFault(message: "nested too deeply") }
      if skip(".") {
        let name = try name()
        if skip("(") {
          let arguments = try arguments()
          try BaseFunctions.checkMethod(name, arguments)
          expression = .method(expression, name, arguments)
        } else {
          guard BaseFunctions.fields.contains(name) else {
            throw BaseFault(message: "the property .\(name) is unknown")
          }
          expression = .field(expression, name)
        }
      } else if skip("[") {
        expression = .element(expression, try level(0))
        try expect("]")
      } else {
        return expression
      }
    }
  }

  private mutating func arguments() throws(BaseFault) -> [BaseExpression] {
    var arguments: [BaseExpression] = []
    if skip(")") { return [] }
    repeat { arguments.append(try level(0)) } while skip(",")
    try expect(")")
    return arguments
  }

  private mutating func primary() throws(BaseFault) -> BaseExpression {
    skipBlanks()
    guard place < characters.count else { throw unexpected() }
    let first = characters[place]
    if first == "(" {
      place += 1
      let inner = try level(0)
      try expect(")")
      return inner
    }
    if first == "[" {
      place += 1
      var elements: [BaseExpression] = []
      if skip("]") { return .list([]) }
      repeat { elements.append(try level(0)) } while skip(",")
      try expect("]")
      return .list(elements)
    }
    if first == "\"" || first == "'" { return .literal(.text(try quoted(first))) }
    if first == "/" { throw BaseFault(message: "regular expressions aren't supported") }
    if first.isASCII, first.isNumber { return .literal(.number(try number())) }
    return try named()
  }

  private mutating func quoted(_ quote: Character) throws(BaseFault) -> String {
    place += 1
    var text = ""
    while place < characters.count, characters[place] != quote {
      if characters[place] == "\\", place + 1 < characters.count { place += 1 }
      text.append(characters[place])
      place += 1
    }
    guard place < characters.count else { throw BaseFault(message: "a quote is not closed") }
    place += 1
    return text
  }

  private mutating func number() throws(BaseFault) -> Double {
    let start = place
    while place < characters.count, characters[place].isASCII, characters[place].isNumber { place += 1 }
    if place + 1 < characters.count, characters[place] == ".", characters[place + 1].isNumber {
      place += 1
      while place < characters.count, characters[place].isASCII, characters[place].isNumber { place += 1 }
    }
    guard let number = Double(String(characters[start..<place])) else { throw unexpected() }
    return number
  }

  /// Parses a name: letters, digits and `_`, and a dash before a letter.
  private mutating func name() throws(BaseFault) -> String {
    skipBlanks()
    let start = place
    while place < characters.count {
      let character = characters[place]
      let isDash =
        character == "-" && place > start && place + 1 < characters.count && characters[place + 1].isLetter
      guard character.isLetter || character.isNumber || character == "_" || isDash else { break }
      place += 1
    }
    guard place > start else { throw unexpected() }
    return String(characters[start..<place])
  }

  private mutating func named() throws(BaseFault) -> BaseExpression {
    let word = try name()
    switch word {
    case "true", "false": return .literal(.boolean(word == "true"))
    case "null": return .literal(.empty)
    case "this": throw BaseFault(message: "this is known only in an embedded base")
    case "note" where skip("."): return .note(try name())
    case "note" where skip("["): return .note(try property())
    case "formula" where skip("."): return .formula(try name())
    case "formula" where skip("["): return .formula(try property())
    case "file": return try file()
    default: break
    }
    guard skip("(") else { return Self.variables.contains(word) ? .variable(word) : .note(word) }
    let arguments = try arguments()
    try BaseFunctions.checkFunction(word, arguments)
    return .function(word, arguments)
  }

  /// Parses the name of a property in brackets and quotes.
  private mutating func property() throws(BaseFault) -> String {
    skipBlanks()
    guard place < characters.count, "\"'".contains(characters[place]) else { throw unexpected() }
    let name = try quoted(characters[place])
    try expect("]")
    return name
  }

  private mutating func file() throws(BaseFault) -> BaseExpression {
    if skip("(") { throw BaseFault(message: "the function file() isn't supported") }
    guard skip(".") else { return .file(.file) }
    let word = try name()
    if skip("(") {
      let arguments = try arguments()
      try BaseFunctions.checkFileMethod(word, arguments)
      return word == "asLink" ? .file(.file) : .fileMethod(word, arguments)
    }
    guard let field = BaseFileField(rawValue: word) else {
      throw BaseFault(message: "file.\(word) isn't supported")
    }
    return .file(field)
  }
}
