import Notes
import SlipboxCore
import Text

/// The sentences of a review.
struct ReviewWords {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]
  static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

  let review: Review

  /// The days in words: `Week 47, 16 to 22 November 2026`.
  var days: String {
    let (first, last) = (review.first, review.last)
    if first == last { return "\(Self.weekdays[first.weekday - 1]), \(Self.text(first))" }
    let isWeek = first.weekday == 1 && last.dayNumber - first.dayNumber < 7
    return (isWeek ? "Week \(Self.week(of: first)), " : "") + Self.stretch(first, last)
  }

  /// What happened, in a sentence.
  var summary: String {
    guard review.commitCount > 0 else {
      return review.begins.map { "The box begins on \(Self.text($0))." } ?? "Nothing was committed."
    }
    let changes = EnglishWord.count(review.commitCount, "commit")
    let notes = Count.notes(review.noteCount)
    let days = review.days.count == 1 ? "one day" : "\(review.days.count) days"
    let events = review.events.map { event in
      EnglishWord.count(event.items.count, Visible.escape(event.kind)) + " " + Self.verb(of: event)
    }
    let subject = review.noteCount == 0 ? changes : "\(changes) to \(notes)"
    return "\(subject) on \(days)" + (events.isEmpty ? "." : ": \(Sentence.list(events)).")
  }

  /// The heading of an event's notes: `Closed 2 issues`.
  static func heading(_ event: Review.Event) -> String {
    EnglishWord.capitalised(verb(of: event)) + " "
      + EnglishWord.count(event.items.count, Visible.escape(event.kind))
  }

  private static func verb(of event: Review.Event) -> String {
    switch event.what {
    case .made: "made"
    case .reopened: "reopened"
    case .deleted: "deleted"
    case .ended, .moved: event.action.map { Visible.escape(EnglishWord.participle($0)) } ?? "completed"
    }
  }

  private static func stretch(_ first: CivilDate, _ last: CivilDate) -> String {
    if first.year != last.year { return "\(text(first)) to \(text(last))" }
    if first.month != last.month { return "\(first.day) \(months[first.month - 1]) to \(text(last))" }
    return "\(first.day) to \(text(last))"
  }

  private static func text(_ day: CivilDate) -> String { "\(day.day) \(months[day.month - 1]) \(day.year)" }

  /// The number of a week by ISO 8601: that of its Thursday in the year.
  private static func week(of monday: CivilDate) -> Int {
    let thursday = monday.adding(days: 3)
    let start = CivilDate(year: thursday.year, month: 1, day: 1) ?? thursday
    return (thursday.dayNumber - start.dayNumber) / 7 + 1
  }

  /// The name of a month in three letters.
  static func shortMonth(_ day: CivilDate) -> String { String(months[day.month - 1].prefix(3)) }
}
