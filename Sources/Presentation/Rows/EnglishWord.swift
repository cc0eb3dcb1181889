package import Notes

/// English forms of the names that people give to kinds and actions.
enum EnglishWord {
  /// Actions whose past is in no rule.
  private static let irregular = [
    "begin": "begun", "bring": "brought", "buy": "bought", "catch": "caught", "choose": "chosen",
    "cut": "cut",
    "do": "done", "draw": "drawn", "drink": "drunk", "drive": "driven", "eat": "eaten", "find": "found",
    "get": "got", "give": "given", "go": "gone", "grow": "grown", "hide": "hidden", "hold": "held",
    "keep": "kept", "lay": "laid", "leave": "left", "lend": "lent", "lose": "lost", "make": "made",
    "meet": "met", "pay": "paid", "put": "put", "read": "read", "send": "sent", "sell": "sold", "set": "set",
    "show": "shown", "shut": "shut", "sing": "sung", "speak": "spoken", "spend": "spent", "take": "taken",
    "teach": "taught", "tell": "told", "think": "thought", "throw": "thrown", "wear": "worn", "win": "won",
    "write": "written",
  ]
  private static let vowels = "aeiou"

  /// The past participle of an action: `close` closed, `ship` shipped, `send` sent.
  static func participle(_ action: String) -> String {
    if let word = irregular[action.lowercased()] { return word }
    let letters = Array(action)
    guard let last = letters.last else { return action }
    if last == "e" { return action + "d" }
    let before = letters.dropLast().last ?? " "
    if last == "y", !vowels.contains(before) { return String(letters.dropLast()) + "ied" }
    let isShort = letters.count(where: vowels.contains) == 1 && letters.count > 2
    if isShort, vowels.contains(before), !vowels.contains(last), !"wxy".contains(last) {
      return action + String(last) + "ed"
    }
    return action + "ed"
  }

  /// The plural of a kind: `issue` issues, `box` boxes, `story` stories.
  static func plural(_ noun: String) -> String {
    let end = noun.lowercased()
    if ["s", "x", "z", "ch", "sh"].contains(where: end.hasSuffix) { return noun + "es" }
    if end.hasSuffix("y"), let before = end.dropLast().last, !vowels.contains(before) {
      return String(noun.dropLast()) + "ies"
    }
    return noun + "s"
  }

  /// A number with its noun: `1 issue`, `2 issues`.
  static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(count == 1 ? noun : plural(noun))"
  }

  static func capitalised(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}

/// Numbers with their nouns.
package enum Count {
  /// `1 note`, `2 notes`.
  package static func notes(_ count: Int) -> String { count == 1 ? "1 note" : "\(count) notes" }

  /// How many notes are in conflict, with the commands that list and resolve them.
  package static func conflicts(_ count: Int) -> String {
    "\(notes(count)) in conflict; slip list is:conflicted lists them, slip resolve REF resolves one"
  }
}

/// Words put together as in a sentence.
package enum Sentence {
  /// Words with commas, and a conjunction before the last: `a, b and c`.
  package static func list(_ words: [String], _ conjunction: String = "and") -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
  }
}

/// Days in words.
package enum DayWords {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]

  /// `Friday, 27 November 2026, in 4 days`.
  package static func long(_ day: CivilDate, today: CivilDate) -> String {
    "\(weekday(day)), \(day.day) \(months[day.month - 1]) \(day.year), \(distance(day, today))"
  }

  /// `today`, `Fri` for a day of the next six, `27 Nov`, and the date itself in another year.
  package static func short(_ day: CivilDate, today: CivilDate) -> String {
    switch day.dayNumber - today.dayNumber {
    case -1...1: distance(day, today)
    case 2...6: String(weekday(day).prefix(3))
    default: day.year == today.year ? "\(day.day) \(months[day.month - 1].prefix(3))" : day.description
    }
  }

  private static func weekday(_ day: CivilDate) -> String {
    DateInterval.weekdays[day.weekday - 1].prefix(1).uppercased()
      + DateInterval.weekdays[day.weekday - 1].dropFirst()
  }

  private static func distance(_ day: CivilDate, _ today: CivilDate) -> String {
    switch day.dayNumber - today.dayNumber {
    case 0: "today"
    case 1: "tomorrow"
    case -1: "yesterday"
    case let days where days > 0: "in \(days) days"
    case let days: "\(-days) days ago"
    }
  }
}
