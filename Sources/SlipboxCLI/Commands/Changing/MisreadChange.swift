import Bytes
import Notes
import SlipboxCore
import Text

/// A CHANGE or a term in the form of another program: `due=friday`, `due: friday`, `due = friday`.
struct MisreadChange {
  /// The words as they were typed.
  let typed: String
  /// The form that is read here.
  let meant: String

  /// Finds the first such words.
  ///
  /// - Parameter fields: the names that count with an equals sign; nil where only `due: friday` is looked for.
  init?(in words: [String], fields: Set<String>? = nil) {
    for index in words.indices {
      guard let found = Self.field(at: index, of: words, fields) else { continue }
      typed = words[found.words].joined(separator: " ")
      meant = ShellWord.quoted("\(found.name):\(found.value)")
      return
    }
    return nil
  }

  /// Finds a field and its value side by side behind a REF: `Dune rating 5`.
  init?(pairIn words: [String], fields: Set<String>) {
    let names = words.indices.dropFirst().dropLast()
    guard let index = names.first(where: { fields.contains(words[$0].lowercased()) }) else { return nil }
    typed = "\(words[index]) \(words[index + 1])"
    meant = ShellWord.quoted("\(words[index]):\(words[index + 1])")
  }

  /// Finds a word with a blank after its colon: `'due: friday'`.
  init?(blankIn words: [String], fields: Set<String>) {
    for word in words {
      guard let colon = word.firstIndex(of: ":"), word[word.index(after: colon)...].first == " ",
        fields.contains(word[..<colon].lowercased())
      else { continue }
      let value = word[word.index(after: colon)...].drop { $0 == " " }
      if value.isEmpty { continue }
      typed = word
      meant = ShellWord.quoted("\(word[..<colon]):\(value)")
      return
    }
    return nil
  }

  /// A hint at a value of several words without quotes: `due:next week`; nil where no CHANGE stands before them.
  static func quotingHint(before word: String, in words: [String]) -> Phrase? {
    guard let index = words.firstIndex(of: word), index > 0, case .set? = Change(words[index - 1]) else {
      return nil
    }
    let value = [words[index - 1]] + words[index...].prefix { Change($0) == nil }
    return "quote a value of several words: \(typed: value.joined(separator: " "))"
  }

  /// The names of fields that kinds declare and of those that every note has.
  static func fields(of snapshot: BoxSnapshot) -> Set<String> {
    let schema = snapshot.schema()
    return Set(schema.kinds.flatMap { kind in kind.fieldOrder.map { $0.lowercased() } } + ["title", "tags"])
  }

  private typealias Field = (name: String, value: String, words: ClosedRange<Int>)

  private static func field(at index: Int, of words: [String], _ fields: Set<String>?) -> Field? {
    let word = words[index]
    let rest = words[(index + 1)...]
    if fields == nil || word.hasSuffix(":") {
      guard case .clear(let name)? = Change(word), let value = rest.first, Change(value) == nil else {
        return nil
      }
      // A value of several words goes on up to the next CHANGE.
      let values = rest.prefix { Change($0) == nil }
      return (name, values.joined(separator: " "), index...(index + values.count))
    }
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let name = parts.first, fields?.contains(name.lowercased()) == true else { return nil }
    switch (parts.count, parts.last ?? "") {
    case (2, let value) where !value.isEmpty: return (name, value, index...index)
    case (2, _): return rest.first.map { (name, $0, index...(index + 1)) }
    default: break
    }
    guard let sign = rest.first, sign.hasPrefix("=") else { return nil }
    if sign.utf8.count > 1 { return (name, String(sign.dropFirst()), index...(index + 1)) }
    return rest.dropFirst().first.map { (name, $0, index...(index + 2)) }
  }

  /// Hints at terms of a query that found nothing.
  static func hints(in words: [String], of snapshot: BoxSnapshot) -> [Phrase] {
    MisreadChange(in: words, fields: fields(of: snapshot)).map { [$0.hint] } ?? []
  }

  /// What to type.
  var hint: Phrase { "write a field and its value as one word with a colon: \(meant)" }

  /// The refusal of the words.
  var error: SlipboxError {
    SlipboxError(.usage, "\(Visible.escape(typed)) is not a change", hints: [hint])
  }
}
