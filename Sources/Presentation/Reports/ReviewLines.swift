import NoteIndex
import Notes
package import SlipboxCore
import Text

/// A review as prose, with the notes under it.
package struct ReviewLines {
  /// More notes of one heading are only counted.
  private static let mostItems = 12

  private let review: Review
  private let words: ReviewWords
  private let display: Display
  private let catalogue: Catalogue?

  /// - Parameter snapshot: the box now, by which ids are shortened on a terminal.
  package init(_ review: Review, in snapshot: BoxSnapshot, _ display: Display) {
    self.review = review
    self.display = display
    words = ReviewWords(review: review)
    // Without the notes of now ids are shown whole.
    catalogue = try? snapshot.catalogue()
  }

  /// The lines, a blank one between parts.
  package func lines() -> [String] {
    let style = display.style
    var lines = [style.bold(words.days)] + wrapped(words.summary)
    if display.isTerminal, let width = display.width, !review.days.isEmpty {
      lines += [""] + ActivityCalendar(review, style, width: width).lines()
    }
    for event in review.events { lines += part(ReviewWords.heading(event), rows(event.items)) }
    let renamed = review.renamings.map { [name(of: $0.item), "\($0.oldTitle) \(arrow) \($0.item.title)"] }
    lines += part("Renamed \(Count.notes(renamed.count))", table(renamed))
    if !review.newTags.isEmpty {
      let tags = review.newTags.prefix(Self.mostItems).map { "#" + Visible.escape($0) }
      let more = review.newTags.count - tags.count
      let names = tags + (more > 0 ? ["\(more) more"] : [])
      let title = review.newTags.count == 1 ? "New tag" : "New tags"
      lines += [""] + wrapped("\(title): \(Sentence.list(names))")
    }
    let links = review.newLinks.map { [name(of: $0.from), "\($0.from.title) \(arrow) \($0.to)"] }
    lines += part("New links: \(links.count)", table(links))
    let busy = review.busiest.map { [name(of: $0.item), "\($0.item.title), \($0.count) commits"] }
    lines += part(busy.count == 1 ? "Busiest note" : "Busiest notes", table(busy))
    return lines
  }

  private var arrow: String { display.style.unicode ? "→" : "->" }

  private func part(_ title: String, _ rows: [String]) -> [String] {
    rows.isEmpty ? [] : ["", display.style.bold(title)] + rows
  }

  private func rows(_ items: [Review.Item]) -> [String] { table(items.map { [name(of: $0), $0.title] }) }

  /// Rows of a name and a text, and how many more there are.
  private func table(_ rows: [[String]]) -> [String] {
    let style = display.style
    var name = Table.Column(paint: { style.dim($0) })
    name.maximumWidth = 28
    name.cut = .middle
    var table = Table(
      columns: [name, .init(isFlexible: true, minimumWidth: 8)], style: style,
      width: display.width.map { max(1, $0 - 2) })
    for row in rows.prefix(Self.mostItems) { table.add(row) }
    let more = rows.count - Self.mostItems
    return table.lines().map { "  " + $0 } + (more > 0 ? ["  " + style.dim("and \(more) more")] : [])
  }

  /// The id, on a terminal as its shortest beginning, else the path.
  private func name(of item: Review.Item) -> String {
    guard let id = item.id else { return String(decoding: item.path, as: UTF8.self) }
    guard display.isTerminal, !item.isDeleted, let catalogue else { return id.description }
    return String(id.description.prefix(catalogue.shortestPrefix(of: id)))
  }

  /// A sentence in lines of the terminal's width.
  private func wrapped(_ text: String) -> [String] {
    guard let width = display.width else { return [text] }
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ").map(String.init) {
      if !line.isEmpty, CellWidth.of(line) + 1 + CellWidth.of(word) > width {
        lines.append(line)
        line = word
      } else {
        line += (line.isEmpty ? "" : " ") + word
      }
    }
    return lines + [line]
  }
}

/// The commits of the days of a review: a bar for each of a few days, else a square for each day of some weeks.
struct ActivityCalendar {
  private static let mostBars = 14
  private static let levels = 4

  private let review: Review
  private let style: Style
  private let width: Int
  private let most: Int

  init(_ review: Review, _ style: Style, width: Int) {
    self.review = review
    self.style = style
    self.width = width
    most = max(1, review.days.values.max() ?? 1)
  }

  func lines() -> [String] {
    review.last.dayNumber - review.first.dayNumber < Self.mostBars ? bars() : weeks()
  }

  // MARK: Bars

  private func bars() -> [String] {
    let room = max(1, min(30, width - 18))
    return (review.first.dayNumber...review.last.dayNumber).map { number in
      let day = CivilDate(dayNumber: number)
      let date = (day.day < 10 ? " " : "") + "\(day.day) \(ReviewWords.shortMonth(day))"
      let label = "\(ReviewWords.weekdays[day.weekday - 1].prefix(3)) \(date)"
      guard let count = review.days[day] else { return style.dim(label) }
      let length = most <= room ? count : max(1, count * room / most)
      let bar = String(repeating: style.unicode ? "█" : "#", count: length)
      return "\(label)  \(style.painted(bar, .green)) \(count)"
    }
  }

  // MARK: Weeks

  private func weeks() -> [String] {
    let end = review.last.adding(days: 7 - review.last.weekday)
    let wanted = (end.dayNumber - review.first.dayNumber) / 7 + 1
    let count = max(1, min(wanted, (width - 4) / 2))
    let start = end.adding(days: 1 - 7 * count)
    let rows = (0..<7).map { weekday in
      let label = weekday % 2 == 0 ? String(ReviewWords.weekdays[weekday].prefix(3)) : "   "
      let squares = (0..<count).map { square(start.adding(days: 7 * $0 + weekday)) }
      return style.dim(label) + " " + squares.joined(separator: " ")
    }
    return [months(from: start, count)] + rows
  }

  private func square(_ day: CivilDate) -> String {
    guard day >= review.first, day <= review.last else { return " " }
    guard let count = review.days[day] else { return style.dim(style.unicode ? "·" : ".") }
    let level = min(Self.levels - 1, (count * Self.levels - 1) / most)
    let sign = (style.unicode ? ["░", "▒", "▓", "█"] : ["-", "+", "*", "#"])[level]
    return style.painted(sign, .green)
  }

  /// The names of months over the weeks in which they begin.
  private func months(from start: CivilDate, _ count: Int) -> String {
    var line = "    "
    for week in 0..<count {
      let last = start.adding(days: 7 * week + 6)
      let column = 4 + 2 * week
      guard last.day <= 7 || week == 0, line.utf8.count <= column, column + 3 <= width else { continue }
      line += String(repeating: " ", count: column - line.utf8.count) + ReviewWords.shortMonth(last) + " "
    }
    while line.last == " " { line.removeLast() }
    return style.dim(line)
  }
}

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

  /// The event in a sentence.
  var summary: String {
    let adopted = review.adoptedCount > 0 ? "\(Count.notes(review.adoptedCount)) adopted." : nil
    guard review.commitCount > 0 else {
      return adopted ?? review.begins.map { "The first commit was on \(Self.text($0))." }
        ?? "No note changed."
    }
    let changes = EnglishWord.count(review.commitCount, "commit")
    let notes = Count.notes(review.noteCount)
    let days = review.days.count == 1 ? "one day" : "\(review.days.count) days"
    let events = review.events.map { event in
      EnglishWord.count(event.items.count, Visible.escape(event.kind)) + " " + Self.verb(of: event)
    }
    let subject = review.noteCount == 0 ? changes : "\(changes) to \(notes)"
    let summary = "\(subject) on \(days)" + (events.isEmpty ? "." : ": \(Sentence.list(events)).")
    return adopted.map { "\($0) \(summary)" } ?? summary
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

/// A review as Markdown, to keep as a note: without a title, with links to the notes.
package struct ReviewMarkdown {
  private let review: Review
  private let words: ReviewWords

  package init(_ review: Review) {
    self.review = review
    words = ReviewWords(review: review)
  }

  /// The text, with a line end at its end.
  package var text: String {
    var parts = ["\(words.days): \(words.summary)"]
    for event in review.events {
      parts += part(Self.escaped(ReviewWords.heading(event)), event.items.map(Self.link))
    }
    parts += part(
      "Renamed", review.renamings.map { "\(Self.link($0.item)), before: \(Self.escaped($0.oldTitle))" })
    parts += part("New tags", review.newTags.map { Self.code(Visible.escape($0)) })
    parts += part("New links", review.newLinks.map { "\(Self.link($0.from)) to \(Self.escaped($0.to))" })
    parts += part("Busiest notes", review.busiest.map { "\(Self.link($0.item)), \($0.count) commits" })
    return parts.joined(separator: "\n\n") + "\n"
  }

  private func part(_ title: String, _ rows: [String]) -> [String] {
    rows.isEmpty ? [] : ["## \(title)", rows.map { "- \($0)" }.joined(separator: "\n")]
  }

  /// A wiki link by the id, which holds when the title changes, else by the path; of a note that is gone only the title.
  private static func link(_ item: Review.Item) -> String {
    guard !item.isDeleted, let target = item.id?.description ?? target(of: item.path) else {
      return escaped(item.title)
    }
    // Nothing can be escaped in a wiki link.
    let label = Visible.escape(item.title).map { "[]|\n\t".contains($0) ? " " : $0 }
    return "[[\(target)|\(String(label))]]"
  }

  /// The path as a wiki link names it, without its suffix; nil if a wiki link can't hold it.
  private static func target(of path: [UInt8]) -> String? {
    guard let text = String(validating: path, as: UTF8.self),
      !text.contains(where: { "[]|#^\n\t".contains($0) })
    else { return nil }
    return text.hasSuffix(".md") ? String(text.dropLast(3)) : text
  }

  /// A text in which no character means anything to Markdown.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in Visible.escape(text) {
      if "\\`*_[]<>#&|~".contains(character) { result += "\\" }
      result.append(character == "\t" ? " " : character)
    }
    return result
  }

  /// A tag as code, so that the review does not have it.
  private static func code(_ tag: String) -> String {
    tag.contains("`") ? "`` \(tag) ``" : "`#\(tag)`"
  }
}

extension Review {
  /// The review as one object.
  package var json: [UInt8] {
    JSONDocument.object { writer in
      writer.member("first", first.description)
      writer.member("last", last.description)
      writer.member("begins", begins?.description)
      writer.member("commits", commitCount)
      writer.member("notes", noteCount)
      writer.member("adopted", adoptedCount)
      writer.member("events", of: events) { event, writer in
        writer.object { writer in
          writer.member("what", event.what.rawValue)
          writer.member("action", event.action)
          writer.member("kind", event.kind)
          writer.member("notes", of: event.items) { item, writer in writer.object { item.write(to: &$0) } }
        }
      }
      writer.member("renamed", of: renamings) { renaming, writer in
        writer.object { writer in
          renaming.item.write(to: &writer)
          writer.member("old", renaming.oldTitle)
        }
      }
      writer.key("tags")
      writer.strings(newTags)
      writer.member("links", of: newLinks) { link, writer in
        writer.object { writer in
          writer.key("from")
          writer.object { link.from.write(to: &$0) }
          writer.member("to", link.to)
        }
      }
      writer.member("busiest", of: busiest) { busy, writer in
        writer.object { writer in
          busy.item.write(to: &writer)
          writer.member("commits", busy.count)
        }
      }
      writer.member("days", of: days.sorted { $0.key < $1.key }) { day, writer in
        writer.object { writer in
          writer.member("date", day.key.description)
          writer.member("commits", day.value)
        }
      }
    }
  }
}

extension Review.Item {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("id", id?.description)
    writer.member("path", bytes: path)
    writer.member("title", title)
    writer.member("kind", kind)
    if isDeleted { writer.member("deleted", true) }
  }
}
