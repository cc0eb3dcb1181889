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
