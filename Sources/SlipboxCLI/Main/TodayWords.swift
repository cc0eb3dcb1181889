import Notes

/// The words after `slip today`, which prints an agenda, or puts records in My Day.
enum TodayWords {
  static let command = "today"

  /// Whether words ask for the agenda: they have only its options and terms of a query.
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
